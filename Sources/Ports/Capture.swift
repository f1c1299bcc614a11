package import BoardFile
package import Bytes
import HCI
import Linux
package import Recording

/// The packets between host and controller, for Wireshark and btmon, without their keys and
/// without the private texts that a phone notifies.
public struct Capture: ~Copyable {
  private var file: RecordFile
  /// The time of the wall clock at the start; only the loop's time is added to it.
  private let wallStart = Clock.wallMicroseconds
  private let start: Instant
  private var redaction = Redaction()

  /// Begins a capture in the file that the board names, if it names one.
  package init(_ output: Output, start: Instant) {
    file = output.openRecords()
    self.start = start
    guard !file.isNone else { return }
    var header = FixedBuffer<16>()
    BTSnoop.writeHeader(.h4, into: &header)
    file.write(header.bytes)
  }

  package mutating func received(
    _ packet: Span<UInt8>, with discretion: Discretion = .none, at now: Instant
  ) {
    write(packet, isReceived: true, discretion, at: now)
  }

  package mutating func sent(_ packet: Span<UInt8>, at now: Instant) {
    write(packet, isReceived: false, .none, at: now)
  }

  private mutating func write(
    _ packet: Span<UInt8>, isReceived: Bool, _ discretion: Discretion, at now: Instant
  ) {
    guard !file.isNone else { return }
    var record = FixedBuffer<1050>()
    var copy = FixedBuffer<1026>()
    copy.assign(packet)
    redaction.blank(&copy, isReceived: isReceived, with: discretion)
    let time = wallStart + 1000 * (now - start)
    BTSnoop.write(copy.bytes, isReceived: isReceived, at: time, into: &record)
    file.write(record.bytes)
  }
}
