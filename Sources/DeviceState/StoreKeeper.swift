package import Bond
package import BondFile
package import Bytes
package import Central
import Link
package import SMP
package import Sensors

/// What is known of a store that was opened, beside its contents.
package struct StoreFacts: Sendable {
  /// Whether it is a block device, which cannot be set aside as a file can.
  package let isDevice: Bool
  /// Whether there is nothing behind the two halves of a device, so that no other program uses it.
  package let isFree: Bool
  /// Whether others can read it, as its file system knows no owners.
  package let isOpenToOthers: Bool

  /// What opening the store has shown.
  package init(isDevice: Bool, isFree: Bool, isOpenToOthers: Bool) {
    self.isDevice = isDevice
    self.isFree = isFree
    self.isOpenToOthers = isOpenToOthers
  }
}

/// What is wrong with the records.
package enum StoreTrouble: Equatable {
  case errno(Errno)
  /// Both records are damaged. They stay in their places: in a file set aside, their keys would outlive the phone.
  case damaged
  /// It is another program's; a file was set aside, and a device left alone.
  case foreign
  /// A later version of Lenker wrote it; it was left alone.
  case later
  /// Others can read it.
  case open
}

/// The store on disk: the phone, its apps, the sensors, the wheel's circumference, the brightness and the version that
/// was shown, as they are there and as they are being written.
///
/// Only its functions change these values. A `Job` says what follows once all is written.
package struct StoreKeeper: ~Copyable {
  /// What follows once all that is to be written is on the disk.
  package enum Job: Equatable {
    case none
    /// A new bond is adopted; an update already was.
    case save(isUpdate: Bool)
    /// The phone is forgotten.
    case erase
  }

  /// What a store turned out to be when it was opened.
  package enum Outcome: Equatable {
    case useful
    /// A device that another program uses.
    case foreignDevice
    /// A later Lenker's.
    case later
    /// Another program's file is to be set aside, and a new one made.
    case setAside
  }

  /// Whether the rider has seen that another version used the store before.
  private enum Update {
    /// No other version is known to have used it.
    case none
    case unshown
    /// The version is to be written, even if nothing else is.
    case shown
    /// Nothing more is done about it before the next start.
    case over
  }

  /// Whether the remembered phone is still unknown, so that no phone is searched for.
  package private(set) var isPhoneAwaited: Bool
  /// What the disk has, and is to have.
  package private(set) var records = StoreKeeper.emptyStore
  package private(set) var brightness = BrightnessKeeper()
  package private(set) var job = Job.none
  /// Whether the file is to be set aside.
  package private(set) var isToBeSetAside = false
  /// The wheel's circumference that was learned since the start, in millimetres.
  private var newCircumference: UInt16?
  /// Whether this circumference is to be written, even if nothing else is.
  private var isCircumferenceDue = false
  /// The program's own version.
  private let version: ToldVersion
  private var update = Update.none
  /// The apps of the remembered phone that have notified.
  private var apps = SeenApps()
  /// What is to be written though the rider has done nothing.
  private var changes = PeerChanges()
  /// Whether the rider asked for the new sensors, which are then written at once.
  package private(set) var areSensorsRequested = false
  /// Why the store was closed the last time.
  package private(set) var lastTrouble: StoreTrouble?

  private static var emptyStore: BondStore {
    let nothing = FixedBuffer<1>()
    return BondStore(nothing.bytes)
  }

  /// A store that was not read yet, of a program of this `version`; it `isPhoneAwaited` if a phone is to be remembered.
  package init(isPhoneAwaited: Bool, by version: ToldVersion) {
    (self.isPhoneAwaited, self.version) = (isPhoneAwaited, version)
  }

  /// Notes that the remembered phone is known now; returns whether it was awaited.
  package mutating func phoneIsKnown() -> Bool {
    defer { isPhoneAwaited = false }
    return isPhoneAwaited
  }

  /// Reads what the store holds.
  package mutating func opened(_ contents: Span<UInt8>, _ facts: StoreFacts) -> Outcome {
    job = .none
    lastTrouble = nil
    changes.forget()
    if update == .unshown { update = .none }
    records = BondStore(contents)
    if isForeign(records, facts) {
      records = Self.emptyStore
      return .foreignDevice
    }
    switch records.condition {
    case .sound, .oneRecordDamaged, .damaged:
      if apps.isEmpty { apps = records.apps }
      // A store without a phone or a sensor was not used by an earlier version.
      let isUsed = records.content == .bond || !records.sensors.isEmpty
      if update == .none, isUsed, version != .none, version != records.told { update = .unshown }
      return .useful
    case .later:
      records = Self.emptyStore
      return .later
    case .foreign:
      isToBeSetAside = true
      return .setAside
    }
  }

  /// The rider has chosen another brightness.
  package mutating func brightnessWasChosen(at now: Instant) { brightness.choose(at: now) }

  /// When this brightness is to be written; `nil` while the disk has it, or has something else to write.
  package func brightnessDeadline(isDim: Bool) -> Instant? {
    isIdle && isDim != records.isDim ? brightness.writeTime : nil
  }

  /// Whether this brightness is to be written now; once.
  package mutating func takeDueBrightness(isDim: Bool, at now: Instant) -> Bool {
    guard let due = brightnessDeadline(isDim: isDim), now >= due else { return false }
    brightness.writeBegins(at: now)
    return true
  }

  /// Whether a circumference was learned since the start.
  package var hasLearned: Bool { newCircumference != nil }

  /// Puts this circumference into each record that is written from now on.
  package mutating func keep(circumference: UInt16) {
    newCircumference = circumference
    isCircumferenceDue = true
  }

  /// Whether this version is still to be shown.
  package var isUpdateUnshown: Bool { update == .unshown }

  /// Notes that this version is shown: each record that is written from now on has it.
  package mutating func updateWasShown() { update = .shown }

  /// Finds no update itself from now on.
  package mutating func takeConclusionsFromReport() { update = .over }

  /// Whether to write the version now: the disk lacks it, and nothing else is to be written; once.
  package mutating func takeVersionIfDue() -> Bool {
    guard isIdle, update == .shown else { return false }
    update = .over
    return version != records.told
  }

  /// Puts these sensors into each record that is written from now on, until `takeSensorsIfWritten`.
  package mutating func keep(_ sensors: RememberedSensors, areRequested: Bool) {
    records.newSensors = sensors
    if areRequested { areSensorsRequested = true } else { changes.sensorsChanged() }
  }

  /// Removes and returns the new sensors if the disk has them, and no old key of theirs; call it where
  /// nothing is to be written.
  package mutating func takeSensorsIfWritten() -> RememberedSensors? {
    guard records.newSensors == records.sensors, !records.hasOldSensorKey else { return nil }
    areSensorsRequested = false
    return records.newSensors.take()
  }

  /// Whether the new sensors are to be written at once: the rider wants it, or an old key is left to be overwritten.
  package var areSensorsUrgent: Bool {
    areSensorsRequested || records.newSensors == records.sensors && records.hasOldSensorKey
  }

  /// Whether nothing waits to be written.
  package var isIdle: Bool { job == .none && records.output.isEmpty }

  /// The file was set aside: the new one is empty.
  package mutating func fileWasSetAside() {
    isToBeSetAside = false
    records = Self.emptyStore
  }

  package mutating func save(_ bond: borrowing Bond, isUpdate: Bool, isDim: Bool) {
    if !isUpdate { forgetApps() }
    prepare()
    records.save(bond, isDim: isDim)
    // A new bond stays a new one, even if an update comes before it is written.
    job = .save(isUpdate: isUpdate && job != .save(isUpdate: false))
  }

  package mutating func erase(isDim: Bool) {
    forgetApps()
    prepare()
    records.erase(isDim: isDim)
    job = .erase
  }

  /// Puts what is known beside the bond into the next record.
  private mutating func prepare() {
    (records.newCircumference, records.newApps) = (newCircumference, apps)
    records.newTold = isUpdateUnshown || version == .none ? nil : version
    changes.forget()
  }

  /// Forgets the apps, as they are another phone's.
  private mutating func forgetApps() {
    apps = SeenApps()
    changes.forgetPhone()
  }

  /// Writes the brightness, the wheel, the apps and the sensors beside the present bond.
  package mutating func save<Cryptography: Crypto>(
    isDim: Bool, besideBondOf host: borrowing Host<Cryptography>
  ) {
    prepare()
    switch records.content {
    case .bond:
      switch host.security.bond {
      case .some(let bond): records.save(bond, isDim: isDim)
      case .none: break
      }
    case .nothing, .erased: records.saveWithoutBond(isDim: isDim)
    }
  }

  /// Whether a circumference is to be written that the disk lacks; once for each that is learned, and only while
  /// nothing else is to be written.
  package mutating func takeCircumferenceIfDue() -> Bool {
    guard isIdle, isCircumferenceDue else { return false }
    isCircumferenceDue = false
    return newCircumference != records.circumference
  }

  /// Notes that an app of the remembered phone has notified.
  package mutating func see(_ app: Span<UInt8>) {
    if apps.see(app), !apps.hasSameApps(as: records.apps) { changes.appsChanged() }
  }

  /// Notes that the remembered phone has changed, such as its name.
  package mutating func bondWasChanged() { changes.bondChanged() }

  /// When changes by peers are to be written; `nil` while there are none, the peers may make more, or something else is
  /// to be written.
  package func changesDeadline(isPhoneLinked: Bool, areSensorsLinked: Bool) -> Instant? {
    isIdle
      ? changes.due(isPhoneLinked: isPhoneLinked, areSensorsLinked: areSensorsLinked) : nil
  }

  /// Writes these changes beside the present bond.
  package mutating func saveChanges<Cryptography: Crypto>(
    isDim: Bool, besideBondOf host: borrowing Host<Cryptography>, at now: Instant
  ) {
    if changes.hasBond { job = .save(isUpdate: true) }
    changes.writeBegins(at: now)
    save(isDim: isDim, besideBondOf: host)
  }

  /// Notes that `output` was written; returns the job that is done now, if one is.
  package mutating func outputWasWritten(at now: Instant) -> Job {
    records.outputWasWritten()
    changes.otherWasWritten(at: now)
    return takeJobIfDone()
  }

  /// Removes and returns the job that is done, as nothing is left to write.
  package mutating func takeJobIfDone() -> Job {
    guard records.output.isEmpty else { return .none }
    defer { job = .none }
    return job
  }

  /// Notes that the store was closed; returns the job that has failed.
  package mutating func closed(_ trouble: StoreTrouble) -> Job {
    records = Self.emptyStore
    (isToBeSetAside, areSensorsRequested) = (false, false)
    lastTrouble = trouble
    defer { job = .none }
    return job
  }
}

