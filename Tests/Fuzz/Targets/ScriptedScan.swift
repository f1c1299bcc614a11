import Beacons
import Bytes
import Places
import ScanTool
import TestSupport
import VirtualAir

/// The scan tool among devices, beacons, a controller, a terminal and readers, as a script of small steps has it.
///
/// Beside it runs another one that is told the same and whose lines are always taken: what the first one
/// loses is known by that.
final class ScriptedScan: HCIReceiver {
  var feed: Feed
  let command: String
  private let isForPeople: Bool
  private let hasAllTopics: Bool
  let controller = VirtualController()
  let device = VirtualSensor(.heart)
  var tool: ScanTool
  /// The one whose lines are always taken.
  private var other: ScanTool
  private(set) var now = Instant(milliseconds: 5_000)
  private var inbox: [[UInt8]] = []
  var faults: [AirFault] = []
  var isTransportFull = false
  var isOpened = false
  var output = CheckedOutput()
  /// How long a script may still wait for long.
  private var timeLeft: Int64 = 3_600_000

  static func run(_ feed: inout Feed) {
    guard let scan = ScriptedScan(&feed) else { return reach("refused") }
    scan.play()
    scan.end()
  }

  private init?(_ feed: inout Feed) {
    let words = Self.words(&feed)
    (command, isForPeople) = (words[0], words[0] == "scan" && feed.bool())
    hasAllTopics = !words.contains { $0.hasPrefix("topics=") }
    do {
      let arguments = words.first == "scan" ? Array(words.dropFirst()) : words
      tool = try ScanTool(
        read(arguments), isForPeople: isForPeople, boardAddress: nil, at: now)
      other = try ScanTool(
        read(arguments), isForPeople: isForPeople, boardAddress: nil, at: now)
    } catch { return nil }
    device.switched = [0]
    device.battery = nil
    controller.sensors = [device]
    self.feed = feed
    if command == "locate" { addLocations() }
    // All topics are read, until somebody says otherwise.
    other.eventsWereWritten(wanted: .ofScanTool)
    reach(command)
  }

  /// What the program is started with, its command first.
  private static func words(_ feed: inout Feed) -> [String] {
    let group = ["--group", "home=\(VirtualBeacon.uuid)"]
    let topics = feed.pick([[], [], ["topics=beacons"], ["topics=radio,device"]])
    let seconds = feed.pick([[], ["--seconds", "\(1 + Int(feed.u8()))"]])
    let address = "C0:00:52:50:5E:01"
    switch feed.u8() % 8 {
    case 0, 1: return ["inspect", address] + feed.pick([[], ["--read"]]) + topics
    case 2: return ["switch", address, feed.pick(["on", "off", "0.5"])] + topics
    case 3: return ["train", "--location", "a", "--out", "x"] + group + seconds + topics
    case 4: return ["locate"] + group + seconds + topics
    default: break
    }
    let filters = feed.u8()
    let wishes = ["--crownstones", "--beacons", "--sensors", "--passive", "--service=180D"]
    return ["scan"] + wishes.enumerated().filter { filters & 1 << $0.offset != 0 }.map(\.element)
      + seconds + topics
  }

  private func addLocations() {
    for number in 0..<feed.u8() % 4 {
      guard let fingerprint = fingerprint(&feed, of: "\(VirtualBeacon.uuid.uppercased()).Maj:7")
      else { continue }
      let name = PlaceName { $0.append(0x61 + number) }
      do throws(PlaceError) {
        try tool.locator.add(location: name, fingerprint)
        try other.locator.add(location: name, fingerprint)
      } catch { finding("a location is refused") }
    }
  }

  // MARK: - What both are told

  private func tellBoth(_ deed: (inout ScanTool) -> Void) {
    deed(&tool)
    deed(&other)
    look()
  }

  func open() {
    isOpened = true
    tellBoth { $0.radioWasOpened(at: now) }
    settle()
  }

  func type(_ text: [UInt8]) {
    for byte in text {
      let isUnderstood = tool.receiveInput(byte, at: now)
      if other.receiveInput(byte, at: now) != isUnderstood { finding("a word is another") }
      look()
    }
    settle()
  }

  func finish() {
    tellBoth { $0.finish(.done, at: now) }
    settle()
  }

  func receive(_ packet: [UInt8]) { inbox += faulted(packet) }

  /// Moves packets until there are no more.
  func settle() {
    while true {
      if !inbox.isEmpty {
        let packet = inbox.removeFirst()
        tell("> \(hex(packet))")
        tellBoth { $0.receive(packet.span, at: now) }
      } else if !isTransportFull, isOpened, !tool.packet.isEmpty {
        let packet = array(tool.packet)
        tell("< \(hex(packet))")
        if array(other.packet) != packet { finding("another packet") }
        tellBoth { $0.packetWasSent(at: now) }
        controller.take(packet, self)
      } else {
        return draw()
      }
    }
  }

  /// Lets the time pass for a script, which may not wait for ever.
  func wait(_ wanted: Int64) {
    let time = min(wanted, max(timeLeft, 1_000))
    timeLeft -= time
    pass(time)
  }

  /// Lets the time pass as the real loop does.
  func pass(_ time: Int64) {
    let end = now + time
    while let due = tool.deadline(at: now), due <= end {
      now = max(now, due)
      tellBoth { $0.advance(to: now) }
      settle()
      if let next = tool.deadline(at: now), next <= now { finding("a turn without progress") }
    }
    now = end
  }

  // MARK: - What comes out

