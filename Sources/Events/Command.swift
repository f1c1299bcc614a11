import Bytes

/// What a reader of events asks for, in a line.
enum Command {
  /// The events of a topic; `nil` for those of all.
  case on(Topic?)
  /// No more by the subscription with this number.
  case off(UInt32)

  /// The command of a line without its newline; `nil` if it is none.
  init?(_ line: Span<UInt8>) {
    var line = line
    // A terminal's line ends in a carriage return, too.
    if line.count > 0, line[line.count - 1] == 0x0D { line = line.extracting(droppingLast: 1) }
    if hasPrefix(line, "on ") {
      let name = line.extracting(droppingFirst: 3)
      if let topic = Topic(name) {
        self = .on(topic)
        return
      }
      guard name.count == 3, hasPrefix(name, "all") else { return nil }
      self = .on(nil)
    } else {
      guard hasPrefix(line, "off "), let id = number(line.extracting(droppingFirst: 4)) else {
        return nil
      }
      self = .off(id)
    }
  }
}

/// A decimal number; `nil` for anything else, and where it is too large.
private func number(_ digits: Span<UInt8>) -> UInt32? {
  guard (1...10).contains(digits.count) else { return nil }
  var value: UInt64 = 0
  for index in digits.indices {
    guard (0x30...0x39).contains(digits[index]) else { return nil }
    value = value &* 10 &+ UInt64(widening: UInt32(digits[index] - 0x30))
  }
  return value <= 0xFFFF_FFFF ? UInt32(truncatingIfNeeded: value) : nil
}
