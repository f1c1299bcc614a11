import Bytes
import Central
import HCI
import Link
import TestSupport
import VirtualAir

/// A peer whose attribute server says what a transcript says, byte by byte.
///
/// A line `> …` is a PDU that the host must say next, a line `< …` one that it hears.
final class ScriptedPeer {
  let central: Central
  let security = VirtualSecurity()
  private let controller = VirtualController()
  private let phone = VirtualPhone()

  /// The host looks for this characteristic, and is connected to the peer already.
  init(_ service: UUID, _ characteristic: UUID, pairing: PairingPolicy = .off) {
    phone.withheld = Set(0...0xFF)
    phone.advertisement = bytes("02 01 06") + Self.list(of: service)
    phone.security = security
    phone.address = security.privateAddress(1)
    controller.leBuffers = (251, 8)
    controller.phone = phone
    central = Central(pairing: pairing, service: service, characteristic: characteristic)
    controller.attach(to: central)
    central.start()
    controller.advertise(central)
    central.pass(80)
    controller.advertise(central)
    central.pass(100)
  }

  /// Plays a transcript; returns the first line that the host did not say, and what it said instead.
  func play(_ lines: [String]) -> String? {
    for line in lines {
      let pdu = String(line.dropFirst(2))
      if line.hasPrefix("<") {
        controller.send(channel: 0x04, bytes(pdu), central)
      } else {
        let said = nextSaid()
        guard said == pdu else { return "\(said ?? "nothing") instead of \(pdu)" }
      }
    }
    return nil
  }

  /// Attribute PDUs that were said and not yet looked at.
  private var waiting: [String] = []

  private func nextSaid() -> String? {
    waiting += central.takeSaid().filter {
      $0.hasPrefix("02 40 00") && $0.dropFirst(21).hasPrefix("04 00")
    }
    .map { String($0.dropFirst("02 40 00 00 00 00 00 04 00 ".count)) }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// The list of complete UUIDs of an advertisement.
  private static func list(of service: UUID) -> [UInt8] {
    var uuid = FixedBuffer<16>()
    if let short = service.short {
      uuid.append(u16: short)
      return [3, 0x03] + array(uuid.bytes)
    }
    uuid.append(service)
    return [17, 0x07] + array(uuid.bytes)
  }
}
