import Bytes
import Hexadecimal

/// A sensor: a small attribute server, with the habits of real ones as switches.
///
/// Written from the Core Specification, Vol 3, Parts F and G, the services' own specifications and
/// recordings. It knows neither our client nor our parsers.
package final class VirtualSensor {
  /// What it measures; `cadence` is the crank alone, and looks like `speed` from outside.
  package enum Kind: CaseIterable, Sendable { case heart, speed, power, radar, cadence }

  package let kind: Kind

  /// A sensor with a static random address that ends in this number; without a name of its own, a usual one.
  package init(_ kind: Kind, number: UInt8 = 1, name: String? = nil) {
    (self.kind, voice) = (kind, kind)
    address = [0x01, number, 0x5E, 0x50, 0x52, 0x00, 0xC0]
    let name = name ?? kind.facts.name
    (self.name, features) = (name, kind.facts.features)
    advertisement = kind.usualAdvertisement(name)
  }

  package var address: [UInt8]
  /// The address as our modules have it.
  package var deviceAddress: DeviceAddress { VirtualAir.deviceAddress(address) }
  /// Whether it is awake and in reach, and so advertises when it is not connected.
  package var isNear = true
  package var advertisement: [UInt8]
  /// What it answers to active scanning.
  package var scanResponse: [UInt8] = []

  // MARK: - What it has

  package var name: String
  /// The value of Battery Level, if there is one.
  package var battery: UInt8? = 87
  /// Bytes after the battery's level, as a later specification may add them.
  package var batteryTail: [UInt8] = []
  /// The value of the feature characteristic, or of the body's location; it may lie.
  package var features: [UInt8]
  package var hasService = true
  package var hasCCCD = true
  /// What else it measures: one service more for each.
  package var others: [Kind] = []
  /// Bit 4: a measurement is notified; bit 5: it is indicated.
  package var properties: UInt8 = 0x10
  /// Whether its battery can be subscribed to.
  package var notifiesBattery = false
  package var mtu: UInt16 = 23
  /// What is written to the switch of a Crownstone, if it has one; it takes one byte.
  package var switched: [UInt8]?
  /// How far the handles of its services are from the usual ones.
  package var shift: UInt16 = 0

  // MARK: - How it behaves

  /// What it asks for by L2CAP after a subscription: shortest and longest interval, latency, timeout.
  package var wantedParameters: [UInt16]?
  /// Whether it leaves when these parameters are refused.
  package var leavesWhenRefused = false
  package var withheld: Set<UInt8> = []
  package var errors: [UInt8: UInt8] = [:]
  /// The error that subscribing gets on a link that is not encrypted.
  package var openLinkError: UInt8?
  /// The error that reading its battery gets on a link that is not encrypted.
  package var openBatteryError: UInt8?
  /// Whether it notifies without a subscription.
  package var notifiesUnasked = false
  /// The kind whose values it notifies now, if it measures several.
  package var voice: Kind
  package var security: VirtualSecurity?
  /// Whether it sends a Security Request as soon as it is connected.
  package var requestsSecurity = false
  /// Whether it leaves when its Security Request is declined.
  package var leavesWhenDeclined = false
  /// The server that answers each request in place of its own attributes.
  package var madeUp: MadeUpServer?
  /// After this number of requests it ends the link, or answers no more.
  package var requestLimit: (count: Int, leaves: Bool)?
  /// Attribute PDUs that it sends as soon as it is connected, as a client of ours.
  package var ownRequests: [[UInt8]] = []

  // MARK: - What came

  package var isEncrypted = false
  /// What was written to each Client Characteristic Configuration, by its handle.
  var subscriptions: [UInt16: UInt8] = [:]
  package var isSubscribed: Bool {
    get { subscriptions[configurationHandle(of: kind)] ?? 0 != 0 }
    set { subscriptions[configurationHandle(of: kind)] = newValue ? 1 : 0 }
  }
  /// The opcodes of all requests.
  package internal(set) var requests: [UInt8] = []
  /// What came on any channel and was no request, the channel first.
  package internal(set) var answers: [[UInt8]] = []
  /// The result of its request for other parameters (Vol 3, Part A, 4.21).
  package internal(set) var parameterResult: UInt16?
  package internal(set) var leavingReason: UInt8?
  var agreedMTU = 23
  /// How often a value was read from its beginning.
  private var reading: UInt8 = 0

  package func forgetRequests() {
    requests.removeAll(keepingCapacity: true)
    answers.removeAll(keepingCapacity: true)
  }
}

