import Hexadecimal

/// A phone that comes by itself: the central of the link layer, which connects to what the host advertises.
///
/// It does its steps one after the other. A step that asks for something ends with the answer. The phone's own
/// server, its keys and what it plays are those of `phone`, no matter which side made the link.
package final class VirtualCentral {
  package let phone: VirtualPhone
  /// What it does on each link.
  package var steps: [Step]

  package init(_ phone: VirtualPhone, _ steps: [Step] = []) {
    (self.phone, self.steps) = (phone, steps)
  }

  package enum Step: Sendable {
    /// An attribute request.
    case ask([UInt8])
    /// A frame that gets no answer.
    case say(channel: UInt8, [UInt8])
    /// Encrypts with the key of its bond, or with a wrong one.
    case encrypt
    case pair
    /// Asks for all services, characteristics and descriptors.
    case discover
    /// Writes the configuration of the characteristic with this UUID, once that was found.
    case configure([UInt8], UInt16)
    /// Writes a value of the characteristic with this UUID, in pieces, a request each.
    case write([UInt8], to: [UInt8])
    /// In milliseconds.
    case wait(Int64)
    /// Other parameters for the link, as L2CAP has them: shortest and longest interval, latency, timeout.
    case update([UInt8])
    case leave(UInt8)
  }

  // MARK: - How it behaves

  /// Whether it connects as soon as the host advertises, if it is one of `VirtualController.centrals`.
  package var isNear = true
  /// How long it takes to connect, in milliseconds.
  package var delay: Int64 = 0
  /// Address type and address of its links, if they are not those of the phone's advertisements.
  package var ownAddress: [UInt8]?
  /// The interval in units of 1.25 ms, the latency, the timeout in units of 10 ms; at first those of iOS.
  package var parameters: (interval: UInt16, latency: UInt16, timeout: UInt16) = (0x0018, 0, 0x0048)
  /// Rand and EDIV, by which keys of legacy pairing are known.
  package var random = [UInt8](repeating: 0, count: 8)
  package var diversifier: [UInt8] = [0, 0]
  /// The key that it encrypts with, if it is not that of its bond.
  package var wrongKey: [UInt8]?
  /// Whether Encryption Change reports a wrong key, before that ends the link.
  package var failsWithChange = false
  /// Whether the host gets the event of the link only after its first encryption.
  package var isReportedLate = false
  /// Whether what it sends after the encryption comes before Encryption Change, as by USB.
  package var overtakesEncryption = false
  /// Whether it encrypts, or else pairs, if a request is refused for want of that, and then repeats the request.
  package var securesWhenRefused = true
  /// Whether it does the same when the host requests it.
  package var obeysSecurityRequest = true
  /// What it does when the host has no key for it, instead of the steps that are left.
  package var whenKeyIsRefused: [Step] = [.leave(0x05)]
  /// Whether its owner has it forget a key that the host does not have.
  package var forgetsRefusedKey = false
  /// What it does when the pairing fails, instead of the steps that are left.
  package var whenPairingFails: [Step] = []
  /// What its owner says to the number.
  package var owner = Owner.agrees
  package enum Owner: Sendable { case agrees, declines, waits }
  /// Whether it confirms indications.
  package var confirms = true
  /// The answer to a request for parameters (Vol 3, Part A, 4.21), if it answers.
  package var parameterAnswer: UInt16? = 0
  /// The most bytes of a value that one request writes.
  package var piece = 20

  // MARK: - What came

  package var isEncrypted = false
  /// Each request that was answered, on all links.
  package internal(set) var exchanges: [Exchange] = []
  /// A request and its answer.
  package struct Exchange: Sendable {
    package let request: [UInt8]
    package let answer: [UInt8]
  }
  /// Notifications and indications of the host.
  package internal(set) var notifications: [[UInt8]] = []
  package internal(set) var indications: [[UInt8]] = []
  /// Commands of the host's Security Manager.
  package internal(set) var securityCommands: [[UInt8]] = []
  /// L2CAP Connection Parameter Update Requests of the host.
  package internal(set) var parameterRequests: [[UInt8]] = []
  /// How many links it had.
  package internal(set) var linkCount = 0
  /// How many pairings it began, and how many of them were whole.
  package internal(set) var pairingAttempts = 0
  package internal(set) var pairingCount = 0
  /// What the host serves, as far as it was discovered.
  package internal(set) var table = VirtualDiscovery()

  // MARK: - What it is about to do

  enum Deed {
    case send(UInt8, [UInt8])
    case encrypt
    case wait(Int64, number: Int)
    case update([UInt8])
    case leave(UInt8)
  }

  enum Waiting: Equatable {
    case nothing, answer([UInt8]), discovery([UInt8]), encryption, pairing, time
  }

  var waiting = Waiting.nothing
  /// The steps of this link that are still to be done.
  var left: [Step] = []
  private var deeds: [Deed] = []
  private var waits = 0
  /// The request that was refused last for want of security.
  private var refusedRequest: [UInt8] = []
  var isServed = false
  var pairing = InitiatedPairing()

  /// Encryption succeeds with this key alone.
  var key: [UInt8]? { wrongKey ?? security?.keyBytes }

  func takeDeed() -> Deed? { deeds.isEmpty ? nil : deeds.removeFirst() }

  func send(_ channel: UInt8, _ payload: [UInt8]) { deeds.append(.send(channel, payload)) }

  // MARK: - Steps

  func start() {
    linkCount += 1
    forgetLink()
    left = steps
    goOn()
  }

  func goOn(with more: [Step]) {
    left = more + left
    goOn()
  }

  /// Replaces all steps that are left.
  func turn(to steps: [Step]) {
    waiting = .nothing
    left = steps
    goOn()
  }

  /// Whether no step is left.
  package var hasDoneAll: Bool { waiting == .nothing && left.isEmpty }

  func goOn() {
    while waiting == .nothing, !left.isEmpty { begin(left.removeFirst()) }
  }

  private func begin(_ step: Step) {
    switch step {
    case .ask(let request): ask(request)
    case .say(let channel, let payload): send(channel, payload)
    case .encrypt: encrypt()
    case .pair: beginPairing()
    case .discover:
      table = VirtualDiscovery()
      askForTable()
    case .configure(let uuid, let value):
      guard let handle = table.configuration(of: uuid) else { return }
      ask([0x12] + little(handle) + little(value))
    case .write(let value, let uuid):
      guard let handle = table.value(of: uuid) else { return }
      left =
        stride(from: 0, to: value.count, by: piece).map {
          .ask([0x12] + little(handle) + value[$0..<min($0 + piece, value.count)])
        } + left
    case .wait(let time):
      waits += 1
      waiting = .time
      deeds.append(.wait(time, number: waits))
    case .update(let parameters): deeds.append(.update(parameters))
    case .leave(let reason): deeds.append(.leave(reason))
    }
  }

  private func ask(_ request: [UInt8]) {
    waiting = .answer(request)
    send(0x04, request)
  }

  private func askForTable() {
    guard let request = table.request else {
      waiting = .nothing
      return
    }
    waiting = .discovery(request)
    send(0x04, request)
  }

  func encrypt() {
    guard key != nil else { return }
    if waiting == .nothing { waiting = .encryption }
    deeds.append(.encrypt)
  }

  /// Ends the wait with this number and goes on; returns whether it was still waiting for that.
  func waitedEnough(_ number: Int) -> Bool {
    guard number == waits, waiting == .time else { return false }
    waiting = .nothing
    goOn()
    return true
  }

  // MARK: - What comes of them

  func encryptionBegan(isSecond: Bool) {
    isEncrypted = true
    if !isSecond { phone.isEncrypted = true }
    if waiting == .encryption { waiting = .nothing }
    distributeKeys()
    goOn()
  }

  func keyWasRefused() {
    if forgetsRefusedKey { security?.longTermKey = nil }
    turn(to: whenKeyIsRefused)
  }

  /// Receives a response or an error; an answer to no request is kept as well.
  private func receive(_ answer: [UInt8]) {
    switch waiting {
    case .answer(let request) where isAnswer(answer, to: request):
      exchanges.append(Exchange(request: request, answer: answer))
      waiting = .nothing
      if request[0] == 0x02, answer[0] == 0x03 {
        phone.agree(onMTU: Int(min(u16(request, 1), u16(answer, 1))))
      }
      if secures(request, answer) {
        left = [security?.longTermKey == nil ? .pair : .encrypt, .ask(request)] + left
      }
    case .discovery(let request) where isAnswer(answer, to: request):
      waiting = .nothing
      table.take(answer)
      askForTable()
    default: exchanges.append(Exchange(request: [], answer: answer))
    }
    goOn()
  }

  private func isAnswer(_ answer: [UInt8], to request: [UInt8]) -> Bool {
    answer[0] == 0x01 ? answer.count == 5 && answer[1] == request[0] : answer[0] == request[0] + 1
  }

  /// Whether a refusal is for want of security that can still be had: once for each request.
  private func secures(_ request: [UInt8], _ answer: [UInt8]) -> Bool {
    let isRefused = answer[0] == 0x01 && [0x05, 0x08, 0x0C, 0x0F].contains(answer[4])
    guard isRefused, securesWhenRefused, !isEncrypted, refusedRequest != request else {
      return false
    }
    refusedRequest = request
    return security != nil
  }

  func forgetLink() {
    (waiting, left, deeds, refusedRequest) = (.nothing, [], [], [])
    isEncrypted = false
    pairing = InitiatedPairing()
  }

  private func takeAttribute(_ payload: [UInt8], _ answer: VirtualPhone.Send) {
    switch payload[0] {
    case 0x1B: notifications.append(payload)
    case 0x1D:
      indications.append(payload)
      if confirms { send(0x04, [0x1E]) }
    case let code where code & 1 == 0: phone.take(channel: 0x04, payload, answer)
    default: receive(payload)
    }
  }

  private func takeSignaling(_ payload: [UInt8]) {
    guard payload[0] == 0x12, payload.count == 12 else { return }
    parameterRequests.append(payload)
    guard let parameterAnswer else { return }
    send(0x05, [0x13, payload[1], 2, 0] + little(parameterAnswer))
    if parameterAnswer == 0 { deeds.append(.update(Array(payload[4...]))) }
  }
}

