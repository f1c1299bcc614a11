import BoardFile
import Buttons
import Bytes
import Crypto
import Device
import DeviceState
import Events
import Graphics
import Panel
import PanelModel
import Sensors
import Version
import VirtualAir

/// The device with all that is around it: a controller, the rider's phone, sensors, a panel, two buttons, a store.
///
/// It does what the loop of the program does. Nothing takes any time but what the page lets pass.
final class Demonstration: HCIReceiver {
  private(set) var device: Device<SoftwareCrypto>
  private let controller = VirtualController()
  private(set) var rider: RidingPhone
  private(set) var sensors: [RidingSensor]
  private(set) var now: Instant {
    get { clock.now }
    set { clock.now = newValue }
  }
  private(set) var panel: PanelModel
  private(set) var glass: Bitmap
  /// Goes up with each change of the glass, and of its brightness.
  private(set) var glassNumber: Int32 = 0
  private(set) var isAlertHigh = false
  /// The events, each with its topic and a blank before it and a newline behind it.
  private(set) var events: [UInt8] = []
  private var store = [UInt8](repeating: 0, count: 1024)
  private var pressed = (a: false, b: false)
  private var inbox: [[UInt8]] = []

  private final class Clock {
    var now = Instant(milliseconds: 0)
  }
  private let clock = Clock()

  /// Switches a device on that remembers no phone, with one near by.
  init(_ board: Board, _ app: RidingApp = .komoot) {
    rider = RidingPhone(app, at: clock.now)
    sensors = RidingSensorKind.allCases.map { [clock] in RidingSensor($0, at: clock.now) }
    panel = PanelModel(board.panel)
    glass = Bitmap(board.panel.size)
    device = Self.device(board, at: clock.now)
    controller.phone = rider.phone
    controller.sensors = sensors.map { $0.sensor }
    controller.clock = { [clock] in clock.now.milliseconds }
    if let central = rider.central { controller.centrals = [central] }
  }

  private static func device(_ board: Board, at now: Instant) -> Device<SoftwareCrypto> {
    // Here are two buttons, a lamp and a reader of events, and neither a reset line nor a disk.
    var wired = board
    wired.buttons = .standardInput
    wired.events = .standardError
    wired.alert = 22
    wired.panelReset = nil
    wired.report = .none
    let version = lenkerVersion.utf8
    var device = Device(
      wired, version: version.span, boardAddress: nil, mistake: Span(),
      cryptography: SoftwareCrypto(), at: now)
    device.started(board: Span())
    return device
  }

  /// A device that has paired with the phone on another day, if it pairs at all, and was just switched on.
  static func meeting(_ board: Board, _ app: RidingApp = .komoot) -> Demonstration {
    let demonstration = Demonstration(board, app)
    demonstration.advance(by: 1_500)
    // Yes, the digits are the same.
    demonstration.touch(.a, isPressed: true)
    demonstration.advance(by: 100)
    demonstration.touch(.a, isPressed: false)
    demonstration.advance(by: 1_000)
    demonstration.restart(board)
    return demonstration
  }

  /// Another device that has met another phone, on which the same ride begins; the sensors are those of this one.
  func withAnotherPhone(_ app: RidingApp, _ board: Board) -> Demonstration {
    let other = Demonstration.meeting(board, app)
    other.takeSensors(of: self)
    other.rider.ride.setSpeed(rider.ride.speed, at: other.now)
    other.rider.begin(rider.ride.steps, at: other.now)
    if !rider.isNear { other.setPhone(isNear: false) }
    return other
  }

  private func takeSensors(of other: Demonstration) {
    for kind in SensorKind.all {
      if let sensor = other.device.sensors[kind] { device.remember(sensor, at: now) }
      turn()
    }
    for kind in RidingSensorKind.allCases {
      let sensor = other.sensors[Int(kind.rawValue)]
      withSensor(kind) { $0.setFigure(sensor.figure, at: $1) }
      setSensor(kind, isOn: sensor.isOn)
    }
  }

  /// Switches it off and on again with another board; its store and the phone stay as they are.
  func restart(_ board: Board) {
    controller.powerCycle()
    inbox = []
    pressed = (false, false)
    panel = PanelModel(board.panel)
    glass = Bitmap(board.panel.size)
    glassNumber += 1
    isAlertHigh = false
    removeEvents()
    device = Self.device(board, at: now)
    turn()
  }

  // MARK: - What the rider does

  func touch(_ button: Button, isPressed: Bool) {
    if button == .a { pressed.a = isPressed } else { pressed.b = isPressed }
    device.receive(Edge(button, isPressed: isPressed, at: now), at: now)
    readEdges()
    turn()
  }

  func withRider(_ change: (inout RidingPhone, Instant) -> Void) {
    change(&rider, now)
    turn()
  }

  func withSensor(_ kind: RidingSensorKind, _ change: (inout RidingSensor, Instant) -> Void) {
    change(&sensors[Int(kind.rawValue)], now)
    turn()
  }

  /// A sensor is switched on, or off, which costs the link.
  func setSensor(_ kind: RidingSensorKind, isOn: Bool) {
    let sensor = sensors[Int(kind.rawValue)].sensor
    if !isOn { controller.disconnect(sensor, reason: 0x08, self) }
    withSensor(kind) { $0.setOn(isOn, at: $1) }
  }

  func isLinked(_ kind: RidingSensorKind) -> Bool {
    controller.link(sensors[Int(kind.rawValue)].sensor) != nil
  }

