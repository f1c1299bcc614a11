import Bytes
import Expecting
import Responder
import SMP
import TestSupport
import VirtualAir

/// A phone that pairs as initiator, against a host's side that was written from the specification's figures.
struct ComingPairingTests {
  /// The host: `PhonePairing`, with its rider's yes at once.
  private final class Pair {
    let host = AdvertisingTests.advertising()
    let phone = VirtualCentral.pairing(VirtualPhone())
    private var responder: PhonePairing
    /// All commands of the phone, by their codes.
    private(set) var codes: [UInt8] = []
    private(set) var line: [String] = []

    init(_ responder: PhonePairing) { self.responder = responder }

    func take(_ heard: [String]) { line += heard }
    var digits: UInt32 { responder.digits }

    /// Answers until the phone says nothing more; what is not of the pairing is left over.
    func run() throws -> [String] {
      var frame: [UInt8] = []
      var rest: [String] = []
      while !line.isEmpty {
        let packet = bytes(line.removeFirst())
        guard packet[0] == 0x02 else {
          rest.append(hex(packet))
          continue
        }
        frame = packet[2] & 0x30 == 0x20 ? Array(packet[5...]) : frame + packet[5...]
        guard frame.count == Int(frame[0]) + 4 else { continue }
        guard frame[2] == 0x06 else {
          rest.append(hex(frame))
          continue
        }
        codes.append(frame[4])
        let payload = Array(frame.dropFirst(4))
        let command = try SecurityPDU(parsing: payload.span)
        for answer in try responder.answers(command) { say(answer) }
      }
      return rest
    }

    func say(_ command: SecurityPDU) {
      var buffer = FixedBuffer<65>()
      command.write(into: &buffer)
      let payload = (0..<buffer.count).map { buffer.bytes[$0] }
      let frame = little(UInt16(payload.count)) + [6, 0] + payload
      for start in stride(from: 0, to: frame.count, by: 27) {
        let piece = Array(frame[start..<min(start + 27, frame.count)])
        line += host.say(
          hex([0x02, 0x40, start == 0 ? 0 : 0x10] + little(UInt16(piece.count)) + piece))
      }
    }

    /// LE Long Term Key Request Reply with the key of the pairing.
    func giveKey() throws {
      let key = try #require(responder.longTermKey)
      let octets = (0..<16).map { key[$0] }
      line += host.say("01 1a 20 12 40 00 \(hex(octets))")
    }

  }

  private func pair(
    hands keys: KeyDistribution = .identity, _ change: (VirtualCentral) -> Void = { _ in }
  ) throws -> Pair {
    let features = PairingFeatures(
      ioCapability: .displayYesNo, hasOOBData: false, authentication: .secureBonding,
      maxKeySize: 16, initiatorKeys: .identity, responderKeys: keys)
    let responder = try PhonePairing(
      initiator: DeviceAddress(0x6042_E680_094F, .random), own: VirtualSecurity.controller,
      features: features, seed: 7)
    let pair = Pair(responder)
    let (host, phone) = (pair.host, pair.phone)
    phone.phone.security = VirtualSecurity()
    phone.steps = [.pair, .ask(bytes("0a 03 00"))]
    phone.ownAddress = bytes(PeripheralTests.address)
    change(phone)
    pair.take(host.hear { $0.comes(phone, host) })
    return pair
  }

  @Test func itPairsByTheFigures() throws {
    let it = try pair()
    expect(try it.run().last, PeripheralTests.keyRequest)
    expect(it.codes, [0x01, 0x0C, 0x04, 0x0D])
    expect(it.phone.security?.digits == it.digits && it.digits > 0)
    try it.giveKey()
    expect(try it.run().last, PeripheralTests.encrypted)
    expect(it.phone.pairingCount, 0, "our keys come first")
    it.say(.identityInformation(irk: Octets()))
    it.say(.identityAddressInformation(VirtualSecurity.controller))
    expect(try it.run().last, "03 00 04 00 0a 03 00")
    expect(it.codes, [0x01, 0x0C, 0x04, 0x0D, 0x08, 0x09])
    expect(it.phone.pairingCount, 1)
  }

  @Test func whereWeHandOutNothingItsKeysComeAtOnce() throws {
    let it = try pair(hands: .none)
    _ = try it.run()
    try it.giveKey()
    _ = try it.run()
    expect(it.codes, [0x01, 0x0C, 0x04, 0x0D, 0x08, 0x09])
  }

  @Test func itsOwnerMayWait() throws {
    let it = try pair { $0.owner = .waits }
    _ = try it.run()
    expect(it.codes, [0x01, 0x0C, 0x04])
    it.take(it.host.hear { $0.agree(it.phone, it.host) })
    expect(try it.run().last, PeripheralTests.keyRequest)
  }

  /// Declined by its owner, and refused by the host.
  @Test(arguments: [true, false]) func aRefusalEndsThePairing(_ isByItsOwner: Bool) throws {
    let it = try pair {
      if isByItsOwner { $0.owner = .declines }
      $0.whenPairingFails = [.leave(0x13)]
    }
    if !isByItsOwner { it.say(.pairingFailed(.pairingNotSupported)) }
    expect(try it.run().last, "04 05 04 00 40 00 13")
    if isByItsOwner { expect(it.codes, [0x01, 0x0C, 0x04, 0x05]) }
  }

  @Test(
    arguments: [
      (.justWorks, "01 03 00 0d 10 02 02"), (.legacy, "01 03 00 01 10 00 00"),
      (.comparison, "01 01 00 0d 10 02 02"),
    ] as [(VirtualSecurity.Manner, String)])
  func itAsksByItsManner(_ manner: VirtualSecurity.Manner, _ request: String) throws {
    let it = try pair { $0.security?.manner = manner }
    expect(BareHost.frames(it.line), [request])
  }
}