  /// What holds after each deed.
  private func look() {
    let lines = array(other.lines.bytes)
    other.lines.removeFirst(lines.count)
    output.note(lines, lost: other.lines.lostCount)
    checkReaders()
    guard isOpened, tool.deadline(at: now) == nil else { return }
    let mayWait = tool.ending == nil && !["inspect", "switch"].contains(command)
    if !mayWait, !tool.hasEnded { finding("nothing is due, and it is not over") }
  }

  /// Who reads all gets each line once.
  private func checkReaders() {
    let lines = array(other.log.lines)
    let count = lines.count { $0 == 0x0A }
    if other.log.lineTopics.count != count { finding("\(count) lines and other topics") }
    if hasAllTopics, !isForPeople, !output.lastNoted.elementsEqual(lines) {
      finding("readers get other lines")
    }
    other.eventsWereWritten(wanted: .ofScanTool)
  }

  /// Takes so many bytes of the lines at most.
  func takeOutput(_ most: Int) {
    let bytes = array(tool.lines.bytes).prefix(most)
    tool.lines.removeFirst(bytes.count)
    output.take(bytes)
  }

  private func draw() {
    guard tool.isTableDue(at: now) else { return }
    let (rows, columns) = (24, 80)
    var screen = FixedBuffer<16384>()
    var same = FixedBuffer<16384>()
    tool.table.draw(rows: rows, columns: columns, at: now, to: &screen)
    other.table.draw(rows: rows, columns: columns, at: now, to: &same)
    if !isEqual(screen.bytes, same.bytes) { finding("another table") }
    checkTable(screen.bytes, rows: rows, isWhole: !screen.isOverflown)
  }

  /// The last line is there, and right.
  func summarize() {
    tool.summarize(at: now)
    takeOutput(.max)
    tool.summarize(at: now)
    takeOutput(.max)
    let isExpected = !isForPeople && command != "train"
    output.finish(isSummaryExpected: isExpected)
  }
}

/// The arguments that the program is started with.
private func read(_ words: [String]) throws -> ScanArguments {
  var arguments = ScanArguments()
  for (index, word) in words.enumerated() {
    let bytes = Array(word.utf8)
    try arguments.read(bytes.span, position: index + 1)
  }
  try arguments.finish()
  return arguments
}

/// What standard output was told, and what it has taken of that.
struct CheckedOutput {
  /// The lines that were told and not taken yet.
  private var told: ArraySlice<[UInt8]> = []
  /// What the last deed led to.
  private(set) var lastNoted: [UInt8] = []
  private var line: [UInt8] = []
  private var lostCount = 0
  /// What the last line said of that.
  private var summarized: Int?

  /// Notes the lines that one deed has led to.
  mutating func note(_ bytes: [UInt8], lost: Int64) {
    if lost > 0 { finding("one deed makes more lines than there is room for") }
    lastNoted = bytes
    for line in bytes.split(separator: 0x0A) {
      if !JSONText.isObject(line) { finding("no JSON: \(String(decoding: line, as: UTF8.self))") }
      tell(String(decoding: line, as: UTF8.self))
      told.append(Array(line))
    }
  }

  mutating func take(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      guard byte == 0x0A else {
        line.append(byte)
        continue
      }
      check(line)
      line = []
    }
  }

  /// A line is one of those that were told, in their order; those before it are lost.
  private mutating func check(_ line: [UInt8]) {
    if summarized != nil { finding("a line behind the last one") }
    let text = String(decoding: line, as: UTF8.self)
    if text.contains(#""event":"summary""#) {
      summarized = Int(text.dropLast().split(separator: ":").last ?? "")
      return
    }
    guard let place = told.firstIndex(of: line) else {
      finding("a line that was not told: \(text)")
    }
    lostCount += place - told.startIndex
    told = told[(place + 1)...]
  }

  mutating func finish(isSummaryExpected: Bool) {
    if !line.isEmpty { finding("a part of a line is left") }
    lostCount += told.count
    if lostCount > 0 { reach("lost lines") }
    guard isSummaryExpected else { return }
    if summarized != lostCount { finding("\(lostCount) are lost, not \(summarized ?? -1)") }
  }
}

extension ScriptedScan {
  /// The table fits, and nothing that strangers call themselves moves the cursor.
  func checkTable(_ screen: Span<UInt8>, rows: Int, isWhole: Bool) {
    if !isWhole { finding("a table that is cut") }
    let lines = string(screen).split(separator: "\r\n", omittingEmptySubsequences: false)
    if lines.last != "" || lines.count > rows { finding("a table of \(lines.count) lines") }
    reach(lines.count == rows ? "a full table" : "a table")
    for line in lines.dropLast() {
      let parts = line.split(separator: "\u{1B}[")
      if !line.contains("\u{1B}[K") { finding("the rest of a line stays: \(line)") }
      for part in parts where part.unicodeScalars.contains(where: { $0.value < 0x20 }) {
        finding("a control character: \(part)")
      }
      let isOurs = parts.dropFirst().allSatisfy {
        $0 == "K" || $0.drop { $0.isNumber }.first == "G"
      }
      if !isOurs { finding("the cursor is moved: \(line)") }
    }
  }

  /// What was learned is a fingerprint that can be read.
  func checkFile() {
    guard tool.isFileDue else { return }
    if command != "train" { finding("a file of \(command)") }
    var file = FixedBuffer<40960>()
    tool.training.write(to: &file)
    do throws(FingerprintError) {
      _ = try Fingerprint(file: file.bytes)
      reach("a fingerprint")
    } catch { finding("the file is refused: \(error)") }
  }
}
