import BoardFile
import Bond
package import BondFile
package import Bytes
import Central
package import DeviceState
import Link
import Messages
import Navigation
import Panel
import Recording
import Screens

/// The remembered phone: on disk, in the events and on the panel.
extension Device {
  // MARK: - The store

  /// Notes that the store is open and begins with these bytes, 1024 of them if it is whole.
  package mutating func storeWasOpened(
    _ contents: Span<UInt8>, _ facts: StoreFacts, at now: Instant
  ) {
    upkeep.advance(to: now)
    record.note(.storeOpen(facts), store: contents, at: now)
    switch store.opened(contents, facts) {
    case .foreignDevice: storeFailed(.errno(.fileExists), at: now)
    case .later: storeFailed(.later, at: now)
    case .setAside: upkeep.beginOpening(.store)
    case .useful:
      if store.records.condition == .damaged { report(.damaged, at: now) }
      storeIsReady(store.records.bond(in: contents), facts.isOpenToOthers, at: now)
    }
  }

  /// Notes that the file of the store was set aside, and that there is a new and empty one.
  package mutating func storeWasSetAside(isOpenToOthers: Bool, at now: Instant) {
    note(.storeAside(isOpenToOthers: isOpenToOthers), at: now)
    if store.isToBeSetAside { report(.foreign, at: now) }
    store.fileWasSetAside()
    storeIsReady(nil, isOpenToOthers, at: now)
  }

  private mutating func storeIsReady(
    _ bond: consuming Bond?, _ isOpenToOthers: Bool, at now: Instant
  ) {
    upkeep.finishOpening(.store)
    upkeep.succeeded(.store)
    if isOpenToOthers { report(.open, at: now) }
    setBond(bond, at: now)
    if !store.brightness.isChosen { display.setDimByHand(store.records.isDim) }
    restoreSensors(at: now)
    restoreCircumference()
    if host.security.memory == .nothing {
      // The rider is about to pair, which nobody does at a dark panel.
      noteUse(at: now)
    } else {
      log.bond(.loaded, name: host.bondName, at: now)
    }
    if host.security.isCodeMissing { reportMissingCode(at: now) }
    guard store.phoneIsKnown() else { return }
    if upkeep.ports[.hci].isOpen { startHost(at: now) }
  }

  /// What is to be written to the store next; empty when nothing is.
  package var storeOutput: Span<UInt8> { store.records.output }

  /// Where in the store `storeOutput` belongs.
  package var storeOutputOffset: Int { store.records.outputOffset }

  /// Notes that `storeOutput` is on the disk.
  package mutating func storeOutputWasWritten(at now: Instant) {
    upkeep.advance(to: now)
    record.noteStoreWritten(store.records.output, at: store.records.outputOffset, now)
    finish(store.outputWasWritten(at: now), at: now)
  }

  /// When the brightness is to be written, if it is.
  var brightnessDeadline: Instant? {
    upkeep.ports[.store].isOpen
      ? store.brightnessDeadline(isDim: display.power.isDimByHand) : nil
  }

  /// Writes the brightness if that is due.
  mutating func saveBrightness(at now: Instant) {
    let isDim = display.power.isDimByHand
    guard upkeep.ports[.store].isOpen, store.takeDueBrightness(isDim: isDim, at: now) else {
      return
    }
    store.save(isDim: isDim, besideBondOf: host)
  }

  /// When changes by the phone and the sensors are to be written, if there are any.
  var changesDeadline: Instant? {
    guard upkeep.ports[.store].isOpen else { return nil }
    return store.changesDeadline(
      isPhoneLinked: host.isPhoneLinked, areSensorsLinked: areChangedSensorsLinked)
  }

  /// Writes these changes if that is due, or the program ends.
  mutating func saveChanges(isLast: Bool = false, at now: Instant) {
    let due =
      isLast && upkeep.ports[.store].isOpen
      ? store.changesDeadline(isPhoneLinked: false, areSensorsLinked: false) : changesDeadline
    guard let due, due <= now || isLast else { return }
    store.saveChanges(isDim: display.power.isDimByHand, besideBondOf: host, at: now)
  }

  private mutating func finish(_ job: StoreKeeper.Job, at now: Instant) {
    switch job {
    case .none: break
    case .save(let isUpdate): newBondIsSaved(isUpdate: isUpdate, at: now)
    case .erase: forgetInMemory(at: now)
    }
    advanceSensors(at: now)
    saveCircumference()
    saveVersion()
  }

  mutating func storeFailed(_ trouble: StoreTrouble, at now: Instant) {
    let areSensorsLost = store.areSensorsRequested
    let job = store.closed(trouble)
    if upkeep.failed(.store, trouble.kind, at: now) { report(trouble, at: now) }
    if areSensorsLost { sensorsWereNotKept(at: now) }
    abandon(job, at: now)
  }

  private mutating func abandon(_ job: StoreKeeper.Job, at now: Instant) {
    switch job {
    case .none: break
    case .save(let isUpdate): newBondIsLost(isUpdate: isUpdate, at: now)
    case .erase: scene.show(.unpairFailed, isRequested: true, at: now)
    }
  }

