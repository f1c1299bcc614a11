package import Bytes
import HCI

/// From silence to a phone that is worth a connection.
extension Host {
  private static var cancelTime: Int64 { 2_000 }

  // MARK: - For the owner

  /// When the search ends that the rider asked for; `nil` where it does not, and where there is none.
  package var searchEnd: Instant? {
    guard case .scanning = phase else { return nil }
    return search.askedEnd
  }

  /// Searches for 30 s as the rider asks for a phone: a stranger may be paired with.
  ///
  /// So may the remembered phone, if it has failed to show its key three times before.
  mutating func searchFast(at now: Instant) {
    search.note(.riderAsked(at: now))
    security.riderAsked()
    scanner.endRests()
    if phase == .scanning(.slow) || phase == .idle { scan(at: now) }
  }

  /// Makes a search that goes on fast again for 30 s; whom it may pair with is as before.
  mutating func hurry(at now: Instant) {
    search.note(.riderHurried(at: now))
    if phase == .scanning(.slow), search.mode == .fast { scan(at: now) }
  }

  /// The rider has pressed a button: a phone that was let go is connected to again, whatever it advertises.
  package mutating func riderIsThere() { search.note(.riderIsThere) }

  /// The signal of the phone that the host connects to, or did last, in dBm; `nil` if unknown.
  ///
  /// As its last advertisement before that was received.
  package var peerRSSI: Int8? { peer.candidate.rssi }

