package import Beacons
package import Bytes

/// How the beacons of one group sound in one location, learned there.
///
/// Of each beacon's readings only their number, sum and sum of squares are kept.
package struct Fingerprint: Sendable {
  /// The readings of one beacon, at most one for each second.
  struct Readings: Sendable {
    var major: UInt16 = 0
    var minor: UInt16 = 0
    /// How many there are, 240 at most.
    var count: Int32 = 0
    /// Their sum in dBm; each reading is below zero.
    var sum: Int32 = 0
    var squares: Int32 = 0

    /// Adds a reading in dBm.
    mutating func add(_ rssi: Int8) {
      count += 1
      sum += Int32(rssi)
      squares += Int32(rssi) * Int32(rssi)
    }

    func isOf(_ beacon: IBeacon) -> Bool { major == beacon.major && minor == beacon.minor }
  }

  package static var capacity: Int { 32 }
  /// The most seconds of a training, and so the most readings of a beacon.
  package static var longest: Int { 240 }

  /// The UUID of the group, which all beacons have.
  package internal(set) var uuid = UUID(0, 0)
  /// For how many seconds the training listened.
  package internal(set) var seconds: Int32 = 0
  /// The readings of each beacon, in the order in which the beacons came.
  var readings = FixedList<32, Readings>(filler: Readings())

  init() {}

  package var count: Int { readings.count }

  package func beacon(at index: Int) -> IBeacon {
    IBeacon(uuid, major: readings[index].major, minor: readings[index].minor)
  }

  /// The place of a beacon of this group, if it was heard.
  func index(of beacon: IBeacon) -> Int? {
    for index in 0..<count where readings[index].isOf(beacon) { return index }
    return nil
  }
}

/// How badly what is heard now suits a location, in 1/256 nat: the negative logarithm of a probability.
///
/// The signals of a beacon are assumed to be normally distributed, and signals of different beacons to be
/// independent. Unlike in a naive Bayes classifier over heard beacons, a silent beacon counts, too: it
/// speaks against the locations where it used to be heard.
extension Fingerprint {
  /// The cost of all heard beacons and of all silent ones.
  func cost(of heard: borrowing BeaconTable) -> Int32 {
    // 64 costs of at most 226,000 each do not overflow.
    var (cost, known): (Int32, UInt32) = (0, 0)
    for number in 0..<heard.entries.count {
      let (beacon, signal) = (heard.entries[number].beacon, heard.entries[number].signal)
      if let index = index(of: beacon) {
        known |= 1 << UInt32(index)
        cost += readings[index].cost(of: signal)
      } else {
        cost += Readings.unknownCost(of: signal)
      }
    }
    for index in 0..<count where known & 1 << UInt32(index) == 0 {
      cost += readings[index].silenceCost(inSeconds: seconds)
    }
    return cost
  }
}

extension Fingerprint.Readings {
  /// The mean, in sixteenths of a dBm.
  var mean16: Int32 { (16 * sum - count / 2) / count }

  /// The variance, in 1/256 dB²: at least that of a deviation of 3 dB, however few readings there are.
  var variance256: Int32 {
    // 240 readings of -128 dBm have less than 2^30 in each of the products.
    let scatter = Int64(widening: Int(count * squares - sum * sum))
    let variance = 256 * scatter / Int64(widening: Int(count * count))
    return max(256 * 9, Int32(truncatingIfNeeded: variance))
  }

  /// The cost of hearing the beacon with this signal, in sixteenths of a dBm.
  func cost(of signal: Int32) -> Int32 {
    Self.cost(of: signal, mean16: mean16, variance256: variance256)
  }

  /// The cost of hearing a beacon that the training never heard: as if its signal had been -95 ± 6 dBm.
  static func unknownCost(of signal: Int32) -> Int32 {
    cost(of: signal, mean16: -95 * 16, variance256: 36 * 256)
  }

  /// -ln of the normal distribution, without the constant that all costs share.
  private static func cost(of signal: Int32, mean16: Int32, variance256: Int32) -> Int32 {
    let difference = signal - mean16
    let half = (128 * difference * difference + variance256 / 2) / variance256
    return half + (logarithm(variance256) - logarithm(256) + 0x100) >> 9
  }

  /// The cost of the silence of the beacon, which was heard in `count` of these seconds.
  ///
  /// A silence is never less probable than 1 in 50: a beacon may have lost its battery.
  func silenceCost(inSeconds seconds: Int32) -> Int32 {
    let silent = seconds - count
    let ratio = 50 * silent > seconds ? logarithm(seconds) - logarithm(silent) : logarithm(50)
    return (ratio + 0x80) >> 8
  }
}

/// The natural logarithm of a whole number of at least 1, in 1/65,536.
///
/// Exact to 3 units: the highest bit counts the powers of two, the next six bits choose from a table, and the
/// bits below interpolate.
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
