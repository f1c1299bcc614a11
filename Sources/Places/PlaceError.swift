package import Bytes

/// Why a group, a location or a time is refused; `write` has the words of each.
package enum PlaceError: Error, Equatable, Sendable {
  case groupTwice, locationTwice
  case noSuchGroup(UUID)
  case badSeconds

  /// Writes what is wrong, and what to do, without a newline.
  package func write(to writer: inout some ByteWriter & ~Copyable) {
    switch self {
    case .groupTwice:
      writer.append("two groups have the same name or UUID; give each its own")
    case .locationTwice:
      writer.append("two locations have the same name; give each its own")
    case .noSuchGroup(let uuid):
      writer.append("its beacons belong to no group that was given; add a group with the UUID ")
      writer.append(text: uuid)
    case .badSeconds:
      writer.append("a training lasts 1 to ")
      writer.append(decimal: Int64(widening: Fingerprint.longest))
      writer.append(" seconds; choose such a number")
    }
  }
}
