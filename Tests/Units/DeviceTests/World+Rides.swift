import BoardFile
import Bond
import BondFile
import Buttons
import Bytes
import Panel
import PlainBonds
import Responder
import Sensors
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device
@testable import DeviceState

/// The rides that the suites begin with; all texts of phones are invented.
extension World {
  /// A phone that is not remembered rides, or is to be paired with.
  static func following(_ settings: [String] = [], pairs: Bool = false) throws -> World {
    let world = try World(settings, pairs: pairs)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    return world
  }

  /// A phone, of which `prepare` says what it has, was paired with by comparison, and rides.
  static func paired(
    _ settings: [String] = [], metres: UInt32 = 350, prepare: (World) throws -> Void = { _ in }
  ) throws -> World {
    let hasPolicy = settings.contains { $0.hasPrefix("pairing=") }
    let world = try World((hasPolicy ? [] : ["pairing=preferred"]) + settings, pairs: true)
    try prepare(world)
    world.tell(8, metres, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
    return world
  }

  /// The device starts with what is on this disk.
  static func started(
    with disk: [UInt8], _ settings: [String] = ["pairing=preferred"]
  ) throws -> World {
    let world = try World(settings, boots: false)
    world.disk = disk
    world.pass(100)
    return world
  }

  /// The device starts again with what is on the disk, near the same phone, which tells another turn.
  func restarted(_ settings: [String] = ["pairing=preferred"]) throws -> World {
    let world = try World(settings, boots: false)
    world.disk = disk
    world.meet(self)
    world.tell(5, 110, "Voßstraße", id: 9)
    world.pass(0)
    return world
  }

  /// The phone that a store with these bytes remembers.
  static func bond(on disk: [UInt8]) -> PlainBond? {
    let store = BondStore(disk.span)
    switch store.bond(in: disk.span) {
    case .some(let bond): return PlainBond(bond)
    case .none: return nil
    }
  }

  /// The states that the events of this name say.
  func states(_ name: String) -> [String] { events(name).compactMap { $0["state"] } }

  /// What the events say of pairings.
  var pairings: [String] { states("pairing") }

  /// Whether that is on the glass, wherever there: the picture moves by a row every few minutes.
  func showsAnywhere(_ shot: Shot) -> Bool { shows(shot) || showsMoved(shot) }

  /// Somebody sends an address of the phone, and has no key.
  func deny(address number: UInt8 = 1) {
    let key = security.longTermKey
    security.longTermKey = nil
    phone.address = security.privateAddress(number)
    advertise()
    pass(500)
    security.longTermKey = key
  }

  /// The button is pressed for a tenth of a second.
  func click(_ button: Button = .a) {
    touch(button, isPressed: true)
    pass(100)
    touch(button, isPressed: false)
    pass(100)
  }
}

/// Sensors.
extension World {
  /// A phone is paired with and rides; these sensors are near, and nobody knows them.
  static func riding(beside sensors: [VirtualSensor], _ settings: [String] = []) throws -> World {
    let world = try World.paired(settings)
    world.tell(8, 350, "Hauptstraße")
    world.pass(0)
    world.controller.sensors = sensors
    return world
  }

  /// The same on the page of the sensors, where this one is offered.
  static func searching(for sensor: VirtualSensor) throws -> World {
    let world = try World.riding(beside: [sensor])
    world.press("aa")
    world.find(sensor)
    return world
  }

  /// The same a while after the rider said yes to it.
  static func keeping(_ sensor: VirtualSensor) throws -> World {
    let world = try World.searching(for: sensor)
    world.press("a")
    world.pass(4_000)
    return world
  }

  /// The rider keeps this sensor as one of this kind.
  func remember(_ sensor: VirtualSensor, as kind: SensorKind, key: Bond.Key? = nil) throws {
    let name = Array(sensor.name.utf8)
    let known = RememberedSensor(kind, address: sensor.deviceAddress, key: key, name: name.span)
    remember(try #require(known))
  }

  /// B on the page of the sensors: the search comes to this one, which is on the air from now on.
  func find(_ sensor: VirtualSensor) {
    if !controller.sensors.contains(where: { $0 === sensor }) { controller.sensors.append(sensor) }
    press("b")
    advertise(sensor)
    pass(1_500)
  }

  /// The rider looks for a strap on the page of the sensors, and keeps it once it has said something.
  func findAndKeep(_ strap: VirtualSensor) {
    find(strap)
    notify([0x00, 0x50], from: strap)
    pass(1_000)
    press("a")
  }

  /// So many turns of this wheel each second, each two of 4.21 m/s; what is told of a crank stands.
  func roll(
    _ wheel: VirtualSensor, seconds: Int, from first: Int = 0, turns: Int = 2, crank: [UInt8] = []
  ) {
    for second in first..<first + seconds {
      let count = little(UInt16(1_000 + turns * second)) + [0, 0]
      let time = little(UInt16(truncatingIfNeeded: 1_024 * second))
      notify([crank.isEmpty ? 0x01 : 0x03] + count + time + crank, from: wheel)
      pass(1_000)
    }
  }

  func turnToSensors() {
    while device.scene.page != .sensors { press("a") }
    pass(100)
  }
}

/// The beacon at home.
extension World {
  /// The setting that names a beacon by its UUID.
  static let home = "home=\(VirtualBeacon.uuid)/7/515"

