import Bytes
import HCI
import Replaying
import TestSupport
import VirtualAir
import VirtualDevice

/// A report or a capture, damaged or made up, read and played: what is no recording is refused in words.
///
/// That it ends, and with how much memory, is for the limits of `Tests/fuzz`.
func runReport(_ feed: inout Feed) {
  switch feed.u8() % 5 {
  case 0: play(feed.rest())
  case 1: play(madeUp(&feed, .monitor))
  case 2: play(madeUp(&feed, .h4))
  default: play(damaged(&feed))
  }
}

// MARK: - Read and played

private func play(_ file: [UInt8]) {
  do {
    let recording = try Recording(file, named: "file")
    var player = Player(
      try recording.board(), version: recording.version ?? "", recording)
    if recording.isReport {
      try player.play(report: recording)
    } else {
      player.play(capture: recording, lead: 100)
    }
    if player.comparison.summary.isEmpty { finding("a play of which nothing is told") }
    reach(recording.isReport ? "played report" : "played capture")
    if player.comparison.matches > 0 { reach("same packets") }
    if !player.comparison.divergences.isEmpty { reach("divergence") }
    if player.comparison.starts.count > 1 { reach("played behind a gap") }
  } catch let error as ReplayError {
    let words = error.description
    if !words.hasPrefix("file: ") || words.contains("\n") { finding("no word of where: \(words)") }
    reach("refused: " + words.filter { !$0.isNumber }.prefix(48))
  } catch {
    finding("an error of another kind: \(error)")
  }
}

// MARK: - Files

/// One record of a file.
private struct Line {
  var opcode: UInt32
  var dropped: UInt32 = 0
  /// Since 1970, in microseconds.
  var time: Int64
  var bytes: [UInt8]

  /// A line of text as a program logs it, ours unless `program` says otherwise.
  static func note(_ text: [UInt8], program: String = "lenker", at time: Int64) -> Line {
    Line(
      opcode: BTSnoop.MonitorOpcode.userLogging.rawValue, time: time,
      bytes: [6, UInt8(program.utf8.count + 1)] + Array(program.utf8) + [0] + text + [0])
  }
}

private func file(_ kind: BTSnoop.Datalink, _ lines: [Line]) -> [UInt8] {
  var header = FixedBuffer<16>()
  BTSnoop.writeHeader(kind, into: &header)
  var file = array(header.bytes)
  for line in lines {
    let count = UInt32(line.bytes.count)
    for number in [count, count, line.opcode, line.dropped] { file += bigEndian(UInt64(number), 4) }
    file += bigEndian(UInt64(bitPattern: line.time &+ BTSnoop.epoch), 8) + line.bytes
  }
  return file
}

private func bigEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
}

/// The records of a whole file.
private func lines(of file: [UInt8]) -> [Line] {
  var lines: [Line] = []
  var rest = file.dropFirst(BTSnoop.headerSize)
  func take(_ count: Int) -> UInt64 {
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
  }
  while !rest.isEmpty {
    let count = Int(take(4))
    _ = take(4)
    let (opcode, dropped) = (UInt32(take(4)), UInt32(take(4)))
    let time = Int64(bitPattern: take(8)) &- BTSnoop.epoch
    lines.append(
      Line(opcode: opcode, dropped: dropped, time: time, bytes: Array(rest.prefix(count))))
    rest = rest.dropFirst(count)
  }
  return lines
}

// MARK: - Made up

private let words = [
  "turns", "version", "setting", "recovery", "board-address", "mistake", "radio", "opening", "open",
  "failed", "panel", "buttons", "alert", "store", "aside", "written", "report", "saved", "gesture",
  "edge", "a", "b", "release", "leave", "error", "ready", "errno", "indicator", "oversize",
  "stalled", "unanswered", "blank", "damaged", "foreign", "later", "=", "p", "pairing", "required",
  "panel", "hci0", "",
]
private let numbers: [Int64] = [
  0, 1, 2, 100, 255, 1_000, 60_000, 0xFF_FFFF, 0x100_0000, 0xFFFF_FFFF, 1_000_000_000_000, .max,
  -1, .min,
]
private let steps: [Int64] = [
  0, 1, 50, 1_000, 10_000, 600_000, 86_400_000, 31_536_000_000, 1 << 40, 1 << 61, -1_000, .min,
]

/// A text of words that a report may have, and numbers that it may not.
private func text(_ feed: inout Feed) -> [UInt8] {
  var parts: [[UInt8]] = []
  for _ in 0..<1 + feed.u8() % 6 {
    switch feed.u8() % 4 {
    case 0: parts.append(Array(String(feed.pick(numbers)).utf8))
    case 1: parts.append(Array(hex(feed.take(Int(feed.u8() % 40)), separator: "").utf8))
    default: parts.append(Array(feed.pick(words).utf8))
    }
  }
  return Array(parts.joined(separator: [0x20]))
}

private func madeUp(_ feed: inout Feed, _ kind: BTSnoop.Datalink) -> [UInt8] {
  var made: [Line] = []
  if kind == .monitor { made.append(.note(Array("version 1".utf8), at: 0)) }
  var time: Int64 = 0
  while !feed.isEmpty {
    time = time &+ 1_000 &* feed.pick(steps)
    let choice = feed.u8()
    if kind == .monitor, choice & 1 == 1 {
      made.append(.note(text(&feed), at: time))
    } else {
      let packet = feed.take(Int(feed.u8() % 80))
      let opcode = kind == .h4 ? UInt32(choice & 3) : feed.pick([2, 3, 4, 5])
      made.append(Line(opcode: opcode, time: time, bytes: packet))
    }
    made[made.count - 1].dropped = UInt32(choice >> 6)
  }
  return file(kind, made)
}

