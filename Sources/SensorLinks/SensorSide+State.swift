package import Bond
package import Bytes
package import Controller
import HCI
import Link
package import Sensors

/// How far the search for a sensor has come, for its owner.
package enum SensorSearchStage: Equatable, Sendable {
  /// There is none.
  case off
  /// No sensor was heard so far, or not long enough; the search ends at `until`.
  case listening(until: Instant?)
  /// A sensor was heard, and is tried.
  case trying(SensorKind)
  /// The rider is asked about a sensor that is ready.
  case offering(SensorKind)
}

/// What is known of sensors and their links.
extension SensorSide {
  /// How many links there may be.
  package static var linkCount: Int { SensorPlace.count }

  /// When something is due.
  package var deadline: Instant? {
    earlier(
      earlier(limitEnd, places.deadline),
      earlier(radio.deadline, earlier(turns.deadline, search.deadline)))
  }

  /// Whether the controller can have a link to a sensor, and search and connect beside it.
  package func areLinksPossible(by controller: borrowing Controller) -> Bool {
    isOn && controller.information.states?.allowsSensors ?? true
  }

  /// Whether the radio does nothing for sensors.
  package var isRadioFree: Bool { radio.activity == .none }

  /// How many of the controller's buffers hold packets of the link with this number.
  package mutating func inFlight(_ index: Int) -> Int {
    places.links[index].channels.sender.inFlight
  }

  /// Whether the link with this number has something to send.
  package mutating func isWaiting(_ index: Int) -> Bool {
    !places.links[index].progress.stage.isEnding && places.links[index].channels.sender.isWaiting
  }

  /// Whether no sensor has a link.
  package var hasNoLink: Bool {
    for index in 0..<SensorPlace.count where places.isThere(SensorPlace(index)) { return false }
    return true
  }

  /// Whether this is a link to a sensor.
  package func hasLink(_ handle: UInt16) -> Bool { places.place(ofLink: handle) != nil }

  /// Whether this is the link to this sensor.
  package func hasLink(_ handle: UInt16, to peer: DeviceAddress) -> Bool {
    places.place(ofLink: handle).map { places.isLink(at: $0, to: peer) } ?? false
  }

  /// How far the search for a sensor has come.
  package var stage: SensorSearchStage {
    switch search.state {
    case .off: .off
    case .listening: .listening(until: search.end)
    case .trying(let kind, _): .trying(kind)
    case .offering(let kind): .offering(kind)
    }
  }

  /// Whether a search listens for sensors: it gets half of the radio's time.
  package var isSearchListening: Bool { search.state == .listening }

  /// The value or the name that the last event was about.
  package var bytes: Span<UInt8> { places.bytes.bytes }

  /// The sensor that is tried or offered, once it is ready.
  package var candidate: DeviceAddress? {
    isSought(.sought) && places.isReady(.sought) ? places.peer(at: .sought) : nil
  }

  /// The other end of the link to the sensor of this kind that is tried or offered, or else to the one that
  /// is remembered; `nil` without a link.
  package func linkedAddress(_ kind: SensorKind) -> DeviceAddress? {
    let place = shownPlace(of: kind)
    return places.isThere(place) ? places.peer(at: place) : nil
  }

  /// The handles of its value, once it is ready.
  package func handles(_ kind: SensorKind) -> SubscribedHandles {
    places.handles(at: shownPlace(of: kind))
  }

  /// Whether the remembered sensor of this kind, or the offered one, is ready.
  package func isReady(_ kind: SensorKind) -> Bool {
    places.isReady(.of(kind)) || places.isReady(shownPlace(of: kind))
  }

  /// Whether there is a link to the sensor of this kind that is remembered.
  package func hasLinkToRemembered(_ kind: SensorKind) -> Bool { isFollowed(.of(kind)) }

  /// Whether the controller had no link left within the last minute.
  package var areLinksExhausted: Bool { limitEnd != nil }

  /// Whether the remembered sensor of this kind has no link because sensors that are worth more have them all.
  package func isLeftOut(_ kind: SensorKind) -> Bool {
    !places.isThere(.of(kind)) && !hasRoom(for: kind)
  }

  /// The key that was made on the link to this sensor, if it is to be kept.
  package func newKey(of address: DeviceAddress) -> Bond.Key? {
    places.place(ofLinkTo: address).flatMap { places.newKey(at: $0) }
  }

  // MARK: - Which is which

  /// The address of the sensor of this kind that is remembered.
  func address(of kind: SensorKind) -> DeviceAddress? { followed[kind]?.address }

  /// The addresses of all that are remembered.
  var addresses: PerKind<DeviceAddress?> {
    var addresses = PerKind<DeviceAddress?>(repeating: nil)
    for kind in SensorKind.all { addresses[kind] = address(of: kind) }
    return addresses
  }

  /// The kinds of which a sensor is remembered; speed and cadence count only if both are.
  var coveredKinds: SensorKinds {
    var kinds = SensorKinds()
    for kind in SensorKind.all where followed[kind] != nil {
      if kind.twin.map({ followed[$0] != nil }) ?? true { kinds.insert(kind) }
    }
    return kinds
  }

  /// The kind of a sensor that is remembered, or being tried.
  package func kind(of address: DeviceAddress) -> SensorKind? {
    if case .trying(let kind, let candidate) = search.state, address.isSame(as: candidate) {
      return kind
    }
    for kind in SensorKind.all {
      if let known = self.address(of: kind), address.isSame(as: known) { return kind }
    }
    return nil
  }

  /// The free place for a link to this sensor, if such a link is wanted.
  func place(for address: DeviceAddress) -> SensorPlace? {
    guard let kind = kind(of: address) else { return nil }
    let isTried =
      if case .trying(_, let candidate) = search.state { candidate.isSame(as: address) } else {
        false
      }
    let place = isTried ? SensorPlace.sought : .of(kind)
    return places.isThere(place) ? nil : place
  }

  /// The place of the sensor that is tried or offered, if it is of this kind; else the kind's own.
  private func shownPlace(of kind: SensorKind) -> SensorPlace {
    isSought(.sought) && places.soughtKind == kind ? .sought : .of(kind)
  }

  /// What the tried sensor, which may be of either of two kinds, is taken for instead: the kind that is not remembered.
  var newKindOfTried: SensorKind? {
    guard case .trying(let kind, _) = search.state, let twin = kind.twin,
      followed[kind] != nil, followed[twin] == nil
    else { return nil }
    return twin
  }

  /// Whether the link in this place is to the sensor that is remembered.
  func isFollowed(_ place: SensorPlace) -> Bool {
    guard case .of(let kind) = place, let address = address(of: kind) else { return false }
    return places.isLink(at: place, to: address)
  }

  /// Whether the link in this place is to this remembered sensor.
  func isLink(at place: SensorPlace, to sensor: RememberedSensor?) -> Bool {
    sensor.map { places.isLink(at: place, to: $0.address) } ?? false
  }

  /// Whether the link is to the sensor that the search tries or offers.
  func isSought(_ place: SensorPlace) -> Bool {
    guard place == .sought, places.isThere(place), search.kind == places.soughtKind else {
      return false
    }
    guard case .trying(_, let address) = search.state else { return true }
    return places.isLink(at: place, to: address)
  }
}
