import Bytes

/// The apps that have notified lately, the last one first: their names as the phone sends them, and no text.
///
/// As many as fit into 120 bytes, each name after its number of bytes, then zeros. Without room the oldest go.
package struct SeenApps: Equatable, Sendable {
  static var encodedSize: Int { 120 }
  /// Bytes of a name; a longer one is cut.
  private static var longestName: Int { 60 }

  private var storage = InlineArray<120, UInt8>(repeating: 0)
  private var end = 0

  /// No apps.
  package init() {}

  /// Reads the bytes that `write` writes; a damaged name ends the list.
  init(parsing bytes: Span<UInt8>) {
    var start = 0
    while start < min(bytes.count, Self.encodedSize) {
      let rest = bytes.extracting(droppingFirst: start + 1)
      let count = Int(bytes[start])
      guard count <= rest.count, append(rest.extracting(first: count)) else { return }
      start += 1 + count
    }
  }

  func write(into buffer: inout FixedBuffer<512>) { buffer.append(storage.span) }

  package var isEmpty: Bool { end == 0 }

  /// The names as a record has them, for `name`.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { storage.span.extracting(first: end) }
  }

  /// The name at `start`, which moves to the next name; `nil` after the last one.
  @_lifetime(copy bytes)
  package static func name(in bytes: Span<UInt8>, at start: inout Int) -> Span<UInt8>? {
    guard start < bytes.count else { return nil }
    let first = start + 1
    start = first + Int(bytes[start])
    return bytes.extracting(first..<start)
  }

  /// Puts an app in front; returns whether it is new.
  package mutating func see(_ app: Span<UInt8>) -> Bool {
    let name = app.extracting(first: textEnd(app, upTo: Self.longestName))
    let isNew = !contains(name)
    var others = SeenApps()
    guard others.append(name) else { return false }
    var start = 0
    while let other = Self.name(in: bytes, at: &start) {
      if isEqual(other, name) { continue }
      guard others.append(other) else { break }
    }
    self = others
    return isNew
  }

  /// Whether both have the same apps, in any order.
  package func hasSameApps(as other: SeenApps) -> Bool {
    guard end == other.end else { return false }
    var start = 0
    while let name = Self.name(in: bytes, at: &start) {
      if !other.contains(name) { return false }
    }
    return true
  }

  package static func == (a: SeenApps, b: SeenApps) -> Bool { isEqual(a.bytes, b.bytes) }

  private func contains(_ app: Span<UInt8>) -> Bool {
    var start = 0
    while let name = Self.name(in: bytes, at: &start) {
      if isEqual(name, app) { return true }
    }
    return false
  }

  /// Puts a name behind the others; `false` if it is not a valid name, or does not fit.
  private mutating func append(_ name: Span<UInt8>) -> Bool {
    guard (1...Self.longestName).contains(name.count), end + 1 + name.count <= Self.encodedSize,
      isPlainText(name)
    else { return false }
    storage[end] = UInt8(truncatingIfNeeded: name.count)
    for index in name.indices { storage[end + 1 + index] = name[index] }
    end += 1 + name.count
    return true
  }
}
