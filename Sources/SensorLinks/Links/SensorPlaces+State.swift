import Bond
import Bytes
import HCI
import Link
import Sensors

/// What is known of the links.
extension SensorPlaces {
  /// What the sensor in this place measures.
  func kind(at place: SensorPlace) -> SensorKind {
    if case .of(let kind) = place { kind } else { soughtKind }
  }

  func isThere(_ place: SensorPlace) -> Bool { links[place.index].channels.isThere }

  func isReady(_ place: SensorPlace) -> Bool { links[place.index].progress.stage.isFound }

  /// Whether there is a link that is not ending.
  func isLinked(_ place: SensorPlace) -> Bool {
    links[place.index].channels.isThere && !links[place.index].progress.stage.isEnding
  }

  /// Whether the link in this place is to this sensor.
  func isLink(at place: SensorPlace, to address: DeviceAddress) -> Bool {
    links[place.index].channels.isThere && links[place.index].channels.peer.isSame(as: address)
  }

  func peer(at place: SensorPlace) -> DeviceAddress { links[place.index].channels.peer }

  /// The handles of its value, once it is ready.
  func handles(at place: SensorPlace) -> SubscribedHandles {
    links[place.index].client.lines.handles[.value]
  }

  func place(ofLink handle: UInt16) -> SensorPlace? {
    for index in links.indices
    where links[index].channels.isThere && links[index].channels.handle == handle {
      return SensorPlace(index)
    }
    return nil
  }

  /// The place of the link to this sensor, if there is one.
  func place(ofLinkTo address: DeviceAddress) -> SensorPlace? {
    for index in links.indices
    where links[index].channels.isThere && links[index].channels.peer == address {
      return SensorPlace(index)
    }
    return nil
  }

  /// The key that was made on this link, if it is to be kept.
  func newKey(at place: SensorPlace) -> Bond.Key? { trusts[place.index].newKey }

  /// Whether the link, which has ended for this reason while it was being encrypted, shows that the kept key failed.
  func isKeyFailure(_ reason: ErrorCode, at place: SensorPlace) -> Bool {
    links[place.index].progress.stage.isEncrypting && reason.deniesKey
  }

  /// Whether a sensor has asked for connection parameters of its own.
  package var havePeersParameters: Bool {
    for index in links.indices
    where links[index].channels.isThere && links[index].channels.hasPeersParameters {
      return true
    }
    return false
  }

  /// When something is due.
  var deadline: Instant? {
    var deadline: Instant?
    for index in links.indices where links[index].channels.isThere {
      let stage = links[index].progress.stage
      deadline = earlier(deadline, stage.isEnding ? stage.deadline : links[index].deadline)
    }
    return deadline
  }
}

/// The place of a sensor's link: one for each kind, and one for the sensor that the search tries or offers.
enum SensorPlace: Equatable {
  case of(SensorKind)
  case sought

  /// How many there are.
  static var count: Int { SensorKind.count + 1 }

  /// The place with this number.
  init(_ index: Int) {
    self =
      index < SensorKind.count
      ? .of(SensorKind(rawValue: UInt8(truncatingIfNeeded: index)) ?? .heart) : .sought
  }

  /// Its number in a table of all places.
  var index: Int {
    switch self {
    case .of(let kind): Int(kind.rawValue)
    case .sought: SensorKind.count
    }
  }
}
