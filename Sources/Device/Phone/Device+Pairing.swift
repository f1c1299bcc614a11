import BoardFile
import Bytes
import Host
import Navigation
import Panel
import SMP
import Screens

/// Pairing: what the rider is asked, and what follows from the answer.
extension Device {
  /// A press sooner than this after the number appeared was meant for something else.
  private static var readingTime: Int64 { 500 }

  mutating func ask(_ number: UInt32, at now: Instant) {
    log.pairing(confirm: number, at: now)
    scene.ask(about: number, at: now)
    usePanel(.attention, at: now)
  }

  /// Counts a press of page as a yes, if the rider can have seen the number.
  mutating func agree(isByHand: Bool, at now: Instant) {
    guard let question = scene.question else { return }
    guard ports.panel.isOpen, panel.isOn else { return usePanel(.attention, at: now) }
    guard !isByHand || now >= question.start + Self.readingTime else { return }
    answer(isSame: true, at: now)
  }

  mutating func answer(isSame: Bool, at now: Instant) {
    scene.endQuestion()
    host.confirm(isSame, at: now)
    handleHostEvents(at: now)
  }

  mutating func pairingFailed(_ failure: PairingFailure, at now: Instant) {
    let setback = PairingSetback(failure)
    log.pairing(failed: setback, at: now)
    scene.endQuestion()
    // A phone that was refused is not to be believed, and its turn may have been false.
    if !failure.meansInability { guidance.removeTurn() }
    showBesideRide(.pairingFailed(setback), at: now)
  }

  mutating func bondRejected(at now: Instant) {
    log.bond(.rejected, name: host.bondName, at: now)
    scene.showRide()
    usePanel(.attention, at: now)
  }

  /// Shows a notice that the rider did not ask for, unless it would hide a fresh turn.
  mutating func showBesideRide(_ notice: Scene.Notice, at now: Instant) {
    if !guidance.hasTurn || guidance.isStale { scene.show(notice, at: now) }
  }
}

extension PairingSetback {
  /// What the specification's reasons mean to the rider.
  init(_ failure: PairingFailure) {
    self =
      switch failure {
      case .refused(.numericComparisonFailed): .refusedHere
      case .refused(.authenticationRequirements), .refused(.encryptionKeySize),
        .refused(.oobNotAvailable), .peer(.authenticationRequirements),
        .peer(.encryptionKeySize), .peer(.pairingNotSupported), .peer(.commandNotSupported):
        .insecure
      case .peer(.repeatedAttempts): .tooManyAttempts
      case .peer(.confirmValueFailed), .peer(.dhKeyCheckFailed), .refused, .notEncrypted:
        .wrongAnswer
      case .peer: .refusedByPhone
      case .timedOut, .unanswered: .timeout
      case .interrupted: .linkLost
      }
  }
}
