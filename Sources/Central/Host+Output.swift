package import Bytes
package import Controller
import HCI
package import Link
import PhoneServices
import Search
import SensorLinks

/// How far the host has come on its way to a ride.
package enum Stage: Equatable, Sendable {
  /// The controller is not up.
  case off
  /// Nobody is searched for before the rider asks.
  case idle
  /// Searching, and no phone was heard that may be the rider's.
  case searching
  /// Searching, and a stranger was heard that may be.
  case found
  /// A link is being made, or is there and leads to no characteristic yet.
  case connecting
  /// The characteristic is there, or was and is waited for, and the phone is trusted.
  case ready
}

/// What it leaves, and what it knows.
extension Host {
  /// The next packet to send, its H4 indicator first; empty when there is none.
  package var output: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { controller.output }
  }

  /// The bytes of a `notification` or `value` event, or of an `attribute` that was notified or read.
  package var value: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { link.client.value }
  }

  /// Whether those of a `value` event are only the beginning of what the phone has.
  package var isValueCut: Bool { link.client.isValueCut }

  /// The bytes of a `written` event.
  package var writtenValue: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { link.serving.value }
  }

  /// How full the battery of the connected phone is, in percent, if it told.
  package var peerBattery: UInt8? { isRide ? link.client.battery : nil }

  /// Whether this characteristic of the phone is found, and subscribed to if it is to be.
  package func isFound(_ characteristic: UUID) -> Bool {
    link.client.valueHandle(of: characteristic) != 0
  }

  package func isSubscribed(to characteristic: UUID) -> Bool {
    link.client.isSubscribed(to: characteristic)
  }

  /// The largest attribute PDU that both sides take.
  package var mtu: Int { link.client.mtu }

  /// When `advance` must be called at the latest, if nothing is received before.
  package var deadline: Instant? {
    let links = earlier(linkDeadline, leaving.deadline)
    let visits = earlier(recallEnd, advertiser.deadline(for: advertisingSearch))
    let phone = earlier(earlier(phase.deadline, visits), earlier(scanDeadline, links))
    return earlier(earlier(controller.deadline, sensorDeadline), phone)
  }

  private var linkDeadline: Instant? {
    phase == .connected ? earlier(link.deadline, consent.deadline) : nil
  }

  private var scanDeadline: Instant? {
    guard case .scanning = phase else { return nil }
    return earlier(isListening ? scanner.deadline : nil, search.deadline)
  }

  private var sensorDeadline: Instant? {
    switch phase {
    case .off, .recovering, .bringUp: nil
    default: sensors.deadline
    }
  }

  /// What of a packet that is received a capture may show: of a sensor all, of the phone what is not private.
  package func visibility(of packet: Span<UInt8>) -> Visibility {
    guard isWanted(.entityUpdate) || isWanted(.notificationSource), !isSensors(packet) else {
      return .all
    }
    return Visibility(
      way: link.client.valueHandle(of: characteristic),
      clock: link.client.valueHandle(of: .currentTime),
      source: link.client.valueHandle(of: .notificationSource),
      music: link.client.valueHandle(of: .entityUpdate),
      answer: link.client.valueHandle(of: .dataSource))
  }

  private func isWanted(_ characteristic: UUID) -> Bool {
    guard let line = link.client.line(of: characteristic) else { return false }
    return profile[line].security != .unwanted
  }

  private func isSensors(_ packet: Span<UInt8>) -> Bool {
    guard packet.count > 2, packet[0] == PacketIndicator.aclData else { return false }
    return sensors.hasLink((UInt16(packet[1]) | UInt16(packet[2]) << 8) & 0x0FFF)
  }

  /// Whether it listens for the phone now; `nil` where nobody is searched for, or a ride has its link.
  package var listening: Bool? {
    switch phase {
    case .idle: nil
    case .connected where isRide, .disconnecting where isRide: nil
    default: isListening
    }
  }

  /// Whether there is no link, none in the making, and nothing left to send.
  package var mayEnd: Bool {
    switch phase {
    case .connected, .connecting, .cancelling, .disconnecting: false
    default:
      controller.isIdle && sensors.isAlone && leaving.isEmpty && sensors.isRadioFree
    }
  }

  /// Whether there is a link to the remembered phone, or to a device with its address.
  package var isPhoneLinked: Bool { link.isThere && peer.isRemembered }

  /// How far it has come.
  package var stage: Stage {
    switch phase {
    case .off, .recovering, .bringUp: .off
    case .idle: .idle
    // A device with an address of the remembered phone is either that or nobody.
    case .scanning: scanner.first == nil || memory != .nothing ? .searching : .found
    case .connecting, .cancelling: .connecting
    case .connected, .disconnecting: isRide ? .ready : .connecting
    }
  }

  /// What the controller says of itself; `nil` while none is up.
  package var controllerFacts: ControllerFacts? {
    guard stage != .off else { return nil }
    return ControllerFacts(controller.information)
  }

  /// The name of the phone that is remembered, or else of the one that is there; empty if it is not known.
  package var phoneName: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { memory == .nothing ? peerName : bondName }
  }

  /// What the stranger calls itself that would be connected to now; empty if it did not.
  package var foundName: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { heardName(of: found.address) }
  }

  /// The power of its last advertisement in dBm; `nil` if that is not known.
  package var foundRSSI: Int8? { found.rssi }

  private var found: Candidate { scanner.first ?? .nobody }
}
