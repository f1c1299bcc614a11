import Bytes
import Controller
import HCI
import Sensors

/// Which sensor the radio is for: the search for a new one, the turns of those that are remembered, and what the
/// radio does now.
///
/// It owns these three. Its owner says what is wanted, and which sensors there are.
struct SensorHunt: ~Copyable {
  /// A sensor that was just heard is heard again soon; the phone's search goes on afterwards.
  private static var attemptTime: Int64 { 1_000 }
  /// The rider waits for the sensor that the search tries: two of its advertisements.
  private static var soughtAttemptTime: Int64 { 2_500 }
  /// While the phone is not searched for, nothing is kept waiting.
  private static var patientAttemptTime: Int64 { 5_000 }

  private(set) var radio = SensorRadio()
  private(set) var turns = SensorTurns()
  private(set) var search = SensorSearch()

  /// When something is due.
  var deadline: Instant? { earlier(earlier(radio.deadline, turns.deadline), search.deadline) }

  /// Whether the radio is to listen all the time though the phone's search is slow.
  ///
  /// A search for a sensor uses half of the time, and an attempt has taken time from the phone's search.
  var wantsWideScan: Bool { search.state == .listening || turns.isPausing }

  // MARK: - The search for a new one

  mutating func beginSearch(at now: Instant) { search.begin(at: now) }

  /// The rider wants the next sensor.
  mutating func searchNext(at now: Instant) { search.next(at: now) }

  /// The link to the tried or offered sensor is lost.
  mutating func soughtIsLost(at now: Instant) { search.linkWasLost(at: now) }

  /// The offered sensor has sent a valid value.
  mutating func soughtHasSaid(at now: Instant) { search.valueCame(at: now) }

  mutating func endSearch() { search.stop() }

  /// The values of a sensor come; it is offered if it is the one that is tried.
  mutating func offer(_ kind: SensorKind, _ address: DeviceAddress, at now: Instant) {
    search.offer(kind, address, at: now)
  }

  /// The sensor that is tried or offered belongs to another kind.
  mutating func moveSought(to kind: SensorKind) { search.move(to: kind) }

  // MARK: - Turns

  mutating func rest(_ kind: SensorKind, at now: Instant) { turns.rest(kind, at: now) }

  mutating func endRest(of kind: SensorKind) { turns.endRest(of: kind) }

  mutating func hold(_ kind: SensorKind, until end: Instant) { turns.hold(kind, until: end) }

  /// Forgets the sensors that were heard while the phone is searched for: they may be gone.
  mutating func forgetHeard() { turns.forgetHeard() }

  /// Hears a remembered sensor; returns whether it was not heard before.
  mutating func hear(_ kind: SensorKind) -> Bool { turns.hear(kind) }

  /// Hears a sensor that the rider may want to have, and that may be of `others`, too; returns whether it is a new
  /// candidate.
  mutating func hear(
    _ kind: SensorKind, _ address: DeviceAddress, others: SensorKinds, rssi: Int8?, at now: Instant
  ) -> Bool {
    search.hear(kind, address, others: others, rssi: rssi, at: now)
  }

  /// Advances to `now`; returns whether the state of the search has changed.
  mutating func advance(to now: Instant, remembered: SensorKinds) -> Bool {
    search.advance(to: now, remembered: remembered)
  }

  /// Ends rests that are over.
  mutating func pass(to now: Instant) { turns.pass(to: now) }

  // MARK: - The radio

  /// Goes on listening for the phone, if no sensor has the radio.
  mutating func listenForPhone(_ phone: PhoneSide, by controller: inout Controller) {
    guard let scan = phone.scan else { return }
    radio.listenForPhone(listening(scan), by: &controller)
  }

  /// How to listen for the phone now: the search for a sensor needs scan responses, too.
  private func listening(_ scan: PhoneScan) -> PhoneScan {
    PhoneScan(
      isFast: scan.isFast, isActive: scan.isActive || search.state == .listening,
      isBusy: scan.isBusy, isWide: wantsWideScan || scan.isWide)
  }

  /// Listens for the phone all the time from now on, or as little as its search needs.
  mutating func adaptScan(to phone: PhoneSide, by controller: inout Controller) {
    guard let scan = phone.scan else { return }
    radio.adapt(to: listening(scan), by: &controller)
  }

  /// Leaves the radio to the phone, which keeps it for a while if a sensor had taken it.
  mutating func leaveRadio(
    to phone: PhoneSide, by controller: inout Controller, at now: Instant
  ) {
    turns.end(at: now)
    listenForPhone(phone, by: &controller)
  }

  /// Ends the radio's activity, and returns it.
  mutating func endActivity() -> SensorRadio.Activity {
    defer { radio.becomeFree() }
    return radio.activity
  }

  /// The controller's accept list has no room for all sensors that are waited for.
  mutating func listIsFull(by controller: inout Controller, at now: Instant) {
    radio.listIsFull(by: &controller, at: now)
  }

  /// Ends an activity that is not wanted, or lasts too long; returns what becomes of it.
  mutating func fate(
    for wish: SensorRadio.Wish, by controller: inout Controller, at now: Instant
  ) -> SensorRadio.Fate {
    radio.fate(for: wish, by: &controller, at: now)
  }

  /// Makes the radio begin what is wanted; `followed` are the sensors that may be waited for.
  mutating func begin(
    _ wish: SensorRadio.Wish, _ followed: PerKind<DeviceAddress?>, beside phone: PhoneSide,
    by controller: inout Controller, at now: Instant
  ) {
    switch wish {
    case .nothing: break
    case .listen: radio.listen(by: &controller)
    case .wait(let kinds): radio.wait(for: kinds, listed: followed, by: &controller, at: now)
    case .attempt(let kind, let address):
      let isPhoneSearched = phone.scan != nil
      if isPhoneSearched { turns.begin() }
      radio.attempt(
        kind, address, until: now + attemptTime(isPhoneSearched),
        isPhoneSearched: isPhoneSearched, by: &controller)
    }
  }

  /// How long an attempt may take: a search for the phone is not kept waiting for long.
  private func attemptTime(_ isPhoneSearched: Bool) -> Int64 {
    guard isPhoneSearched else { return Self.patientAttemptTime }
    return if case .trying = search.state { Self.soughtAttemptTime } else { Self.attemptTime }
  }

  // MARK: - Attempts that led to nothing

  /// An activity led to no link, though `lost` may have been heard; returns whether the search has come further.
  mutating func attemptEnded(
    _ activity: SensorRadio.Activity, lost: SensorKind?, at now: Instant
  ) -> Bool {
    switch activity {
    case .attempting(let kind, let address, _): return attemptFailed(kind, address, at: now)
    case .waiting(let kinds, _):
      // A sensor that was heard and lost at once says nothing about the others.
      if let lost, kinds.contains(lost) {
        turns.rest(lost, at: now)
      } else {
        for kind in SensorKind.all where kinds.contains(kind) { turns.rest(kind, at: now) }
      }
    case .none, .listening, .cancelling: break
    }
    return false
  }

  /// An attempt at one sensor has led to no link; returns whether the search has come further.
  ///
  /// An attempt that was broken off, not `isOver`, says nothing against the sensor.
  mutating func attemptFailed(
    _ kind: SensorKind, _ address: DeviceAddress, isOver: Bool = true, at now: Instant
  ) -> Bool {
    turns.forgetHeard()
    guard case .trying(_, let sought) = search.state, sought.isSame(as: address) else {
      if isOver { turns.rest(kind, at: now) }
      return false
    }
    if isOver { search.attemptFailed(at: now) } else { search.goOn(at: now) }
    return true
  }
}
