import ATT
import Bytes
import Central
import Expecting
import HCI
import Link
import TestSupport
import VirtualAir

/// The client cases of BlueZ's `unit/test-gatt.c`, as the packets that are exchanged in them.
///
/// Bytes and names are those of BlueZ, but our host offers 517 bytes, takes the first service with the
/// UUID and asks for no more than it needs. Where values are read, the two services have changed places,
/// as it reads the name by its type. Tests/verdicts.md says why other cases are left out.
@Suite struct BlueZTests {
  @Test(
    arguments: BlueZCase.discoveries + BlueZCase.reads + BlueZCase.readsByType
      + BlueZCase.subscriptions)
  func theHostSaysWhatBlueZSays(_ test: BlueZCase) {
    let peer = ScriptedPeer(test.service, test.characteristic)
    expect(peer.play(test.lines), nil)
    let events = peer.central.takeEvents()
    switch test.end {
    case .open: break
    case .mtu(let mtu): expect(peer.central.mtu, mtu)
    case .ready(let isSubscribed): #expect(events.contains(.ready(isSubscribed: isSubscribed)))
    case .value(let value): expect(peer.central.values, [value])
    case .refused(let code): #expect(events.contains(.readRefused(AttributeError(rawValue: code))))
    case .name(let name): expect(peer.central.names, [name])
    case .missing: expect(events.contains { if case .serviceMissing = $0 { true } else { false } })
    }
  }

  /// The link is secured because of the refusal, and the request said once more.
  @Test(arguments: ["/TP/GAR/CL/BI-04-C/auto", "/TP/GAR/CL/BI-16-C/auto"])
  func aReadThatIsRefusedIsSaidAgainOnTheSecureLink(_ name: String) {
    let peer = ScriptedPeer(.heartRate, .manufacturer, pairing: .preferred)
    expect(peer.play(BlueZCase.firstService), nil)
    peer.central.read()
    // Service Changed is asked for in the pause before the read.
    let refused = [
      "> 06 01 00 ff ff 00 28 01 18", "< 01 06 01 00 0a", "> 0a 03 00", "< 01 0a 03 00 05",
    ]
    expect(peer.play(refused), nil)
    expect(peer.central.values, [])
    peer.central.confirm(true)
    expect(peer.play(["> 0a 03 00", "< 0b 01 02 03"]), nil)
    expect(peer.central.values, [bytes("01 02 03")])
  }

  /// The same for the descriptor that is written.
  @Test(arguments: ["/TP/GAW/CL/BI-23-C/auto"])
  func aWriteThatIsRefusedIsSaidAgainOnTheSecureLink(_ name: String) {
    let peer = ScriptedPeer(.heartRate, .manufacturer, pairing: .preferred)
    expect(peer.play(BlueZCase.secondService(descriptor: "02 29")), nil)
    expect(peer.play(["> 12 08 00 01 00", "< 01 12 08 00 05"]), nil)
    peer.central.confirm(true)
    // Service Changed comes first on a link that is secure.
    let again = [
      "> 06 01 00 ff ff 00 28 01 18", "< 01 06 01 00 0a", "> 12 08 00 01 00", "< 13",
    ]
    expect(peer.play(again), nil)
    #expect(peer.central.takeEvents().contains(.ready(isSubscribed: true)))
  }
}

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
