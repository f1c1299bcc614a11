/// The smallest ATT_MTU of LE, with which each link begins.
///
/// Core Specification, Vol 3, Part G, 5.2.1.
package enum SmallestMTU {
  package static var count: Int { 23 }

  /// Whether an app that assumes this MTU cuts its values to this length.
  ///
  /// A notification then has room for 20 bytes, the answer to a read for 22.
  package static func mayHaveCut(_ valueCount: Int) -> Bool {
    valueCount == count - 3 || valueCount == count - 1
  }
}
