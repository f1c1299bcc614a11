/// Whether the bytes are those of the text.
public func isText(_ bytes: Span<UInt8>, _ text: String) -> Bool {
  let utf8 = text.utf8
  return isEqual(bytes, utf8.span)
}

/// What follows the prefix, or `nil` if the bytes do not begin with it.
@_lifetime(copy bytes)
public func rest(of bytes: Span<UInt8>, after prefix: String) -> Span<UInt8>? {
  let utf8 = prefix.utf8
  return hasPrefix(bytes, prefix) ? bytes.extracting(droppingFirst: utf8.span.count) : nil
}

/// Where `byte` is first, or `nil`.
public func firstIndex(of byte: UInt8, in bytes: Span<UInt8>) -> Int? {
  for index in bytes.indices where bytes[index] == byte { return index }
  return nil
}

/// Where `byte` is last, or `nil`.
public func lastIndex(of byte: UInt8, in bytes: Span<UInt8>) -> Int? {
  var index = bytes.count
  while index > 0 {
    index -= 1
    if bytes[index] == byte { return index }
  }
  return nil
}

/// Space, tab and the carriage return of a foreign line end.
public func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

/// The bytes without blanks at either end.
@_lifetime(copy bytes)
public func trimmed(_ bytes: Span<UInt8>) -> Span<UInt8> {
  var (start, end) = (0, bytes.count)
  while start < end, isBlank(bytes[start]) { start += 1 }
  while end > start, isBlank(bytes[end - 1]) { end -= 1 }
  return bytes.extracting(start..<end)
}

/// A decimal number without sign or leading zeros, at most `largest`.
public func decimal(_ bytes: Span<UInt8>, upTo largest: UInt32) -> UInt32? {
  guard (1...9).contains(bytes.count), bytes.count == 1 || bytes[0] != 0x30,
    let value = naturalNumber(bytes), value <= UInt64(widening: largest)
  else { return nil }
  return UInt32(truncatingIfNeeded: value)
}

/// A number in decimal digits alone; `nil` if it does not fit.
public func naturalNumber(_ digits: Span<UInt8>) -> UInt64? {
  guard !digits.isEmpty else { return nil }
  var value: UInt64 = 0
  for index in digits.indices {
    let digit = digits[index] &- 0x30
    guard digit < 10 else { return nil }
    let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
    let (sum, isLarger) = tens.addingReportingOverflow(UInt64(widening: UInt32(digit)))
    if isTooLarge || isLarger { return nil }
    value = sum
  }
  return value
}

/// A whole number in digits, with a minus sign if it is negative; `nil` if it does not fit.
public func wholeNumber(_ digits: Span<UInt8>) -> Int64? {
  let isNegative = !digits.isEmpty && digits[0] == 0x2D
  guard let value = naturalNumber(digits.extracting(droppingFirst: isNegative ? 1 : 0)),
    value <= Int64.max.magnitude + (isNegative ? 1 : 0)
  else { return nil }
  return Int64(bitPattern: isNegative ? 0 &- value : value)
}

/// A number of 1 to 16 hexadecimal digits.
public func hexadecimal(_ digits: Span<UInt8>) -> UInt64? {
  guard (1...16).contains(digits.count) else { return nil }
  var value: UInt64 = 0
  for index in digits.indices {
    guard let digit = hexDigit(digits[index]) else { return nil }
    value = value &<< 4 | UInt64(widening: UInt32(digit))
  }
  return value
}

/// Whether the bytes are well-formed UTF-8 without controls, line ends and tabs.
public func isPlainText(_ bytes: Span<UInt8>) -> Bool {
  var reader = UTF8Reader(bytes)
  var start = 0
  while let scalar = reader.next() {
    let value = scalar.value
    if isControl(value) || isLineSpace(value) { return false }
    // The reader returns U+FFFD for malformed bytes; a real U+FFFD is EF BF BD.
    if value == 0xFFFD, reader.index - start != 3 || bytes[start] != 0xEF { return false }
    start = reader.index
  }
  return true
}

/// The value of a hexadecimal digit in text; `nil` for another character.
public func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46: byte - 0x37
  case 0x61...0x66: byte - 0x57
  default: nil
  }
}
