package import Bytes
package import Graphics

/// Pictures as files in the portable bitmap format, P4.
///
/// A lit pixel is 1, which the format calls black.
package enum PBM {
  /// Adds `bitmap` as a whole file: header, then rows from the top, most significant bit left.
  ///
  /// At most 2059 bytes: a header of 11, then 128 × 128 bits.
  package static func append<Writer: ByteWriter & ~Copyable>(
    _ bitmap: borrowing Bitmap, to writer: inout Writer
  ) {
    writer.append("P4\n")
    writer.append(decimal: Int64(widening: bitmap.size.width))
    writer.append(0x20)
    writer.append(decimal: Int64(widening: bitmap.size.height))
    writer.append(0x0A)
    for y in 0..<bitmap.size.height {
      var x = 0
      while x < bitmap.size.width {
        var byte: UInt8 = 0
        for bit in 0..<8 where bitmap[x + bit, y] { byte |= 0x80 >> UInt8(bit) }
        writer.append(byte)
        x += 8
      }
    }
  }
}
