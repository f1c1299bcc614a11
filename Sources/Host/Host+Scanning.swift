public import Bytes
import HCI

/// From silence to a phone that is worth a connection.
extension Host {
  static var fastScanTime: Int64 { 30_000 }
  private static var connectTime: Int64 { 5_000 }
  private static var cancelTime: Int64 { 2_000 }

  /// 30 to 50 ms, so that discovery is quick; the link is lost after 4 s of silence.
  private static var connectionParameters: ConnectionParameters {
    ConnectionParameters(
      intervalMin: 24, intervalMax: 40, latency: 0, supervisionTimeout: 400)
  }

  /// Begins to listen: all the time at first, later a tenth of it.
  mutating func scan(at now: Instant) {
    let mode: ScanMode = now < fastScanEnd ? .fast : .slow
    if case .scanning = phase {
      commands.removeWaiting()  // of an earlier change of the scan
      commands.append(.leSetScanEnable(false))
    }
    phaseDeadline = nil
    guard !isLeaving else {
      phase = .off
      report(.scan(.off))
      return
    }
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
    } else if mode == .fast, now >= fastScanEnd {
      scan(at: now)
    }
  }

  mutating func receive(
    _ reports: AdvertisingReports, at now: Instant
  ) throws(ParseError) {
    guard case .scanning(let mode) = phase else { return }
    var reports = reports
    while let advertisement = try reports.next() {
      // Only connectable advertisers answer scan requests with what matches.
      guard advertisement.isConnectable || advertisement.isScanResponse else { continue }
      guard let match = match(advertisement.data) else { continue }
      let candidate = Candidate(
        address: advertisement.address, rssi: advertisement.rssi, match: match)
      if scanner.take(candidate, at: now) {
        report(.phone(candidate.address, rssi: candidate.rssi, candidate.match))
      }
    }
    advanceScan(mode, to: now)
  }

  private func match(_ data: Span<UInt8>) -> Match? {
    if AdvertisingData.contains(service, in: data) { return .service }
    return overflowArea.isSet(in: data) ? .overflow : nil
  }

  private mutating func connect(to candidate: Candidate, at now: Instant) {
    phase = .connecting
    self.candidate = candidate.address
    phaseDeadline = now + Self.connectTime
    commands.append(.leSetScanEnable(false))
    commands.append(.leCreateConnection(peer: candidate.address, Self.connectionParameters))
    report(.scan(.off))
    report(.connecting(candidate.address))
  }

  /// Goes on searching after an attempt that led to no link.
  mutating func attemptFailed(_ reason: ErrorCode, at now: Instant) {
    scanner.restShort(candidate, at: now)
    report(.disconnected(reason))
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
    if phase == .scanning(.slow) { scan(at: now) }
  }
}
