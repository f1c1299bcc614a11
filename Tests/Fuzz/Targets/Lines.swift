import Bytes
import PhoneServices
import Recording
import TestSupport

/// A phone that writes lines, or anything else, in any pieces, and loses its link: each line is given once and
/// as it was written, what is understood of it does not depend on its blanks and ends, and a capture shows turns
/// and times, and of calls and music all but the texts.
func runLines(_ feed: inout Feed) {
  var phone = WritingPhone()
  while !feed.isEmpty {
    switch feed.u8() % 8 {
    case 0: phone.write(feed.take(Int(feed.u8() % 65)))
    case 1: phone.write([UInt8](repeating: feed.u8(), count: Int(feed.u16() % 1_100)))
    case 2, 3, 4, 5: phone.write(Array(feed.pick(words).utf8))
    case 6: phone.pass(Int64(feed.u8()) * 100)
    default: if feed.bool() { phone.write([0x0A, 0x10]) } else { phone.loseLink() }
    }
  }
  phone.write([0x0A])
}

/// What chance alone seldom writes.
private let words = [
  "\u{10}GB({\"t\":\"nav\"", "\u{10}GB({\"t\":\"notify\"", "\u{10}GB({\"t\":\"call\"",
  "\u{10}GB({\"t\":\"musicinfo\"",
  "\u{10}GB({\"t\":\"musicstate\"", "\u{10}GB({\"t\":\"notify-\"", "\u{10}GB({\"t\":\"find\"",
  "\u{10}setTime(",
  ");E.setTimeZone(", "1789000000", "2.0);", ",\"instr\":", ",\"distance\":", ",\"action\":",
  ",\"eta\":", ",\"id\":",
  ",\"src\":", ",\"title\":", ",\"body\":", ",\"name\":", ",\"cmd\":", ",\"track\":",
  ",\"artist\":",
  ",\"state\":", ",n:", "\"", "atob(\"",
  "\")", "YQ==", "\\u00", "\\ud83d", "\\udeb2", "\\x", "\\20", "\\\\", "\"950m\"", "\"1,200 ft\"",
  "\"left\"", "\"offroute\"",
  "\"incoming\"", "\"play\"", "true", "null", "-1.5e3", "18446744073709551616", "[", "]", "{", "}",
  ",", ":", "ü", "日本", "🚲",
  "})\n", "})\n\u{10}", " ",
]

/// A phone beside which all that it writes is kept.
private struct WritingPhone: ~Copyable {
  private var assembler = Gadgetbridge.LineAssembler()
  private var now = Instant(milliseconds: 0)
  private var line: [UInt8] = []
  /// What a capture has of it.
  private var shownLine: [UInt8] = []
  private var redaction = Redaction()
  /// When the last lines were given.
  private var times: [Instant] = []

