import Bytes
import Foundation
import HCI

/// What a run of the firmware left behind: its HCI packets, and what it sent over the panel's bus.
struct Recording {
  /// What was sent and received, in its order.
  var packets: [Packet] = []
  /// The messages on the bus, in their order.
  var messages: [Message] = []

  /// One HCI packet, its H4 indicator first; `time` counts from the first one, in milliseconds.
  struct Packet {
    var time: Int64
    var isReceived: Bool
    var bytes: [UInt8]
  }

  /// One I²C message without its address; `time` counts from the start of the program, in milliseconds.
  struct Message: Equatable {
    var time: Int64
    var bytes: [UInt8]
  }

  /// Reads a capture as `BTSnoop` writes it, and a trace as the board's `i2c-trace` has it.
  init(capture: String, trace: String) throws {
    packets = try Self.packets(
      of: [UInt8](Data(contentsOf: URL(fileURLWithPath: capture))), in: capture)
    messages = try Self.messages(of: String(contentsOfFile: trace, encoding: .ascii), in: trace)
  }

  private static func packets(of file: [UInt8], in name: String) throws -> [Packet] {
    var buffer = FixedBuffer<16>()
    BTSnoop.writeHeader(into: &buffer)
    let header = array(buffer.bytes)
    guard file.starts(with: header) else {
      throw ReplayError(
        "\(name): is not a btsnoop file of H4 packets; give one that btsnoop = file: has written")
    }
    var packets: [Packet] = []
    var start: Int64?
    var position = header.count
    while position < file.count {
      guard let record = Record(file, at: position) else {
        throw ReplayError("\(name): byte \(position): the record is cut off")
      }
      let first = start ?? record.microseconds
      start = first
      packets.append(
        Packet(
          time: (record.microseconds - first) / 1000, isReceived: record.isReceived,
          bytes: record.packet))
      position = record.end
    }
    return packets
  }

  private static func messages(of trace: String, in name: String) throws -> [Message] {
    try trace.split(separator: "\n").enumerated().map { index, line in
      let words = line.split(separator: " ")
      let bytes = words.dropFirst(2).compactMap { UInt8($0, radix: 16) }
      guard let seconds = words.first.flatMap({ Double($0) }), bytes.count + 2 == words.count else {
        throw ReplayError("\(name):\(index + 1): is not a line of an I2C trace")
      }
      return Message(time: Int64((seconds * 1000).rounded()), bytes: bytes)
    }
  }
}

/// One record of a btsnoop file: 24 bytes of numbers in big-endian, then the packet.
private struct Record {
  var isReceived: Bool
  var microseconds: Int64
  var packet: [UInt8]
  var end: Int

  init?(_ file: [UInt8], at start: Int) {
    func number(_ offset: Int, _ count: Int) -> Int64 {
      file[start + offset..<start + offset + count].reduce(0) { $0 << 8 | Int64($1) }
    }
    guard file.count - start >= 24 else { return nil }
    end = start + 24 + Int(number(4, 4))
    guard end <= file.count else { return nil }
    isReceived = number(8, 4) & 1 != 0
    microseconds = number(16, 8)
    packet = Array(file[start + 24..<end])
  }
}

/// A copy that outlives the span.
func array(_ span: Span<UInt8>) -> [UInt8] { span.indices.map { span[$0] } }

/// What is wrong, and where.
struct ReplayError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
