import Bytes
import Central
import Controller
import Crypto
import Expecting
import Link
import PlainBonds
import SMP
import TestSupport
import VirtualAir

/// How often the address of an advertisement is resolved.
@Suite struct ResolutionTests {
  /// Counts the blocks that are encrypted: one for each resolution.
  private final class Count {
    var blocks = 0
  }

  private struct CountingCrypto: Crypto {
    let count: Count
    private var real = SoftwareCrypto()

    init(_ count: Count) { self.count = count }

    func e(key: Octets<16>, _ block: Octets<16>) -> Octets<16> {
      count.blocks += 1
      return real.e(key: key, block)
    }

    mutating func makeKeyPair() throws(CryptoError) -> KeyPair { try real.makeKeyPair() }

    mutating func sharedSecret(
      privateKey: Octets<32>, publicKey: PublicKey
    ) throws(CryptoError) -> Octets<32> {
      try real.sharedSecret(privateKey: privateKey, publicKey: publicKey)
    }

    mutating func random(into bytes: inout MutableSpan<UInt8>) throws(CryptoError) {
      try real.random(into: &bytes)
    }
  }

  /// A host that remembers a phone and searches, with its controller.
  private final class Listener: HCIReceiver {
    let count = Count()
    let controller = VirtualController()
    private var host: Host<CountingCrypto>
    private let now = Instant(milliseconds: 0)

    init(sensors: Bool) throws {
      host = Host(
        service: Central.service,
        profile: Wanted.forRide(Central.characteristic, of: Central.service),
        name: Array("Lenker".utf8).span, pairing: .preferred, sensors: sensors,
        boardAddress: nil, cryptography: CountingCrypto(count))
      host.setBond(try PlainBond(number: 1).make(), at: now)
      host.step(.start, at: now)
      drain()
    }

    func hears(_ packet: [UInt8]) {
      host.step(.packet(packet.span), at: now)
      drain()
    }

    func searchSensors() {
      host.step(.searchSensors, at: now)
      drain()
    }

    private func drain() {
      while true {
        let packet = array(host.output)
        guard !packet.isEmpty else { return }
        host.step(.sent, at: now)
        controller.take(packet, self)
      }
    }
  }

  /// Of whatever kind it is: connectable, directed, for scanners, for nobody, a scan response.
  @Test(arguments: [0, 1, 2, 3, 4] as [UInt8], [false, true])
  func centralBehaviour87_anAdvertisementCostsAtMostOneResolution(
    _ type: UInt8, _ hasSensors: Bool
  ) throws {
    let listener = try Listener(sensors: hasSensors)
    if hasSensors { listener.searchSensors() }
    expect(listener.controller.isScanning)
    for number in 0..<10 as Range<UInt8> {
      listener.count.blocks = 0
      let address = [1, number, 2, 3, 4, 5, 0x46] as [UInt8]
      listener.controller.report(address, bytes("02 01 06"), type: type, listener)
      #expect(listener.count.blocks <= 1)
    }
  }
}
