import Bytes
import Events
import Places
import ScanTool
import TestSupport
import VirtualAir

/// The tool at a controller, with a clock that only a test moves.
final class Scanning: HCIReceiver {
  let controller = VirtualController()
  private var tool: ScanTool
  private(set) var now = Instant(milliseconds: 7_000)
  private var isDraining = false

  /// A tool with these arguments, whose controller comes up at once; the board has no address.
  convenience init(
    _ arguments: String..., isForPeople: Bool = false,
    prepare: (VirtualController) -> Void = { _ in }
  ) throws {
    try self.init(arguments, isForPeople: isForPeople, prepare: prepare)
  }

  init(
    _ arguments: [String], isForPeople: Bool = false,
    prepare: (VirtualController) -> Void = { _ in }
  ) throws {
    tool = try ScanTool(
      try parsed(arguments), isForPeople: isForPeople, boardAddress: nil, at: now)
    prepare(controller)
    tool.radioWasOpened(at: now)
    drain()
  }

  func receive(_ packet: [UInt8]) {
    tool.receive(packet.span, at: now)
    drain()
  }

  /// Hears an advertisement; the address as text, random unless another type is given.
  func receive(
    _ address: String, _ data: [UInt8], type: UInt8 = 1, event: UInt8 = 0, rssi: Int8 = -60
  ) {
    let octets = Array(bytes(address.replacing(":", with: "")).reversed())
    controller.report([type] + octets, data, type: event, rssi: rssi, self)
  }

  func types(_ text: String) -> Bool {
    text.utf8.reduce(true) { tool.receiveInput($1, at: now) && $0 }
  }

  /// Lets the time pass as the real loop does.
  func pass(_ milliseconds: Int64) {
    let end = now + milliseconds
    while let due = tool.deadline(at: now, drawsTable: false), due <= end {
      now = max(now, due)
      tool.advance(to: now)
      drain()
      if let next = tool.deadline(at: now, drawsTable: false), next <= now {
        giveUp("a deadline stays behind, at \(now)")
      }
    }
    now = end
    tool.advance(to: now)
    drain()
  }

  func finish() {
    tool.finish(.done, at: now)
    drain()
    tool.summarize(at: now)
  }

  /// How many milliseconds it may still wait.
  func timeLeft(drawsTable: Bool) -> Int64? {
    tool.deadline(at: now, drawsTable: drawsTable).map { $0 - now }
  }

  var isOver: Bool { tool.hasEnded }
  var ending: ScanEnding? { tool.ending }
  var isFileDue: Bool { tool.isFileDue }

  func add(_ location: String, _ file: String) throws {
    let contents = Array(file.utf8)
    let name = PlaceName { $0.append(location) }
    try tool.locator.add(location: name, Fingerprint(file: contents.span))
  }

  /// What a training has heard, as its end says it.
  var heard: String {
    var text = FixedBuffer<4096>()
    tool.training.writeHeard(to: &text)
    return string(text.bytes)
  }

  /// The file of the fingerprint.
  var file: String {
    var text = FixedBuffer<40960>()
    tool.training.write(to: &text)
    return string(text.bytes)
  }

  /// What standard output takes, and what it holds then.
  func takeLines() -> [String] {
    let text = string(tool.lines.bytes)
    tool.lines.removeFirst(text.utf8.count)
    return text.split(separator: "\n").map(String.init)
  }

  /// What others have read until now; from now on they read this topic.
  func takeEvents(wanted topic: Topic) -> [String] {
    let lines = string(tool.log.lines).split(separator: "\n").map(String.init)
    tool.eventsWereWritten(wanted: Topics(topic))
    return lines
  }

  var isTableDue: Bool { tool.isTableDue(at: now) }

  /// What the terminal shows, without what moves the cursor.
  func table(rows: Int, columns: Int = 80) -> [String] {
    drawnTable(rows: rows, columns: columns).split(separator: "\r\n").map {
      String($0).replacing(#/\u{1B}\[(\d*)([A-Z])/#) { $0.output.2 == "G" ? "|" : "" }
    }
  }

  /// The same with what moves it.
  func drawnTable(rows: Int, columns: Int = 80) -> String {
    var screen = FixedBuffer<16384>()
    tool.table.draw(rows: rows, columns: columns, at: now, to: &screen)
    return string(screen.bytes)
  }

  private func drain() {
    guard !isDraining else { return }
    isDraining = true
    defer { isDraining = false }
    while true {
      let packet = array(tool.packet)
      guard !packet.isEmpty else { return }
      tool.packetWasSent(at: now)
      controller.take(packet, self)
    }
  }
}

/// The arguments that the program is started with.
func parsed(_ arguments: [String]) throws -> ScanArguments {
  var parsed = ScanArguments()
  for (index, argument) in arguments.enumerated() {
    let bytes = Array(argument.utf8)
    try parsed.read(bytes.span, position: index + 1)
  }
  try parsed.finish()
  return parsed
}

/// A device with the switch of a Crownstone.
enum VirtualCrownstone {
  /// One whose address begins with this byte.
  static func make(_ first: UInt8) -> VirtualSensor {
    let device = VirtualSensor(.heart)
    device.switched = [7]
    device.battery = nil
    device.address = [1, 0x01, 0x5E, 0x50, 0x52, 0x00, first]
    return device
  }
}
