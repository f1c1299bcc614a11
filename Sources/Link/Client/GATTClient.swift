package import ATT
package import Bond
package import Bytes

/// Our side as a client: asks for the lines of a table, one request at a time.
///
/// The order: MTU, as soon as there is a link, the parts of a value that is being read, then the first
/// line of the table that has something to ask. A line that is needed holds back those behind it until
/// it is found.
package struct GATTClient: AttributeClient, ~Copyable {
  /// What we offer: more than the longest value and its opcode, so one read is enough.
  static var longestMTU: UInt16 { 517 }

  package private(set) var mtu = SmallestMTU.count
  package private(set) var peerName = FixedBuffer<32>()
  /// How full the phone's battery is, in percent, if the phone has sent it.
  package private(set) var battery: UInt8?
  private(set) var transaction = Transaction()
  package private(set) var lines: Wanted.Lines<WantedState>
  private var reading = LongRead()
  /// The last value that came unasked, apart from a value whose parts are being read.
  private var told = FixedBuffer<512>()
  /// Where the newest value is.
  private var newest = Newest.read
  /// The line whose value is in `reading`.
  private var reader = 0
  private var patience: Patience
  /// Whether the link must be secured before the subscription, whatever the phone says.
  let demandsSecurity: Bool
  /// Whether nothing else is asked for before all that is needed is found.
  private let insists: Bool
  /// The MTU that this phone is offered.
  let offeredMTU: UInt16
  private(set) var standing = Standing.silent

  /// `isServiceExpected` says that this phone had what is needed when it was connected before, and
  /// `known` where.
  ///
  /// A client that `insists` asks for nothing else before this is found.
  package init(
    _ table: Wanted.Lines<Wanted>, known: Bond.Handles = Bond.Handles(),
    isServiceExpected: Bool, demandsSecurity: Bool = false, insists: Bool = true,
    takesLongFrames: Bool = true
  ) {
    lines = InlineArray { index in
      WantedState(table[index], known: table[index].role.map { known[$0] } ?? .none)
    }
    patience = isServiceExpected ? .waits(Patience.first) : .none
    self.demandsSecurity = demandsSecurity
    self.insists = insists
    offeredMTU = takesLongFrames ? Self.longestMTU : UInt16(truncatingIfNeeded: SmallestMTU.count)
  }

  /// The value that came with the last `notification` or `value`.
  package var value: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { newest == .told ? told.bytes : reading.value.bytes }
  }

  /// Whether `value` is only the beginning of a value that kept changing.
  package var isValueCut: Bool { newest == .read && reading.isCut }

  /// The request to send now; it is given once.
  package mutating func takeRequest() -> Request? { transaction.takeRequest() }

  /// Asks for the MTU, which reveals nothing: the answer comes while the encryption begins.
  package mutating func exchangeMTU(at now: Instant) {
    guard offeredMTU > SmallestMTU.count else { return }
    transaction.begin(.exchangeMTU(clientMTU: offeredMTU), for: .exchangeMTU, at: now)
  }

  /// Asks for the MTU, unless the phone has asked us.
  mutating func exchangeMTUOnce(at now: Instant) {
    if mtu == SmallestMTU.count { exchangeMTU(at: now) }
  }

  package mutating func begin(at now: Instant) {
    if standing == .silent { standing = .open }
    proceed(at: now)
  }

  /// When `advance` must be called at the latest.
  package var deadline: Instant? { earlier(transaction.deadline, patience.nextSearch) }

  /// Lets the time pass; returns whether the bearer has ended, as an answer did not come.
  package mutating func advance(to now: Instant) -> Bool {
    if let due = transaction.deadline, now >= due { return true }
    guard let due = patience.nextSearch, now >= due else { return false }
    if insists { search(at: now) } else { searchNeeded(at: now) }
    return false
  }

  /// Asks for a value of the table; a value that is being read is read once more, unless this happens anyway.
  package mutating func read(_ characteristic: UUID, at now: Instant) {
    guard let index = line(of: characteristic) else { return }
    if index == reader, reading.step == .outdated { return }
    lines[index].wantReading()
    proceed(at: now)
  }

  /// Writes a value of the table once its line is found; a value that waits for this is replaced.
  package mutating func write(_ value: ShortValue, to characteristic: UUID, at now: Instant) {
    guard let index = line(of: characteristic) else { return }
    lines[index].write(value)
    proceed(at: now)
  }

  /// Subscribes to a value of the table once more, as the phone may have forgotten that.
  package mutating func renew(_ characteristic: UUID, at now: Instant) {
    guard let index = line(of: characteristic) else { return }
    lines[index].renew()
    proceed(at: now)
  }

  /// The link is encrypted now: what was refused is asked once more (Vol 3, Part C, 10.3.2).
  package mutating func secured(at now: Instant) -> Outcome {
    let held = standing.become(.secure)
    for index in lines.indices { lines[index].secured() }
    var outcome = Outcome.nothing
    if let held { outcome = release(held.line, at: now) }
    proceed(at: now)
    return outcome
  }

  /// The link cannot be encrypted: what was refused stays refused.
  package mutating func insecure(at now: Instant) -> Outcome {
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

  /// The peer has sent its MTU, in a request or a response: it holds for both sides (Vol 3, Part F, 3.4.2).
  mutating func learnPeerMTU(_ peerMTU: UInt16) {
    mtu = max(SmallestMTU.count, Int(min(peerMTU, offeredMTU)))
  }

  /// Takes a PDU of the server.
  ///
  /// A response to no request of ours changes nothing.
  package mutating func receive(_ pdu: ServerPDU, at now: Instant) -> Outcome {
    switch pdu {
    case .notification(let handle, let bytes): return told(.notifications, handle, bytes, at: now)
    case .indication(let handle, let bytes): return told(.indications, handle, bytes, at: now)
    default:
      guard transaction.isAnswered(by: pdu) else { return .nothing }
      newest = .read
      var outcome = Outcome.nothing
      if let purpose = transaction.end() { outcome = answered(purpose, pdu, at: now) }
      proceed(at: now)
      return outcome
    }
  }

  package func line(of characteristic: UUID) -> Int? {
    for index in lines.indices where lines[index].wanted.characteristic == characteristic {
      return index
    }
    return nil
  }

  // MARK: - What comes without being asked for

  private mutating func told(
    _ subscription: Wanted.Subscription, _ handle: UInt16, _ bytes: Span<UInt8>, at now: Instant
  ) -> Outcome {
    for index in lines.indices where lines[index].isTold(by: subscription, from: handle) {
      let characteristic = lines[index].wanted.characteristic
      if characteristic == .serviceChanged {
        let changed = HandleRange(serviceChanged: bytes)
        search(changed, at: now)
        return .handlesChanged(changed)
      }
      if index == reader {
        reading.hear(notified: bytes, identifierCount: lines[index].wanted.identifierCount)
      }
      told.assign(bytes)
      newest = .told
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

  /// Looks once more for the needed lines that are missing.
  package mutating func searchNeeded(at now: Instant) {
    patience.searchBegan()
    for index in lines.indices where lines[index].isMissed && !lines[index].isSought {
      lines[index].restart()
    }
    proceed(at: now)
  }

  /// Stops looking for the needed lines, until the phone says that they are there.
  package mutating func searchNoMore() { patience.searchBegan() }

  /// The answer that is awaited for this line does not count: what was being read is read again.
  private mutating func giveUpAsking(for index: Int) {
    if transaction.disown(line: index) == .reading { lines[index].wantReading() }
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
  ) -> Outcome {
    switch purpose {
    case .exchangeMTU:
      if case .exchangeMTU(let serverMTU) = pdu { learnPeerMTU(serverMTU) }
      return .nothing
    case .discovery(let index): return discovered(index, pdu, at: now)
    case .type(let index): return readByType(index, pdu)
    case .value(let index): return read(index, pdu, at: now)
    case .write(let index): return written(index, pdu)
    }
  }

  private mutating func discovered(_ index: Int, _ pdu: ServerPDU, at now: Instant) -> Outcome {
    if case .error(_, _, let code) = pdu, maySecure(for: index, code) { return hold(index, code) }
    if let range = lines[index].receive(pdu) { return .handlesChanged(range) }
    let outcome = discoveryOutcome(index, at: now)
    if case .error(_, _, let code) = pdu, outcome == .nothing, lines[index].isReady,
      !lines[index].wanted.isNeeded
    {
      return .refused(lines[index].wanted.characteristic, code)
    }
    return outcome
  }

  private func written(_ index: Int, _ pdu: ServerPDU) -> Outcome {
    let characteristic = lines[index].wanted.characteristic
    if case .error(_, _, let code) = pdu { return .refused(characteristic, code) }
    return .written(characteristic)
  }

  private mutating func discoveryOutcome(_ index: Int, at now: Instant) -> Outcome {
    guard let discovery = lines[index].discovery else { return .nothing }
    if demandsSecurity, discovery.isLocated, maySecure(for: index, .insufficientEncryption) {
      return hold(index, .insufficientEncryption)
    }
    switch discovery.state {
    case .found:
      lines[index].becomeReady()
      guard lines[index].wanted.isNeeded else {
        return lines[index].found(isSubscribed: discovery.isSubscribed)
      }
      guard !isAnyMissed else { return .nothing }
      patience.serviceFound()
      return .ready
    case .missing:
      guard lines[index].wanted.isNeeded else { return lines[index].found(isSubscribed: false) }
      guard patience != .none else { return .serviceMissing }
      searchLater(index, at: now)
      return .waiting
    default: return .nothing
    }
  }

  private mutating func readByType(_ index: Int, _ pdu: ServerPDU) -> Outcome {
    let characteristic = lines[index].wanted.characteristic
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

  private mutating func read(_ index: Int, _ pdu: ServerPDU, at now: Instant) -> Outcome {
    switch pdu {
    case .read(let part), .readBlob(let part):
      return readOutcome(index, reading.receive(part, partCount: mtu - 1))
    case .error(_, _, let code): return readRefused(index, code, at: now)
    default: return .nothing
    }
  }

  private mutating func readRefused(
    _ index: Int, _ code: AttributeError, at now: Instant
  ) -> Outcome {
    if reading.receiveRefusal() { return .nothing }
    reading.cancel()
    if maySecure(for: index, code) {
      lines[index].wantReading()
      return hold(index, code)
    }
    if code == .invalidHandle, lines[index].wanted.isNeeded { searchLater(index, at: now) }
    return .readRefused(lines[index].wanted.characteristic, code)
  }

  private mutating func readOutcome(_ index: Int, _ progress: LongRead.Progress) -> Outcome {
    guard progress == .whole else { return .nothing }
    if lines[index].wanted.isNeeded { patience.begin() }
    lines[index].know()
    return .value(lines[index].wanted.characteristic)
  }

  // MARK: - Security

  /// Whether the link is to be secured because a request of this line was refused.
  private func maySecure(for index: Int, _ code: AttributeError) -> Bool {
    lines[index].wanted.security == .demanded && code.asksForSecurity && standing == .open
  }

  /// Stops all requests until the link is secured, or cannot be.
  private mutating func hold(_ index: Int, _ code: AttributeError) -> Outcome {
    standing = .held(index, code)
    return .securityNeeded
  }

  /// Goes on with this line after the link was secured, or was not.
  private mutating func release(_ index: Int, at now: Instant) -> Outcome {
    let outcome = lines[index].isReady ? .nothing : discoveryOutcome(index, at: now)
    proceed(at: now)
    return outcome
  }

  // MARK: - The next request

  private mutating func proceed(at now: Instant) {
    guard standing.mayAsk, !transaction.isRunning else { return }
    guard let (purpose, request) = nextRequest() else { return }
    transaction.begin(request, for: purpose, at: now)
  }

  private mutating func nextRequest() -> (Transaction.Purpose, Request)? {
    if let request = reading.request(handle: lines[reader].valueHandle) {
      return (.value(reader), request)
    }
    for index in lines.indices where standing == .secure && lines[index].wanted.isFirstIfSecure {
      if let request = lines[index].takeRequest() { return (.discovery(index), request) }
    }
    for index in lines.indices where lines[index].isAllowed(isSecure: standing == .secure) {
      if let request = lines[index].takeRequest() {
        return (lines[index].discovery == nil ? .type(index) : .discovery(index), request)
      }
      if let request = lines[index].takeWrite() { return (.write(index), request) }
      if lines[index].isReady, lines[index].isReadWanted { return beginReading(index) }
      if insists, lines[index].isMissed { return nil }
    }
    return nil
  }

  private mutating func beginReading(_ index: Int) -> (Transaction.Purpose, Request)? {
    lines[index].endWanting()
    reader = index
    reading.begin()
    return reading.request(handle: lines[index].valueHandle).map { (.value(index), $0) }
  }
}