  /// What that phone calls itself, empty while that is not known.
  package var peerName: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get {
      if !link.client.peerName.isEmpty { return link.client.peerName.bytes }
      return peer.advertisedName.bytes
    }
  }

  /// What a phone called itself in its advertisement, empty if that is not known.
  @_lifetime(borrow self)
  @_addressableSelf
  package borrowing func heardName(of address: DeviceAddress) -> Span<UInt8> {
    scanner.name(of: address)
  }

  // MARK: - Listening

  /// Listens as the search wants it now; candidates are looked for anew.
  ///
  /// For `sharedTime` nobody is connected to, so that a search for sensors has its half of the time.
  mutating func scan(at now: Instant, sharedTime: Int64 = 0) {
    search.note(.timePassed(at: now))
    if case .scanning = phase { stopPhoneScan() } else { search.note(.heard(at: now)) }
    switch search.mode {
    case .fast, .slow: listen(search.mode, sharedTime: sharedTime, at: now)
    case .off: rest()
    }
  }

  private mutating func listen(_ mode: ScanMode, sharedTime: Int64, at now: Instant) {
    enter(.scanning(mode))
    sensors.turns.forgetHeard()
    scanner.begin(
      isInHurry: mode == .fast && search.isRideGoingOn(at: now), isSlow: mode == .slow,
      sharedTime: sharedTime, at: now)
    radioIsFree()
    report(.scan(mode))
  }

  /// Whether the controller listens for the phone, or has been told to: else a sensor has the radio.
  var isListening: Bool {
    if case .scanning = phase { sensors.activity == .none } else { false }
  }

  /// Goes on listening for the phone, if that is searched for and no sensor has the radio.
  mutating func radioIsFree() {
    guard isListening, case .scanning(let mode) = phase else { return }
    // Scan responses hold the names of strangers; a phone that is known need not be asked.
    let isActive = memory == .nothing
    sensors.isScanWide = wantsWideScan
    let isWide = mode == .fast || sensors.isScanWide
    let (interval, window): (UInt16, UInt16) =
      isWide ? (0x0060, 0x0060) : (0x0400, 0x0066)  // 60 ms of 60 ms, 64 ms of 640 ms
    send(.leSetScanParameters(isActive: isActive, interval: interval, window: window))
    send(.leSetScanEnable(true))
  }

  /// Whether the radio is to listen all the time for a moment, though the search is slow and stays so.
  var wantsWideScan: Bool { sensors.wantsWideScan || scanner.wantsWideScan }

  /// Ends listening for the phone, if it is not a sensor that has the radio.
  mutating func stopPhoneScan() { if isListening { stopScan() } }

  mutating func stopScan() {
    controller.commands.removeWaiting(.leSetScanParameters)  // of an earlier change of the scan
    controller.commands.removeWaiting(.leSetScanEnable)
    send(.leSetScanEnable(false))
  }

  private mutating func rest() {
    security.endGuest()  // the search after the loss of its ride is over
    enter(.idle)
    report(.scan(.off))
  }

  mutating func advanceScan(_ mode: ScanMode, to now: Instant) {
    scanner.pass(to: now)
    if isListening, let candidate = scanner.choose(at: now) {
      return connect(to: candidate, at: now)
    }
    search.note(.timePassed(at: now))
    if search.mode != mode { scan(at: now) }
  }

  /// Hears advertisements; returns whether that changed anything: see `wasNews`.
  mutating func receive(
    _ reports: AdvertisingReports, at now: Instant
  ) throws(ParseError) -> Bool {
    var reports = reports
    var isNews = false
    guard case .scanning(let mode) = phase else {
      while let advertisement = try reports.next() {
        let isPhone = isPhones(advertisement)
        if hearSensor(advertisement, isPhone: isPhone, at: now) { isNews = true }
      }
      return isNews
    }
    search.note(.heard(at: now))
    while let advertisement = try reports.next() {
      let isPhone = isPhones(advertisement)
      if hearSensor(advertisement, isPhone: isPhone, at: now) { isNews = true }
      hearHome(advertisement, at: now)
      if hear(advertisement, isPhone: isPhone, at: now) { isNews = true }
    }
    if isNews { advanceScan(mode, to: now) }
    return isNews
  }

  /// Whether the remembered phone has sent it, or who has its address.
  ///
  /// To resolve an address is the most that an advertisement costs: it is done once for each.
  private mutating func isPhones(_ advertisement: borrowing AdvertisingReport) -> Bool {
    advertisement.kind != .nonconnectable
      && security.isBonded(advertisement.address, with: cryptography)
  }

  /// Hears an advertisement, as a phone's; returns whether that changed anything.
  private mutating func hear(
    _ advertisement: borrowing AdvertisingReport, isPhone: Bool, at now: Instant
  ) -> Bool {
    let address = advertisement.address
    // Of others than the remembered phone, the name is of no use either.
    guard advertisement.kind != .nonconnectable, memory == .nothing || isPhone
    else { return false }
    var isNews = scanner.keepKind(of: advertisement)
    guard scanner.isConnectable(advertisement), sensors.kind(of: address) == nil,
      !leaving.contains(address)
    else { return isNews }
    if scanner.keepName(in: advertisement) { isNews = true }
    guard let match = match(advertisement) else { return isNews }
    let candidate = Candidate(address: address, rssi: advertisement.rssi, match: match)
    if scanner.add(candidate, at: now) {
      report(.phone(candidate.address, rssi: candidate.rssi, candidate.match))
    }
    return true
  }

  /// A remembered phone is the only one that is heard, and so the only one that matches.
  private func match(_ report: borrowing AdvertisingReport) -> Match? {
    guard memory != .nothing else { return scanner.match(report.data) }
    if search.awaitsService, scanner.match(report.data) == nil { return nil }
    return .bond
  }

  // MARK: - The attempt to connect

  private mutating func connect(to candidate: Candidate, at now: Instant) {
    enter(.connecting, until: now + scanner.attemptTime(for: candidate, at: now))
    peer.choose(candidate, advertisedName: scanner.name(of: candidate.address), at: now)
    send(.leSetScanEnable(false))
    send(.leCreateConnection(peer: candidate.address, ConnectionParameters.quick))
    report(.scan(.off))
    report(.connecting(candidate.address))
  }

  /// Goes on searching after an attempt that led to no link.
  mutating func attemptFailed(_ reason: ErrorCode, at now: Instant) {
    makeRoomForPhone(reason, at: now)
    scanner.restShort(peer.candidate.address, ownership(at: now), at: now)
    report(.disconnected(reason))
    search.note(.attemptFailed(at: now))
    // What told of that link was damaged or lost on its way here, and only Reset ends it.
    if reason == .connectionAlreadyExists { return fail(.linkUnknown, at: now) }
    // Longer than the attempt took, in which nobody was heard.
    let isShared = sensors.search.state == .listening
    scan(at: now, sharedTime: isShared ? (now - peer.attemptStart) * 3 / 2 : 0)
  }

  /// Whose the phone is: one that is not remembered has a new address whenever it likes.
  func ownership(at now: Instant) -> Scanner.Ownership {
    if peer.isRemembered { .ours } else { search.isRideGoingOn(at: now) ? .maybeOurs : .stranger }
  }

  /// Calls the attempt back; whether it succeeded meanwhile, LE Connection Complete tells.
  mutating func cancel(isUnwanted: Bool, at now: Instant) {
    enter(.cancelling(isUnwanted: isUnwanted), until: now + Self.cancelTime)
    send(.leCreateConnectionCancel)
  }
}

extension ConnectionParameters {
  /// 15 ms, so that the turn is there soon; the link is lost after 4 s of silence.
  static var quick: ConnectionParameters {
    ConnectionParameters(
      intervalMin: 12, intervalMax: 12, latency: 0, supervisionTimeout: 400)
  }
}
