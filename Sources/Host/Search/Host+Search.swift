public import Bytes
import HCI

/// From silence to a phone that is worth a connection.
extension Host {
  static var fastScanTime: Int64 { 30_000 }
  /// A controller that hears nobody for so long may have lost what it was told.
  private static var deafTime: Int64 { 60_000 }
  private static var connectTime: Int64 { 5_000 }
  private static var cancelTime: Int64 { 2_000 }
  /// More than the rest of a phone that could not be connected to.
  private static var secondChanceTime: Int64 { 10_000 }

  /// 30 to 50 ms, so that discovery is quick; the link is lost after 4 s of silence.
  private static var connectionParameters: ConnectionParameters {
    ConnectionParameters(
      intervalMin: 24, intervalMax: 40, latency: 0, supervisionTimeout: 400)
  }

  /// Begins to listen: all the time at first, later a tenth of it.
  mutating func scan(at now: Instant) {
    let mode: ScanMode = now < fastScanEnd ? .fast : .slow
    if mode == .slow { isSearchAsked = false }
    if case .scanning = phase {
      commands.removeWaiting()  // of an earlier change of the scan
      commands.append(.leSetScanEnable(false))
    } else {
      deafDeadline = now + Self.deafTime
    }
    phaseDeadline = nil
    guard !isLeaving else {
      phase = .off
      report(.scan(.off))
      return
    }
    guard isSearchWanted(at: now) else {
      phase = .idle
      isIdle = true
      report(.scan(.off))
      report(.searchEnded)
      return
    }
    isIdle = false
    phase = .scanning(mode)
    scanner.begin()
    // 60 ms of 60 ms, or 64 ms of 640 ms.
    commands.append(
      mode == .fast
        ? .leSetScanParameters(interval: 0x0060, window: 0x0060)
        : .leSetScanParameters(interval: 0x0400, window: 0x0066))
    commands.append(.leSetScanEnable(true))
    report(.scan(mode))
  }

  mutating func advanceScan(_ mode: ScanMode, to now: Instant) {
    if let candidate = scanner.choose(at: now) {
      connect(to: candidate, at: now)
    } else if let due = deafDeadline, now >= due {
      bringUpAnew(at: now)
    } else if mode == .fast ? now >= fastScanEnd : !isSearchWanted(at: now) {
      scan(at: now)
    }
  }

  /// Whether a search ends only with a link: there is a phone to wait for, or nobody is ever remembered.
  var isSearchEndless: Bool {
    guard pairing != .off else { return true }
    return switch bond {
    case .some: true
    case .none: false
    }
  }

  /// Whether there is anybody to search for.
  private func isSearchWanted(at now: Instant) -> Bool {
    if isSearchEndless || now < fastScanEnd { return true }
    guard let end = sessionEnd else { return false }
    return now < end
  }

  /// When the search ends that the rider asked for; `nil` where it does not, and where there is none.
  public var searchEnd: Instant? {
    guard case .scanning(.fast) = phase, isSearchAsked, !isSearchEndless else { return nil }
    return fastScanEnd
  }

  /// Goes on searching from Reset on, as fast or slowly as before.
  ///
  /// A controller that was reset by itself answers commands, but its events are masked.
  private mutating func bringUpAnew(at now: Instant) {
    start(at: now)
    isSameSearch = true
  }

  mutating func receive(
    _ reports: AdvertisingReports, at now: Instant
  ) throws(ParseError) {
    guard case .scanning(let mode) = phase else { return }
    deafDeadline = now + Self.deafTime
    var reports = reports
    while let advertisement = try reports.next() {
      guard scanner.isConnectable(advertisement) else { continue }
      takeName(of: advertisement)
      guard let match = match(advertisement, at: now) else { continue }
      let candidate = Candidate(
        address: advertisement.address, rssi: advertisement.rssi, match: match)
      if scanner.take(candidate, at: now) {
        report(.phone(candidate.address, rssi: candidate.rssi, candidate.match))
      }
    }
    advanceScan(mode, to: now)
  }

  /// Keeps the name of a phone that was heard, or may be the next report's.
  private mutating func takeName(of report: borrowing AdvertisingReport) {
    var data = AdvertisingData(report.data)
    while let structure = data.next() {
      guard structure.type == .completeLocalName || structure.type == .shortenedLocalName else {
        continue
      }
      heardName.assign(structure.data)
      heardNameOwner = report.address
      return
    }
  }

  /// A remembered phone is the only one that matches.
  private func match(_ report: borrowing AdvertisingReport, at now: Instant) -> Match? {
    switch bond {
    case .some(let bond):
      guard isBonded(report.address, bond) else { return nil }
      return security.isResting(at: now) ? nil : .bond
    case .none:
      if AdvertisingData.contains(service, in: report.data) { return .service }
      return overflowArea.isSet(in: report.data) ? .overflow : nil
    }
  }

  private mutating func connect(to candidate: Candidate, at now: Instant) {
    phase = .connecting
    isAttemptUnwanted = false
    self.candidate = candidate
    phaseDeadline = now + Self.connectTime
    commands.append(.leSetScanEnable(false))
    commands.append(.leCreateConnection(peer: candidate.address, Self.connectionParameters))
    report(.scan(.off))
    report(.connecting(candidate.address))
  }

  /// Goes on searching after an attempt that led to no link.
  mutating func attemptFailed(_ reason: ErrorCode, at now: Instant) {
    scanner.restShort(candidate.address, at: now)
    report(.disconnected(reason))
    searchOn(at: now)
  }

  /// Goes on searching after a phone that led to nothing: long enough for its next chance.
  mutating func searchOn(at now: Instant) {
    if isSearchAsked, hasSecondChance, fastScanEnd < now + Self.secondChanceTime {
      hasSecondChance = false
      fastScanEnd = now + Self.secondChanceTime
    }
    scan(at: now)
  }

  /// Calls the attempt back; whether it succeeded meanwhile, LE Connection Complete tells.
  mutating func cancel(at now: Instant) {
    phase = .cancelling
    phaseDeadline = now + Self.cancelTime
    commands.append(.leCreateConnectionCancel)
  }

  /// Makes scanning fast again for 30 s, as after a press of a button.
  public mutating func searchFast(at now: Instant) {
    fastScanEnd = now + Self.fastScanTime
    isSearchAsked = true
    hasSecondChance = true
    security.endRest()
    scanner.endRests()
    if phase == .scanning(.slow) || phase == .idle { scan(at: now) }
    prepareOutput(at: now)
  }
}
