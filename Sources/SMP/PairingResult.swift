package import Bytes

/// What a pairing leaves: all that is needed to meet again.
package struct BondKeys: Equatable, Sendable {
  /// Encrypts the link, now and later, with EDIV and Rand of 0; always 16 octets long.
  package var longTermKey: Octets<16>
  /// Whether the rider compared the numbers, so that nobody can be in between.
  package var isAuthenticated: Bool
  /// Whether the phone said that it will remember the keys too.
  package var isBonding: Bool
  /// Resolves the phone's private addresses; `nil` if it gave none, or one of zero, which is none.
  package var irk: Octets<16>?
  /// The phone's address that never changes, if it gave it.
  package var identityAddress: DeviceAddress?

  init(longTermKey: Octets<16>, isAuthenticated: Bool, isBonding: Bool) {
    self.longTermKey = longTermKey
    self.isAuthenticated = isAuthenticated
    self.isBonding = isBonding
  }
}

/// Why a pairing came to nothing.
package enum PairingFailure: Equatable, Sendable {
  /// We gave it up and told the phone why.
  case refused(PairingFailedReason)
  /// The phone gave it up.
  case peer(PairingFailedReason)
  /// Nothing came for 30 s: this link takes no pairing any more.
  case timedOut
  /// The phone did not even answer the request for 30 s.
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
  /// Show the six digits of `number` and ask whether the phone shows the same: `confirm`.
  case compare(number: UInt32)
  /// The phone can compare no number: ask whether to pair with it anyway: `confirm`.
  case ask
  /// Start the encryption with `longTermKey`, EDIV and Rand 0, and say what came of it:
  /// `encrypted` or `encryptionFailed`.
  case encrypt
  /// It is done: `keys` are to be kept.
  case paired
  /// It came to nothing; there are no keys.
  case failed(PairingFailure)
  /// The phone would like to be paired or encrypted; nothing has been done about it.
  case securityRequest(AuthenticationRequirements)
}

/// Commands that wait to be sent, in order.
struct PDUQueue: ~Copyable {
  /// Room for all commands of one pairing: 7 + 65 + 17 + 17 + 17 + 8 octets and their lengths.
  private var bytes = FixedBuffer<144>()

  mutating func append(_ pdu: SecurityPDU) {
    var one = FixedBuffer<65>()
    pdu.write(into: &one)
    guard bytes.free > one.count else { return }
    bytes.append(UInt8(truncatingIfNeeded: one.count))
    bytes.append(one.bytes)
  }

  /// Moves the first into `writer`; `false` if there is none.
  mutating func take<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) -> Bool {
    guard !bytes.isEmpty else { return false }
    let count = Int(bytes[0])
    writer.append(bytes.bytes.extracting(1..<1 + count))
    bytes.removeFirst(1 + count)
    return true
  }

  mutating func removeAll() { bytes.removeAll() }
}
