import ATT
import Bond
import Bytes
import Link
import Sensors

/// The client of a sensor's server: subscribes to the measurement, then asks for battery and name.
///
/// One request at a time, in this order: discovery and subscription of the measurement, the MTU, the battery, the name,
/// and a subscription to the battery. A silent sensor is asked again each minute, except for MTU and name: only an
/// answer shows that it is still there, and an earlier request may have arrived damaged. A sensor that refuses the
/// subscription may notify all the same.
struct SensorClient: AttributeClient {
  enum Outcome: Equatable {
    case nothing
    /// Its values come from now on.
    case subscribed
    /// It does not let us subscribe.
    case unsubscribed
    /// Its values come though it does not let us subscribe: the bytes are the first one.
    case firstValue
    /// It does not have the measurement.
    case useless
    /// It requires an encrypted link first; no request is sent until `goOn`.
    case securityNeeded
    /// It requires an encrypted link for an optional request; no request is sent until `goOn`.
    case securityWished
    /// How full its battery is, in percent.
    case battery(UInt8)
    /// The bytes of the answer are its name.
    case name
    /// The bytes of the notification are a value.
    case value
  }

  /// What is asked for once the values come, in this order.
  private enum Extra: Equatable { case mtu, battery, name, batteryNews, nothing }

  private var discovery: Discovery
  private var transaction = Transaction()
  private var extra = Extra.mtu
  /// The subscription to its battery, if it has one.
  private var battery: Discovery?
  /// Before this time no notification of the battery counts: each would be an event.
  private var nextBatteryNews: Instant?
  private static var batteryPause: Int64 { 10_000 }
  /// Whether the battery was refused on the open link.
  private var wasBatteryRefused = false
  /// When a silent sensor is asked again.
  private var silenceEnd: Instant?
  private static var longestSilence: Int64 { 60_000 }
  /// Whether the sensor has sent its name.
  private var isNamed = false

  /// Whether requests are sent.
  private enum Asking {
    case going
    /// The link is being secured.
    case held
    /// A request was refused on the open link, and waits for a secured one.
    case refused
  }

  private var asking = Asking.going
  /// Whether a request was refused on the open link, and waits for a secured one.
  var isRefused: Bool { asking == .refused }
  /// Whether a request has waited for a secured link before: if it is refused there, too, it is not sent again.
  private var wasRefused = false

  /// A client that looks for the measurement of a `kind`, first at the `known` handles.
  init(_ kind: SensorKind, known: SubscribedHandles) {
    discovery = Discovery(
      service: kind.service, characteristic: kind.characteristic, subscription: .notifications,
      known: known)
  }

  /// The handles of the subscription, if they are enough to subscribe again.
  var handles: SubscribedHandles {
    let handles = discovery.handles
    return discovery.subscription == .notifications && handles.configuration != 0 ? handles : .none
  }

  /// Whether it does not let us subscribe, and has notified nothing so far.
  var isUnsubscribed: Bool { discovery.isUnsubscribed }

  /// When `advance` must be called at the latest.
  var deadline: Instant? { transaction.isRunning ? transaction.deadline : silenceEnd }

  /// Advances to `now`; returns whether the bearer has ended because no answer came.
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

  /// Takes a PDU of the sensor's server; an answer without a request changes nothing.
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

  /// Sends no request from now on, as the link is being secured.
  mutating func hold() { if !isRefused { asking = .held } }

  /// Sends requests again, the refused one first: the link is encrypted, or stays open.
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

  /// Takes the answer to a Read By Type Request; a refusal only matters if the battery requires security.
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
    // Bytes that a later specification may append are ignored.
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
