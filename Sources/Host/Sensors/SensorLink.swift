import Bond
import Bytes
import Sensors

/// A link to a sensor: it is ready once the sensor's values come.
typealias SensorLink = ClientLink<SensorClient>

extension ClientLink<SensorClient> {
  init(
    _ kind: SensorKind, handle: UInt16, peer: DeviceAddress,
    known: SubscribedHandles = .none, until deadline: Instant? = nil
  ) {
    self.init(SensorClient(kind, known: known), handle: handle, peer: peer, until: deadline)
  }

  /// No link.
  static func none(_ kind: SensorKind) -> SensorLink { .none(SensorClient(kind, known: .none)) }

  /// A value made no sense: what was kept of an earlier link may not hold any more.
  mutating func doubt(at now: Instant) {
    client.doubt(at: now)
    sendRequest()
  }

  /// The link is encrypted, or stays open: what was put off or refused is asked.
  mutating func goOn(at now: Instant) {
    client.goOn(at: now)
    sendRequest()
  }
}
