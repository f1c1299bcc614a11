import Bytes

/// Whether the bytes are an IPv4 address as inet_pton(3) takes it: four decimal numbers up to 255.
func isIPv4(_ bytes: Span<UInt8>) -> Bool {
  var rest = bytes
  for part in 0..<4 {
    let end = part < 3 ? firstIndex(of: 0x2E, in: rest) : rest.count
    guard let end, decimal(rest.extracting(first: end), upTo: 255) != nil else { return false }
    rest = rest.extracting(droppingFirst: min(rest.count, end + 1))
  }
  return rest.isEmpty
}

/// Whether the bytes are an IPv6 address as inet_pton(3) takes it.
///
/// RFC 4291, 2.2.
func isIPv6(_ bytes: Span<UInt8>) -> Bool {
  var groups = 0
  var hasGap = false
  var index = 0
  if bytes.count >= 2, bytes[0] == 0x3A, bytes[1] == 0x3A { (hasGap, index) = (true, 2) }
  while index < bytes.count {
    let group = bytes.extracting(droppingFirst: index)
    let end = firstIndex(of: 0x3A, in: group) ?? group.count
    if index + end == bytes.count, isIPv4(group) {
      groups += 2
      break
    }
    guard end <= 4, hexadecimal(group.extracting(first: end)) != nil else { return false }
    groups += 1
    index += end
    if index == bytes.count { break }
    index += 1
    if index == bytes.count { return false }
    if bytes[index] == 0x3A {
      if hasGap { return false }
      hasGap = true
      index += 1
    }
  }
  return hasGap ? groups < 8 : groups == 8
}
