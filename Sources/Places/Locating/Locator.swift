package import Beacons
package import Bytes

/// From the beacons that are heard to the group and the location where we are.
///
/// Add groups, then locations. Then give it each beacon that is heard, and the time at `deadline`, and take
/// all events after each call. A loop that is late gets one answer for all the seconds that it missed.
///
/// In public recordings an answer is right four times in five, and there are some fifty false moves an hour
/// at rest. So a place may be told, but must not decide anything in a ride. The locator alone changes its
/// groups, locations and beacons.
package struct Locator: ~Copyable {
  package static var groupCapacity: Int { 4 }
  /// How many locations there are at most, those of all groups together.
  package static var locationCapacity: Int { 16 }
  /// With fewer beacons of the group there is no answer.
  package static var fewestBeacons: Int { 3 }

  private var groupNames = InlineArray<4, PlaceName>(repeating: PlaceName())
  private var groupUUIDs = InlineArray<4, UUID>(repeating: UUID(0, 0))
  package private(set) var groupCount = 0

  private var locationNames = InlineArray<16, PlaceName>(repeating: PlaceName())
  private var locationGroups = InlineArray<16, Int>(repeating: 0)
  private var fingerprints = InlineArray<16, Fingerprint>(repeating: Fingerprint())
  package private(set) var locationCount = 0

  private var table = BeaconTable()
  private var regions = Regions()
  private var place = Place()
  // One call makes seven at most: a second with a move, and then another group.
  private var events = FixedList<8, PlaceEvent>(filler: .exitRegion(group: 0))
  /// When the second ends that runs; `nil` while no group is near.
  private var secondEnd: Instant?
  /// How many readings were dropped because 32 other beacons of the group were heard.
  package private(set) var droppedCount: Int64 = 0

  package init() {}

  /// Adds a group: all beacons with this UUID.
  package mutating func add(group name: PlaceName, _ uuid: UUID) throws(PlaceError) {
    guard groupCount < Self.groupCapacity else { throw .tooManyGroups }
    for index in 0..<groupCount where groupNames[index] == name || groupUUIDs[index] == uuid {
      throw .groupTwice
    }
    (groupNames[groupCount], groupUUIDs[groupCount]) = (name, uuid)
    groupCount += 1
  }

  /// Adds a location to the group whose UUID its fingerprint has, which must be there already.
  package mutating func add(
    location name: PlaceName, _ fingerprint: Fingerprint
  ) throws(PlaceError) {
    guard locationCount < Self.locationCapacity else { throw .tooManyLocations }
    for index in 0..<locationCount where locationNames[index] == name { throw .locationTwice }
    guard let group = group(of: fingerprint.uuid) else { throw .noSuchGroup(fingerprint.uuid) }
    (locationNames[locationCount], locationGroups[locationCount]) = (name, group)
    fingerprints[locationCount] = fingerprint
    locationCount += 1
  }

  package func groupName(_ index: Int) -> PlaceName { groupNames[index] }

  package func locationName(_ index: Int) -> PlaceName { locationNames[index] }

  /// Hears a beacon; those of no group, and what is no reading, do not count.
  package mutating func hear(_ beacon: IBeacon, rssi: Int8?, at now: Instant) {
    advance(to: now)
    guard let rssi = SignalMean.reading(rssi), let group = group(of: beacon.uuid) else { return }
    let before = regions.entered
    regions.hear(group, at: now)
    if regions.entered != before {
      leave(before)
      events.append(.enterRegion(group: group))
      secondEnd = now.nextSecond
    }
    guard regions.entered == group else { return }
    if let index = table.index(of: beacon) ?? table.insert(beacon, isKnown: isKnown(beacon)) {
      table.hear(at: index, beacon, rssi, at: now)
    } else {
      droppedCount += 1
    }
  }

  /// Ends the second that is over, and leaves a group that has fallen silent.
  package mutating func advance(to now: Instant) {
    let before = regions.entered
    regions.advance(to: now)
    guard let group = regions.entered else { return leave(before) }
    guard let end = secondEnd, end <= now else { return }
    secondEnd = now.nextSecond
    // Of the last second that is over: the one before that which runs.
    table.tick(at: now.endOfLastSecond)
    events.append(.beacons(group: group))
    answer(group)
  }

  /// When to call `advance`; `nil` while no group is near.
  package var deadline: Instant? { earlier(secondEnd, regions.deadline) }

  /// The next event; `nil` if all have been taken.
  package mutating func takeEvent() -> PlaceEvent? { events.takeFirst() }

  /// How many beacons were heard in the second that ended last.
  package var heardCount: Int { table.heardCount }

  /// One of them, below `heardCount`.
  package func heard(at number: Int) -> HeardBeacon? { table.heard(number: number) }

  private func group(of uuid: UUID) -> Int? {
    for index in 0..<groupCount where groupUUIDs[index] == uuid { return index }
    return nil
  }

  /// Whether a location has learned this beacon.
  private func isKnown(_ beacon: IBeacon) -> Bool {
    for index in 0..<locationCount where fingerprints[index].uuid == beacon.uuid {
      if fingerprints[index].index(of: beacon) != nil { return true }
    }
    return false
  }

  /// Leaves the location and the group, if we were near one.
  private mutating func leave(_ group: Int?) {
    guard let group else { return }
    if let location = place.location {
      events.append(.exitLocation(group: group, location: location))
    }
    events.append(.exitRegion(group: group))
    place = Place()
    table.removeAll()
    secondEnd = nil
  }

  /// Finds the location of the last second, and whether that is a move.
  private mutating func answer(_ group: Int) {
    guard table.signalCount >= Self.fewestBeacons, let (best, margin) = best(of: group) else {
      return place.hearNothing()
    }
    let old = place.location
    let answer = place.hear(best: best, margin: margin)
    events.append(.currentLocation(group: group, location: answer, margin: margin))
    guard let new = place.location, new != old else { return }
    if let old { events.append(.exitLocation(group: group, location: old)) }
    events.append(.enterLocation(group: group, location: new))
  }

  /// The location of the least cost, and by how much the next one costs more.
  private func best(of group: Int) -> (location: Int, margin: Int32?)? {
    var (best, cost, next): (Int?, Int32, Int32?) = (nil, .max, nil)
    for index in 0..<locationCount where locationGroups[index] == group {
      let its = fingerprints[index].cost(of: table)
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

/// The location where we are, and how many answers in a row say so of another one.
struct Place {
  /// How many equal answers in a row are a move.
  private static var row: Int { 3 }
  /// An answer that is better by less, in 1/256 nat, is none against the location where we are: 1 nat.
  private static var leastMargin: Int32 { 256 }

  /// Where we are; `nil` before the first three answers.
  private(set) var location: Int?
  private var last: Int?
  private var count = 0

  init() {}

  /// Takes the best location of a second; returns the answer, which may be the old place.
  mutating func hear(best: Int, margin: Int32?) -> Int {
    let isClear = margin.map { $0 >= Self.leastMargin } ?? true
    let answer = isClear ? best : location ?? best
    count = answer == last ? min(Self.row, count + 1) : 1
    last = answer
    if count == Self.row { location = answer }
    return answer
  }

  /// Passes over a second without an answer, which ends the row.
  mutating func hearNothing() { last = nil }
}

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

/// Near which group of beacons we are: near one at most.
///
/// A group is entered with its first beacon, and left after 30 silent seconds or when another one is
/// entered. It is entered again only after such a silence of its own or of the other one: so two groups
/// that are both heard do not alternate.
struct Regions: ~Copyable {
  /// After this silence, in milliseconds, a group is left.
  static var longestSilence: Int64 { 30_000 }

  private var lastHeard = InlineArray<4, Instant?>(repeating: nil)
  /// The group near which we are.
  private(set) var entered: Int?

  init() {}

  mutating func hear(_ group: Int, at now: Instant) {
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
