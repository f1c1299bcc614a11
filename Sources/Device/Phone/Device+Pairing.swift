import BoardFile
import Bytes
import Central
import DeviceState
import Messages
import Navigation
import Panel
import Recording
import SMP
import Screens

/// Pairing: what the rider is asked, and what follows from the answer.
extension Device {
  mutating func ask(_ subject: Scene.Question.Subject, at now: Instant) {
    switch subject {
    case .comparison(let number): log.pairing(confirm: number, at: now)
    case .noCode: log.pairing("ask", at: now)
    }
    scene.ask(about: subject)
    usePanel(.attention, at: now)
  }

  mutating func answer(isSame: Bool, at now: Instant) {
    scene.endQuestion()
    step(.answer(isYes: isSame), at: now)
  }

  /// The phone has failed before: it has to wait, and pairing then goes on by itself.
  mutating func pairingDelayed(until end: Instant, at now: Instant) {
    log.pairing(delayedBySeconds: (end - now + 999) / 1_000, at: now)
  }

  /// A phone that answers without its owner does so in the first of its thirty seconds.
  private static var secondsOfOwner: Int { 29 }

  /// Whether the phone's owner is to tap something there: to compare the code, or to pair at all.
  var isPhoneAsked: Bool {
    if host.phoneAnswerEnd != nil { return true }
    guard host.phoneConsentEnd != nil, !guidance.hasTurn, let secondsLeft = scene.secondsLeft
    else { return false }
    return secondsLeft <= Self.secondsOfOwner
  }

  mutating func pairingFailed(_ failure: PairingFailure, at now: Instant) {
    let setback = PairingSetback(failure)
    log.pairing(failed: setback, at: now)
    scene.endQuestion()
    // The notice offers A for another attempt, which works on the page of the turn.
    if !guidance.hasTurn { scene.showTurn() }
    showBesideRide(.pairingFailed(setback), at: now)
  }

  mutating func bondRejected(isToBeShown: Bool, at now: Instant) {
    log.bond(.rejected, name: host.phoneName, at: now)
    guard isToBeShown else { return }
    scene.showTurn()
    usePanel(.attention, at: now)
  }

  /// Shows a notice that the rider did not ask for, unless it would hide a turn.
  mutating func showBesideRide(_ notice: Scene.Notice, at now: Instant) {
    if !guidance.hasTurn { scene.show(notice, at: now) }
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
      case .timedOut: .timeout
      case .unanswered: .noAnswer
      case .interrupted: .linkLost
      }
  }
}
