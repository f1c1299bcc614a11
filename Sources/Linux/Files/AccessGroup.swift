package import Bytes
import CLinux

/// The group whose members may open a device.
package enum AccessGroup: Equatable, Sendable {
  /// No group: the owner alone may, at most.
  case nobody
  /// The group of this number.
  case number(UInt32)

  /// The group of the device `path`; `nil` if there is no such path.
  package init?(of path: Span<UInt8>) {
    let number = linux_group_with_access(path)
    guard number != Int64(widening: Int(LINUX_NO_GROUP)) else {
      self = .nobody
      return
    }
    guard number >= 0 else { return nil }
    self = .number(UInt32(truncatingIfNeeded: number))
  }
}

/// Appends the name of a group from the system's list, or its number if the list does not have it.
package func appendGroup(_ number: UInt32, to writer: inout some ByteWriter & ~Copyable) {
  let path = "/etc/group".utf8
  var list = FixedBuffer<16384>()
  do throws(Errno) {
    try readFile(path.span, into: &list)
  } catch {
    list.removeAll()
  }
  guard let name = groupName(number, in: list.bytes) else {
    writer.append(decimal: Int64(widening: number))
    return
  }
  writer.append(name)
}

/// The name of the group in a list of lines `name:password:number:members`.
///
/// group(5).
@_lifetime(copy list)
func groupName(_ number: UInt32, in list: Span<UInt8>) -> Span<UInt8>? {
  var digits = FixedBuffer<10>()
  digits.append(decimal: Int64(widening: number))
  var rest = list
  while !rest.isEmpty {
    let line = rest.extracting(first: firstIndex(of: 0x0A, in: rest) ?? rest.count)
    if let name = field(0, of: line), let third = field(2, of: line), field(3, of: line) != nil,
      !name.isEmpty, isEqual(third, digits.bytes)
    {
      return name
    }
    rest = rest.extracting(droppingFirst: min(rest.count, line.count + 1))
  }
  return nil
}

/// A field of a line; colons separate the fields.
@_lifetime(copy line)
private func field(_ index: Int, of line: Span<UInt8>) -> Span<UInt8>? {
  var (number, start) = (0, 0)
  for end in 0...line.count where end == line.count || line[end] == 0x3A {
    if number == index { return line.extracting(start..<end) }
    number += 1
    start = end + 1
  }
  return nil
}
