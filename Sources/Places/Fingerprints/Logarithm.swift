/// The natural logarithm of a whole number of at least 1, in 1/65,536.
///
/// Exact to 3 units: the highest bit counts the powers of two, the next six choose from a table, and those
/// below are interpolated.
func logarithm(_ number: Int32) -> Int32 {
  guard number > 0 else { return 0 }
  let power = Int32(31 - number.leadingZeroBitCount)
  // 1.f in 1/2^30, without its 1: six bits of index above 24 of rest.
  let fraction = Int32(bitPattern: UInt32(bitPattern: number) << UInt32(30 - power)) & 0x3FFF_FFFF
  let index = Int(fraction >> 24)
  // 12 bits of the rest are enough, and no product overflows.
  let rest = fraction >> 12 & 0xFFF
  let below = logarithms[index]
  let above = index < 63 ? logarithms[index + 1] : logarithmOf2
  return power * logarithmOf2 + below + ((above - below) * rest + 0x800) >> 12
}

private let logarithmOf2: Int32 = 45426

/// ln(1 + i/64) in 1/65,536.
private let logarithms: InlineArray<64, Int32> = [
  0, 1016, 2017, 3002, 3973, 4930, 5873, 6802,
  7719, 8623, 9515, 10394, 11262, 12119, 12965, 13800,
  14624, 15438, 16242, 17037, 17821, 18597, 19364, 20121,
  20870, 21611, 22343, 23067, 23783, 24492, 25193, 25886,
  26573, 27252, 27924, 28589, 29248, 29900, 30546, 31185,
  31818, 32445, 33067, 33682, 34292, 34896, 35494, 36087,
  36675, 37258, 37835, 38407, 38975, 39537, 40095, 40648,
  41196, 41740, 42280, 42815, 43345, 43872, 44394, 44912,
]
