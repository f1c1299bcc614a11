import BoardFile
import Bytes
import Places
import ScanTool
import TestSupport

/// `lenker-scan`: its arguments, or what becomes of it among devices and beacons.
func runScan(_ feed: inout Feed) {
  if feed.u8() % 8 == 0 { readWords(&feed) } else { ScriptedScan.run(&feed) }
}

/// Arguments are taken, or refused in one line beside which the usage has room.
private func readWords(_ feed: inout Feed) {
  var arguments = ScanArguments()
  var word: [UInt8] = []
  var position = 1
  do throws(ScanUsageError) {
    while !feed.isEmpty {
      word = nextWord(&feed)
      try arguments.read(word.span, position: position)
      position += 1
    }
    try arguments.finish()
    do throws(BoardError) {
      if try arguments.board().events.socketPath != nil { reach("scan override") }
    } catch {
      let file = Text("argument")
      check { error.write(file: file.bytes, to: &$0) }
    }
    begin(arguments)
  } catch {
    reach("scan usage")
    check { error.write(about: word.span, to: &$0) }
  }
}

/// What chance alone seldom types, and what it does.
private func nextWord(_ feed: inout Feed) -> [UInt8] {
  let options = [
    "service", "crownstones", "beacons", "sensors", "seconds", "passive", "json", "read", "group",
    "location", "out", "fingerprint", "help", "version",
  ]
  let values = [
    "180D", "12345678", "E20A39F4-73F5-4BC4-A12F-17D1AD07A961", "60", "241", "garage",
    "home=E20A39F4-73F5-4BC4-A12F-17D1AD07A961", "work=E20A39F4-73F5-4BC4-A12F-17D1AD07A962",
    "garage=garage.json", "C0:00:52:50:5E:01", "on", "off", "0.5", "12.25", "hci=hci1",
    "btsnoop=file:x", "events=unix:/x", "topics=beacons,radio", "panel=none",
  ]
  switch feed.u8() % 6 {
  case 0: return Array("--\(feed.pick(options))".utf8)
  case 1: return Array("--\(feed.pick(options))=\(feed.pick(values))".utf8)
  case 2: return Array(feed.pick(["inspect", "train", "locate", "switch"]).utf8)
  case 3, 4: return Array(feed.pick(values).utf8)
  default: return feed.take(Int(feed.u8() % 80))
  }
}

/// What was asked for can be begun, or is refused in one line.
private func begin(_ arguments: consuming ScanArguments) {
  let command = arguments.command
  reach("scan arguments of \(command)")
  do throws(PlaceError) {
    _ = try ScanTool(
      arguments, isForPeople: false, boardAddress: nil, at: Instant(milliseconds: 0))
  } catch {
    check { error.write(to: &$0) }
  }
}

private func check(_ write: (inout FixedBuffer<512>) -> Void) {
  var line = FixedBuffer<512>()
  write(&line)
  let text = string(line.bytes)
  if text.isEmpty || line.isOverflown || text.contains("\n") {
    finding("a complaint that is no line: \(text)")
  }
}
