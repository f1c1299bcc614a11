/// Overwrites `bytes` with zeros, even if nobody reads them any more.
///
/// The optimizer removes writes that nobody reads, so it must not look into this function.
@inline(never)
@_optimize(none)
public func wipe(_ bytes: inout MutableSpan<UInt8>) {
  var index = 0
  while index < bytes.count {
    bytes[index] = 0
    index += 1
  }
}

extension InlineArray where Element == UInt8 {
  /// Overwrites all bytes with zeros.
  public mutating func wipe() {
    var span = mutableSpan
    Bytes.wipe(&span)
  }
}