extension VirtualSensor: VirtualPeer {
  package func linkWasMade(_ send: (UInt8, [UInt8]) -> Void) {
    if requestsSecurity { send(0x06, [0x0B, 0x01]) }
    for request in ownRequests { send(0x04, request) }
  }

  package func linkWasLost() {
    subscriptions = [:]
    isEncrypted = false
    agreedMTU = 23
    leavingReason = nil
  }

  package func take(channel: UInt8, _ payload: [UInt8], _ send: (UInt8, [UInt8]) -> Void) {
    guard let code = payload.first else { return }
    if channel == 0x06, code == 0x05, leavesWhenDeclined { leavingReason = 0x13 }
    if channel == 0x06, let security {
      for answer in security.answers(payload, phone: address) { send(0x06, answer) }
      return
    }
    switch channel {
    case 0x05 where code == 0x13 && payload.count == 6:
      parameterResult = u16(payload, 4)
      if parameterResult != 0, leavesWhenRefused { leavingReason = 0x3B }
    case 0x04 where code & 1 == 0 && code != 0x1E:
      requests.append(code)
      guard !withheld.contains(code), !isPastLimit else { return }
      if let madeUp {
        if code == 0x0A { reading &+= 1 }
        for answer in madeUp.answers(to: payload, reading: reading) { send(0x04, answer) }
        return
      }
      let wasSubscribed = isSubscribed
      if let answer = answer(payload) { send(0x04, answer) }
      if isSubscribed, !wasSubscribed, let wantedParameters {
        send(0x05, bytes("12 01 08 00") + wantedParameters.flatMap(little))
      }
    default: answers.append([channel] + payload)
    }
  }

  /// Whether the limit of requests is passed; then it also leaves, if the limit says so.
  private var isPastLimit: Bool {
    guard let limit = requestLimit, requests.count > limit.count else { return false }
    if limit.leaves { leavingReason = 0x13 }
    return true
  }

  /// The notification, or indication, of a value of what it measures now, during a subscription.
  package func notification(of value: [UInt8]) -> [UInt8]? {
    notification(value, at: configurationHandle(of: voice) - 1, isUnasked: notifiesUnasked)
  }

  /// The notification of its battery, during a subscription.
  package func notification(ofBattery percent: UInt8) -> [UInt8]? {
    notification([percent], at: batteryHandle, isUnasked: false)
  }

  private func notification(_ value: [UInt8], at handle: UInt16, isUnasked: Bool) -> [UInt8]? {
    let way = subscriptions[handle + 1] ?? 0
    guard way != 0 || isUnasked else { return nil }
    return [way == 2 ? 0x1D : 0x1B] + little(handle) + value.prefix(agreedMTU - 3)
  }
}

extension VirtualSensor.Kind {
  /// What sensors of a kind have in common, unless a test changes it.
  ///
  /// UUIDs are as they are sent: 16 bits of Assigned Numbers, 128 of the radar's maker. The feature is
  /// Body Sensor Location, CSC Feature or Cycling Power Feature; `features` is its value.
  var facts:
    (service: [UInt8], measurement: [UInt8], feature: [UInt8]?, features: [UInt8], name: String)
  {
    switch self {
    // At the chest.
    case .heart: (bytes("0d 18"), bytes("37 2a"), bytes("38 2a"), [1], "Polar H10 12345678")
    // With wheel and crank.
    case .speed: (bytes("16 18"), bytes("5b 2a"), bytes("5c 2a"), [3, 0], "Wahoo SPEED 1A2B")
    case .power: (bytes("18 18"), bytes("63 2a"), bytes("65 2a"), [12, 0, 0, 0], "ASSIOMA12345L")
    case .radar:
      (
        bytes("66 9a 0c 20 00 08 9a 94 e3 11 7b 66 00 32 4e 6a"),
        bytes("66 9a 0c 20 00 08 9a 94 e3 11 7b 66 03 32 4e 6a"), nil, [], "RTL64894"
      )
    // With the crank alone.
    case .cadence: (bytes("16 18"), bytes("5b 2a"), bytes("5c 2a"), [2, 0], "Wahoo CADENCE 3C4D")
    }
  }

  /// Flags, the service in 16 bits (the radar's is its maker's), the name.
  fileprivate func usualAdvertisement(_ name: String) -> [UInt8] {
    let short = self == .radar ? bytes("1f fe") : facts.service
    let name = Array(name.utf8)
    return bytes("02 01 06 03 03") + short + [UInt8(1 + name.count), 0x09] + name
  }
}
