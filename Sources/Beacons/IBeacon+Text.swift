package import Bytes

/// A beacon in text: `E20A39F4-73F5-4BC4-A12F-17D1AD07A961.Maj:7.Min:515`.
extension IBeacon {
  /// How many characters the longest text has.
  package static var longestText: Int { 56 }

  /// The beacon of such a text, without its power; `nil` if the text is none.
  ///
  /// The UUID may be in either case. Numbers have no leading zeros, so that a beacon has only one text.
  package init?(text: Span<UInt8>) {
    guard text.count <= Self.longestText, text.count > 36,
      let uuid = UUID(text: text.extracting(first: 36))
    else { return nil }
    var numbers = text.extracting(droppingFirst: 36)
    guard let major = number(after: ".Maj:", &numbers),
      let minor = number(after: ".Min:", &numbers), numbers.isEmpty
    else { return nil }
    self.init(uuid, major: major, minor: minor)
  }
}

/// Removes `words` and the number behind them from the beginning of `text`.
@_lifetime(text: copy text)
private func number(after words: String, _ text: inout Span<UInt8>) -> UInt16? {
  guard let digits = rest(of: text, after: words) else { return nil }
  var count = 0
  while count < digits.count, count < 5, 0x30...0x39 ~= digits[count] { count += 1 }
  text = digits.extracting(droppingFirst: count)
  return decimal(digits.extracting(first: count), upTo: 0xFFFF).map { UInt16($0) }
}

extension ByteWriter where Self: ~Copyable {
  /// The beacon as `UUID.Maj:7.Min:515`.
  package mutating func append(text beacon: IBeacon) {
    append(text: beacon.uuid)
    append(".Maj:")
    append(decimal: Int64(widening: UInt32(beacon.major)))
    append(".Min:")
    append(decimal: Int64(widening: UInt32(beacon.minor)))
  }
}
