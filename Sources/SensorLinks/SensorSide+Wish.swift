import Bytes
import Controller
import HCI
import Sensors

/// What the radio is to do for sensors.
extension SensorSide {
  /// What it is to do now; `mutating`: no copy.
  mutating func wish(
    beside phone: PhoneSide, _ controller: borrowing Controller
  ) -> SensorRadio.Wish {
    guard !phone.isEnding, areLinksPossible(by: controller) else { return .nothing }
    // A search for a sensor listens beside any link; everything else waits until the phone no longer needs the radio.
    switch phone.radio {
    case .searching(let scan): return wishWhileScanning(scan)
    case .idle, .linked(isSettled: true): break
    case .linked: return isSearchListening ? .listen : .nothing
    case .down, .taken: return .nothing
    }
    if let wish = wishForSought() { return wish }
    if isSearchListening { return .listen }
    let kinds = awaitingLink
    if kinds.isEmpty { return .nothing }
    if radio.isListUsable, controller.mayBeSent(.leAddDeviceToFilterAcceptList) {
      return .wait(kinds)
    }
    return attemptInTurn(kinds)
  }

  /// How to listen for the phone now: the search for a sensor needs scan responses, too.
  ///
  /// It uses half of the radio's time, and an attempt has taken time from the phone's search: the radio then listens
  /// all the time, though that search may be slow.
  func listening(_ scan: PhoneScan) -> PhoneScan {
    PhoneScan(
      isFast: scan.isFast, isActive: scan.isActive || isSearchListening, isBusy: scan.isBusy,
      isWide: isSearchListening || turns.isPausing || scan.isWide)
  }

  /// Whether the search tries a sensor.
  var isTrying: Bool { if case .trying = search.state { true } else { false } }

  /// The attempt at the sensor that the search tries, if it tries one.
  private mutating func wishForSought() -> SensorRadio.Wish? {
    guard case .trying(let kind, let address) = search.state else { return nil }
    return places.isThere(.sought) ? .nothing : .attempt(kind, address)
  }

  /// What it is to do while the phone is searched for: a phone that is heard comes before any sensor.
  private mutating func wishWhileScanning(_ scan: PhoneScan) -> SensorRadio.Wish {
    if radio.activity == .none, scan.isBusy { return .nothing }
    return wishForSought() ?? attemptInTurn(heardAwaitingLink)
  }

  /// The sensors that may be connected to while the phone is searched for.
  private var heardAwaitingLink: SensorKinds {
    guard !turns.isPausing, !isSearchListening else { return SensorKinds() }
    return awaitingLink.intersection(turns.heard)
  }

  /// Tries these sensors one after the other; the one that has failed least often goes first.
  private mutating func attemptInTurn(_ kinds: SensorKinds) -> SensorRadio.Wish {
    if case .attempting(let kind, _, _) = radio.activity, kinds.contains(kind),
      let address = address(of: kind)
    {
      return .attempt(kind, address)
    }
    guard let kind = turns.fairest(of: kinds), let address = address(of: kind) else {
      return .nothing
    }
    return .attempt(kind, address)
  }
}