  mutating func write(_ value: [UInt8]) {
    var rest = value[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(512))
      for (byte, shown) in zip(part, captured(part)) { take(byte, shown) }
      rest = rest.dropFirst(part.count)
    }
  }

  /// What a capture has of a value that is written, in two pieces.
  private mutating func captured(_ value: [UInt8]) -> [UInt8] {
    let frame = Self.two(value.count + 3) + [0x04, 0, 0x12, 0x0C, 0] + value
    let start = frame.count / 2
    var shown: [UInt8] = []
    for (flags, piece) in [(0x2000, frame[..<start]), (0x1000, frame[start...])] {
      var packet = FixedBuffer<1026>()
      let bytes = [0x02] + Self.two(0x0040 | flags) + Self.two(piece.count) + piece
      packet.append(bytes.span)
      redaction.blank(&packet, isReceived: true)
      shown += array(packet.bytes).dropFirst(5)
    }
    return Array(shown.dropFirst(7))
  }

  mutating func pass(_ milliseconds: Int64) { now = now + milliseconds }

  mutating func loseLink() {
    assembler.linkWasLost()
    endLine()
    var packet = FixedBuffer<1026>()
    let end: [UInt8] = [0x04, 0x05, 0x04, 0x00, 0x40, 0x00, 0x13]
    packet.append(end.span)
    redaction.blank(&packet, isReceived: true)
  }

  private mutating func take(_ byte: UInt8, _ shown: UInt8) {
    let isComplete = assembler.receive(byte, at: now)
    switch byte {
    case 0x10: endLine()
    case 0x0A:
      let isLine = (1...1_024).contains(line.count)
      let hasPace = times.count { now - $0 < 10_000 } < Gadgetbridge.LineAssembler.mostLines
      if isLine ? !isComplete && hasPace : isComplete {
        finding("a line of \(line.count) bytes: \(isComplete)")
      }
      if isComplete { receive() }
      endLine()
    default:
      line.append(byte)
      shownLine.append(shown)
    }
    if line.isEmpty, shown != byte { finding("a capture has \(shown), of \(byte)") }
    if isComplete, byte != 0x0A { finding("a line without an end") }
  }

  /// Once for all of its bytes: what is shown of a byte does not depend on those behind it.
  private mutating func endLine() {
    let known = ShownLine(line).bytes
    let expected = known + [UInt8](repeating: 0x78, count: line.count - known.count)
    if shownLine != expected { finding("a capture has \(shownLine), of \(line)") }
    (line, shownLine) = ([], [])
  }

  private static func two(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private mutating func receive() {
    if array(assembler.line) != line { finding("a line that nobody has written") }
    times = times.filter { now - $0 < 10_000 } + [now]
    // As many in the end of one period as in the beginning of the next.
    if times.count > 2 * Gadgetbridge.LineAssembler.mostLines { finding("too many lines") }
    let meaning = Meaning(line)
    reach(meaning.kind)
    guard line.starts(with: Array("GB(".utf8)), meaning.kind != "unreadable" else { return }
    let blank = Array("GB(\t ".utf8) + line.dropFirst(3) + Array(" ".utf8)
    if Meaning(blank) != meaning { finding("blanks that mean something") }
    guard let end = line.lastIndex(of: 0x29) else { finding("no end") }
    if Meaning(Array(line[..<end])).kind != "unreadable" { finding("half a line") }
  }
}

/// What a line says, with all its texts.
private struct Meaning: Equatable {
  var kind = "unreadable"
  private var numbers: [Int64?] = []
  private var texts: [[UInt8]] = []

  init(_ line: [UInt8]) {
    do throws(ParseError) {
      receive(try Gadgetbridge.Message(parsing: line.span))
    } catch {}
  }

  private mutating func receive(_ message: consuming Gadgetbridge.Message) {
    switch message {
    case .nextTurn(let turn): receive(turn)
    case .navigationOver: kind = "over"
    case .clock(let clock): receive(clock)
    case .call(let call): receive(call)
    case .notice(let notice): receive(notice)
    case .noticeRemoved(let identifier): (kind, numbers) = ("removed", [identifier])
    case .track(let track): receive(track)
    case .player(let player): kind = "\(player)"
    case .other: kind = "other"
    }
  }

  private mutating func receive(_ clock: Gadgetbridge.Clock) {
    kind = "clock"
    if clock.localTime == nil { finding("a clock without a time") }
  }

  private mutating func receive(_ turn: borrowing Gadgetbridge.NextTurn) {
    kind = "turn \(turn.maneuver)"
    numbers = [turn.distance.map { Int64($0) }]
    keep(turn.text.bytes, atMost: 503)
  }

  private mutating func receive(_ call: borrowing Gadgetbridge.Call) {
    kind = "call \(call.stage)"
    keep(call.name.bytes, atMost: 128)
  }

  private mutating func receive(_ notice: borrowing Gadgetbridge.Notice) {
    (kind, numbers) = ("notice", [notice.identifier])
    keep(notice.app.bytes, atMost: 256)
    keep(notice.title.bytes, atMost: 128)
    keep(notice.message.bytes, atMost: 200)
  }

  private mutating func receive(_ track: borrowing Gadgetbridge.Track) {
    kind = "track"
    keep(track.title.bytes, atMost: 96)
    keep(track.artist.bytes, atMost: 96)
  }

  private mutating func keep(_ text: Span<UInt8>, atMost limit: Int) {
    let bytes = array(text)
    if bytes.count > limit { finding("\(bytes.count) bytes of a text") }
    // Half a letter would become another.
    if Array(String(decoding: bytes, as: UTF8.self).utf8) != bytes { finding("half a letter") }
    texts.append(bytes)
  }
}