  /// A phone that is remembered rides, or stands, and nobody has used the device for eleven minutes.
  static func standing(_ settings: [String] = [home]) throws -> World {
    let world = try World.riding(beside: [], settings)
    for _ in 0..<132 {
      world.tell(8, 350, "Hauptstraße")
      world.pass(5_000)
    }
    return world
  }

  /// At home, at rest, as the phone has gone.
  static func atRest(_ settings: [String] = [home]) throws -> World {
    let world = try World.standing(settings)
    world.loseLink()
    world.stand(beside: VirtualBeacon(), for: 40_000)
    return world
  }

  /// How the device listens, as the events say last.
  var scan: String? { events("scan").last?["mode"] }

  /// Where it is, as the events say.
  var whereabouts: [String?] { events("home").map { $0["state"] } }

  var isLit: Bool { device.display.isOn }
}

/// Notifications of an iPhone.
extension World {
  static let caller = "Anna Erfunden"

  /// A ride with a paired phone, whose old notifications are over.
  static func notifying(
    _ settings: [String] = ["notifications=all"], prepare: (World) -> Void = { _ in }
  ) throws -> World {
    let world = try World.paired(settings, metres: 3_000) {
      $0.phone.hasServiceChanged = true
      $0.phone.notifications.isThere = true
      $0.phone.notifications.texts = [
        7: .init(caller), 8: .init("Bäckerei", "Das Brot ist fertig"), 9: .init("Noch etwas"),
      ]
      prepare($0)
    }
    world.pass(11_000)
    world.turn(metres: 3_000)
    return world
  }

  /// The phone tells the distance to its turn.
  func turn(metres: UInt32) {
    tell(8, metres, "Hauptstraße")
    pass(0)
  }

  /// Something happens on the phone, which answers what it is asked; without more it is a call.
  func happens(kind: UInt8 = 0, flags: UInt8 = 0x18, category: UInt8 = 1, _ uid: UInt8) {
    guard let news = phone.notifications.news(kind, flags: flags, category: category, uid) else {
      return
    }
    notify(news)
    answer(for: 200)
  }

  /// Time passes, and the phone answers what it is asked.
  func answer(for milliseconds: Int64) {
    for _ in 0..<milliseconds / 5 {
      while let answer = phone.notifications.takeAnswer() { notify(answer) }
      pass(5)
    }
  }
}

/// A ride with an Android phone on which Gadgetbridge runs, too; its texts are invented.
extension World {
  /// A paired phone whose komoot has no turn, and whose Gadgetbridge has subscribed.
  static func bridged(
    _ settings: [String] = [], hearing komoot: Bool = false, prepare: (World) -> Void = { _ in }
  ) throws -> World {
    let world = try World.paired(settings) {
      $0.phone.notice = .value
      prepare($0)
    }
    if !komoot { world.tell(0, 0, "") }
    world.subscribe()
    return world
  }

  /// Gadgetbridge subscribes, as it does on each link before it writes.
  func subscribe() {
    notify(bytes("12 0f 00 01 00"))
    forgetWhatCameOut()
  }

  /// Gadgetbridge subscribes again on the link that follows a lost one.
  func bridgeAgain() {
    loseLink()
    advertise()
    pass(5_000)
    subscribe()
  }

  /// It writes a value, in pieces of 20 bytes as it does.
  func write(_ value: [UInt8], pieces: Int = 20) {
    for start in stride(from: 0, to: value.count, by: pieces) {
      notify(bytes("12 0c 00") + value[start..<min(start + pieces, value.count)])
    }
  }

  /// It writes a line of `GB(…)`, in ISO 8859-1.
  func bridge(_ json: String) { write(line("GB(\(json))")) }

  /// The next turn by Gadgetbridge.
  func bridge(_ action: String, _ distance: String, _ text: String) {
    bridge(#"{"t":"nav","instr":"\#(text)","distance":"\#(distance)","action":"\#(action)"}"#)
  }

  /// What Gadgetbridge was told since the link came up: the notifications of the UART, put together.
  var bridged: String {
    String(decoding: bridgedPieces.flatMap { $0 }, as: UTF8.self)
  }

  /// The values of these notifications.
  var bridgedPieces: [[UInt8]] {
    phone.answers.filter { $0.starts(with: [0x04, 0x1B, 0x0E, 0x00]) }.map {
      Array($0.dropFirst(4))
    }
  }
}

extension World {
  var hasTurn: Bool { device.guidance.hasTurn }

  var light: PanelPower.Level { device.display.power.level }

  /// The minutes since midnight that the clock has.
  var minutes: Int? { device.phone.clock.minutes(at: now) }
}

/// A device that starts with these bytes in its store, and that nobody has asked for anything yet.
func startedDevice(
  _ disk: [UInt8], _ board: Board = Board(),
  _ facts: StoreFacts = StoreFacts(isDevice: false, isFree: true, isOpenToOthers: false)
) -> Device<SeededCrypto> {
  let (nothing, start) = ([UInt8](), Instant(milliseconds: 0))
  var device = Device(
    board, version: nothing.span, boardAddress: nil, mistake: nothing.span,
    cryptography: SeededCrypto(.initiator, seed: 1), at: start)
  device.storeWasOpened(disk.span, facts, at: start)
  return device
}

/// A line as Gadgetbridge writes it; the text must be of ISO 8859-1.
func line(_ text: String) -> [UInt8] {
  [0x10] + text.unicodeScalars.map { UInt8($0.value) } + [0x0A]
}
