import ATT
import Bytes
import Central
import Expecting
import HCI
import Link
import TestSupport
import Testing
import VirtualAir

/// The client cases of BlueZ's `unit/test-gatt.c`, as the packets that are exchanged in them.
///
/// Bytes and names are those of BlueZ, but our host offers 517 bytes, takes the first service with the
/// UUID and asks for no more than it needs. Where values are read, the two services have changed places,
/// as it reads the name by its type. Tests/verdicts.md says why other cases are left out.
struct BlueZTests {
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
}

/// A peer whose attribute server says what a transcript says, byte by byte.
///
/// A line `> …` is a PDU that the host must say next, a line `< …` one that it hears.
final class ScriptedPeer {
  let central: Central
  private let controller = VirtualController()
  private let phone = VirtualPhone()

  /// The host looks for this characteristic, and is connected to the peer already.
  init(_ service: UUID, _ characteristic: UUID) {
    phone.withheld = Set(0...0xFF)
    phone.advertisement = bytes("02 01 06") + Self.list(of: service)
    controller.leBuffers = (251, 8)
    controller.phone = phone
    central = Central(service: service, characteristic: characteristic)
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
    waiting += central.takeAttributes()
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

extension UUID {
  /// Service and characteristic that BlueZ's databases have in the second place.
  static let heartRate = UUID(short: 0x180D)
  static let manufacturer = UUID(short: 0x2A29)
}

/// One case of BlueZ: what is looked for, what is said and heard, and what has become of it then.
struct BlueZCase: CustomTestStringConvertible {
  enum End {
    /// The last packet is said, and nothing more is expected.
    case open
    case mtu(Int)
    case ready(isSubscribed: Bool)
    case value([UInt8])
    case refused(UInt8)
    case name(String)
    case missing
  }

  let name: String
  var service = UUID.heartRate
  var characteristic = UUID.manufacturer
  let lines: [String]
  let end: End

  var testDescription: String { name }

  // MARK: - Databases

  private static let mtu = ["> 02 05 02", "< 03 00 02"]

  /// The service is found at these handles.
  private static func found(_ handles: String) -> [String] {
    mtu + ["> 06 01 00 ff ff 00 28 0d 18", "< 07 \(handles)", "> 08 \(handles) 03 28"]
  }

  /// Handles 1 to 4: a service, a characteristic with its value, and a description, no CCCD.
  private static let firstService =
    found("01 00 04 00") + [
      "< 09 07 02 00 02 03 00 29 2a", "> 04 04 00 04 00", "< 05 01 04 00 01 29",
    ]

  /// Handles 5 to 8: the same, with a descriptor of this type.
  static func secondService(descriptor: String) -> [String] {
    found("05 00 08 00") + [
      "< 09 07 06 00 0a 07 00 29 2a", "> 04 08 00 08 00", "< 05 01 08 00 " + descriptor,
    ]
  }

  /// The long characteristic of the small database of the test specification, after a short one.
  private static let smallDatabase =
    mtu + [
      "> 06 01 00 ff ff 00 28 00 18", "< 07 10 f0 18 f0",
      "> 08 10 f0 18 f0 03 28", "< 09 07 12 f0 02 13 f0 00 2a",
      "> 08 13 f0 18 f0 03 28",
      "< 09 15 14 f0 82 15 f0 ef cd ab 89 67 45 23 01 00 00 00 00 09 b0 00 00",
      "> 04 16 f0 18 f0", "< 05 01 16 f0 00 29 17 f0 03 28",
    ]
  private static let b009 = UUID(0x0000_B009_0000_0000, 0x0123_4567_89AB_CDEF)

  // MARK: - Cases

  static let discoveries: [BlueZCase] =
    [BlueZCase(name: "/TP/GAC/CL/BV-01-C", lines: mtu, end: .mtu(512))] + services + parts

  private static let services = [
    BlueZCase(
      name: "/TP/GAD/CL/BV-02-C-1", service: UUID(short: 0x1800),
      lines: mtu + [
        "> 06 01 00 ff ff 00 28 00 18", "< 07 01 00 07 00", "> 08 01 00 07 00 03 28",
      ], end: .open),
    BlueZCase(
      name: "/TP/GAD/CL/BV-02-C-1-alternative", service: UUID(short: 0x1800),
      lines: mtu + [
        "> 06 01 00 ff ff 00 28 00 18", "< 07 01 00 ff ff", "> 08 01 00 ff ff 03 28",
      ], end: .open),
    BlueZCase(
      name: "/TP/GAD/CL/BV-02-C-2", service: UUID(0x0000_A00C_0000_0000, 0x0123_4567_89AB_CDEF),
      lines: mtu + [
        "> 06 01 00 ff ff 00 28 ef cd ab 89 67 45 23 01 00 00 00 00 0c a0 00 00",
        "< 07 10 00 17 00", "> 08 10 00 17 00 03 28",
      ], end: .open),
  ]

  private static let twoCharacteristics =
    found("10 00 20 00") + [
      "< 09 07 11 00 02 12 00 25 2a",
      "> 08 12 00 20 00 03 28",
      "< 09 15 13 00 02 14 00 85 00 ef cd ab 89 67 45 23 01 00 00 00 00 00 00",
    ]

  private static let parts = [
    BlueZCase(
      name: "/TP/GAD/CL/BV-04-C",
      lines: twoCharacteristics + ["> 08 14 00 20 00 03 28", "< 01 08 12 00 0a"], end: .missing),
    BlueZCase(
      name: "/TP/GAD/CL/BV-05-C", characteristic: UUID(0x0123, 0x4567_89AB_CDEF_0085),
      lines: twoCharacteristics + ["> 04 15 00 20 00"], end: .open),
    BlueZCase(
      name: "/TP/GAD/CL/BV-06-C",
      lines: found("10 00 16 00") + [
        "< 09 07 11 00 02 12 00 29 2a",
        "> 04 13 00 16 00", "< 05 01 13 00 02 29 14 00 03 29", "> 12 13 00 01 00",
      ], end: .open),
    BlueZCase(
      name: "/TP/GAD/CL/BV-06-C/client-1", lines: secondService(descriptor: "01 29"),
      end: .ready(isSubscribed: false)),
    BlueZCase(
      name: "/TP/GAD/CL/BV-06-C/client-2",
      lines: found("05 00 0a 00") + [
        "< 09 07 07 00 0a 08 00 29 2a", "> 04 09 00 0a 00", "< 05 01 0a 00 01 29",
      ], end: .ready(isSubscribed: false)),
    BlueZCase(
      name: "/TP/GAD/CL/BV-06-C/client-3",
      lines: found("00 03 20 03") + [
        "< 09 07 10 03 0a 11 03 29 2a",
        "> 04 12 03 20 03", "< 05 01 20 03 02 29", "> 12 20 03 01 00", "< 13",
      ], end: .ready(isSubscribed: true)),
  ]

  /// A part of a value of 512 bytes, at an MTU of 512.
  private static let longPart = String(repeating: " ff", count: 511)

  static let reads: [BlueZCase] =
    [
      ("/TP/GAR/CL/BI-01-C", 0x01), ("/TP/GAR/CL/BI-02-C", 0x02), ("/TP/GAR/CL/BI-03-C", 0x08),
      ("/TP/GAR/CL/BI-04-C", 0x05), ("/TP/GAR/CL/BI-05-C", 0x0C), ("/TP/GAR/CL/BI-12-C", 0x02),
      ("/TP/GAR/CL/BI-13-C", 0x07), ("/TP/GAR/CL/BI-14-C", 0x01), ("/TP/GAR/CL/BI-15-C", 0x08),
      ("/TP/GAR/CL/BI-16-C", 0x05), ("/TP/GAR/CL/BI-17-C", 0x0C), ("/TP/GAR/CL/BI-34-C", 0x80),
      ("/TP/GAR/CL/BI-35-C", 0x80),
    ].map { name, code in
      BlueZCase(
        name: name,
        lines: firstService + ["> 0a 03 00", "< 01 0a 03 00 " + hex([code])], end: .refused(code))
    } + wholeReads

  private static let wholeReads =
    ["/TP/GAR/CL/BV-01-C", "/TP/GAR/CL/BV-04-C"].map { name in
      BlueZCase(
        name: name, lines: firstService + ["> 0a 03 00", "< 0b 01 02 03"],
        end: .value(bytes("01 02 03")))
    } + [
      BlueZCase(
        name: "/TP/GAR/CL/BV-04-C/512B",
        lines: firstService + [
          "> 0a 03 00", "< 0b" + longPart, "> 0c 03 00 ff 01", "< 0d ff",
          "> 0a 03 00", "< 0b" + longPart,
        ], end: .value([UInt8](repeating: 0xFF, count: 512)))
    ]

  /// The peer has read its value, and no Service Changed; the name is asked for by its type.
  private static let askedForName =
    firstService + [
      "> 0a 03 00", "< 0b 01", "> 06 01 00 ff ff 00 28 01 18", "< 01 06 01 00 0a",
      "> 08 01 00 ff ff 00 2a",
    ]

  static let readsByType: [BlueZCase] =
    [
      ("/TP/GAR/CL/BI-06-C", 0x02), ("/TP/GAR/CL/BI-07-C", 0x0A), ("/TP/GAR/CL/BI-09-C", 0x08),
      ("/TP/GAR/CL/BI-10-C", 0x05), ("/TP/GAR/CL/BI-11-C", 0x0C),
    ].map { name, code in
      BlueZCase(
        name: name,
        lines: askedForName + ["< 01 08 0b 00 " + hex([code]), "> 08 01 00 ff ff 19 2a"],
        end: .open)
    } + [
      BlueZCase(
        name: "/TP/GAR/CL/BV-03-C-1",
        lines: askedForName + ["< 09 05 0a 00 01 02 03", "> 08 01 00 ff ff 19 2a"],
        end: .name("\u{01}\u{02}\u{03}"))
    ]

  static let subscriptions: [BlueZCase] =
    [
      ("/TP/GAW/CL/BI-20-C", 0x01), ("/TP/GAW/CL/BI-21-C", 0x03), ("/TP/GAW/CL/BI-22-C", 0x08),
      ("/TP/GAW/CL/BI-23-C", 0x05), ("/TP/GAW/CL/BI-24-C", 0x0C),
    ].map { name, code in
      BlueZCase(
        name: name,
        lines: secondService(descriptor: "02 29") + [
          "> 12 08 00 01 00", "< 01 12 08 00 " + hex([code]),
        ], end: .ready(isSubscribed: false))
    } + told

  private static let told = [
    BlueZCase(
      name: "/TP/GAW/CL/BV-08-C",
      lines: secondService(descriptor: "02 29") + ["> 12 08 00 01 00", "< 13"],
      end: .ready(isSubscribed: true)),
    BlueZCase(
      name: "/TP/GAN/CL/BV-01-C", service: UUID(short: 0x180A),
      lines: mtu + [
        "> 06 01 00 ff ff 00 28 0a 18", "< 07 01 00 10 00",
        "> 08 01 00 10 00 03 28", "< 09 07 02 00 b2 03 00 29 2a",
        "> 04 04 00 10 00", "< 05 01 04 00 02 29 05 00 01 29",
        "> 12 04 00 01 00", "< 13", "> 0a 03 00", "< 1b 03 00 01 02 03",
      ], end: .value(bytes("01 02 03"))),
    BlueZCase(
      name: "/TP/GAI/CL/BV-01-C", service: UUID(short: 0x1800), characteristic: b009,
      lines: smallDatabase + [
        "> 0a 15 f0", "< 0b 01", "> 06 01 00 ff ff 00 28 01 18", "< 07 01 00 10 00",
        "> 08 01 00 10 00 03 28", "< 09 07 02 00 b2 03 00 05 2a",
        "> 04 04 00 10 00", "< 05 01 09 00 02 29", "> 12 09 00 02 00", "< 13",
        "> 08 01 00 ff ff 00 2a", "< 1d 03 00 01 02 03", "> 1e",
      ], end: .open),
  ]
}
