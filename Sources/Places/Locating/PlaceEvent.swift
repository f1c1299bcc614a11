/// What a `Locator` has found out; groups and locations are numbers in the order in which they were added.
package enum PlaceEvent: Equatable, Sendable {
  /// A second near the group is over: `heard(at:)` has its beacons that were heard in it, perhaps none.
  case beacons(group: Int)
  /// The first beacon of the group is heard.
  case enterRegion(group: Int)
  /// The group was silent for 30 s, or another one is entered.
  case exitRegion(group: Int)
  /// The third equal answer in a row: we are there.
  case enterLocation(group: Int, location: Int)
  /// We are no longer there: the third equal answer is another location, or the group is left.
  case exitLocation(group: Int, location: Int)
  /// The answer for the last second, with the difference between the best two locations in 1/256 nat;
  /// `nil` if there is only one location.
  case currentLocation(group: Int, location: Int, margin: Int32?)
}
