import ATT
import Bytes

/// Our side as a client: one request at a time, to find, subscribe and read one characteristic.
///
/// The order: MTU, the characteristic, whatever reads are asked for, and in
/// the pauses Service Changed, the phone's name and how full its battery is.
struct GATTClient: ~Copyable {
  enum Outcome: Equatable {
    case nothing
    case ready
    case name
    case battery
    case notification
    case value
    case readRefused(AttributeError)
    case serviceMissing
    /// The service is missing and looked for again and again.
    case waiting
    /// Nothing goes on before the link is secured, or cannot be: `secured` or `insecure` follows.
    case securityNeeded
  }

  private enum Transaction {
    case exchangeMTU, discovery, read, upkeep, name, battery
  }

  /// The bearer ends if an answer takes longer.
  ///
  /// Core Specification, Vol 3, Part F, 3.3.3.
  static var timeout: Int64 { 30_000 }
  /// What we offer: more than the longest value and its opcode, so one read is enough.
  static var offeredMTU: UInt16 { 517 }
  private static var minMTU: Int { 23 }
  /// A service that vanished is looked for after 2 s, and ever more rarely, at last every 30 s.
  private static var firstSearchDelay: Int64 { 2_000 }
  private static var lastSearchDelay: Int64 { 30_000 }

  private(set) var mtu = GATTClient.minMTU
  private(set) var peerName = FixedBuffer<32>()
  /// How full the phone's battery is, in percent, if it told.
  private(set) var battery: UInt8?
  private var isMTUExchanged = false
  private var discovery: Discovery
  private var upkeep = Discovery(
    service: .genericAttribute, characteristic: .serviceChanged, subscription: 0x0002)
  private var reading = LongRead()
  private var isReadWanted = false
  private(set) var isReady = false
  /// Whether this phone has the service at times, so that it is worth waiting for.
  private var isServiceExpected: Bool
  private var searchDelay = GATTClient.firstSearchDelay
  private var nextSearch: Instant?
  private var isNameAsked = false
  private var isBatteryWanted = true
  private var transaction: Transaction?
  private var request: Request?
  private var isRequestSent = true
  private var answerDeadline: Instant?
  /// Whether the link must be secured before the subscription, whatever the phone says.
  private let demandsSecurity: Bool
  /// Whether the link is being secured, and all requests wait for it.
  private var isHeld = false
  /// Why the phone wanted a secure link.
  private var refusal = AttributeError.insufficientAuthentication
  /// Whether the link was secured, or could not be: the phone's wish for it is followed once.
  private var isSecurityDecided = false
  /// Whether the answer to come belongs to a search that was begun anew since.
  private var isAnswerStale = false

  /// `isServiceExpected` says that this phone had the service when it was connected before.
  init(
    service: UUID, characteristic: UUID, isServiceExpected: Bool, demandsSecurity: Bool = false
  ) {
    self.isServiceExpected = isServiceExpected
    self.demandsSecurity = demandsSecurity
    discovery = Discovery(
      service: service, characteristic: characteristic, subscription: 0x0001)
  }

