import Bytes

/// Where a file of the rider's is wrong: the parts of the English message that any language can show.
///
/// The message is `board.conf:12: unknown key "panl" (did you mean "panel"?)`, or another one of `BoardError`; or
/// `lenker-update.bin was not started`, or another one of the card's guard.
package struct SettingsMistake: ~Escapable {
  /// The file's name, with which the message begins.
  package let file: Span<UInt8>
  /// The number of the line; empty if the file is missing or cannot be read.
  package let line: Span<UInt8>
  /// The text in quotes, or else the key that the message begins with.
  package let word: Span<UInt8>

  @_lifetime(copy message)
  package init(_ message: Span<UInt8>) {
    var start = 0
    while start < message.count, message[start] != UInt8(ascii: ":"), message[start] != 0x20 {
      start += 1
    }
    file = message.extracting(first: start)
    start = min(message.count, start + 1)
    var end = start
    while end < message.count, message[end] >= 0x30, message[end] <= 0x39 { end += 1 }
    let isNumber = end > start && end < message.count && message[end] == UInt8(ascii: ":")
    guard isNumber, message[start] != UInt8(ascii: "0") else {
      line = message.extracting(first: 0)
      word = message.extracting(first: 0)
      return
    }
    line = message.extracting(start..<end)
    let rest = message.extracting(droppingFirst: end + 1).droppingBlanks()
    word = rest.named
  }
}

extension Span<UInt8> {
  /// The text in the first quotes, unless it is the sign that a message says is missing; else the first word.
  fileprivate var named: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var rest = self
      while let opening = firstIndex(of: UInt8(ascii: "\""), in: rest) {
        let text = rest.extracting(droppingFirst: opening + 1)
        guard let end = firstIndex(of: UInt8(ascii: "\""), in: text) else { break }
        if end != 1 || text[0] != UInt8(ascii: "=") { return text.extracting(first: end) }
        rest = text.extracting(droppingFirst: end + 1)
      }
      return extracting(first: firstIndex(of: 0x20, in: self) ?? count)
    }
  }
}
