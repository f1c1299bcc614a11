import ATT
import Bytes
import Link

/// The attribute client that inspects a device, or writes one of its characteristics.
struct ExplorerClient: AttributeClient, ~Copyable {
  enum Outcome: Equatable {
    case nothing
    case found(Inspection.Outcome)
    case written
    case writeRefused(AttributeError)
    /// The device does not have the characteristic to write.
    case characteristicMissing
  }

  /// The byte to write, and its characteristic.
  struct Writing {
    let service: UUID
    let characteristic: UUID
    let value: UInt8
  }

  /// How long an answer may take, in milliseconds.
  private static var answerTime: Int64 { 2_000 }
  private static var writeTime: Int64 { 4_000 }

  private(set) var inspection: Inspection
  private var discovery: Discovery
  private let writing: Writing?
  private var transaction = Transaction()
  private(set) var isDone = false

  init(inspecting reads: Bool) {
    self.init(reads: reads, nil)
  }

  init(_ writing: Writing) {
    self.init(reads: false, writing)
  }

  private init(reads: Bool, _ writing: Writing?) {
    self.writing = writing
    inspection = Inspection(reads: reads)
    let nothing = UUID(short: 0)
    discovery = Discovery(
      service: writing?.service ?? nothing, characteristic: writing?.characteristic ?? nothing,
      subscription: .notifications)
  }

  var deadline: Instant? { transaction.deadline }

  mutating func begin(at now: Instant) { proceed(at: now) }

  mutating func takeRequest() -> Request? { transaction.takeRequest() }

  mutating func advance(to now: Instant) -> Bool {
    guard let due = transaction.deadline else { return false }
    return now >= due
  }

  mutating func receive(_ pdu: ServerPDU, at now: Instant) -> Outcome {
    guard transaction.isAnswered(by: pdu), let purpose = transaction.end() else { return .nothing }
    let outcome: Outcome
    switch purpose {
    case .value: outcome = wrote(pdu)
    case .discovery: outcome = discovered(pdu)
    default: outcome = .found(inspection.receive(pdu))
    }
    proceed(at: now)
    return outcome
  }

  private mutating func discovered(_ pdu: ServerPDU) -> Outcome {
    discovery.receive(pdu)
    guard discovery.state == .missing else { return .nothing }
    isDone = true
    return .characteristicMissing
  }

  private mutating func wrote(_ pdu: ServerPDU) -> Outcome {
    isDone = true
    if case .error(_, _, let code) = pdu { return .writeRefused(code) }
    return .written
  }

  private mutating func proceed(at now: Instant) {
    guard !isDone else { return }
    guard let writing else {
      guard let request = inspection.request else {
        isDone = true
        return
      }
      return transaction.begin(request, for: .type(0), within: Self.answerTime, at: now)
    }
    if discovery.valueHandle != 0 {
      let request = Request.writeByte(handle: discovery.valueHandle, value: writing.value)
      transaction.begin(request, for: .value(0), within: Self.writeTime, at: now)
    } else if let request = discovery.request {
      transaction.begin(request, for: .discovery(0), within: Self.answerTime, at: now)
    }
  }
}
