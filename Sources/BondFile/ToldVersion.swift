import Bytes

/// The part of a program's version that the rider is told, in four bytes of a record.
///
///     0  1  major
///     1  1  minor
///     2  1  patch
///     3  1  1 for a release, 2 for a version between two releases
///
/// All are zeros before any version was told. The commit is left out, as the panel does not show it.
package struct ToldVersion: Equatable, Sendable {
  private static var release: UInt32 { 1 }
  private static var development: UInt32 { 2 }

  /// The four bytes in little-endian.
  private var number: UInt32 = 0

  package static var none: ToldVersion { ToldVersion() }

  private init() {}

  init(_ record: Span<UInt8>, at place: Int) throws(ParseError) {
    var reader = ByteReader(record.extracting(droppingFirst: place))
    number = try reader.u32()
  }

  func write(into buffer: inout FixedBuffer<512>) { buffer.append(u32: number) }

  /// Reads a text such as `0.3.0-dev+1a2b3c4d`; `none` for a text that does not begin with three numbers up to 255.
  package init(_ text: Span<UInt8>) {
    var rest = text
    for place in 0..<3 as Range<UInt32> {
      var end = 0
      while end < rest.count, (0x30...0x39).contains(rest[end]) { end += 1 }
      let isLast = place == 2
      guard let part = decimal(rest.extracting(first: end), upTo: 255),
        isLast || end < rest.count && rest[end] == UInt8(ascii: ".")
      else {
        number = 0
        return
      }
      number |= part &<< (8 * place)
      rest = rest.extracting(droppingFirst: isLast ? end : end + 1)
    }
    number |= (rest.isEmpty ? Self.release : Self.development) &<< 24
  }
}
