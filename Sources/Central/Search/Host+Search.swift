package import Bytes
import Controller
import HCI
import Link
import Search
import SensorLinks

/// From silence to a phone that is worth a connection.
extension Host {
  private static var cancelTime: Int64 { 2_000 }

  // MARK: - For the owner

  /// When the search ends that the rider asked for; `nil` if it has no end, or there is none.
  package var searchEnd: Instant? {
    guard case .scanning = phase else { return nil }
    return search.askedEnd
  }

  /// Searches for 30 s as the rider asks for a phone: a stranger may be paired with.
  ///
  /// So may the remembered phone, if it has failed to show its key three times before.
  mutating func searchFast(at now: Instant) {
    updateSearch(.riderAsked(at: now))
    updateSecurity(.riderAsked)
    updateScanner(.riderAsked, at: now)
    updateAdvertiser {
      $0.wake(at: now)
      $0.forgetStrangers()
    }
    if phase == .scanning(.slow) || phase == .idle { scan(at: now) }
  }

  /// Makes a search that is under way fast for another 30 s; which phone it may pair with does not change.
  mutating func hurry(at now: Instant) {
    updateSearch(.riderHurried(at: now))
    updateAdvertiser { $0.wake(at: now) }
    if phase == .scanning(.slow), search.mode == .fast { scan(at: now) }
  }

  mutating func leave(at now: Instant) {
    updateSearch(.left)
    disconnect(at: now)
  }

  /// The rider has pressed a button: a phone that was let go is connected to again, whatever it advertises.
  package mutating func riderIsThere() { updateSearch(.riderIsThere) }

  /// Whether unknown phones were tried, of which one may be the rider's: it can be followed only after a press.
  package var isPhoneUnrecognised: Bool {
    wanted == .acquainted && scanner.reputation.strangersTried > 1
  }

  /// The signal of the phone that the host connects to, or did last, in dBm; `nil` if unknown.
  ///
  /// It is that of the phone's last advertisement before the attempt.
  package var peerRSSI: Int8? { peer.candidate.rssi }

  /// The name of the phone that the host connects to, or did last; empty while it is not known.
  package var peerName: Span<UInt8> {
    if !link.client.peerName.isEmpty { return link.client.peerName.bytes }
    return peer.advertisedName.bytes
  }

  /// What a phone called itself in its advertisement, empty if that is not known.
  @_lifetime(borrow self)
  @_addressableSelf
  package borrowing func heardName(of address: DeviceAddress) -> Span<UInt8> {
    scanner.name(of: address)
  }

  // MARK: - Listening

  /// Listens as the search wants it now; candidates are looked for again.
  ///
  /// For `sharedTime` ms no phone is connected to, so that a search for sensors has its half of the time.
  mutating func scan(at now: Instant, sharedTime: Int64 = 0) {
    updateSearch(.timePassed(at: now))
    if case .scanning = phase { stopPhoneScan() } else { updateSearch(.heard(at: now)) }
    switch search.mode {
    case .fast, .slow: listen(search.mode, sharedTime: sharedTime, at: now)
    case .off: stopSearching()
    }
  }

  private mutating func listen(_ mode: ScanMode, sharedTime: Int64, at now: Instant) {
    enter(.scanning(mode))
    withSensors { sensors, _ in sensors.forgetHeard() }
    beginScan(mode, sharedTime: sharedTime, at: now)
    listenForPhone()
    report(.scan(mode))
  }

  /// Whether the controller listens for the phone, or was asked to: neither a sensor nor advertising has the radio.
  var isListening: Bool {
    if case .scanning = phase { sensors.isRadioFree && !advertiser.hasRadio } else { false }
  }

  /// Listens for the phone again, if it is searched for and no sensor has the radio.
  mutating func listenForPhone() {
    let phone = phoneSide()
    withSensors { $0.listenForPhone(phone, by: &$1) }
  }

  /// Stops listening for the phone, unless a sensor or advertising has the radio.
  mutating func stopPhoneScan() { if isListening { control { $0.stopScan() } } }

  /// Nobody uses the device, or somebody does again: a search is slower, or as usual.
  mutating func rest(_ isAtRest: Bool, at now: Instant) {
    updateSearch(.rests(isAtRest: isAtRest))
    if case .scanning(let mode) = phase, search.mode != mode { scan(at: now) }
  }

  private mutating func stopSearching() {
    updateSecurity(.guestLeft)  // the search for the guest's lost ride is over
    enter(.idle)
    report(.scan(.off))
  }

  mutating func advanceScan(_ mode: ScanMode, to now: Instant) {
    if let candidate = choose(at: now) { return connect(to: candidate, at: now) }
    updateSearch(.timePassed(at: now))
    if search.mode != mode { scan(at: now) }
  }