  /// The phone goes out of reach, which costs the link, or comes back.
  func setPhone(isNear: Bool) {
    rider.setNear(isNear, at: now)
    if !isNear, controller.isConnected { controller.disconnect(reason: 0x08, self) }
    if isNear, let central = rider.central {
      rider.prepareToCome(at: now)
      controller.comes(central, self)
    }
    turn()
  }

  // MARK: - The loop

  /// Advances by this time, in milliseconds, with each deadline on the way.
  func advance(by milliseconds: Int64) {
    let end = now + milliseconds
    turn()
    while let due = deadline, due <= end {
      now = max(now, due)
      turn()
    }
    now = end
    turn()
  }

  private var deadline: Instant? {
    let around = earlier(
      rider.deadline(isConnected: controller.isConnected),
      controller.deadline.map { Instant(milliseconds: $0) })
    let first = sensors.reduce(around) {
      earlier($0, $1.deadline(isLinked: isLinked($1.kind)))
    }
    return earlier(device.deadline, first)
  }

  /// What happens between two waits, until nothing more comes.
  private func turn() {
    controller.advance(self)
    advertise()
    measure()
    repeat {
      speak()
      receive()
      openPorts()
      device.advance(to: now)
      send()
    } while !inbox.isEmpty
  }

  /// Whether the device hears an advertisement of this moment.
  private var isListening: Bool {
    controller.isWindowOpen(atMilliseconds: now.milliseconds) || !controller.isScanning
  }

  private func advertise() {
    if !controller.isConnected { rider.prepareToCome(at: now) }
    if rider.takeAdvertisement(isConnected: controller.isConnected, at: now), isListening {
      controller.advertise(self)
    }
    for index in sensors.indices
    where !isLinked(sensors[index].kind) && sensors[index].takeAdvertisement(at: now) {
      if isListening { controller.advertise(self, sensors[index].sensor) }
    }
  }

  private func measure() {
    for index in sensors.indices where isLinked(sensors[index].kind) {
      for value in sensors[index].takeValues(at: now) {
        controller.notify(value, from: sensors[index].sensor, self)
      }
    }
  }

  private func speak() {
    let said = rider.takeOutcome(at: now)
    guard controller.isConnected, !said.isEmpty else { return }
    if let central = rider.central {
      controller.goOn(central, with: said.map { VirtualCentral.line($0) }, self)
    } else {
      for pdu in said { controller.send(channel: 0x04, pdu, self) }
    }
  }

  func receive(_ packet: [UInt8]) { inbox.append(packet) }

  private func receive() {
    while !inbox.isEmpty {
      let packet = inbox.removeFirst()
      device.receive(packet.span, at: now)
      takeEvents()
    }
    readEdges()
  }

  private func readEdges() {
    guard device.upkeep.ports[.buttons].isOpen else { return }
    if device.isPressDue(at: now) {
      if !pressed.a { device.buttonIsReleased(.a, at: now) }
      if !pressed.b { device.buttonIsReleased(.b, at: now) }
    }
    device.edgesWereRead(at: now)
    takeEvents()
  }

  private func openPorts() {
    if device.upkeep.isDue(.store, at: now) {
      let facts = StoreFacts(isDevice: false, isFree: true, isOpenToOthers: false)
      device.storeWasOpened(store.span, facts, at: now)
    }
    if device.upkeep.isDue(.hci, at: now) {
      controller.powerCycle()
      inbox = []
      device.radioWasOpened(at: now)
    }
    if device.upkeep.isDue(.panel, at: now) { device.panelWasOpened(at: now) }
    if device.upkeep.isDue(.buttons, at: now) {
      device.buttonsWereOpened(
        isAPressed: pressed.a, isBPressed: pressed.b, at: now)
    }
    if device.upkeep.isDue(.alert, at: now) { device.alertWasOpened(at: now) }
    takeEvents()
  }

  private func send() {
    sendPackets()
    while !device.storeOutput.isEmpty {
      let start = device.storeOutputOffset
      for index in device.storeOutput.indices { store[start + index] = device.storeOutput[index] }
      device.storeOutputWasWritten(at: now)
    }
    sendPackets()
    if let level = device.alertChange {
      isAlertHigh = level == .high
      device.alertWasSet(level)
    }
    while !device.messages.isEmpty {
      sendMessages()
      device.messagesWereSent(frame: nil, at: now)
    }
    takeEvents()
  }

  private func sendPackets() {
    while !device.packet.isEmpty {
      var packet: [UInt8] = []
      for index in device.packet.indices { packet.append(device.packet[index]) }
      device.packetWasSent(at: now)
      controller.take(packet, self)
    }
  }

  private func sendMessages() {
    let contrast = panel.contrast
    var start = 0
    for index in device.messageLengths.indices {
      let end = start + Int(device.messageLengths[index])
      panel.receive(device.messages.extracting(start..<end))
      start = end
    }
    guard device.display.output.endsPicture else { return }
    if panel.updateGlass(&glass) || panel.contrast != contrast { glassNumber += 1 }
  }

  // MARK: - Events

  private func takeEvents() {
    var line = 0
    var isAtStart = true
    for index in device.events.indices {
      if isAtStart {
        events += Array(device.eventTopics[line].name.utf8) + [0x20]
        line += 1
      }
      let byte = device.events[index]
      events.append(byte)
      isAtStart = byte == 0x0A
    }
    device.eventsWereWritten()
  }

  func removeEvents() { events.removeAll(keepingCapacity: true) }
}
