package import Bytes
package import Controller
import HCI
package import Link
import PhoneServices
import Search
import SensorLinks

/// How far the host has come on its way to a ride.
package enum HostStage: Equatable, Sendable {
  /// The controller is not up.
  case off
  /// No phone is searched for before the rider asks.
  case idle
  /// Searching, and no phone was heard that may be the rider's.
  case searching
  /// Searching, and a stranger was heard that may be the rider's phone.
  case found
  /// A link is being made, or is there and leads to no characteristic yet.
  case connecting
  /// The phone is trusted, and its characteristic is there or waited for.
  case ready
}

/// Whether the host listens for the phone.
package enum PhoneListening: Equatable, Sendable {
  /// No phone is searched for, or a ride has its link.
  case off
  /// A phone is searched for, and the radio has something else to do.
  case paused
  case on
}

/// What the host leaves for its owner, and what it knows.
extension Host {
  /// The next packet to send, its H4 indicator first; empty when there is none.
  package var output: Span<UInt8> { controller.output }

  /// The bytes of the last event that has some: `notification`, `value`, `written`, or an `attribute` that was notified
  /// or read.
  package var value: Span<UInt8> { bytes.bytes }

  /// How full the battery of the connected phone is, in percent, if the phone has sent it.
  package var peerBattery: UInt8? { isReady ? link.client.battery : nil }

  package func hasValueHandle(of characteristic: UUID) -> Bool {
    link.client.lines.valueHandle(of: characteristic) != 0
  }

  package func isSubscribed(to characteristic: UUID) -> Bool {
    link.client.lines.isSubscribed(to: characteristic)
  }

  /// The largest attribute PDU that both sides take.
  package var mtu: Int { link.client.mtu }

  /// When `advance` must be called at the latest, if nothing is received before.
  package var deadline: Instant? {
    let links = earlier(linkDeadline, lingering.deadline)
    let visits = earlier(overtakenAttemptEnd, advertiser.deadline(for: advertisingSearch))
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

  /// How much of a received packet a capture may show: all of a sensor's, and of the phone's what is not private.
  package func visibility(of packet: Span<UInt8>) -> Visibility {
    guard isWanted(.entityUpdate) || isWanted(.notificationSource), !isSensors(packet) else {
      return .all
    }
    return Visibility(
      way: link.client.lines.valueHandle(of: characteristic),
      clock: link.client.lines.valueHandle(of: .currentTime),
      source: link.client.lines.valueHandle(of: .notificationSource),
      music: link.client.lines.valueHandle(of: .entityUpdate),
      answer: link.client.lines.valueHandle(of: .dataSource))
  }

  private func isWanted(_ characteristic: UUID) -> Bool {
    guard let line = link.client.lines.index(of: characteristic) else { return false }
    return profile[line].security != .unwanted
  }

  private func isSensors(_ packet: Span<UInt8>) -> Bool {
    guard packet.count > 2, packet[0] == PacketIndicator.aclData else { return false }
    return sensors.hasLink((UInt16(packet[1]) | UInt16(packet[2]) << 8) & 0x0FFF)
  }

  /// Whether the host listens for the phone now.
  package var listening: PhoneListening {
    switch phase {
    case .idle: .off
    case .connected where isReady, .disconnecting where isReady: .off
    default: isListening ? .on : .paused
    }
  }

  /// Whether there is no link, none in the making, and nothing left to send.
  package var mayEnd: Bool {
    switch phase {
    case .connected, .connecting, .cancelling, .disconnecting: false
    default:
      controller.isIdle && sensors.hasNoLink && lingering.isEmpty && sensors.isRadioFree
    }
  }

  /// Whether there is a link to the remembered phone, or to a device with its address.
  package var isPhoneLinked: Bool { link.channels.isThere && peer.isRemembered }

  /// How far the host has come.
  package var stage: HostStage {
    switch phase {
    case .off, .recovering, .bringUp: .off
    case .idle: .idle
    // Once a phone is remembered, no stranger counts as found.
    case .scanning: scanner.first == nil || security.memory != .nothing ? .searching : .found
    case .connecting, .cancelling: .connecting
    case .connected, .disconnecting: isReady ? .ready : .connecting
    }
  }

  /// What the controller says of itself; `nil` while none is up.
  package var controllerFacts: ControllerFacts? {
    guard stage != .off else { return nil }
    return ControllerFacts(controller.information)
  }

  /// The name of the remembered phone, or else of the last peer; empty if it is not known.
  package var phoneName: Span<UInt8> { security.memory == .nothing ? peerName : bondName }

  /// The advertised name of the stranger that would be connected to now; empty if it sent none.
  package var foundName: Span<UInt8> { heardName(of: found.address) }

  /// The power of the found stranger's last advertisement in dBm; `nil` if it is not known.
  package var foundRSSI: Int8? { found.rssi }

  private var found: Candidate { scanner.first ?? .nobody }
}