  /// Receives advertisements; returns whether that changed anything: see `wasNews`.
  mutating func receive(
    _ reports: AdvertisingReports, at now: Instant
  ) throws(ParseError) -> Bool {
    var reports = reports
    var isNews = false
    guard case .scanning(let mode) = phase else {
      while let advertisement = try reports.next() {
        let isPhone = isPhones(advertisement)
        if receiveAsSensor(advertisement, isPhone: isPhone, at: now) { isNews = true }
        if isPhone, phoneWasHeardBesideLink(at: now) { isNews = true }
      }
      return isNews
    }
    updateSearch(.heard(at: now))
    updateWatch { $0.deviceWasHeard() }
    while let advertisement = try reports.next() {
      let isPhone = isPhones(advertisement)
      if receiveAsSensor(advertisement, isPhone: isPhone, at: now) { isNews = true }
      if receive(advertisement, isPhone: isPhone, at: now) { isNews = true }
    }
    if isNews { advanceScan(mode, to: now) }
    return isNews
  }

  /// The phone advertises beside its link: komoot may be there now; returns whether it is looked for.
  private mutating func phoneWasHeardBesideLink(at now: Instant) -> Bool {
    guard phase == .connected, link.progress.isPeripheral, link.progress.stage.isWaiting,
      link.progress.isEncrypted,
      withLink({ $0.mayLookAgain(at: now) })
    else { return false }
    askPhone { $0.searchNeeded(at: now) }
    return true
  }

  /// Whether the remembered phone, or a device with its address, has sent the advertisement.
  ///
  /// Nothing about an advertisement costs more than resolving its address: this is done once for each.
  private mutating func isPhones(_ advertisement: borrowing AdvertisingReport) -> Bool {
    advertisement.kind != .nonconnectable
      && security.isBonded(advertisement.address, with: cryptography)
  }

  /// Receives an advertisement, as a phone's; returns whether that changed anything.
  private mutating func receive(
    _ advertisement: borrowing AdvertisingReport, isPhone: Bool, at now: Instant
  ) -> Bool {
    // If a phone is remembered, not even the names of others are of use.
    guard advertisement.kind != .nonconnectable, security.memory == .nothing || isPhone
    else { return false }
    let address = advertisement.address
    let isOther = sensors.kind(of: address) != nil || lingering.contains(address)
    switch receive(advertisement, as: wanted, isOther: isOther, at: now) {
    case .nothing: return false
    case .news: break
    case .phone(let candidate):
      report(.phone(candidate.address, rssi: candidate.rssi, candidate.match))
    }
    return true
  }

  /// Which advertisements count; if a phone is remembered, only its own come this far.
  private var wanted: Scanner.Wanted {
    guard security.memory != .nothing else {
      return search.mayPair || security.policy == .off ? .anybody : .acquainted
    }
    return search.awaitsService ? .rememberedWithService : .remembered
  }

  // MARK: - The attempt to connect

  private mutating func connect(to candidate: Candidate, at now: Instant) {
    enter(.connecting(until: now + scanner.attemptTime(for: candidate, at: now)))
    choose(candidate, at: now)
    if wanted == .acquainted, !scanner.reputation.isAcquainted(candidate) {
      updateScanner(.strangerTried, at: now)
    }
    control { $0.stopScan() }
    send(.leCreateConnection(peer: candidate.address, ConnectionParameters.quick))
    report(.scan(.off))
    report(.connecting(candidate.address))
  }

  /// Goes on searching after an attempt that led to no link.
  mutating func attemptFailed(_ reason: ErrorCode, at now: Instant) {
    withSensors { $0.makeRoomForPhone(reason, by: &$1, at: now) }
    if reason.isLackOfLinks { updateLingering { $0.linksRanOut() } }
    let address = peer.candidate.address
    let isLinked = reason == .connectionAlreadyExists
    // The phone may have made a link that is just ending by itself.
    let mayEnd = isLinked && advertiser.isOn && scanner.reputation.failures(of: address) < 2
    updateScanner(mayEnd ? .linked(address) : .failed(address, ownership(at: now)), at: now)
    report(.disconnected(reason))
    updateSearch(.attemptFailed(at: now))
    // The event of that link was damaged or lost on its way here, and only Reset ends the link.
    if isLinked, !mayEnd { return fail(.linkUnknown, at: now) }
    if failForWantOfLinks(reason, at: now) { return }
    // The sensors' time is longer than the attempt, during which nothing was heard.
    let isShared = sensors.isSearchListening
    scan(at: now, sharedTime: isShared ? (now - peer.attemptStart) * 3 / 2 : 0)
  }

  /// How likely the phone is the rider's: a phone that is not remembered may change its address at any time.
  func ownership(at now: Instant) -> Reputation.Ownership {
    if peer.isRemembered { .ours } else { search.isRideGoingOn(at: now) ? .maybeOurs : .stranger }
  }

  /// Cancels the attempt; LE Connection Complete reports whether it has succeeded meanwhile.
  mutating func cancel(isUnwanted: Bool, at now: Instant) {
    if control({ $0.dropAttempt() }) {
      return attemptFailed(.unknownConnectionIdentifier, at: now)
    }
    enter(.cancelling(isUnwanted: isUnwanted, until: now + Self.cancelTime))
    send(.leCreateConnectionCancel)
  }
}
