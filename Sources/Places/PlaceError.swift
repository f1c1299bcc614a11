package import Bytes

/// Why a group, a location or a time is refused.
package enum PlaceError: Error, Equatable, Sendable {
  /// There are as many groups as there may be.
  case tooManyGroups
  /// Another group has this name or this UUID.
  case groupTwice
  /// There are as many locations as there may be.
  case tooManyLocations
  /// Another location has this name.
  case locationTwice
  /// The beacons of the fingerprint have the UUID of no group.
  case noSuchGroup(UUID)
  /// A training lasts 1 to 240 seconds.
  case badSeconds

  /// Writes what is wrong, and what to do, without a newline.
  package func write<Writer: ByteWriter & ~Copyable>(to writer: inout Writer) {
    switch self {
    case .tooManyGroups:
      writer.append("more than ")
      writer.append(decimal: Int64(widening: Locator.groupCapacity))
      writer.append(" groups; leave one out")
    case .groupTwice:
      writer.append("two groups have the same name or UUID; give each its own")
    case .tooManyLocations:
      writer.append("more than ")
      writer.append(decimal: Int64(widening: Locator.locationCapacity))
      writer.append(" locations; leave one out")
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