extension VirtualCentral: VirtualPeer {
  package var address: [UInt8] { ownAddress ?? phone.address }
  package var security: VirtualSecurity? { phone.security }

  package func linkWasLost() {
    forgetLink()
    phone.linkWasLost()
  }

  package func take(channel: UInt8, _ payload: [UInt8], _ send: (UInt8, [UInt8]) -> Void) {
    guard !payload.isEmpty else { return }
    switch channel {
    case 0x04: takeAttribute(payload, send)
    case 0x05: takeSignaling(payload)
    case 0x06: takeSecurity(payload)
    default: break
    }
  }
}

/// The phones that come by themselves.
extension VirtualCentral {
  /// Nordic's UART Service: what is written to the host, and what it notifies.
  package static let uartRX = bytes("9e ca dc 24 0e e5 a9 e0 93 f3 a3 b5 02 00 40 6e")
  package static let uartTX = bytes("9e ca dc 24 0e e5 a9 e0 93 f3 a3 b5 03 00 40 6e")
  package static let serviceChanged = bytes("05 2a")

  /// An iPhone that has a bond: it encrypts by itself, after this time in milliseconds or never, and reads the table.
  package static func iPhone(
    _ phone: VirtualPhone, encryptsAfter time: Int64? = 0
  ) -> VirtualCentral {
    // A channel of Apple's comes first.
    let greeting: [Step] = [.say(channel: 0x3A, [0x00]), .ask(bytes("02 0f 02"))]
    let reading: [Step] = [.discover, .configure(serviceChanged, 2)]
    let security: [Step] =
      switch time {
      case nil: []
      case 0: [.encrypt]
      case let time?: [.wait(time), .encrypt]
      }
    return VirtualCentral(phone, greeting + security + reading)
  }

