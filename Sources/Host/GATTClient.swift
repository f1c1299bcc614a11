import ATT
import Bytes

/// Our side as a client: one request at a time, to find, subscribe and read one characteristic.
///
/// The order: MTU, the characteristic, whatever reads are asked for, and in
/// the pauses Service Changed and the phone's name.
struct GATTClient: ~Copyable {
  enum Outcome: Equatable {
    case nothing
    case ready
    case name
    case notification
    case value
    case readRefused(AttributeError)
    case serviceMissing
  }

  private enum Transaction {
    case exchangeMTU, discovery, read, upkeep, name
  }

  /// The bearer ends if an answer takes longer.
  ///
  /// Core Specification, Vol 3, Part F, 3.3.3.
  static var timeout: Int64 { 30_000 }
  /// What we offer: more than the longest value and its opcode, so one read is enough.
  static var offeredMTU: UInt16 { 517 }
  private static var minMTU: Int { 23 }

  private(set) var mtu = GATTClient.minMTU
  private(set) var peerName = FixedBuffer<32>()
  private var isMTUExchanged = false
  private var discovery: Discovery
  private var upkeep = Discovery(
    service: .genericAttribute, characteristic: .serviceChanged, subscription: 0x0002)
  private var reading = LongRead()
  private var isReadWanted = false
  private var isReady = false
  private var isNameAsked = false
  private var transaction: Transaction?
  private var request: Request?
  private var isRequestSent = true
  private(set) var deadline: Instant?

  init(service: UUID, characteristic: UUID) {
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

  /// Asks for the value; if it is being read, it is read once more afterwards.
  mutating func read(at now: Instant) {
    isReadWanted = true
    proceed(at: now)
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
      return answered(at: now) { client, transaction in client.refused(transaction, code) }
    default:
      guard let request, transaction != nil, pdu.answers(request) else { return .nothing }
      return answered(at: now) { client, transaction in client.taken(transaction, pdu) }
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
    return .notification
  }

  private mutating func indicated(_ handle: UInt16, at now: Instant) -> Outcome {
    guard upkeep.valueHandle != 0, handle == upkeep.valueHandle else { return .nothing }
    discovery.restart()
    upkeep.restart()
    isReady = false
    proceed(at: now)
    return .nothing
  }

  // MARK: - Answers

  private mutating func answered(
    at now: Instant, _ take: (inout GATTClient, Transaction) -> Outcome
  ) -> Outcome {
    guard let done = transaction else { return .nothing }
    transaction = nil
    request = nil
    deadline = nil
    let outcome = take(&self, done)
    proceed(at: now)
    return outcome
  }

  private mutating func taken(_ transaction: Transaction, _ pdu: ServerPDU) -> Outcome {
    switch (transaction, pdu) {
    case (.exchangeMTU, .exchangeMTU(let serverMTU)):
      takePeerMTU(serverMTU)
      return .nothing
    case (.discovery, _):
      discovery.take(pdu)
      return discoveryOutcome()
    case (.upkeep, _):
      upkeep.take(pdu)
      return .nothing
    case (.read, .read(let part)), (.read, .readBlob(let part)):
      return readOutcome(reading.take(part, partCount: mtu - 1))
    case (.name, .readByType(let values)):
      guard let name = try? values.value(at: 0) else { return .nothing }
      peerName.assign(name)
      return .name
    default: return .nothing
    }
  }

  private mutating func refused(_ transaction: Transaction, _ code: AttributeError) -> Outcome {
    switch transaction {
    case .exchangeMTU, .name: return .nothing
    case .discovery:
      discovery.refuse()
      return discoveryOutcome()
    case .upkeep:
      upkeep.refuse()
      return .nothing
    case .read:
      // A refused part after the first is the value's end. Vol 3, Part F, 3.4.4.5.
      if reading.step == .more { return readOutcome(reading.takeEnd()) }
      reading.cancel()
      return .readRefused(code)
    }
  }

  private mutating func discoveryOutcome() -> Outcome {
    switch discovery.state {
    case .found:
      isReady = true
      return .ready
    case .missing: return .serviceMissing
    default: return .nothing
    }
  }

  private func readOutcome(_ progress: LongRead.Progress) -> Outcome {
    progress == .whole ? .value : .nothing
  }

  // MARK: - The next request

  private mutating func proceed(at now: Instant) {
    guard transaction == nil, let (next, request) = nextRequest() else { return }
    transaction = next
    self.request = request
    isRequestSent = false
    deadline = now + Self.timeout
  }

  private mutating func nextRequest() -> (Transaction, Request)? {
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
    return nil
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
