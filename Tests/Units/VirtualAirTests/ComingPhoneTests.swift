import Expecting
import TestSupport
import VirtualAir

/// What phones do that come by themselves, against a host whose answers a test gives by the bytes.
struct ComingPhoneTests {
  /// A link with a phone of this kind.
  private func linked(_ phone: VirtualCentral) -> (BareHost, [String]) {
    let host = AdvertisingTests.advertising()
    return (host, host.hear { $0.comes(phone, host) })
  }

  private var bonded: VirtualPhone { PeripheralTests.phone().phone }

  /// The table of Lenker's server as `ServerTable` describes it, as the answers that it gives; what is not there ends a list.
  private static let table = [
    "10 01 00 ff ff 00 28": "11 06 01 00 05 00 00 18 06 00 09 00 01 18",
    "10 0a 00 ff ff 00 28":
      "11 14 0a 00 0f 00 9e ca dc 24 0e e5 a9 e0 93 f3 a3 b5 01 00 40 6e",
    "08 01 00 05 00 03 28": "09 07 02 00 02 03 00 00 2a 04 00 02 05 00 01 2a",
    "08 06 00 09 00 03 28": "09 07 07 00 20 08 00 05 2a",
    "08 0a 00 0f 00 03 28":
      "09 15 0b 00 08 0c 00 9e ca dc 24 0e e5 a9 e0 93 f3 a3 b5 02 00 40 6e",
    "08 0c 00 0f 00 03 28":
      "09 15 0d 00 10 0e 00 9e ca dc 24 0e e5 a9 e0 93 f3 a3 b5 03 00 40 6e",
    "04 09 00 09 00": "05 01 09 00 02 29", "04 0f 00 0f 00": "05 01 0f 00 02 29",
  ]

  /// Answers requests until there is none, a key request too; returns them all.
  private func serve(
    _ host: BareHost, _ first: [String], refusing refused: Set<String> = [],
    isBonded: Bool = true
  ) -> [String] {
    var requests: [String] = []
    var line = first
    var isEncrypted = false
    while !line.isEmpty {
      let packet = line.removeFirst()
      if packet == PeripheralTests.keyRequest {
        isEncrypted = isBonded
        line += host.say(isBonded ? PeripheralTests.reply : PeripheralTests.refusal)
      }
      guard packet.hasPrefix("02"), packet.dropFirst(21).hasPrefix("04") else { continue }
      let request = String(packet.dropFirst(9 * 3))
      requests.append(request)
      let answer: String
      if refused.contains(request), !isEncrypted {
        answer = "01 \(request.prefix(8)) 05"
      } else {
        switch request.prefix(2) {
        case "02": answer = "03 05 02"
        case "12": answer = "13"
        case "0a": answer = "0b 4c"
        case "1e": continue
        default: answer = Self.table[request] ?? "01 \(request.prefix(8)) 0a"
        }
      }
      let payload = bytes(answer)
      let frame = little(UInt16(payload.count)) + [4, 0] + payload
      line += host.say(hex([0x02, 0x40, 0x00] + little(UInt16(frame.count)) + frame))
    }
    return requests
  }

  private static let discovery = [
    "10 01 00 ff ff 00 28", "10 0a 00 ff ff 00 28", "10 10 00 ff ff 00 28",
    "08 01 00 05 00 03 28", "08 05 00 05 00 03 28", "08 06 00 09 00 03 28",
    "08 08 00 09 00 03 28", "08 0a 00 0f 00 03 28", "08 0c 00 0f 00 03 28",
    "08 0e 00 0f 00 03 28", "04 09 00 09 00", "04 0f 00 0f 00",
  ]

  @Test func anIPhoneReadsTheTableAndSubscribes() {
    let phone = VirtualCentral.iPhone(bonded)
    let (host, heard) = linked(phone)
    expect(heard[1], "02 40 20 05 00 01 00 3a 00 00", "a channel of Apple's")
    expect(
      serve(host, Array(heard.dropFirst())), ["02 0f 02"] + Self.discovery + ["12 09 00 02 00"])
    expect(phone.isEncrypted)
    expect(phone.table.services.map(\.end), [5, 9, 15])
    expect(phone.table.characteristics.map(\.value), [3, 5, 8, 12, 14])
    expect(phone.table.value(of: VirtualCentral.uartRX), 12)
    expect(phone.table.configuration(of: VirtualCentral.uartTX), 15)
    expect(phone.exchanges.last?.answer, [0x13])
  }