  /// The value that came with the last `notification` or `value`.
  var value: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { reading.value.bytes }
  }

  var isSubscribed: Bool { discovery.isSubscribed }

  /// The request to send now; it is given once.
  mutating func takeRequest() -> Request? {
    guard !isRequestSent else { return nil }
    isRequestSent = true
    return request
  }

  mutating func begin(at now: Instant) { proceed(at: now) }

  /// When `advance` must be called at the latest.
  var deadline: Instant? { earlier(answerDeadline, nextSearch) }

  /// Lets the time pass; returns whether the bearer has ended, as an answer did not come.
  mutating func advance(to now: Instant) -> Bool {
    if let due = answerDeadline, now >= due { return true }
    if let due = nextSearch, now >= due { search(at: now) }
    return false
  }

  /// Asks for the value; if it is being read, it is read once more afterwards.
  mutating func read(at now: Instant) {
    isReadWanted = true
    proceed(at: now)
  }

  /// Asks how full the battery is, once more.
  mutating func readBattery(at now: Instant) {
    isBatteryWanted = true
    proceed(at: now)
  }

  /// The link is encrypted now: what was refused is asked once more (Vol 3, Part C, 10.3.2).
  mutating func secured(at now: Instant) -> Outcome {
    isSecurityDecided = true
    // Phones may tell it to those only whom they trust.
    if battery == nil { isBatteryWanted = true }
    let outcome = release(at: now)
    proceed(at: now)
    return outcome
  }

  /// The link cannot be encrypted: what was refused stays refused.
  mutating func insecure(at now: Instant) -> Outcome {
    isSecurityDecided = true
    guard isHeld else { return .nothing }
    if case .subscription = discovery.state { discovery.refuse() }
    guard isReady else { return release(at: now) }
    isReadWanted = false
    _ = release(at: now)
    return .readRefused(refusal)
  }

  /// Goes on after the link was secured, or was not.
  private mutating func release(at now: Instant) -> Outcome {
    guard isHeld else { return .nothing }
    isHeld = false
    let outcome = isReady ? .nothing : discoveryOutcome(at: now)
    proceed(at: now)
    return outcome
  }

  /// Stops all requests until the link is secured, or cannot be.
  private mutating func hold(_ code: AttributeError) -> Outcome {
    refusal = code
    isHeld = true
    return .securityNeeded
  }

  /// The peer asked for the MTU first: the answer holds for both sides (Vol 3, Part F, 3.4.2).
  mutating func takePeerMTU(_ peerMTU: UInt16) {
    mtu = max(Self.minMTU, Int(min(peerMTU, Self.offeredMTU)))
    isMTUExchanged = true
  }

  /// Takes what the server sends.
  ///
  /// Whatever answers no request of ours changes nothing.
  mutating func receive(_ pdu: ServerPDU, at now: Instant) -> Outcome {
    switch pdu {
    case .notification(let handle, let bytes): return notified(handle, bytes)
    case .indication(let handle, _): return indicated(handle, at: now)
    case .error(let opcode, _, let code):
      guard transaction != nil, request?.opcode == opcode else { return .nothing }
      return answered(at: now) { client, transaction in
        client.refused(transaction, code, at: now)
      }
    default:
      guard let request, transaction != nil, pdu.answers(request) else { return .nothing }
      return answered(at: now) { client, transaction in client.taken(transaction, pdu, at: now) }
    }
  }

  // MARK: - What comes without being asked for

  private mutating func notified(_ handle: UInt16, _ bytes: Span<UInt8>) -> Outcome {
    guard discovery.valueHandle != 0, handle == discovery.valueHandle else { return .nothing }
    // The parts of a value must not be mixed with another; before the first part there are none.
    if reading.step == .more || reading.step == .check {
      isReadWanted = true
      return .nothing
    }
    reading.assign(bytes)
    searchDelay = Self.firstSearchDelay
    return .notification
  }

  private mutating func indicated(_ handle: UInt16, at now: Instant) -> Outcome {
    guard upkeep.valueHandle != 0, handle == upkeep.valueHandle else { return .nothing }
    search(at: now)
    return .nothing
  }

  /// Looks for the service anew, as its handles may have changed.
  private mutating func search(at now: Instant) {
    nextSearch = nil
    isReady = false
    isAnswerStale = transaction != nil && transaction != .exchangeMTU
    reading.cancel()
    discovery.restart()
    proceed(at: now)
  }

  // MARK: - Answers

  private mutating func answered(
    at now: Instant, _ take: (inout GATTClient, Transaction) -> Outcome
  ) -> Outcome {
    guard let done = transaction else { return .nothing }
    transaction = nil
    request = nil
    answerDeadline = nil
    let outcome = isAnswerStale ? .nothing : take(&self, done)
    isAnswerStale = false
    proceed(at: now)
    return outcome
  }

  private mutating func taken(
    _ transaction: Transaction, _ pdu: ServerPDU, at now: Instant
  ) -> Outcome {
    switch (transaction, pdu) {
    case (.exchangeMTU, .exchangeMTU(let serverMTU)):
      takePeerMTU(serverMTU)
      return .nothing
    case (.discovery, _):
      discovery.take(pdu)
      return discoveryOutcome(at: now)
    case (.upkeep, _):
      upkeep.take(pdu)
      return .nothing
    case (.read, .read(let part)), (.read, .readBlob(let part)):
      return readOutcome(reading.take(part, partCount: mtu - 1))
    case (.name, .readByType(let values)):
      guard let name = try? values.value(at: 0) else { return .nothing }
      peerName.assign(name)
      return .name
    case (.battery, .readByType(let values)):
      guard let level = try? values.value(at: 0), level.count == 1, level[0] <= 100 else {
        return .nothing
      }
      battery = level[0]
      return .battery
    default: return .nothing
    }
  }

  private mutating func refused(
    _ transaction: Transaction, _ code: AttributeError, at now: Instant
  ) -> Outcome {
    switch transaction {
    case .exchangeMTU, .name, .battery: return .nothing
    case .discovery:
      if code.asksForSecurity, !isSecurityDecided { return hold(code) }
      discovery.refuse()
      return discoveryOutcome(at: now)
    case .upkeep:
      upkeep.refuse()
      return .nothing
    case .read:
      // A refused part after the first is the value's end. Vol 3, Part F, 3.4.4.5.
      if reading.step == .more { return readOutcome(reading.takeEnd()) }
      reading.cancel()
      if code.asksForSecurity, !isSecurityDecided {
        isReadWanted = true
        return hold(code)
      }
      if code == .invalidHandle { searchLater(at: now) }
      return .readRefused(code)
    }
  }

  private mutating func discoveryOutcome(at now: Instant) -> Outcome {
    if demandsSecurity, !isSecurityDecided, discovery.valueHandle != 0 {
      switch discovery.state {
      case .found, .subscription: return hold(.insufficientEncryption)
      default: break
      }
    }
    switch discovery.state {
    case .found:
      isReady = true
      isServiceExpected = true
      return .ready
    case .missing:
      guard isServiceExpected else { return .serviceMissing }
      searchLater(at: now)
      return .waiting
    default: return .nothing
    }
  }

  private mutating func searchLater(at now: Instant) {
    isReady = false
    nextSearch = now + searchDelay
    searchDelay = min(searchDelay * 2, Self.lastSearchDelay)
  }

  private mutating func readOutcome(_ progress: LongRead.Progress) -> Outcome {
    guard progress == .whole else { return .nothing }
    searchDelay = Self.firstSearchDelay
    return .value
  }

  // MARK: - The next request

  private mutating func proceed(at now: Instant) {
    guard transaction == nil, let (next, request) = nextRequest() else { return }
    transaction = next
    self.request = request
    isRequestSent = false
    answerDeadline = now + Self.timeout
  }

  private mutating func nextRequest() -> (Transaction, Request)? {
    guard !isHeld else { return nil }
    if !isMTUExchanged {
      isMTUExchanged = true
      return (.exchangeMTU, .exchangeMTU(clientMTU: Self.offeredMTU))
    }
    if let request = discovery.request { return (.discovery, request) }
    guard isReady else { return nil }
    if reading.step == .idle, isReadWanted {
      isReadWanted = false
      reading.begin()
    }
    if let request = reading.request(handle: discovery.valueHandle) { return (.read, request) }
    if let request = upkeep.request { return (.upkeep, request) }
    if !isNameAsked {
      isNameAsked = true
      return (.name, .readByType(.all, .deviceName))
    }
    if isBatteryWanted {
      isBatteryWanted = false
      return (.battery, .readByType(.all, .batteryLevel))
    }
    return nil
  }
}

extension AttributeError {
  /// Whether the same request may be granted on a link that is encrypted, or better so.
  fileprivate var asksForSecurity: Bool {
    self == .insufficientAuthentication || self == .insufficientEncryption
      || self == .encryptionKeySizeTooShort
  }
}

extension ServerPDU {
  /// Whether it is the response that belongs to `request`.
  fileprivate func answers(_ request: Request) -> Bool {
    switch (self, request) {
    case (.exchangeMTU, .exchangeMTU), (.findInformation, .findInformation),
      (.findByTypeValue, .findPrimaryService), (.readByType, .readByType), (.read, .read),
      (.readBlob, .readBlob), (.write, .write):
      true
    default: false
    }
  }
}
