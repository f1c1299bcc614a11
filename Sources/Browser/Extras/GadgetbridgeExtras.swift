import VirtualAir

/// How Gadgetbridge writes all of that, and reads what the device wants: in lines, as its support of Bangle.js does.
struct GadgetbridgeExtras {
  private var caller: [UInt8] = []
  private var identifier = 1_789_000_000
  /// How many notifications of the device were read, and the line that they have begun.
  private var read = 0
  private var line: [UInt8] = []

  /// Receives what the device has notified.
  mutating func receive(_ central: VirtualCentral, _ extras: inout Extras) {
    for notification in central.notifications[read...] {
      for byte in notification.dropFirst(3) {
        if byte != 0x0A {
          line.append(byte)
          continue
        }
        receive(&extras)
        line = []
      }
    }
    read = central.notifications.count
  }

  private func receive(_ extras: inout Extras) {
    if says("{\"t\":\"call\",\"n\":\"ACCEPT\"}\r") { extras.endRinging(.taken) }
    if says("{\"t\":\"call\",\"n\":\"REJECT\"}\r") { extras.endRinging(.refused) }
    if says("{\"t\":\"music\",\"n\":\"next\"}\r") { extras.playNext() }
    if says("{\"t\":\"music\",\"n\":\"pause\"}\r") { extras.pause(true) }
    if says("{\"t\":\"music\",\"n\":\"play\"}\r") { extras.pause(false) }
  }

  private func says(_ text: String) -> Bool {
    line.elementsEqual(text.utf8)
  }

  /// The lines that it writes now, without what frames them.
  mutating func say(_ extras: inout Extras) -> [[UInt8]] {
    extras.takeOutcomes().flatMap { outcome -> [[UInt8]] in
      switch outcome {
      case .call(let caller):
        self.caller = caller
        return [Self.call("incoming", caller)]
      case .ringingEnds(let isTaken): return [Self.call(isTaken ? "start" : "end", caller)]
      case .notification(let title, let message):
        identifier += 1
        return [
          Self.line(
            "notify", [("src", Array("Chat".utf8)), ("title", title), ("body", message)],
            numbers: [("id", identifier)])
        ]
      case .song: return Self.song(extras.song, isPaused: extras.isPaused)
      }
    }
  }

  private static func call(_ stage: String, _ caller: [UInt8]) -> [UInt8] {
    line("call", [("cmd", Array(stage.utf8)), ("name", caller)])
  }

  private static func song(_ song: Extras.Song?, isPaused: Bool) -> [[UInt8]] {
    guard let song else { return [line("musicstate", [("state", Array("stop".utf8))])] }
    return [
      line("musicinfo", [("artist", song.artist), ("album", []), ("track", song.title)]),
      line("musicstate", [("state", Array((isPaused ? "pause" : "play").utf8))]),
    ]
  }

  /// A line of Gadgetbridge's: JavaScript with an object of texts and numbers.
  private static func line(
    _ kind: String, _ texts: [(name: String, text: [UInt8])],
    numbers: [(name: String, number: Int)] = []
  ) -> [UInt8] {
    var line = Array("GB({\"t\":\"\(kind)\"".utf8)
    for member in numbers { line += Array(",\"\(member.name)\":\(member.number)".utf8) }
    for member in texts {
      line += Array(",\"\(member.name)\":\"".utf8) + OsmAnd.escaped(member.text) + [0x22]
    }
    return line + Array("})".utf8)
  }
}
