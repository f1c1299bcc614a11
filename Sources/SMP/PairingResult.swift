package import Bytes

/// The result of a pairing: all that both sides need for the next link.
package struct BondKeys: Equatable, Sendable {
  /// Encrypts the link, now and later, with EDIV and Rand of 0; always 16 octets long.
  package var longTermKey: Octets<16>
  /// Whether the rider compared the numbers, so that there is no man in the middle.
  package var isAuthenticated: Bool
  /// Whether the phone will remember the keys too.
  package var isBonding: Bool
  /// Resolves the phone's private addresses; `nil` if the phone sent none, or zero, which means none.
  package var irk: Octets<16>?
  /// The phone's address that never changes, if the phone sent it.
  package var identityAddress: DeviceAddress?

  /// The same with the phone's identity resolving key; zero means none (3.6.4).
  func adding(_ irk: Octets<16>) -> Self {
    var keys = self
    keys.irk = irk.isZero ? nil : irk
    return keys
  }

  func adding(_ address: DeviceAddress) -> Self {
    var keys = self
    keys.identityAddress = address
    return keys
  }
}

/// Why a pairing failed.
package enum PairingFailure: Equatable, Sendable {
  /// We ended it, and sent the phone the reason.
  case refused(PairingFailedReason)
  /// The phone ended it.
  case peer(PairingFailedReason)
  /// Nothing came for 30 s: this link allows no further pairing.
  case timedOut
  /// The phone did not even answer our request for 30 s: this link allows no further pairing.
  case unanswered
  /// The link was lost.
  case interrupted
  /// The link could not be encrypted with the new key.
  case notEncrypted
}

/// What a call of `Pairing` leads to.
package enum PairingOutcome: Equatable, Sendable {
  /// Nothing for the owner.
  case nothing
  /// Show the six digits of `number`, ask whether the phone shows the same, and call `confirm`.
  case compare(number: UInt32)
  /// The phone cannot compare a number: ask whether to pair anyway, and call `confirm`.
  case ask
  /// Start the encryption with `longTermKey`, EDIV and Rand 0, then call `encrypted` or
  /// `encryptionFailed`.
  case encrypt
  /// The phone starts the encryption: answer its LE Long Term Key Request with `longTermKey`, then call
  /// `encrypted` or `encryptionFailed`.
  case awaitEncryption
  /// It is done: `keys` are to be kept.
  case paired
  /// It failed; there are no keys.
  case failed(PairingFailure)
  /// The phone asks for a pairing or for encryption; nothing was done about it.
  case securityRequest(AuthenticationRequirements)
  /// The phone asks for a pairing and has no answer yet: call `accept` with its features, or `decline`.
  case pairingRequest(PairingFeatures)
  /// The phone's Pairing Request was malformed, and has been answered with this reason.
  case requestRefused(PairingFailedReason)
}

/// Commands that wait to be sent, in order.
struct PDUQueue: ~Copyable {
  /// Room for all commands of one responder, 2 + 7 + 65 + 17 + 17 + 17 + 17 + 8 octets and their lengths,
  /// and for the failures that may wait before them.
  private var bytes = FixedBuffer<172>()
  /// A phone that floods us with requests must not fill the room of a pairing.
  private static var roomForFailures: Int { 12 }

  mutating func append(_ pdu: SecurityPDU) {
    var one = FixedBuffer<65>()
    pdu.write(into: &one)
    guard bytes.free > one.count else { return }
    bytes.append(UInt8(truncatingIfNeeded: one.count))
    bytes.append(one.bytes)
  }

  /// Adds a Pairing Failed, unless several of them wait already.
  mutating func append(failure reason: PairingFailedReason) {
    if bytes.count < Self.roomForFailures { append(.pairingFailed(reason)) }
  }

  /// Moves the first command into `writer`; `false` if there is none.
  mutating func take<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) -> Bool {
    guard !bytes.isEmpty else { return false }
    let count = Int(bytes[0])
    writer.append(bytes.bytes.extracting(1..<1 + count))
    bytes.removeFirst(1 + count)
    return true
  }

  mutating func removeAll() { bytes.removeAll() }
}
