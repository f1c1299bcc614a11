package import Bytes

/// What a rear radar sees: the vehicles behind the rider, nearest first.
///
/// A value is one byte `x2`, of which x counts, and three bytes for each vehicle: bit 7 and its track,
/// metres, and something on which the sources do not agree. More than six vehicles come in a second
/// value. The protocol is the maker's and not published: this is what recordings of a Varia RTL515,
/// RTL516 and RVR315 have in common.
package struct Radar: Sendable {
  /// A vehicle that the radar follows.
  package struct Vehicle: Equatable, Sendable {
    /// The radar's number for it, below 128.
    package var track: UInt8
    /// Metres behind the rider.
    package var distance: UInt8

    /// A vehicle with this number, so many metres behind.
    package init(track: UInt8, distance: UInt8) { (self.track, self.distance) = (track, distance) }
  }

  private struct Sighting {
    var vehicle: Vehicle
    var time: Instant
  }

  /// How many vehicles are known at most: of more, the nearest.
  package static var capacity: Int { 16 }
  /// A vehicle that was not told of for so many milliseconds is gone.
  private static var expiry: Int64 { 2_000 }
  /// A radar that said nothing for so many milliseconds sees nothing.
  private static var longestSilence: Int64 { 3_000 }
  /// The least first byte of a vehicle.
  private static var present: UInt8 { 0x80 }
  /// A first byte, and a distance, that are none.
  private static var noTrack: UInt8 { 0xFD }
  private static var noDistance: UInt8 { 0xFF }

  private var sightings = InlineArray<16, Sighting>(
    repeating: Sighting(
      vehicle: Vehicle(track: 0, distance: 0), time: Instant(milliseconds: 0)))
  /// How many vehicles there are.
  package private(set) var count = 0
  private var lastValue: Instant?

  /// A radar that has not said anything.
  package init() {}

  /// A vehicle, the nearest at 0; of those that are as near the one with the lower track comes first.
  package subscript(index: Int) -> Vehicle {
    precondition(index < count)
    return sightings[index].vehicle
  }

  /// Hears a value; one of another kind, such as raw amplitudes, says nothing.
  ///
  /// What is left behind the last whole vehicle is ignored. A value that has no whole one says nothing:
  /// a vehicle that is cut short must not look like a clear road.
  package mutating func hear(_ value: Span<UInt8>, at now: Instant) {
    guard value.count == 1 || value.count > 3, value[0] & 0x0F == 0x02 else { return }
    lastValue = now
    forgetExpired(at: now)
    if value.count == 1 { count = 0 }
    var index = 1
    while index + 2 < value.count {
      note(value[index], distance: value[index + 1], at: now)
      index += 3
    }
  }

  /// Forgets vehicles that are gone.
  package mutating func advance(to now: Instant) {
    forgetExpired(at: now)
    // All vehicles are gone before.
    if isSilent(at: now) { lastValue = nil }
  }

  /// When the next vehicle is gone, or else the radar silent; `nil` for never.
  package var deadline: Instant? {
    guard let lastValue else { return nil }
    var deadline = lastValue + Self.longestSilence
    for index in 0..<count { deadline = min(deadline, sightings[index].time + Self.expiry) }
    return deadline
  }

  /// Whether nobody knows what is on the road: a radar that is well says at least that it is clear.
  package func isSilent(at now: Instant) -> Bool {
    lastValue.map { now - $0 >= Self.longestSilence } ?? true
  }

  /// The link is lost.
  package mutating func linkWasLost() { self = Radar() }

  private mutating func note(_ first: UInt8, distance: UInt8, at now: Instant) {
    guard first >= Self.present, first != Self.noTrack, distance != Self.noDistance else { return }
    let vehicle = Vehicle(track: first & 0x7F, distance: distance)
    for index in 0..<count where sightings[index].vehicle.track == vehicle.track {
      remove(at: index)
      break
    }
    insert(Sighting(vehicle: vehicle, time: now))
  }

  private mutating func insert(_ sighting: Sighting) {
    var index = count
    if count < Self.capacity {
      count += 1
    } else if Self.isNearer(sighting.vehicle, than: sightings[count - 1].vehicle) {
      index = count - 1
    } else {
      return
    }
    while index > 0, Self.isNearer(sighting.vehicle, than: sightings[index - 1].vehicle) {
      sightings[index] = sightings[index - 1]
      index -= 1
    }
    sightings[index] = sighting
  }

  private static func isNearer(_ a: Vehicle, than b: Vehicle) -> Bool {
    (a.distance, a.track) < (b.distance, b.track)
  }

  private mutating func remove(at index: Int) {
    count -= 1
    for later in index..<count { sightings[later] = sightings[later + 1] }
  }

  private mutating func forgetExpired(at now: Instant) {
    var index = 0
    while index < count {
      if now - sightings[index].time >= Self.expiry { remove(at: index) } else { index += 1 }
    }
  }
}
