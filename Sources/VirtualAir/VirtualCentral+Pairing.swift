import Responder
import SMP

/// A pairing that a phone begins, as far as it has come.
struct InitiatedPairing {
  var initiator: PhonePairing?
  /// Commands of the host's key distribution that are still to come, by their codes.
  var awaited: Set<UInt8> = []
  /// Whether both sides have the key, and the link is encrypted next.
  var isAgreed = false
}

/// How a phone pairs as initiator (Vol 3, Part H, 2.3.5.6 and 2.4).
extension VirtualCentral {
  func beginPairing() {
    guard let security else { return }
    let initiator = try? PhonePairing(
      own: deviceAddress(address), responder: VirtualSecurity.controller,
      features: security.features(asks: true), seed: UInt64(linkCount), keysOf: .responder)
    guard let initiator else { return }
    pairing = InitiatedPairing(initiator: initiator)
    waiting = .pairing
    pairingAttempts += 1
    say(initiator.request)
  }

  private func say(_ command: SecurityPDU) { send(0x06, VirtualSecurity.write(command)) }

  /// Its owner says yes to the number, after having waited.
  func agree() {
    guard var initiator = pairing.initiator, let check = try? initiator.agreement() else { return }
    pairing.initiator = initiator
    say(check)
  }

  func takeSecurity(_ payload: [UInt8]) {
    securityCommands.append(payload)
    security?.codes.append(payload[0])
    guard let command = try? SecurityPDU(parsing: payload.span) else { return }
    switch command {
    case .securityRequest:
      guard obeysSecurityRequest, !isEncrypted, waiting != .pairing, waiting != .encryption else {
        return
      }
      left = [security?.longTermKey == nil ? .pair : .encrypt] + left
      goOn()
    case .pairingFailed:
      guard waiting == .pairing else { return }
      pairingFailed()
    case .identityInformation, .identityAddressInformation:
      pairing.awaited.remove(payload[0])
      distributeKeys()
    default: goOnPairing(command, payload)
    }
  }

  private func pairingFailed() {
    pairing = InitiatedPairing()
    turn(to: whenPairingFails)
  }

  private func goOnPairing(_ command: SecurityPDU, _ payload: [UInt8]) {
    guard var initiator = pairing.initiator, let security else { return }
    switch security.manner {
    case .silence: return
    case .refusal(let reason):
      say(.pairingFailed(PairingFailedReason(rawValue: reason)))
      return pairingFailed()
    default: break
    }
    guard let answers = try? initiator.answers(command) else { return }
    pairing.initiator = initiator
    for answer in answers { say(answer) }
    switch command {
    case .pairingResponse:
      // IdKey, of the keys that both sides want distributed (3.6.1).
      if payload[6] & 0x02 != 0 { pairing.awaited = [0x08, 0x09] }
    case .pairingRandom:
      security.digits = initiator.digits
      guard answers.isEmpty else { return }
      switch owner {
      case .agrees: agree()
      case .declines:
        say(.pairingFailed(.numericComparisonFailed))
        pairingFailed()
      case .waits: break
      }
    case .pairingDHKeyCheck:
      guard let key = initiator.longTermKey else { return }
      security.longTermKey = key
      pairing.isAgreed = true
      encrypt()
    default: break
    }
  }

  /// Distributes the phone's keys, after those of the responder.
  func distributeKeys() {
    guard pairing.isAgreed, isEncrypted, pairing.awaited.isEmpty else { return }
    for command in security?.identity ?? [] { send(0x06, command) }
    pairing = InitiatedPairing()
    pairingCount += 1
    if waiting == .pairing { waiting = .nothing }
    goOn()
  }
}

extension VirtualController {
  /// The owner of the phone says yes to the number, after having waited.
  package func agree(_ phone: VirtualCentral, _ host: any HCIReceiver) {
    phone.agree()
    if let link = link(phone) { serve(link, host) }
  }
}
