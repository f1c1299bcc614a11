import Bytes
import Glibc
import PhoneServices
import TestSupport
import Turns

/// Reads lines as Gadgetbridge writes them from the standard input, for tests that know what they mean.
///
/// For each newline there is a line of JSON with what was understood, texts as hexadecimal digits of UTF-8. A line
/// that is dropped before it is read is `dropped`. A second passes with each of them.
struct GadgetbridgeLines: ~Copyable {
  private var assembler = Gadgetbridge.LineAssembler()
  private var now = Instant(milliseconds: 0)

  static func play() {
    var lines = GadgetbridgeLines()
    while case let character = getchar_unlocked(), character >= 0 {
      lines.take(UInt8(truncatingIfNeeded: character))
    }
  }

  private mutating func take(_ byte: UInt8) {
    let isComplete = assembler.receive(byte, at: now)
    guard byte == 0x0A else { return }
    now = now + 1_000
    var json = JSONLine()
    if isComplete {
      write(assembler.line, into: &json)
    } else {
      json.field("kind", literal: "dropped")
    }
    precondition(json.finish())
    print(string(json.bytes))
  }

  private func write(_ line: Span<UInt8>, into json: inout JSONLine) {
    do throws(ParseError) {
      json.write(try Gadgetbridge.Message(parsing: line))
    } catch {
      json.field("kind", literal: "unreadable")
    }
  }
}

extension JSONLine {
  fileprivate mutating func write(_ message: consuming Gadgetbridge.Message) {
    switch message {
    case .nextTurn(let turn): write(turn)
    case .navigationOver: field("kind", literal: "over")
    case .clock(let clock):
      field("kind", literal: "clock")
      field("seconds", number: clock.seconds)
      field("minutes", number: Int64(clock.zone.minutes))
    case .call(let call): write(call)
    case .notice(let notice): write(notice)
    case .noticeRemoved(let identifier):
      field("kind", literal: "removed")
      field("identifier", number: identifier)
    case .track(let track): write(track)
    case .player(let player):
      field("kind", literal: "player")
      field("state", literal: "\(player)")
    case .other: field("kind", literal: "other")
    }
  }

  private mutating func write(_ turn: borrowing Gadgetbridge.NextTurn) {
    field("kind", literal: "turn")
    field("maneuver", literal: name(of: turn.maneuver))
    if let distance = turn.distance { field("distance", number: Int64(distance)) }
    field("text", hex: turn.text.bytes)
  }

  private mutating func write(_ call: borrowing Gadgetbridge.Call) {
    field("kind", literal: "call")
    field("stage", literal: "\(call.stage)")
    field("name", hex: call.name.bytes)
  }

  private mutating func write(_ notice: borrowing Gadgetbridge.Notice) {
    field("kind", literal: "notice")
    if let identifier = notice.identifier { field("identifier", number: identifier) }
    field("app", hex: notice.app.bytes)
    field("title", hex: notice.title.bytes)
    field("message", hex: notice.message.bytes)
  }

  private mutating func write(_ track: borrowing Gadgetbridge.Track) {
    field("kind", literal: "track")
    field("title", hex: track.title.bytes)
    field("artist", hex: track.artist.bytes)
  }
}

private func name(of maneuver: Maneuver) -> String {
  switch maneuver {
  case .roundabout(.unknown, nil): "roundabout"
  case .unknown(255): "unknown"
  default: "\(maneuver)"
  }
}