/// Whether the contents of a device are another program's, and must be left alone.
///
/// A power cut may leave any bytes in one of our records and behind it, so the other record decides.
package func isForeign(_ store: borrowing BondStore, _ facts: StoreFacts) -> Bool {
  guard facts.isDevice else { return false }
  if store.condition == .sound, store.content == .nothing { return !facts.isFree }
  return store.condition == .foreign
}

/// When the brightness may be written, so that no rider wears out a card with a button.
package struct BrightnessKeeper {
  /// For how long a choice must stand, as dim is on the way from bright to off, in milliseconds.
  private static var settlingTime: Int64 { 5_000 }
  /// From one write to the next, even if that failed, in milliseconds.
  private static var pause: Int64 { 600_000 }

  private var settlingEnd: Instant?
  private var pauseEnd: Instant?

  /// Whether the rider has chosen since the start.
  package var isChosen: Bool { settlingEnd != nil }

  /// When the choice may be written; `nil` if there is none.
  var writeTime: Instant? {
    guard let settlingEnd, let pauseEnd else { return settlingEnd }
    return max(settlingEnd, pauseEnd)
  }

  mutating func choose(at now: Instant) { settlingEnd = now + Self.settlingTime }

  mutating func writeBegins(at now: Instant) { pauseEnd = now + Self.pause }
}