  @Test func gadgetbridgeKeepsToItsOrder() {
    let phone = VirtualCentral.gadgetbridge(bonded)
    let (host, heard) = linked(phone)
    expect(serve(host, heard), [])
    let requests = serve(host, host.pass(300))
    expect(Array(requests.prefix(14)), Self.discovery + ["12 0f 00 01 00", "02 05 02"])
    let pieces = requests.dropFirst(14).map { bytes($0) }
    #expect(pieces.allSatisfy { $0.prefix(3) == [0x12, 0x0C, 0x00] && $0.count <= 23 })
    let lines = pieces.flatMap { $0.dropFirst(3) }.split(separator: 0x0A)
    expect(lines.map(\.count) == [154, 26] && lines.allSatisfy { $0.first == 0x10 })
    expect(
      hex(Array(lines[1])),
      "10 47 42 28 7b 22 74 22 3a 22 69 73 5f 67 70 73 5f 61 63 74 69 76 65 22 7d 29")
    expect(host.controller.link(phone)?.parameters.interval, 0x28)
    let line = VirtualCentral.line("GB({\"t\":\"nav\"})")
    let nav = serve(host, host.hear { $0.goOn(phone, with: [line], host) })
    expect(nav, ["12 0c 00 10 47 42 28 7b 22 74 22 3a 22 6e 61 76 22 7d 29 0a"])
  }

  @Test func androidEncryptsWhereItIsRefusedAndAsksAgain() {
    let phone = PeripheralTests.phone([.ask(bytes("12 0f 00 01 00")), .ask(bytes("0a 03 00"))])
    let (host, heard) = linked(phone)
    expect(
      serve(host, heard, refusing: ["12 0f 00 01 00"]),
      [
        "12 0f 00 01 00", "12 0f 00 01 00", "0a 03 00",
      ])
  }

  @Test func withoutAKeyItPairs() {
    let phone = PeripheralTests.phone([.ask(bytes("12 0f 00 01 00"))])
    phone.security?.longTermKey = nil
    let (host, _) = linked(phone)
    expect(host.ask("01 12 0f 00 05"), [Self.pairingRequest])
  }

  /// DisplayYesNo, bonding, MITM and secure connections, 16 octets, both sides' identity.
  private static let pairingRequest = "01 01 00 0d 10 02 02"

  @Test func aStrangerAsksAndHasNoKey() {
    let phone = VirtualCentral.stranger(VirtualPhone())
    let (host, heard) = linked(phone)
    expect(
      serve(host, heard, refusing: ["12 0f 00 01 00", "12 0c 00 41"]),
      [
        "02 05 02", "0a 03 00", "12 0f 00 01 00", "12 0c 00 41",
      ])
    expect(host.ask("0b 0d", channel: 6), [])
    expect(phone.exchanges.map(\.answer.count), [3, 2, 5, 5])
  }

  @Test func itsOwnServerAnswersUs() {
    let phone = PeripheralTests.phone()
    phone.phone.value = [1, 2, 3, 4, 5]
    let (host, _) = linked(phone)
    expect(host.ask("0a 22 00"), ["0b 01 02 03 04 05"])
    expect(host.ask("06 01 00 ff ff 00 28 \(hex(VirtualPhone.service))"), ["07 20 00 2f 00"])
    phone.phone.hasService = false
    expect(host.ask("06 01 00 ff ff 00 28 \(hex(VirtualPhone.service))"), ["01 06 01 00 0a"])
  }

  @Test func whatWeTellIsKeptAndConfirmed() {
    let phone = PeripheralTests.phone()
    let (host, _) = linked(phone)
    expect(host.ask("1d 08 00 01 00 ff ff"), ["1e"])
    expect(host.ask("1b 0e 00 7b"), [])
    expect(phone.indications, [bytes("1d 08 00 01 00 ff ff")])
    expect(phone.notifications, [bytes("1b 0e 00 7b")])
  }

  @Test func parametersAreGivenOrRefused() {
    let phone = PeripheralTests.phone()
    let (host, _) = linked(phone)
    let request = "02 40 00 10 00 \("0c 00 05 00 12 01 08 00 18 00 24 00 03 00 58 02")"
    expect(
      host.say(request).dropFirst(),
      [
        "02 40 20 0a 00 06 00 05 00 13 01 02 00 00 00", "04 3e 0a 03 00 40 00 24 00 03 00 58 02",
      ])
    phone.parameterAnswer = 1
    expect(host.say(request).dropFirst(), ["02 40 20 0a 00 06 00 05 00 13 01 02 00 01 00"])
    phone.parameterAnswer = nil
    expect(host.say(request).dropFirst(), [])
    expect(phone.parameterRequests.count, 3)
    expect(host.controller.link(phone)?.parameters.latency, 3)
  }

  @Test func whatAStepAskedForIsForgottenWithTheLink() {
    let phone = PeripheralTests.phone([.ask(bytes("0a 03 00")), .wait(500), .leave(0x13)])
    let (host, _) = linked(phone)
    _ = host.hear { $0.disconnect(phone, host) }
    host.say(AdvertisingTests.on)
    _ = host.hear { $0.comes(phone, host) }
    _ = host.ask("0b 4c")
    expect(host.pass(499), [])
    expect(host.pass(1), ["04 05 04 00 40 00 13"])
    expect(phone.linkCount, 2)
  }
}
