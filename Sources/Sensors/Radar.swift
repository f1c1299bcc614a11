package import Bytes

/// What a rear radar sees: the vehicles behind the rider, nearest first.
///
/// A value is one byte `xy`, in which x is a counter, and three bytes for each vehicle: its track with bit 7 set,
/// metres, and a byte about which the sources disagree. y is 2. More than six vehicles come in two values with the same
/// x; the first value has six of them and y = 0. The maker has not published the protocol: this is what recordings of a
/// Varia RTL515, RTL516 and RVR315 have in common.
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
  /// The same once the road was clear: some radars then send a value only every 5 to 10 s.
  private static var longestClearSilence: Int64 { 12_000 }
  /// The second value of a pair comes within this many milliseconds; a pair comes every 200 to 400.
  private static var pairTime: Int64 { 500 }
  /// The least first byte of a vehicle.
  private static var present: UInt8 { 0x80 }
  /// The first byte and the distance of no vehicle.
  private static var noTrack: UInt8 { 0xFD }
  private static var noDistance: UInt8 { 0xFF }

  /// At most 16, the nearest first.
  private var sightings = FixedList<16, Sighting>(
    filler: Sighting(vehicle: Vehicle(track: 0, distance: 0), time: Instant(milliseconds: 0)))
  /// When the radar counts as silent, if no value comes before.
  private var silence: Instant?
  private var firstPart: (pair: UInt8, time: Instant)?

  package init() {}

  /// A vehicle, the nearest at 0; at equal distance the lower track comes first.
  package subscript(index: Int) -> Vehicle { sightings[index].vehicle }

  package var count: Int { sightings.count }

  /// Receives a value; one of another kind, such as raw amplitudes, is ignored.
  ///
  /// Bytes behind the last whole vehicle are ignored. So is a value that is cut within its first vehicle: it must not
  /// look like a clear road.
  package mutating func receive(_ value: Span<UInt8>, at now: Instant) {
    guard value.count > 0, let part = Part(rawValue: value[0] & 0x0F),
      value.count > 3 || value.count == 1 && part == .rest, part == .rest || hasVehicle(value)
    else { return }
    forgetExpired(at: now)
    let isClear = value.count == 1 && firstPart?.pair != value[0] & 0xF0
    take(part, of: value[0] & 0xF0, at: now)
    silence = now + (isClear ? Self.longestClearSilence : Self.longestSilence)
    if isClear { sightings.removeAll() }
    var index = 1
    while index + 2 < value.count {
      note(value[index], distance: value[index + 1], at: now)
      index += 3
    }
  }

  /// Which of the vehicles a value has.
  private enum Part: UInt8 {
    /// The first six of more.
    case first = 0
    /// All, or those from the seventh on.
    case rest = 2
  }

  /// Joins the two values of a pair, whose vehicles are all that there are; forgets the vehicles of a first value whose
  /// second value was lost.
  private mutating func take(_ part: Part, of pair: UInt8, at now: Instant) {
    let open = firstPart
    closePair()
    if part == .first { firstPart = (pair, now) }
    if let open, part == .first || open.pair != pair { sightings.removeAll() }
  }

  /// Ends the pair, and forgets vehicles that were last seen before its first value.
  private mutating func closePair() {
    guard let start = firstPart?.time else { return }
    firstPart = nil
    forget { $0.time < start }
  }

  private func hasVehicle(_ value: Span<UInt8>) -> Bool {
    var index = 1
    while index + 2 < value.count {
      if Self.isVehicle(value[index], distance: value[index + 1]) { return true }
      index += 3
    }
    return false
  }

  /// Forgets vehicles that are gone.
  package mutating func advance(to now: Instant) {
    forgetExpired(at: now)
    // All vehicles are gone by then.
    if isSilent(at: now) { silence = nil }
  }

  /// When the next vehicle is gone, or the radar counts as silent; `nil` for never.
  package var deadline: Instant? {
    guard var deadline = silence else { return nil }
    if let firstPart { deadline = min(deadline, firstPart.time + Self.pairTime) }
    for index in 0..<count { deadline = min(deadline, sightings[index].time + Self.expiry) }
    return deadline
  }

  /// Whether the road is unknown: a working radar reports a clear road too.
  package func isSilent(at now: Instant) -> Bool { silence.map { now >= $0 } ?? true }

  package mutating func linkWasLost() { self = Radar() }

  private mutating func note(_ first: UInt8, distance: UInt8, at now: Instant) {
    guard Self.isVehicle(first, distance: distance) else { return }
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

  private static func isVehicle(_ first: UInt8, distance: UInt8) -> Bool {
    first >= present && first != noTrack && distance != noDistance
  }

  private mutating func forgetExpired(at now: Instant) {
    if let firstPart, now - firstPart.time >= Self.pairTime { closePair() }
    forget { now - $0.time >= Self.expiry }
  }

  private mutating func forget(_ isGone: (Sighting) -> Bool) {
    var index = 0
    while index < count {
      if isGone(sightings[index]) {
        sightings.remove(at: index)
      } else {
        index += 1
      }
    }
  }
}
