import ATT
import Bond
import Bytes
import Link
import Sensors

/// Our side as a client of a sensor: subscribes to what it measures, then asks for what it may tell.
///
/// One request at a time, in this order: the way to the measurement, the MTU, its battery, its name, and the news of
/// its battery. One that is silent is asked all but the MTU and its name again now and then: only an answer tells
/// whether it is still there, and what it was asked before may not have reached it as it was sent. One that does not
/// let us subscribe may notify all the same.
struct SensorClient: AttributeClient {
  enum Outcome: Equatable {
    case nothing
    /// Its values come from now on.
    case subscribed
    /// It does not let us subscribe.
    case unsubscribed
    /// Its values come though it does not let us subscribe: the bytes are the first one.
    case firstValue
    /// It does not have what was looked for.
    case useless
    /// It wants an encrypted link first; nothing is asked until `goOn`.
    case securityNeeded
    /// It wants one for what it can do without; likewise.
    case securityWished
    /// How full its battery is, in percent.
    case battery(UInt8)
    /// The bytes of the answer from this place on are what it calls itself.
    case name
    /// The bytes of the notification are a value.
    case value
  }

  /// What is asked for once the values come, in this order.
  private enum Extra: Equatable { case mtu, battery, name, batteryNews, nothing }

  private var discovery: Discovery
  private var transaction = Transaction()
  private var extra = Extra.mtu
  /// The way to the news of its battery, if it has one.
  private var battery: Discovery?
  /// Before that no news of it counts: each is an event.
  private var nextBatteryNews: Instant?
  private static var batteryPause: Int64 { 10_000 }
  /// Whether the battery was refused on the open link.
  private var wasBatteryRefused = false
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

  /// Where what was subscribed to is, if that is enough to subscribe again.
  var handles: SubscribedHandles {
    let handles = discovery.handles
    return discovery.subscription == .notifications && handles.configuration != 0 ? handles : .none
  }

  /// Whether it does not let us subscribe, and has notified nothing so far.
  var isUnsubscribed: Bool { discovery.isUnsubscribed }

  /// When `advance` must be called at the latest.
  var deadline: Instant? { transaction.isRunning ? transaction.deadline : silenceEnd }

  /// Lets the time pass; returns whether the bearer has ended, as an answer did not come.
  mutating func advance(to now: Instant) -> Bool {
    if let due = transaction.deadline, now >= due { return true }
    guard let due = silenceEnd, now >= due, !transaction.isRunning else { return false }
    discovery.restart()
    if extra != .mtu { extra = .battery }
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
    case .notification(let handle, let value), .indication(let handle, let value):
      return told(handle, value, at: now)
    default:
      guard transaction.isAnswered(by: pdu), let purpose = transaction.end() else {
        return .nothing
      }
      let outcome = answered(purpose, pdu)
      proceed(at: now)
      return outcome
    }
  }

  private mutating func told(
    _ handle: UInt16, _ value: Span<UInt8>, at now: Instant
  ) -> Outcome {
    if let battery, battery.isSubscribed, handle == battery.valueHandle {
      guard now >= nextBatteryNews ?? now else { return .nothing }
      nextBatteryNews = now + Self.batteryPause
      return batteryOutcome(value)
    }
    guard handle == discovery.valueHandle else { return .nothing }
    if discovery.isSubscribed { return .value }
    guard discovery.isUnsubscribed else { return .nothing }
    discovery.valueCame()
    silenceEnd = now + Self.longestSilence
    proceed(at: now)
    return .firstValue
  }

  private mutating func answered(_ purpose: Transaction.Purpose, _ pdu: ServerPDU) -> Outcome {
    switch purpose {
    case .discovery(0): return discovered(pdu)
    case .discovery:
      if case .error = pdu { battery?.refuse() } else { battery?.receive(pdu) }
    case .exchangeMTU: extra = .battery
    default: return asked(pdu)
    }
    return .nothing
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
    if discovery.isSubscribed { return .subscribed }
    return discovery.isUnsubscribed ? .unsubscribed : .useless
  }

  /// An answer to what was asked for by its type; a refusal is no news, except that a battery may want security.
  private mutating func asked(_ pdu: ServerPDU) -> Outcome {
    let isBattery = extra == .battery
    if isBattery, case .error(_, _, let code) = pdu, code.asksForSecurity, !wasBatteryRefused {
      (asking, wasBatteryRefused) = (.held, true)
      return .securityWished
    }
    extra = isBattery && !isNamed ? .name : .batteryNews
    if isBattery { battery = nil }
    guard case .readByType(let values) = pdu, let value = try? values.value(at: 0) else {
      return .nothing
    }
    guard isBattery else {
      isNamed = true
      return .name
    }
    battery = (try? values.handle(at: 0)).map {
      Discovery(
        service: .batteryService, characteristic: .batteryLevel, subscription: .notifications,
        valueHandle: $0)
    }
    return batteryOutcome(value)
  }

  private func batteryOutcome(_ value: Span<UInt8>) -> Outcome {
    // What a later definition may have behind it is ignored.
    guard !value.isEmpty, value[0] <= 100 else { return .nothing }
    return .battery(value[0])
  }

  private mutating func proceed(at now: Instant) {
    guard asking == .going, !transaction.isRunning else { return }
    if let request = discovery.request {
      return transaction.begin(request, for: .discovery(0), at: now)
    }
    guard discovery.isSubscribed else { return }
    switch extra {
    case .mtu:
      transaction.begin(.exchangeMTU(clientMTU: SensorLink.mtu), for: .exchangeMTU, at: now)
    case .battery: transaction.begin(.readByType(.all, .batteryLevel), for: .type(0), at: now)
    case .name: transaction.begin(.readByType(.all, .deviceName), for: .type(0), at: now)
    case .batteryNews:
      guard let request = battery?.request else { return extra = .nothing }
      transaction.begin(request, for: .discovery(1), at: now)
    case .nothing: break
    }
  }
}
