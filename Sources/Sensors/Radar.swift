package import Bytes

/// What a rear radar sees: the vehicles behind the rider, nearest first.
///
/// A value is one byte `x2`, in which x is a counter, and three bytes for each vehicle. These are bit 7 and
/// its track, metres, and a byte about which the sources disagree. More than six vehicles come in a second value. The
/// maker has not published the protocol: this is what recordings of a Varia RTL515, RTL516 and RVR315 have in
/// common. The vehicles live here; `hear`, `advance` and `linkWasLost` change them.
package struct Radar: Sendable {
  package struct Vehicle: Equatable, Sendable {
    /// The radar's number for it, below 128.
    package var track: UInt8
    /// Metres behind the rider.
    package var distance: UInt8

    package init(track: UInt8, distance: UInt8) { (self.track, self.distance) = (track, distance) }
  }

  private struct Sighting {
    var vehicle: Vehicle
    var time: Instant
  }

  /// A vehicle without news for this many milliseconds is gone.
  private static var expiry: Int64 { 2_000 }
  /// A radar without a value for this many milliseconds sees nothing.
  private static var longestSilence: Int64 { 3_000 }
  /// The least first byte of a vehicle.
  private static var present: UInt8 { 0x80 }
  /// The first byte and the distance of no vehicle.
  private static var noTrack: UInt8 { 0xFD }
  private static var noDistance: UInt8 { 0xFF }

  /// At most 16, the nearest first.
  private var sightings = FixedList<16, Sighting>(
    filler: Sighting(vehicle: Vehicle(track: 0, distance: 0), time: Instant(milliseconds: 0)))
  private var lastValue: Instant?

  package init() {}

  /// A vehicle, the nearest at 0; at equal distance the lower track comes first.
  package subscript(index: Int) -> Vehicle { sightings[index].vehicle }

  package var count: Int { sightings.count }

  /// Hears a value; one of another kind, such as raw amplitudes, is ignored.
  ///
  /// Bytes behind the last whole vehicle are ignored. So is a value without a whole vehicle: one that is cut
  /// short must not look like a clear road.
  package mutating func hear(_ value: Span<UInt8>, at now: Instant) {
    guard value.count == 1 || value.count > 3, value[0] & 0x0F == 0x02 else { return }
    lastValue = now
    forgetExpired(at: now)
    if value.count == 1 { sightings.removeAll() }
    var index = 1
    while index + 2 < value.count {
      note(value[index], distance: value[index + 1], at: now)
      index += 3
    }
  }

  /// Forgets vehicles that are gone.
  package mutating func advance(to now: Instant) {
    forgetExpired(at: now)
    // All vehicles are gone by then.
    if isSilent(at: now) { lastValue = nil }
  }

  /// When the next vehicle is gone, or the radar counts as silent; `nil` for never.
  package var deadline: Instant? {
    guard let lastValue else { return nil }
    var deadline = lastValue + Self.longestSilence
    for index in 0..<count { deadline = min(deadline, sightings[index].time + Self.expiry) }
    return deadline
  }

  /// Whether the road is unknown: a working radar reports a clear road too.
  package func isSilent(at now: Instant) -> Bool {
    lastValue.map { now - $0 >= Self.longestSilence } ?? true
  }

  package mutating func linkWasLost() { self = Radar() }

  private mutating func note(_ first: UInt8, distance: UInt8, at now: Instant) {
    guard first >= Self.present, first != Self.noTrack, distance != Self.noDistance else { return }
    let vehicle = Vehicle(track: first & 0x7F, distance: distance)
    for index in 0..<count where sightings[index].vehicle.track == vehicle.track {
      sightings.remove(at: index)
      break
    }
    var place = 0
    while place < count, Self.isNearer(sightings[place].vehicle, than: vehicle) { place += 1 }
    sightings.insert(Sighting(vehicle: vehicle, time: now), at: place)
  }

  private static func isNearer(_ a: Vehicle, than b: Vehicle) -> Bool {
    (a.distance, a.track) < (b.distance, b.track)
  }

  private mutating func forgetExpired(at now: Instant) {
    var index = 0
    while index < count {
      if now - sightings[index].time >= Self.expiry {
        sightings.remove(at: index)
      } else {
        index += 1
      }
    }
  }
}
