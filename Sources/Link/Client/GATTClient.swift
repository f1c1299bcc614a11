package import ATT
package import Bond
package import Bytes

/// Our side as a client: asks for the lines of a table, one request at a time.
///
/// The order: a request of its owner, the parts of a value that is being read, then the first line of the table that
/// has something to ask. Over a secure link the lines that are `isFirstIfSecure` come before; `Wanted.Need` says which
/// lines hold back others. The MTU is asked for when the owner says so, or right after the lines that are needed.
package struct GATTClient<let lineCount: Int>: ~Copyable {
  package typealias Table = InlineArray<lineCount, Wanted>

  package private(set) var mtu = SmallestMTU.count
  package private(set) var peerName = FixedBuffer<32>()
  package private(set) var battery: UInt8?  // in percent, if the peer has sent it
  private(set) var transaction = Transaction()
  package private(set) var lines: WantedLines<lineCount>
  /// The value that is being read, or was read last.
  package private(set) var reading = LongRead()
  /// The line whose value is in `reading`.
  private var reader = 0
  private var patience: Patience
  /// Whether the link must be secured before the subscription, whatever the phone says.
  let demandsSecurity: Bool
  /// How long an answer may take, in milliseconds.
  private let answerTime: Int64
  /// The MTU that the peer is offered.
  let offeredMTU: UInt16
  private var isMTUDue = false  // once all that is needed is there
  private(set) var standing = Standing.silent
  /// Whether the request that is being answered was sent over a link that was not secure.
  private var wasOpen = false

  /// A client of a phone; `isServiceExpected` says that this phone had what is needed when it was connected before, and
  /// `known` where.
  package init(
    _ table: Table, known: Bond.Handles = Bond.Handles(), isServiceExpected: Bool,
    demandsSecurity: Bool = false, takesLongFrames: Bool = true
  ) {
    lines = WantedLines(table, known: known)
    patience = isServiceExpected ? .waits(Patience.first) : .none
    self.demandsSecurity = demandsSecurity
    answerTime = Transaction.timeout
    offeredMTU = takesLongFrames ? LongestMTU.count : UInt16(truncatingIfNeeded: SmallestMTU.count)
  }

  /// A client of a small device, which is asked again when it was silent for a minute.
  package init(
    _ table: Table, known: SubscribedHandles = .none, mtu: UInt16 = 23,
    answerTime: Int64 = Transaction.timeout
  ) {
    self.answerTime = answerTime
    lines = WantedLines(table, known: Bond.Handles(value: known))
    patience = .listens(until: nil)
    (demandsSecurity, isMTUDue, offeredMTU) = (false, true, mtu)
  }

  /// The request to send now; it is given once.
  package mutating func takeRequest() -> Request? { transaction.takeRequest() }

  /// Sends a request of the owner; its answer is the outcome `answered`, and must come within `time` milliseconds.
  package mutating func request(_ request: Request, within time: Int64? = nil, at now: Instant) {
    begin(request, for: .owner, within: time, at: now)
  }

  /// Asks for the MTU, which reveals nothing, while the encryption begins.
  package mutating func exchangeMTU(at now: Instant) {
    guard offeredMTU > SmallestMTU.count else { return }
    begin(.exchangeMTU(clientMTU: offeredMTU), for: .exchangeMTU, at: now)
  }

  package mutating func begin(at now: Instant) {
    if standing == .silent { standing = .open }
    proceed(at: now)
  }

  /// Sends no request from now on, as the link is being secured: `begin` or `secured` follows.
  package mutating func fallSilent() { if standing == .open { standing = .silent } }

  /// When `advance` must be called at the latest.
  package var deadline: Instant? {
    patience.isListening && transaction.isRunning
      ? transaction.deadline : earlier(transaction.deadline, patience.nextSearch)
  }

  /// Advances to `now`; returns whether the bearer has ended, as an answer did not come.
  package mutating func advance(to now: Instant) -> Bool {
    if let due = transaction.deadline, now >= due { return true }
    guard let due = patience.nextSearch, now >= due else { return false }
    if patience.isListening {
      // Only an answer shows that it is there, and a request may have arrived damaged.
      guard !transaction.isRunning else { return false }
      lines.askAgain()
      patience.peerWasHeard(at: now)
      proceed(at: now)
    } else if standing == .secure {
      searchNeeded(at: now)
    } else {
      // A phone that does not know us does not report changed handles.
      search(at: now)
    }
    return false
  }

  /// Asks for a value of the table; a value that is being read is read once more, unless this happens anyway.
  package mutating func read(_ characteristic: UUID, at now: Instant) {
    guard let index = lines.index(of: characteristic) else { return }
    if index == reader, reading.step == .outdated { return }
    lines[index].wantReading()
    proceed(at: now)
  }

  /// Writes a value of the table once its line is found; a value that waits for this is replaced.
  package mutating func write(_ value: ShortValue, to characteristic: UUID, at now: Instant) {
    guard let index = lines.index(of: characteristic) else { return }
    lines[index].write(value)
    proceed(at: now)
  }

  /// Subscribes to a value once more, as the peer may have forgotten that.
  package mutating func renew(_ characteristic: UUID, at now: Instant) {
    guard let index = lines.index(of: characteristic) else { return }
    lines[index].renew()
    proceed(at: now)
  }

  /// The link is encrypted now: what was refused for want of that is asked once more (Vol 3, Part C, 10.3.2).
  package mutating func secured(at now: Instant) -> ClientOutcome {
    let held = standing.become(.secure)
    lines.secured()
    var outcome = ClientOutcome.nothing
    if let held { outcome = release(held.line, at: now) }
    proceed(at: now)
    return outcome
  }

  /// The link cannot be encrypted: what was refused stays refused.
  package mutating func insecure(at now: Instant) -> ClientOutcome {
    guard standing != .silent, let (index, refusal) = standing.become(.insecure) else {
      return .nothing
    }
    let doubted = lines[index].insecure()
    let isReady = lines[index].isReady
    if isReady { lines[index].endWanting() }
    let outcome = release(index, at: now)
    if let doubted { return .handlesChanged(doubted) }
    return isReady ? .readRefused(lines[index].wanted.characteristic, refusal) : outcome
  }

  /// The peer has sent its MTU, in a request or a response, for both sides (Vol 3, Part F, 3.4.2).
  mutating func learnPeerMTU(_ peerMTU: UInt16) {
    mtu = max(SmallestMTU.count, Int(min(peerMTU, offeredMTU)))
  }

  /// Receives a PDU of the server.
  ///
  /// A response to no request of ours changes nothing.
  package mutating func receive(_ pdu: ServerPDU, at now: Instant) -> ClientOutcome {
    if !lines.isAnyMissed { patience.peerWasHeard(at: now) }
    switch pdu {
    case .notification(let handle, let bytes):
      return notified(.notifications, handle, bytes, at: now)
    case .indication(let handle, let bytes): return notified(.indications, handle, bytes, at: now)
    default:
      guard transaction.isAnswered(by: pdu) else { return .nothing }
      var outcome = ClientOutcome.nothing
      if let purpose = transaction.end() { outcome = answered(purpose, pdu, at: now) }
      proceed(at: now)
      return outcome
    }
  }

  // MARK: - What comes without being asked for

  private mutating func notified(
    _ subscription: Wanted.Subscription, _ handle: UInt16, _ bytes: Span<UInt8>, at now: Instant
  ) -> ClientOutcome {
    for index in lines.indices where lines[index].isNotified(by: subscription, from: handle) {
      let characteristic = lines[index].wanted.characteristic
      if characteristic == .serviceChanged {
        let changed = HandleRange(serviceChanged: bytes)
        search(changed, at: now)
        return .handlesChanged(changed)
      }
      guard lines[index].notified(at: now) else { return .nothing }
      patience.peerWasHeard(at: now)
      proceed(at: now)  // if what is needed could not be subscribed to, it is there now
      if characteristic == .batteryLevel {
        return keep(bytes, of: characteristic) ? .value(characteristic) : .nothing
      }
      if index == reader {
        reading.notified(bytes, identifierCount: lines[index].wanted.identifierCount)
      }
      if lines[index].wanted.isNeeded { patience.begin() }
      return .notification(characteristic)
    }
    return .nothing
  }

  /// Looks for what may have changed, and for what is not there; what was being asked is asked again.
  private mutating func search(_ changed: HandleRange = .all, at now: Instant) {
    patience.searchBegan()
    for index in lines.indices where lines[index].isTouched(by: changed) {
      lines[index].restart()
      giveUpAsking(for: index)
    }
    proceed(at: now)
  }

  /// Looks once more for the needed lines that are missing; `searchNoMore` stops that.
  package mutating func searchNeeded(at now: Instant) {
    patience.searchBegan()
    lines.searchMissed()
    proceed(at: now)
  }

  package mutating func searchNoMore() { patience.searchBegan() }

  /// The answer that is awaited for this line does not count: what was being read is read again.
  private mutating func giveUpAsking(for index: Int) {
    if transaction.disown(line: index) { lines[index].wantReading() }
    if reader == index { reading.cancel() }
  }

  /// Looks for everything again after a while, as this line is lost.
  private mutating func searchLater(_ index: Int, at now: Instant) {
    lines[index].lose()
    patience.searchLater(at: now)
  }

  // MARK: - Answers

  private mutating func answered(
    _ purpose: Transaction.Purpose, _ pdu: ServerPDU, at now: Instant
  ) -> ClientOutcome {
    switch purpose {
    case .exchangeMTU:
      if case .exchangeMTU(let serverMTU) = pdu { learnPeerMTU(serverMTU) }
      return .nothing
    case .discovery(let index): return discovered(index, pdu, at: now)
    case .type(let index): return readByType(index, pdu)
    case .value(let index): return read(index, pdu, at: now)
    case .write(let index): return lines[index].written(pdu)
    case .owner: return .answered
    }
  }

  private mutating func discovered(
    _ index: Int, _ pdu: ServerPDU, at now: Instant
  ) -> ClientOutcome {
    if let code = pdu.refusal, let outcome = secureFirst(index, code) { return outcome }
    if let range = lines[index].receive(pdu) { return .handlesChanged(range) }
    let outcome = discoveryOutcome(index, at: now)
    if let code = pdu.refusal, outcome == .nothing, lines[index].isReady,
      !lines[index].wanted.isNeeded
    {
      return .refused(lines[index].wanted.characteristic, code)
    }
    return outcome
  }

  private mutating func discoveryOutcome(_ index: Int, at now: Instant) -> ClientOutcome {
    guard let discovery = lines[index].discovery else { return .nothing }
    if demandsSecurity, discovery.isLocated, standing == .open,
      let outcome = secureFirst(index, .insufficientEncryption)
    {
      return outcome
    }
    switch discovery.state {
    case .found:
      guard !lines[index].isUnheard else { return .unsubscribed }
      lines[index].becomeReady()
      guard lines[index].wanted.isNeeded else {
        return lines[index].found(isSubscribed: discovery.isSubscribed)
      }
      guard !lines.isAnyMissed else { return .nothing }
      patience.serviceFound()
      return .ready
    case .missing:
      guard lines[index].wanted.isNeeded else { return lines[index].found(isSubscribed: false) }
      guard patience.isWorthWaiting else { return .serviceMissing }
      searchLater(index, at: now)
      return .waiting
    default: return .nothing
    }
  }

  private mutating func readByType(_ index: Int, _ pdu: ServerPDU) -> ClientOutcome {
    let characteristic = lines[index].wanted.characteristic
    if let code = pdu.refusal, let outcome = secureFirst(index, code) {
      lines[index].wantReading()
      return outcome
    }
    lines.found(characteristic, at: pdu.firstHandle)
    guard case .readByType(let values) = pdu, let value = try? values.value(at: 0),
      keep(value, of: characteristic)
    else { return .nothing }
    lines[index].know()
    return .value(characteristic)
  }

  /// Keeps a value; returns whether it makes sense.
  private mutating func keep(_ value: Span<UInt8>, of characteristic: UUID) -> Bool {
    switch characteristic {
    case .deviceName: peerName.assign(text: value)
    case .batteryLevel:
      guard !value.isEmpty, value[0] <= 100 else { return false }
      battery = value[0]
    default: reading.assign(value)
    }
    return true
  }

  private mutating func read(_ index: Int, _ pdu: ServerPDU, at now: Instant) -> ClientOutcome {
    switch pdu {
    case .read(let part), .readBlob(let part):
      guard reading.receive(part, partCount: mtu - 1) == .whole else { return .nothing }
      if lines[index].wanted.isNeeded { patience.begin() }
      lines[index].know()
      return .value(lines[index].wanted.characteristic)
    case .error(_, _, let code): return readRefused(index, code, at: now)
    default: return .nothing
    }
  }

  private mutating func readRefused(
    _ index: Int, _ code: AttributeError, at now: Instant
  ) -> ClientOutcome {
    if reading.receiveRefusal() { return .nothing }
    reading.cancel()
    if let outcome = secureFirst(index, code) {
      lines[index].wantReading()
      return outcome
    }
    if code == .invalidHandle, lines[index].wanted.isNeeded { searchLater(index, at: now) }
    return .readRefused(lines[index].wanted.characteristic, code)
  }

  // MARK: - Security

  /// Takes a refusal of a line that wants a secure link; `nil` where the answer counts as it is.
  ///
  /// All requests may be stopped until the link is secured, or cannot be.
  private mutating func secureFirst(_ index: Int, _ refusal: AttributeError) -> ClientOutcome? {
    switch standing.verdict(on: refusal, of: lines[index], wasOpen: wasOpen) {
    case .counts: return nil
    case .isOutdated: return .nothing
    case .holds:
      standing = .held(index, refusal)
      return .securityNeeded
    }
  }

  /// Goes on with this line after the link was secured, or was not.
  private mutating func release(_ index: Int, at now: Instant) -> ClientOutcome {
    let outcome = lines[index].isReady ? .nothing : discoveryOutcome(index, at: now)
    proceed(at: now)
    return outcome
  }

  // MARK: - The next request

  private mutating func proceed(at now: Instant) {
    guard standing.mayAsk, !transaction.isRunning else { return }
    guard let (purpose, request) = nextRequest() else { return }
    begin(request, for: purpose, at: now)
  }

  private mutating func begin(
    _ request: Request, for purpose: Transaction.Purpose, within time: Int64? = nil,
    at now: Instant
  ) {
    wasOpen = standing != .secure
    transaction.begin(request, for: purpose, within: time ?? answerTime, at: now)
  }

  private mutating func nextRequest() -> (Transaction.Purpose, Request)? {
    if let request = reading.request(handle: lines[reader].valueHandle) {
      return (.value(reader), request)
    }
    switch lines.next(isSecure: standing == .secure, isMTUDue: isMTUDue) {
    case .nothing: return nil
    case .request(let request, let purpose): return (purpose, request)
    case .mtu:
      isMTUDue = false
      return (.exchangeMTU, .exchangeMTU(clientMTU: offeredMTU))
    case .reading(let index):
      lines[index].endWanting()
      reader = index
      reading.begin()
      return reading.request(handle: lines[index].valueHandle).map { (.value(index), $0) }
    }
  }
}
