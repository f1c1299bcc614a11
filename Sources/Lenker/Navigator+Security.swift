import BoardFile
import Bytes
import Host
import Linux
import Navigation
import Panel
import SMP
import Screens

/// The remembered phone: on disk, in the events and on the panel.
extension Navigator {
  /// A press so soon after the number was meant for something else.
  private static var readingTime: Int64 { 500 }

  // MARK: - The store

  mutating func openStore(at now: Instant) {
    do throws(BondKeeper.Failure) {
      guard try keeper.open(board.store.bytes, at: now) else { return }
      if let warning = keeper.takeWarning() { reportStore(warning, at: now) }
    } catch {
      return reportStore(error, at: now)
    }
    host.setBond(keeper.takeBond(), at: now)
    if host.memory != .nothing { log.bond(.loaded, name: host.bondName, at: now) }
  }

  private mutating func reportStore(_ failure: BondKeeper.Failure, at now: Instant) {
    var message = Explanation()
    failure.explain(board.store.bytes, into: &message)
    log.failed(.store, message.bytes, at: now)
  }

  // MARK: - Pairing

  mutating func compare(_ number: UInt32, at now: Instant) {
    log.pairing(confirm: number, at: now)
    scene.comparison = number
    comparisonStart = now
    usePanel(.question, at: now)
  }

  /// Takes a press of page for a yes, if the rider can have seen the number.
  mutating func agree(at now: Instant) {
    guard panel.isOpen, panel.isOn else { return usePanel(.question, at: now) }
    // The bytes of a stand-in come from a program, which knows the number from the events.
    guard !buttons.areReal || now >= comparisonStart + Self.readingTime else { return }
    answer(isSame: true, at: now)
  }

  mutating func answer(isSame: Bool, at now: Instant) {
    scene.comparison = nil
    host.confirm(isSame, at: now)
    followEvents(at: now)
  }

  mutating func pairingFailed(_ failure: PairingFailure, at now: Instant) {
    let reason = PairingSetback(failure)
    log.pairing(failed: reason, at: now)
    scene.comparison = nil
    // What a phone said that was refused is not to be followed.
    if !failure.meansInability { guidance.removeTurn() }
    showBesideRide(.pairingFailed(reason), at: now)
  }

  /// Keeps what is to be remembered; it counts once it is on disk.
  mutating func remember(_ memory: Memory, at now: Instant) {
    if memory != .name { scene.comparison = nil }
    if memory == .keys { log.pairingDone(at: now) }
    guard memory != .nothing else { return showBesideRide(.phone, at: now) }
    do throws(BondKeeper.Failure) {
      try saveNewBond(at: now)
    } catch {
      reportStore(error, at: now)
      host.dropNewBond()
      log.pairing(failed: .notSaved, at: now)
      return scene.show(.pairingFailed(.notSaved), at: now)
    }
    host.adoptBond()
    log.bond(.saved, name: host.bondName, at: now)
    scene.isForgotten = host.isBondRejected
    if memory != .name { showBesideRide(.phone, at: now) }
  }

  private mutating func saveNewBond(at now: Instant) throws(BondKeeper.Failure) {
    switch host.newBond {
    case .some(let bond): try keeper.save(bond, at: now)
    case .none: break
    }
  }

  mutating func bondRejected(at now: Instant) {
    log.bond(.rejected, name: host.bondName, at: now)
    scene.isForgotten = true
    scene.showRide()
    usePanel(.question, at: now)
  }

  /// Forgets the phone: on disk first, so that a power cut cannot bring it back.
  mutating func forget(at now: Instant) {
    if board.pairing != .off {
      do throws(BondKeeper.Failure) {
        try keeper.erase(at: now)
      } catch {
        reportStore(error, at: now)
        return scene.show(.notFreed, isAsked: true, at: now)
      }
    }
    if host.memory != .nothing { log.bond(.erased, name: host.bondName, at: now) }
    host.forget(at: now)
    followEvents(at: now)
    guidance.removeTurn()
    scene.setPhoneName(host.bondName)
    scene.isForgotten = false
    scene.comparison = nil
    scene.show(.freed, isAsked: true, at: now)
    usePanel(.question, at: now)
  }

  /// Says something that the rider did not ask for, and that no turn may wait for.
  private mutating func showBesideRide(_ notice: Scene.Notice, at now: Instant) {
    if !guidance.hasTurn || guidance.isStale { scene.show(notice, at: now) }
  }
}

extension BondKeeper.Failure {
  fileprivate func explain(_ path: Span<UInt8>, into text: inout Explanation) {
    text.append(path)
    text.append(": ")
    switch self {
    case .errno(let reason): text.append(reason.storeExplanation)
    case .damaged: text.append("damaged, and kept aside as .damaged: pair the phone again")
    case .foreign: text.append("not a store of ours, and kept aside as .damaged")
    case .open: text.append("others can read the keys: keep it on a file system with modes")
    }
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
