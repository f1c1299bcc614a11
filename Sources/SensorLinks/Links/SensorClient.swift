import ATT
import Bond
import Bytes
import Link
import Sensors

/// Our side as a client of a sensor: subscribes to what it measures, then asks for what it may tell.
///
/// One request at a time, in this order: the way to the measurement, its battery, its name. One that
/// is silent is asked all but its name again now and then: only an answer tells whether it is still
/// there, and what it was asked before may not have reached it as it was sent.
struct SensorClient: AttributeClient {
  enum Outcome: Equatable {
    case nothing
    /// Its values come from now on.
    case subscribed
    /// It does not have what was looked for, or does not let us subscribe.
    case useless
    /// It wants an encrypted link first; nothing is asked until `goOn`.
    case securityNeeded
    /// How full its battery is, in percent.
    case battery(UInt8)
    /// The bytes of the answer from this place on are what it calls itself.
    case name
    /// The bytes of the notification are a value.
    case value
  }

  /// What is asked for by its type once the values come.
  private enum Extra: Equatable { case battery, name, nothing }

  private var discovery: Discovery
  private var transaction = Transaction()
  private var extra = Extra.battery
  /// When a silence has lasted so long that it is questioned.
  private var silenceEnd: Instant?
  private static var longestSilence: Int64 { 60_000 }
  /// Whether it has said what it calls itself.
  private var isNamed = false

  /// Whether requests are sent.
  private enum Asking {
    case going
    /// The link is being secured.
    case held
    /// One was refused on the open link, and waits for a secured one.
    case refused
  }

  private var asking = Asking.going
  /// Whether a request was refused on the open link, and waits for a secured one.
  var isRefused: Bool { asking == .refused }
  /// Whether that was tried: a request that is refused on a secured link, too, is not sent again.
  private var wasRefused = false

  /// A client that looks for what a `kind` measures, first where it was `known` to be.
  init(_ kind: SensorKind, known: SubscribedHandles) {
    discovery = Discovery(
      service: kind.service, characteristic: kind.characteristic, subscription: .notifications,
      known: known)
  }

  /// Where what was subscribed to is.
  var handles: SubscribedHandles { discovery.handles }

  /// When `advance` must be called at the latest.
  var deadline: Instant? { transaction.isRunning ? transaction.deadline : silenceEnd }

  /// Lets the time pass; returns whether the bearer has ended, as an answer did not come.
  mutating func advance(to now: Instant) -> Bool {
    if let due = transaction.deadline, now >= due { return true }
    guard let due = silenceEnd, now >= due, !transaction.isRunning else { return false }
    discovery.restart()
    extra = .battery
    silenceEnd = now + Self.longestSilence
    proceed(at: now)
    return false
  }

  mutating func begin(at now: Instant) { proceed(at: now) }

  /// The request to send now; it is given once.
  mutating func takeRequest() -> Request? { transaction.takeRequest() }

  /// Takes what the sensor's server sends; what answers no request of ours changes nothing.
  mutating func receive(_ pdu: ServerPDU, at now: Instant) -> Outcome {
    if discovery.isSubscribed { silenceEnd = now + Self.longestSilence }
    switch pdu {
    case .notification(let handle, _):
      return discovery.isSubscribed && handle == discovery.valueHandle ? .value : .nothing
    case .indication: return .nothing
    default:
      guard transaction.isAnswered(by: pdu), let purpose = transaction.end() else {
        return .nothing
      }
      let outcome = purpose == .discovery(0) ? discovered(pdu) : told(pdu)
      proceed(at: now)
      return outcome
    }
  }

  /// Asks nothing from now on, as the link is being secured.
  mutating func hold() { if !isRefused { asking = .held } }

  /// Asks again, beginning with what was refused: the link is encrypted, or stays open.
  mutating func goOn(at now: Instant) {
    asking = .going
    proceed(at: now)
  }

  private mutating func discovered(_ pdu: ServerPDU) -> Outcome {
    if case .error(_, _, let code) = pdu {
      if code.asksForSecurity, !wasRefused {
        (asking, wasRefused) = (.refused, true)
        return .securityNeeded
      }
      discovery.refuse()
    } else {
      discovery.receive(pdu)
    }
    guard discovery.request == nil else { return .nothing }
    return discovery.isSubscribed ? .subscribed : .useless
  }

  /// An answer to what was asked for by its type; a refusal is no news.
  private mutating func told(_ pdu: ServerPDU) -> Outcome {
    let asked = extra
    extra = asked == .battery && !isNamed ? .name : .nothing
    guard case .readByType(let values) = pdu, let value = try? values.value(at: 0) else {
      return .nothing
    }
    if asked == .name {
      isNamed = true
      return .name
    }
    guard !value.isEmpty else { return .nothing }
    // What a later definition may have behind it is ignored.
    return value[0] <= 100 ? .battery(value[0]) : .nothing
  }

  private mutating func proceed(at now: Instant) {
    guard asking == .going, !transaction.isRunning else { return }
    if let request = discovery.request {
      transaction.begin(request, for: .discovery(0), at: now)
    } else if discovery.isSubscribed, extra != .nothing {
      let type: UUID = extra == .battery ? .batteryLevel : .deviceName
      transaction.begin(.readByType(.all, type), for: .type(0), at: now)
    }
  }
}