/// Changes by the phone and the sensors that are not on disk yet, and when they may be written.
///
/// A peer must not wear out the card: its changes are written once its link is over, and 10 s after any other write at
/// the earliest. The pause doubles with each such write: there are 29 in an hour at most.
struct PeerChanges {
  private static var shortestPause: Int64 { 10_000 }
  private static var longestPause: Int64 { 150_000 }
  /// After this time without such a write the pause is short again.
  private static var calmTime: Int64 { 600_000 }

  /// Whether there are changes of each kind.
  private(set) var hasBond = false
  private(set) var hasApps = false
  private(set) var hasSensors = false
  /// The last pause; at the start half of the first one.
  private var pause = PeerChanges.shortestPause / 2
  private var pauseEnd: Instant?

  mutating func bondChanged() { hasBond = true }

  mutating func appsChanged() { hasApps = true }

  mutating func sensorsChanged() { hasSensors = true }

  /// Another phone is remembered now, or none.
  mutating func forgetPhone() { (hasBond, hasApps) = (false, false) }

  /// The disk is read again, or a record with all changes is written.
  mutating func forget() { (hasBond, hasApps, hasSensors) = (false, false, false) }

  /// From when on the changes may be written; `nil` while there are none, or their peer may make more.
  func due(isPhoneLinked: Bool, areSensorsLinked: Bool) -> Instant? {
    let areFinal = (hasBond || hasApps) && !isPhoneLinked || hasSensors && !areSensorsLinked
    return areFinal ? pauseEnd ?? Instant(milliseconds: 0) : nil
  }

  /// The changes are being written.
  mutating func writeBegins(at now: Instant) {
    let isCalm = pauseEnd.map { now - $0 >= Self.calmTime } ?? true
    pause = isCalm ? Self.shortestPause : min(pause * 2, Self.longestPause)
    pauseEnd = now + pause
    forget()
  }

  /// Something else was written.
  mutating func otherWasWritten(at now: Instant) {
    let end = now + Self.shortestPause
    pauseEnd = pauseEnd.map { max($0, end) } ?? end
  }
}
