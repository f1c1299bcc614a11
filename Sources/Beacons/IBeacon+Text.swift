package import Bytes

/// A beacon in text: `E20A39F4-73F5-4BC4-A12F-17D1AD07A961.Maj:7.Min:515`.
extension IBeacon {
  /// The most characters that such a text has.
  package static var longestText: Int { 56 }

  /// The beacon of such a text, which says nothing of its power; `nil` if it is none.
  ///
  /// Digits of the UUID may be of either case; numbers have no zeros in front, so that no beacon has two
  /// texts but for that.
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

/// Takes the words and the number behind them from the beginning of `text`.
@_lifetime(text: copy text)
private func number(after words: String, _ text: inout Span<UInt8>) -> UInt16? {
  guard let digits = rest(of: text, after: words) else { return nil }
  var (value, count): (Int32, Int) = (0, 0)
  while count < digits.count, count < 5, 0x30...0x39 ~= digits[count] {
    value = value * 10 + Int32(digits[count] - 0x30)
    count += 1
  }
  guard count > 0, count == 1 || digits[0] != 0x30 else { return nil }
  text = digits.extracting(droppingFirst: count)
  return UInt16(exactly: value)
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
