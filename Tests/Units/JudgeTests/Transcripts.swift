import Expecting
import Judging
import TestSupport
import VirtualAir

/// What is said of the last packet that is sent in a transcript; all before it must pass.
///
/// A transcript has a packet in each line, `>` for one that the host sends, `<` for one that it
/// hears. `att`, `sig` and `smp` stand for a frame of that channel on the link 0x0040, in pieces
/// of 27 bytes; `att2` and `smp2` for one on the link 0x0041.
func verdictOf(_ transcript: String, mayAdvertise: Bool = true) -> String? {
  let judge = PacketJudge(mayAdvertise: mayAdvertise)
  var last: String?
  for line in transcript.split(separator: "\n") {
    let words = line.split(separator: " ", maxSplits: 1)
    for packet in packets(words.count > 1 ? String(words[1]) : "", isSent: words[0] == ">") {
      if words[0] == ">" {
        if let last { Issue.record("\(last), before \(line)") }
        last = judge.verdict(on: packet)
      } else {
        judge.received(packet)
      }
    }
  }
  return last
}

private func packets(_ text: String, isSent: Bool) -> [[UInt8]] {
  let channels: [String: (UInt8, UInt8)] = [
    "att": (0x04, 0x40), "sig": (0x05, 0x40), "smp": (0x06, 0x40), "att2": (0x04, 0x41),
    "smp2": (0x06, 0x41),
  ]
  let words = text.split(separator: " ", maxSplits: 1)
  guard let (channel, handle) = words.first.flatMap({ channels[String($0)] }) else {
    return [bytes(text)]
  }
  let payload = words.count > 1 ? bytes(String(words[1])) : []
  let frame = little(UInt16(payload.count)) + [channel, 0] + payload
  return stride(from: 0, to: frame.count, by: 27).map { start in
    let piece = Array(frame[start..<min(start + 27, frame.count)])
    let flags: UInt8 = start > 0 ? 0x10 : isSent ? 0x00 : 0x20
    return [0x02, handle, flags] + little(UInt16(piece.count)) + piece
  }
}

/// As many bytes as the number, none of which is 0.
func filler(_ count: Int) -> String { Array(repeating: "11", count: count).joined(separator: " ") }

// MARK: - Beginnings

/// Reset is answered, and the controller has 64 buffers of 27 bytes.
let up = """
  > 01 03 0c 00
  < 04 0e 04 01 03 0c 00
  > 01 02 20 00
  < 04 0e 07 01 02 20 00 1b 00 40
  """

/// A connection is being created.
let creating = """
  \(up)
  > \(create)
  < 04 0f 04 00 01 0d 20
  """

let create = "01 0d 20 19 60 00 60 00 00 01 01 02 03 04 05 c6 00 \(interval)"
/// 15 ms, no latency, a timeout of 4 s.
let interval = "0c 00 0c 00 00 00 90 01 00 00 00 00"

let connected = "04 3e 13 01 00 40 00 00 01 01 02 03 04 05 c6 18 00 00 00 90 01 00"
let gone = "04 05 04 00 40 00 13"

/// There is a link, 0x0040.
let linked = """
  \(creating)
  < \(connected)
  """

/// There is another one, 0x0041.
let linkedTwice = """
  \(linked)
  > \(createSecond)
  < 04 0f 04 00 01 0d 20
  < \(connectedSecond)
  """

let createSecond = "01 0d 20 19 60 00 60 00 00 01 07 02 03 04 05 c6 00 \(interval)"
let connectedSecond = "04 3e 13 01 00 41 00 00 01 07 02 03 04 05 c6 18 00 00 00 90 01 00"
let goneSecond = "04 05 04 00 41 00 13"

/// It is encrypted with a bond's key.
let encrypted = """
  \(linked)
  > \(encrypt)
  < 04 0f 04 00 01 19 20
  < 04 08 04 00 40 00 01
  """

let encrypt = "01 19 20 1c 40 00 \(zeros(10)) \(filler(16))"

func zeros(_ count: Int) -> String { Array(repeating: "00", count: count).joined(separator: " ") }
