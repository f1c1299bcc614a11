import Bytes
import Crypto
import Hexadecimal
import Responder
import SMP

/// A phone's Security Manager, with the differences between phones as switches.
package final class VirtualSecurity {
  /// What distinguishes it from another phone's.
  private let number: UInt32

  package init(number: UInt32 = 0) { self.number = number }

  /// What the phone does with a Pairing Request; `silence` also ignores all that follows.
  package enum Manner: Sendable {
    case comparison, justWorks, refusal(UInt8), silence
    /// It knows LE legacy pairing only.
    case legacy
    /// It has only this capability, or its keys are short.
    case weak(IOCapability), shortKey
  }

  package var manner = Manner.comparison
  /// Whether it says that it will keep the key.
  package var isBonding = true
  /// Whether it distributes the key that resolves its private addresses.
  package var handsOutIdentity = true
  /// The key of its bond with us; none if it never had one or has forgotten it.
  package var longTermKey: Octets<16>?
  package var irk: Octets<16> {
    Octets(words: [0x0011_2233 + number, 0x4455_6677, 0x8899_AABB, 0xCCDD_EEFF])
  }
  package var identityAddress: DeviceAddress {
    DeviceAddress(0xC0FF_EE00_0001 + UInt64(number), .random)
  }
  /// Every command that came, by its code.
  package internal(set) var codes: [UInt8] = []
  /// The number that it shows, or showed last.
  package internal(set) var digits: UInt32 = 0
  private var pairing: PhonePairing?

  package static let controller = DeviceAddress(0x1122_3344_5566, .public)

  /// The features of its response, or of its request if it `asks`: then it wants our identity, too.
  func features(asks: Bool) -> PairingFeatures {
    var capability = IOCapability.displayYesNo
    var requirements: UInt8 = 0x0C
    var keySize: UInt8 = 16
    var (own, ours): (KeyDistribution, KeyDistribution) =
      (handsOutIdentity ? .identity : .none, asks ? .identity : .none)
    switch manner {
    case .comparison, .refusal, .silence: break
    case .justWorks: capability = .noInputNoOutput
    case .weak(let poor): capability = poor
    case .shortKey: keySize = asks ? 16 : 7
    case .legacy:
      // Just Works, without the bit of LE Secure Connections.
      (capability, requirements, own, ours) = (.noInputNoOutput, 0, .none, .none)
    }
    return PairingFeatures(
      ioCapability: capability, hasOOBData: false,
      authentication: AuthenticationRequirements(rawValue: requirements | (isBonding ? 1 : 0)),
      maxKeySize: keySize, initiatorKeys: asks ? own : ours, responderKeys: asks ? ours : own)
  }

  /// The key as commands have it.
  package var keyBytes: [UInt8]? {
    get { longTermKey.map { array($0.bytes) } }
    set { longTermKey = newValue.flatMap { try? Octets(parsing: $0.span) } }
  }

  /// A private address that the phone's key resolves; each `number` gives another one.
  package func privateAddress(_ number: UInt8) -> [UInt8] {
    let random: UInt32 = 0x40_0000 | UInt32(number)
    let hash = SoftwareCrypto().ah(k: irk, r: random)
    return [1] + [0, 8, 16].map { UInt8(truncatingIfNeeded: hash >> $0) }
      + [0, 8, 16].map { UInt8(truncatingIfNeeded: random >> $0) }
  }

  /// What the phone sends once the link is encrypted with a new key.
  package var identity: [[UInt8]] {
    guard handsOutIdentity else { return [] }
    return [.identityInformation(irk: irk), .identityAddressInformation(identityAddress)]
      .map(Self.write)
  }

  /// Forgets all commands but the last.
  package func forgetCodes() { codes = codes.suffix(1) }

  package func answers(_ bytes: [UInt8], phone: [UInt8]) -> [[UInt8]] {
    codes.append(bytes[0])
    guard let command = try? SecurityPDU(parsing: bytes.span) else { return [] }
    return ((try? answers(command, deviceAddress(phone))) ?? []).map(Self.write)
  }

  private func answers(_ command: SecurityPDU, _ own: DeviceAddress) throws(CryptoError)
    -> [SecurityPDU]
  {
    if case .silence = manner { return [] }
    if case .pairingRequest = command {
      switch manner {
      case .silence: break
      case .legacy: return [.pairingResponse(features(asks: false))]
      case .refusal(let reason): return [.pairingFailed(PairingFailedReason(rawValue: reason))]
      case .comparison, .justWorks, .weak, .shortKey:
        let seed = UInt64(codes.count)
        pairing = try PhonePairing(
          initiator: Self.controller, own: own, features: features(asks: false), seed: seed)
      }
    }
    let answers = try pairing?.answers(command) ?? []
    digits = pairing?.digits ?? 0
    if case .pairingDHKeyCheck = command { longTermKey = pairing?.longTermKey }
    return answers
  }

  static func write(_ command: SecurityPDU) -> [UInt8] {
    var bytes = FixedBuffer<65>()
    command.write(into: &bytes)
    return array(bytes.bytes)
  }
}
