/// The 32-bit cyclic redundancy check of Ethernet, zlib and PNG.
///
/// Finds each error within 32 bits, so each wrong byte. ISO/IEC 3309.
public func crc32(_ bytes: Span<UInt8>) -> UInt32 {
  var remainder: UInt32 = 0xFFFF_FFFF
  for index in bytes.indices {
    remainder ^= UInt32(bytes[index])
    remainder = remainder >> 4 ^ remainders[Int(remainder & 0x0F)]
    remainder = remainder >> 4 ^ remainders[Int(remainder & 0x0F)]
  }
  return ~remainder
}

/// What four bits leave of the reflected polynomial 0xEDB88320.
private let remainders: InlineArray<16, UInt32> = [
  0x0000_0000, 0x1DB7_1064, 0x3B6E_20C8, 0x26D9_30AC,
  0x76DC_4190, 0x6B6B_51F4, 0x4DB2_6158, 0x5005_713C,
  0xEDB8_8320, 0xF00F_9344, 0xD6D6_A3E8, 0xCB61_B38C,
  0x9B64_C2B0, 0x86D3_D2D4, 0xA00A_E278, 0xBDBD_F21C,
]
