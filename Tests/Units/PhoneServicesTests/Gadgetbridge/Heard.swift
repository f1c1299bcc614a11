import Bytes
import TestSupport
import Turns

@testable import PhoneServices

/// What a line says, as a test can compare and print it.
enum Heard: Equatable {
  case turn(Maneuver, UInt32?, String)
  case over
  case clock(Int64, minutes: Int16)
  case call(Gadgetbridge.Call.Stage, String)
  case notice(Int64?, String, String)
  case removed(Int64)
  case track(String, artist: String)
  case player(Gadgetbridge.Message.Player)
  case other
  /// A line that is not whole.
  case unreadable

  init(_ line: Span<UInt8>) {
    do throws(ParseError) {
      self.init(try Gadgetbridge.Message(parsing: line))
    } catch {
      self = .unreadable
    }
  }

  private init(_ message: consuming Gadgetbridge.Message) {
    switch message {
    case .nextTurn(let turn): self.init(turn)
    case .navigationOver: self = .over
    case .clock(let clock): self = .clock(clock.seconds, minutes: clock.zone.minutes)
    case .call(let call): self.init(call)
    case .notice(let notice): self.init(notice)
    case .noticeRemoved(let identifier): self = .removed(identifier)
    case .track(let track): self.init(track)
    case .player(let player): self = .player(player)
    case .other: self = .other
    }
  }

  private init(_ turn: borrowing Gadgetbridge.NextTurn) {
    let text = string(turn.text.bytes)
    self = .turn(turn.maneuver, turn.distance, text)
  }

  private init(_ call: borrowing Gadgetbridge.Call) {
    let name = string(call.name.bytes)
    self = .call(call.stage, name)
  }

  private init(_ notice: borrowing Gadgetbridge.Notice) {
    let (title, message) = (string(notice.title.bytes), string(notice.message.bytes))
    self = .notice(notice.identifier, title, message)
  }

  private init(_ track: borrowing Gadgetbridge.Track) {
    let (title, artist) = (string(track.title.bytes), string(track.artist.bytes))
    self = .track(title, artist: artist)
  }

  /// What a line says, given as characters of ISO 8859-1, without 0x10 and newline.
  init(_ line: String) {
    let bytes = latin1(line)
    self.init(bytes.span)
  }
}

/// The app that a line's notice is of; `nil` for a line that is none.
func noticeApp(_ line: String) -> String? {
  let bytes = latin1(line)
  do throws(ParseError) {
    return app(of: try Gadgetbridge.Message(parsing: bytes.span))
  } catch {
    return nil
  }
}

private func app(of message: consuming Gadgetbridge.Message) -> String? {
  switch message {
  case .notice(let notice): name(of: notice)
  default: nil
  }
}

private func name(of notice: borrowing Gadgetbridge.Notice) -> String { string(notice.app.bytes) }

/// The bytes of ISO 8859-1.
func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

/// A line as Gadgetbridge writes it.
func written(_ line: String) -> [UInt8] { [0x10] + latin1(line) + [0x0A] }

/// A phone that writes to NUS, and what was understood of it.
struct Writing: ~Copyable {
  private var assembler = Gadgetbridge.LineAssembler()
  private var now = at(0)
  private(set) var heard: [Heard] = []
  private(set) var lines: [[UInt8]] = []

  mutating func write(_ value: [UInt8]) {
    for byte in value where assembler.receive(byte, at: now) {
      lines.append(array(assembler.line))
      heard.append(Heard(assembler.line))
    }
  }

  mutating func pass(_ milliseconds: Int64) { now = now + milliseconds }

  mutating func loseLink() { assembler.linkWasLost() }
}

/// What is understood of values.
func heard(_ values: [[UInt8]]) -> [Heard] {
  var writing = Writing()
  for value in values { writing.write(value) }
  return writing.heard
}

/// The four writes of vector V21: 76 bytes.
let hauptstrasse = [
  bytes("10 47 42 28 7B 22 74 22 3A 22 6E 61 76 22 2C 22 69 6E 73 74"),
  bytes("72 22 3A 22 48 61 75 70 74 73 74 72 61 5C 78 64 66 65 22 2C"),
  bytes("22 64 69 73 74 61 6E 63 65 22 3A 22 39 35 30 6D 22 2C 22 61"),
  bytes("63 74 69 6F 6E 22 3A 22 6C 65 66 74 22 7D 29 0A"),
]

/// Vector V22.
let over = bytes("10 47 42 28 7B 22 74 22 3A 22 6E 61 76 22 7D 29 0A")

/// Vector V34, whole.
func clockLine(_ zone: String) -> String {
  "setTime(1789000000);E.setTimeZone(\(zone));(s=>{s&&(s.timezone=\(zone))"
    + "&&require('Storage').write('setting.json',s);})(require('Storage').readJSON('setting.json',1))"
}

/// A line of each kind, as Gadgetbridge writes it.
let everyKind: [(String, Heard)] = [
  (
    #"GB({"t":"nav","instr":"Hauptstra\xdfe","distance":"950m","action":"left"})"#,
    .turn(.left, 950, "Hauptstraße")
  ),
  (
    #"GB({"t":"nav","instr":"High St towards Blah","distance":"100 yd","action":"left","eta":"11:55"})"#,
    .turn(.left, 91, "High St towards Blah")
  ),
  (
    #"GB({"t":"nav","instr":"","distance":"35m","action":"offroute"})"#,
    .turn(.offRoute, 0, "")
  ),
  (#"GB({"t":"nav","distance":"-1m"})"#, .turn(.unknown(255), nil, "")),
  (#"GB({"t":"nav"})"#, .over),
  (clockLine("2.0"), .clock(1_789_000_000, minutes: 120)),
  (#"GB({"t":"is_gps_active"})"#, .other),
  (
    #"GB({"t":"call","cmd":"incoming","name":"Zo\xeb","number":"+49301234567"})"#,
    .call(.incoming, "Zoë")
  ),
  (
    #"GB({"t":"notify","id":1592721712,"src":"Messages","title":"Anna","body":"\u65e5\u672c"})"#,
    .notice(1_592_721_712, "Anna", "日本")
  ),
  (#"GB({"t":"notify-","id":1592721712})"#, .removed(1_592_721_712)),
  (
    #"GB({"t":"musicinfo","artist":"Ella","album":"A","track":"Misty","dur":172,"c":-1,"n":0})"#,
    .track("Misty", artist: "Ella")
  ),
  (
    #"GB({"t":"musicstate","state":"play","position":5,"shuffle":1,"repeat":0})"#, .player(.playing)
  ),
  (#"GB({"t":"find","n":true})"#, .other),
  (#"GB({"t":"alarm","d":[{"h":7,"m":30,"rep":[0,1]},{"h":9}]})"#, .other),
]
