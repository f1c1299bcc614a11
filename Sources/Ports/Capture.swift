import Bytes
import Device
import HCI
import Linux

/// The packets between host and controller, for Wireshark and btmon; their keys are blanked.
struct Capture: ~Copyable {
  private var file: RecordFile

  /// Begins a capture in this file.
  init(_ file: consuming RecordFile) {
    self.file = file
    guard !self.file.isNone else { return }
    var header = FixedBuffer<16>()
    BTSnoop.writeHeader(into: &header)
    self.file.write(header.bytes)
  }

  /// A packet came from the controller.
  mutating func received(_ packet: Span<UInt8>) { write(packet, isReceived: true) }

  /// A packet goes to the controller.
  mutating func sent(_ packet: Span<UInt8>) { write(packet, isReceived: false) }

  private mutating func write(_ packet: Span<UInt8>, isReceived: Bool) {
    guard !file.isNone else { return }
    var record = FixedBuffer<1050>()
    var copy = FixedBuffer<1026>()
    copy.assign(packet)
    Secret.blank(in: &copy)
    BTSnoop.write(copy.bytes, isReceived: isReceived, at: Clock.wallMicroseconds, into: &record)
    file.write(record.bytes)
  }
}
