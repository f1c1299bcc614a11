/// What a capture may show of a line that a phone writes, said once more and in another way than `WrittenLines` does.
package struct ShownLine {
  /// The part that is shown, up to the first byte that nothing allows, with letters for its texts.
  package let bytes: [UInt8]

  package init(_ line: [UInt8]) { bytes = Self.shown(of: line) }

  private static let allowed = [#"GB({"t":"nav""#, "setTime("].map { Array($0.utf8) }
  private static let partly = [
    #"GB({"t":"call","cmd":""#, #"GB({"t":"musicstate","state":""#, #"GB({"t":"musicinfo""#,
  ].map { Array($0.utf8) }
  private static let signs = Array(#"{}(),:".-0123456789"#.utf8)

  private static func shown(of line: [UInt8]) -> [UInt8] {
    if allowed.contains(where: line.starts) { return line }
    guard let beginning = partly.first(where: line.starts) else {
      let count = (allowed + partly).map { zip($0, line).prefix { $0 == $1 }.count }.max() ?? 0
      return Array(line.prefix(count))
    }
    var (shown, rest) = (beginning, line.dropFirst(beginning.count))
    if beginning != partly[2], !takeWord(&rest, &shown) { return shown }
    while let byte = rest.popFirst() {
      guard signs.contains(byte) || isLetter(byte) else { break }
      let isName = shown.last == 0x7B || shown.last == 0x2C
      shown.append(byte)
      guard byte == 0x22 else { continue }
      if isName {
        if !takeWord(&rest, &shown) { break }
      } else {
        takeText(&rest, &shown)
      }
    }
    return shown
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

  /// Takes letters and the quote behind them; returns whether it was there.
  private static func takeWord(_ rest: inout ArraySlice<UInt8>, _ shown: inout [UInt8]) -> Bool {
    let word = rest.prefix(while: isLetter)
    shown += word
    rest = rest.dropFirst(word.count)
    guard rest.first == 0x22 else { return false }
    shown.append(rest.removeFirst())
    return true
  }

  /// Takes a text and the quote behind it, if it is there.
  private static func takeText(_ rest: inout ArraySlice<UInt8>, _ shown: inout [UInt8]) {
    while let byte = rest.popFirst() {
      shown.append(byte == 0x22 ? byte : 0x78)
      if byte == 0x22 { return }
      if byte == 0x5C, rest.popFirst() != nil { shown.append(0x78) }
    }
  }
}