  /// An Android phone with Gadgetbridge, in the order of its support of Bangle.js (`BangleJSDeviceSupport`).
  ///
  /// Android encrypts if it has a key, and pairs where the host refuses something for want of one. Before version 14
  /// it asks for the MTU that the app wants, 131.
  package static func gadgetbridge(
    _ phone: VirtualPhone, mtu: UInt16 = 517, settles settling: Int64 = 300,
    time: String = "1789000000"
  ) -> VirtualCentral {
    VirtualCentral(
      phone,
      [
        .encrypt, .wait(settling), .discover, .configure(uartTX, 1), .ask([0x02] + little(mtu)),
        line(time: time, zone: "2.0"), line("GB({\"t\":\"is_gps_active\"})"),
        // Its priority "balanced": 30 ms to 50 ms.
        .update(bytes("18 00 28 00 00 00 f4 01")),
      ])
  }

  /// A phone that nobody knows: it asks and writes, and has no key.
  package static func stranger(_ phone: VirtualPhone, _ steps: [Step]? = nil) -> VirtualCentral {
    let usual: [Step] = [
      .ask(bytes("02 05 02")), .ask(bytes("0a 03 00")), .ask(bytes("12 0f 00 01 00")),
      .ask(bytes("12 0c 00 41")),
    ]
    let stranger = VirtualCentral(phone, steps ?? usual)
    (stranger.securesWhenRefused, stranger.obeysSecurityRequest) = (false, false)
    return stranger
  }

  /// A phone whose owner pairs in its settings.
  package static func pairing(_ phone: VirtualPhone) -> VirtualCentral {
    VirtualCentral(
      phone,
      [.ask(bytes("02 05 02")), .pair, .discover, .configure(serviceChanged, 2)])
  }

  /// A line of Gadgetbridge's: code for Espruino.
  package static func line(_ code: String) -> Step { line(Array(code.utf8)) }

  package static func line(_ code: [UInt8]) -> Step {
    .write([0x10] + code + [0x0A], to: uartRX)
  }

  /// Seconds since 1970, and hours east of Greenwich.
  package static func line(time: String, zone: String) -> Step {
    line(
      "setTime(" + time + ");E.setTimeZone(" + zone + ");(s=>s&&(s.timezone=" + zone
        + ",require('Storage').write('setting.json',s)))"
        + "(require('Storage').readJSON('setting.json',1))")
  }
}