// MARK: - Damaged

/// Reports of short rides, one of them on a link that the phone made, and captures of the same.
private let whole: [(kind: BTSnoop.Datalink, lines: [Line])] = {
  let reports = [shortRide(pairs: false), shortRide(pairs: true), shortVisit()].map(lines)
  return reports.map { (.monitor, $0) } + reports.map { (.h4, $0.compactMap(captured)) }
}()

private func shortRide(pairs: Bool) -> [UInt8] {
  let world = met(["pairing=" + (pairs ? "required" : "off")], pairs: pairs)
  world.tell(8, 350, "Hauptstraße")
  world.pass(2_000)
  world.loseLink()
  world.pass(1_000)
  return report(of: world)
}

private func shortVisit() -> [UInt8] {
  let world = met(["advertise=on"], pairs: true)
  world.phone.hasService = false
  world.loseLink()
  world.pass(15_000)
  let phone = VirtualCentral.gadgetbridge(world.phone)
  world.comes(phone)
  world.pass(6_000)
  let turn = #"{"t":"nav","instr":"turn left onto  Heron Lane","distance":"90m","action":"left"}"#
  world.goOn(phone, with: [VirtualCentral.line("GB(\(turn))")])
  world.pass(2_000)
  return report(of: world)
}

private func met(_ settings: [String], pairs: Bool) -> World {
  let settings = ["report=file:/tmp/report"] + settings
  guard let world = try? World(settings, pairs: pairs) else { finding("no ride") }
  if pairs { world.press("a") }
  world.advertise()
  world.pass(1_000)
  if pairs { world.press("a") }
  world.pass(500)
  return world
}

private func report(of world: World) -> [UInt8] {
  world.press("r")
  world.pass(100)
  // What fills each piece is left out.
  let lines = lines(of: world.reportFile).filter { $0.bytes.count < 1_100 }
  return file(.monitor, lines)
}

/// The packet of a report as a capture has it.
private func captured(_ line: Line) -> Line? {
  switch BTSnoop.MonitorOpcode(rawValue: line.opcode) {
  case .command: Line(opcode: 2, time: line.time, bytes: [PacketIndicator.command] + line.bytes)
  case .event: Line(opcode: 3, time: line.time, bytes: [PacketIndicator.event] + line.bytes)
  case .aclSent: Line(opcode: 0, time: line.time, bytes: [PacketIndicator.aclData] + line.bytes)
  case .aclReceived: Line(opcode: 1, time: line.time, bytes: [PacketIndicator.aclData] + line.bytes)
  case .userLogging, nil: nil
  }
}

private func damaged(_ feed: inout Feed) -> [UInt8] {
  var (kind, lines) = feed.pick(whole)
  var bytes: [UInt8]?
  for _ in 0..<1 + feed.u8() % 8 {
    if bytes == nil, feed.u8() % 4 > 0 {
      damage(&lines, kind, &feed)
    } else {
      var cut = bytes ?? file(kind, lines)
      damage(&cut, &feed)
      bytes = cut
    }
  }
  return bytes ?? file(kind, lines)
}

/// One record goes, comes twice, is another one, or has another time.
private func damage(_ lines: inout [Line], _ kind: BTSnoop.Datalink, _ feed: inout Feed) {
  guard !lines.isEmpty else { return }
  let index = Int(feed.u16()) % lines.count
  switch feed.u8() % 9 {
  case 0: lines.remove(at: index)
  case 1: lines.insert(lines[index], at: Int(feed.u16()) % lines.count)
  case 2: lines.swapAt(index, Int(feed.u16()) % lines.count)
  case 3 where kind == .monitor:
    lines.insert(.note(text(&feed), at: lines[index].time), at: index)
  case 4:
    let step = 1_000 &* feed.pick(steps)
    for later in lines[index...].indices { lines[later].time &+= step }
  case 5:
    let missing = UInt32(feed.u8())
    for later in lines[index...].indices { lines[later].dropped &+= missing }
    lines.removeSubrange(index..<min(lines.count, index + Int(missing)))
  case 6: lines[index].bytes = feed.take(Int(feed.u8()))
  case 7 where !lines[index].bytes.isEmpty:
    let place = Int(feed.u16()) % lines[index].bytes.count
    lines[index].bytes[place] = feed.u8()
  default: lines.removeSubrange(index...)
  }
}

/// Bytes are others, go, or come between.
private func damage(_ file: inout [UInt8], _ feed: inout Feed) {
  guard !file.isEmpty else { return }
  let place = Int(feed.u16()) % file.count
  switch feed.u8() % 5 {
  case 0: file[place] ^= 1 << (feed.u8() & 7)
  case 1: file[place] = feed.u8()
  case 2: file.removeSubrange(place..<min(file.count, place + Int(feed.u8())))
  case 3: file.insert(contentsOf: feed.take(Int(feed.u8())), at: place)
  default: file.removeSubrange(place...)
  }
}