  /// Reports why the stored phone is not followed.
  private mutating func reportMissingCode(at now: Instant) {
    var message = Explanation()
    message.append("the phone was paired without a code, which pairing = required does not take: ")
    message.append("press A to pair it again")
    fail(.phone, message, at: now)
  }

  private mutating func report(_ trouble: StoreTrouble, at now: Instant) {
    fail(.store, Explanation { trouble.explain(board.store.bytes, into: &$0) }, at: now)
  }

  /// Reports once more why nothing can be written.
  mutating func reportWhyStoreIsClosed(at now: Instant) {
    report(store.lastTrouble ?? .errno(.noSuchFile), at: now)
  }

  // MARK: - Remembering

  /// Saves what is to be remembered; it counts once it is on disk.
  mutating func remember(_ memory: Remembrance, at now: Instant) {
    scene.endQuestion()
    guard memory == .nothing else { return save(isUpdate: false, at: now) }
    log.pairing("done", at: now)
    showBesideRide(.phone, at: now)
  }

  /// The remembered phone has changed, such as its name: the change counts at once, and is written later.
  mutating func bondChanged(at now: Instant) {
    switch store.job {
    // New keys count once they are on the disk.
    case .save(isUpdate: false): save(isUpdate: true, at: now)
    // A phone that is being forgotten is not written once more because of its name.
    case .erase: withHost(at: now) { $0.dropNewBond() }
    case .none, .save:
      withHost(at: now) { $0.adoptBond() }
      store.bondWasChanged()
    }
  }

  /// Saves the host's new bond.
  private mutating func save(isUpdate: Bool, at now: Instant) {
    guard upkeep.ports[.store].isOpen else {
      reportWhyStoreIsClosed(at: now)
      return newBondIsLost(isUpdate: isUpdate, at: now)
    }
    switch host.newBond {
    case .some(let bond):
      store.save(bond, isUpdate: isUpdate, isDim: display.power.isDimByHand)
    case .none: break
    }
  }

  private mutating func newBondIsSaved(isUpdate: Bool, at now: Instant) {
    withHost(at: now) { $0.adoptBond() }
    if !isUpdate { log.pairing("done", at: now) }
    log.bond(.saved, name: host.bondName, at: now)
    guard !isUpdate else { return }
    // The rider has just agreed, and stands: the first turn can wait.
    if host.security.memory == .keys { return scene.show(.paired, isRequested: true, at: now) }
    showBesideRide(.phone, at: now)
  }

  /// A new name that could not be saved leaves the phone paired under its old one.
  private mutating func newBondIsLost(isUpdate: Bool, at now: Instant) {
    withHost(at: now) { $0.dropNewBond() }
    guard !isUpdate else { return }
    log.pairing(failed: .notSaved, at: now)
    scene.show(.pairingFailed(.notSaved), at: now)
  }

  // MARK: - Forgetting

  /// Forgets the phone: on disk first, so that a power cut cannot bring it back.
  mutating func forget(at now: Instant) {
    guard board.pairing != .off else { return forgetInMemory(at: now) }
    guard upkeep.ports[.store].isOpen else {
      reportWhyStoreIsClosed(at: now)
      return scene.show(.unpairFailed, isRequested: true, at: now)
    }
    // The bond that was to be saved is lost.
    if store.job == .save(isUpdate: false) { newBondIsLost(isUpdate: false, at: now) }
    store.erase(isDim: display.power.isDimByHand)
    finish(store.takeJobIfDone(), at: now)
  }

  private mutating func forgetInMemory(at now: Instant) {
    if host.security.memory != .nothing || host.security.isCodeMissing {
      log.bond(.erased, name: host.bondName, at: now)
    }
    step(.forget, at: now)
    guidance.removeTurn()
    guidance.forgetTrip()
    // Its link may last for a while.
    phone.linkIsGone()
    scene.endBanner()
    // The notice offers A for a search, which works on the page of the turn.
    scene.showTurn()
    scene.endArrival()
    scene.endQuestion()
    scene.show(.unpaired, isRequested: true, at: now)
    usePanel(.attention, at: now)
  }
}

extension StoreTrouble {
  /// A number for each kind of trouble, by which it is reported once.
  fileprivate var kind: Int32 {
    if case .errno(let reason) = self { reason.rawValue } else { -1 }
  }

  func explain(_ path: Span<UInt8>, into text: inout Explanation) {
    text.append(path)
    text.append(": ")
    switch self {
    case .errno(let reason): text.append(reason.explanation(for: .store))
    case .damaged: BondStore.Condition.damaged.explain(into: &text)
    case .foreign: BondStore.Condition.foreign.explain(into: &text)
    case .later: BondStore.Condition.later.explain(into: &text)
    case .open: text.append("others can read the keys: keep it on a file system with modes")
    }
  }
}

extension BondStore.Condition {
  /// What is wrong with a store in this condition; nothing if it is of use.
  package func explain<Writer: ByteWriter & ~Copyable>(into text: inout Writer) {
    switch self {
    case .sound, .oneRecordDamaged: break
    case .damaged: text.append("damaged: pair the phone again")
    case .foreign: text.append("not a store of ours: the start keeps a file aside as .other")
    case .later: text.append("written by a later Lenker: install that, or choose another path")
    }
  }
}
