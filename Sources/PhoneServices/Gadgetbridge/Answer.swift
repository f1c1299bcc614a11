package import Bytes

extension Gadgetbridge {
  /// What the device says to the app, a line of JSON each.
  package enum Answer: Equatable, Sendable {
    /// Which firmware this is, and on which board.
    case version(firmware: ShortBytes<20>, board: ShortBytes<20>)
    case music(MusicCommand)
    case call(CallCommand)
    /// The charge of our own battery in percent.
    case charge(UInt8)

    /// What the player is to do.
    package enum MusicCommand: Equatable, Sendable {
      case play, pause, next
    }

    /// What the phone is to do with a ringing call.
    package enum CallCommand: Equatable, Sendable {
      case accept, refuse
    }

    /// Writes it as a line, which ends with CR LF: the app drops the byte before the newline.
    package func write<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
      var line = JSONLine()
      writeMembers(into: &line)
      _ = line.finish()
      writer.append(line.bytes)
      writer.append(0x0D)
      writer.append(0x0A)
    }

    private func writeMembers(into line: inout JSONLine) {
      switch self {
      case .version(let firmware, let board):
        line.field("t", literal: "ver")
        line.field("fw", text: firmware.bytes)
        line.field("hw", text: board.bytes)
      case .music(let command):
        line.field("t", literal: "music")
        line.field(
          "n", literal: command == .play ? "play" : command == .pause ? "pause" : "next")
      case .call(let command):
        line.field("t", literal: "call")
        line.field("n", literal: command == .accept ? "ACCEPT" : "REJECT")
      case .charge(let percent):
        line.field("t", literal: "status")
        line.field("bat", number: Int64(widening: Int(percent)))
      }
    }
  }
}
