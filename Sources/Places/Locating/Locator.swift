package import Beacons
package import Bytes

/// The name of a group or a location.
package typealias PlaceName = ShortBytes<32>

/// From the beacons that are heard to the group and the location where we are.
///
/// Add locations. Then give it each beacon that is heard, and the time at `deadline`, and take all outcomes
/// after each call. A loop that is late gets one answer for all the seconds that it missed.
///
/// In public recordings an answer is right four times in five, and there are some fifty false moves an hour
/// at rest. So a place may be shown, but must not decide anything in a ride. The locator alone changes its
/// groups, locations and beacons.
package struct Locator: ~Copyable {
  /// What follows from the beacons; groups and locations are numbers in the order in which they were added.
  package enum Outcome: Equatable, Sendable {
    /// A second near the group is over: `table` has the beacons that were heard in it, perhaps none.
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

  /// All beacons with this UUID.
  package struct Group: Sendable {
    package var name: PlaceName
    package var uuid: UUID

    package init(name: PlaceName, _ uuid: UUID) { (self.name, self.uuid) = (name, uuid) }
  }

  package struct Location {
    package let name: PlaceName
    fileprivate let group: Int
    fileprivate let fingerprint: Fingerprint
  }

  /// With fewer beacons of the group there is no answer.
  private static var fewestBeacons: Int { 3 }

  package let groups: FixedList<4, Group>
  /// The locations of all groups together.
  package private(set) var locations = FixedList<16, Location>(
    filler: Location(name: PlaceName { _ in }, group: 0, fingerprint: Fingerprint()))
  /// The beacons of the last full second, and since.
  package private(set) var table = BeaconTable()
  private var regions = Regions()
  private var place = Place()
  // One call makes seven outcomes at most: a second with a move, and then another group.
  private var outcomes = FixedList<8, Outcome>(filler: .exitRegion(group: 0))
  /// When the current second ends; `nil` while no group is near.
  private var secondEnd: Instant?

  package init(_ groups: FixedList<4, Group>) throws(PlaceError) {
    for index in 0..<groups.count {
      for other in 0..<index
      where groups[other].name == groups[index].name || groups[other].uuid == groups[index].uuid {
        throw .groupTwice
      }
    }
    self.groups = groups
  }

  /// Adds a location to the group whose UUID its fingerprint has; a seventeenth finds no place.
  package mutating func add(
    location name: PlaceName, _ fingerprint: Fingerprint
  ) throws(PlaceError) {
    for index in 0..<locations.count where locations[index].name == name { throw .locationTwice }
    guard let group = group(of: fingerprint.uuid) else { throw .noSuchGroup(fingerprint.uuid) }
    locations.append(Location(name: name, group: group, fingerprint: fingerprint))
  }

  /// Receives a beacon; beacons of no group, and signals that are no readings, do not count.
  package mutating func receive(_ beacon: IBeacon, rssi: Int8?, at now: Instant) {
    advance(to: now)
    guard let rssi = SignalMean.reading(rssi), let group = group(of: beacon.uuid) else { return }
    let before = regions.entered
    regions.receive(group, at: now)
    if regions.entered != before {
      leave(before)
      outcomes.append(.enterRegion(group: group))
      secondEnd = now.nextSecond
    }
    guard regions.entered == group else { return }
    table.receive(beacon, rssi, isKnown: isKnown(beacon), at: now)
  }

  /// Ends the second that is over, and leaves a group that has fallen silent.
  package mutating func advance(to now: Instant) {
    let before = regions.entered
    regions.advance(to: now)
    guard let group = regions.entered else { return leave(before) }
    guard let end = secondEnd, end <= now else { return }
    secondEnd = now.nextSecond
    // The last full second, before the current one.
    table.tick(at: now.endOfLastSecond)
    outcomes.append(.beacons(group: group))
    answer(group)
  }

  /// When to call `advance`; `nil` while no group is near.
  package var deadline: Instant? { earlier(secondEnd, regions.deadline) }

  /// The next outcome; `nil` if all have been taken.
  package mutating func takeOutcome() -> Outcome? { outcomes.takeFirst() }

  private func group(of uuid: UUID) -> Int? {
    for index in 0..<groups.count where groups[index].uuid == uuid { return index }
    return nil
  }

  /// Whether a location has learned this beacon.
  private func isKnown(_ beacon: IBeacon) -> Bool {
    for index in 0..<locations.count where locations[index].fingerprint.uuid == beacon.uuid {
      if locations[index].fingerprint.index(of: beacon) != nil { return true }
    }
    return false
  }

  /// Leaves the location and the group, if we were near one.
  private mutating func leave(_ group: Int?) {
    guard let group else { return }
    if let location = place.location {
      outcomes.append(.exitLocation(group: group, location: location))
    }
    outcomes.append(.exitRegion(group: group))
    place = Place()
    table = BeaconTable()
    secondEnd = nil
  }

  /// Finds the location of the last second, and whether it means a move.
  private mutating func answer(_ group: Int) {
    guard table.entries.count >= Self.fewestBeacons, let (best, margin) = best(of: group) else {
      return place.receiveNothing()
    }
    let old = place.location
    let answer = place.receive(best: best, margin: margin)
    outcomes.append(.currentLocation(group: group, location: answer, margin: margin))
    guard let new = place.location, new != old else { return }
    if let old { outcomes.append(.exitLocation(group: group, location: old)) }
    outcomes.append(.enterLocation(group: group, location: new))
  }

  /// The location of the least cost, and by how much the next one costs more.
  private func best(of group: Int) -> (location: Int, margin: Int32?)? {
    var (best, cost, next): (Int?, Int32, Int32?) = (nil, .max, nil)
    for index in 0..<locations.count where locations[index].group == group {
      let its = locations[index].fingerprint.cost(of: table)
      if its < cost {
        if best != nil { next = cost }
        (best, cost) = (index, its)
      } else {
        next = min(next ?? .max, its)
      }
    }
    guard let best else { return nil }
    return (best, next.map { $0 - cost })
  }
}

/// The location where we are, and how many equal answers have come in a row.
struct Place {
  /// How many equal answers in a row are a move.
  private static var row: Int { 3 }
  /// The smallest margin, in 1/256 nat, by which another location beats the one where we are: 1 nat.
  private static var leastMargin: Int32 { 256 }

  /// Where we are; `nil` before the first three answers.
  private(set) var location: Int?
  private var last: Int?
  private var count = 0

  init() {}

  /// Receives the best location of a second; returns the answer, which may be the old place.
  mutating func receive(best: Int, margin: Int32?) -> Int {
    let isClear = margin.map { $0 >= Self.leastMargin } ?? true
    let answer = isClear ? best : location ?? best
    count = answer == last ? min(Self.row, count + 1) : 1
    last = answer
    if count == Self.row { location = answer }
    return answer
  }

  /// Notes a second without an answer, which ends the row.
  mutating func receiveNothing() { last = nil }
}

/// Near which group of beacons we are: near one at most.
///
/// A group is entered with its first beacon, and left after 30 silent seconds or when another one is
/// entered. It is entered again only after such a silence of its own or of the other group, so that two
/// groups that are both heard do not alternate.
struct Regions: ~Copyable {
  /// The silence after which a group is left, in milliseconds.
  static var longestSilence: Int64 { 30_000 }

  private var lastHeard = InlineArray<4, Instant?>(repeating: nil)
  /// The group near which we are.
  private(set) var entered: Int?

  init() {}

  mutating func receive(_ group: Int, at now: Instant) {
    let isNew = lastHeard[group].map { now - $0 >= Self.longestSilence } ?? true
    lastHeard[group] = now
    if entered == nil || isNew { entered = group }
  }

  /// Leaves a group that has fallen silent.
  mutating func advance(to now: Instant) {
    if let deadline, deadline <= now { entered = nil }
  }

  /// When the group is left if it stays silent.
  var deadline: Instant? {
    guard let entered, let heard = lastHeard[entered] else { return nil }
    return heard + Self.longestSilence
  }
}
