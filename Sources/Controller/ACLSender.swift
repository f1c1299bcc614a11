package import Bytes
import HCI
package import L2CAP

/// The L2CAP frames of one link on their way to the controller.
///
/// Frames are cut into the controller's packet length and sent while it has buffers free. All links share these (Core
/// Specification, Vol 4, Part E, 4.1.1): the host decides whose turn it is.
package struct ACLSender<let capacity: Int>: ~Copyable {
  private var frames = FixedBuffer<capacity>()
  /// Bytes of the first frame that were sent already.
  private var sentCount = 0
  /// How many of the controller's buffers hold packets of this link.
  package private(set) var inFlight = 0
  /// When the controller last took a packet or gave a buffer back.
  private var lastProgress = Instant(milliseconds: 0)
  /// When the controller last took a packet and held no other one of this link.
  private var start = Instant(milliseconds: 0)

  /// Nothing is on its way.
  package init() {}

  /// A link is lost long before this time, and its buffers come back with it.
  private static var timeout: Int64 { 10_000 }
  /// Before this time a request is answered or the link is lost: no link has a packet in a buffer all the while.
  private static var longest: Int64 { 60_000 }

  /// When the controller is taken to have lost buffers that it holds: all of them, or some while others come back.
  package var deadline: Instant? {
    inFlight > 0 ? min(lastProgress + Self.timeout, start + Self.longest) : nil
  }

  /// Whether there is something to send.
  package var isWaiting: Bool { !frames.isEmpty }

  /// Whether everything is on the air or has been.
  package var isFlushed: Bool { frames.isEmpty && inFlight == 0 }

  /// Whether a payload of this many bytes finds room.
  package func hasRoom(for count: Int) -> Bool { frames.free >= 2 + BasicFrame.headerCount + count }

  /// Queues a frame; returns whether it found room.
  package mutating func append(_ payload: Span<UInt8>, channel: ChannelIdentifier) -> Bool {
    guard hasRoom(for: payload.count) else { return false }
    frames.append(u16: UInt16(BasicFrame.headerCount + payload.count))
    BasicFrame.writeHeader(count: payload.count, channel: channel, into: &frames)
    frames.append(payload)
    return true
  }

  /// Writes the next packet into a buffer that is free, `length` bytes of data at most.
  mutating func next<let room: Int>(
    handle: UInt16, length: Int, at now: Instant, into packet: inout FixedBuffer<room>
  ) {
    let frameCount = Int(frames[0]) | Int(frames[1]) << 8
    let count = min(frameCount - sentCount, length)
    ACLData.writeHeader(
      handle: handle, isContinuation: sentCount > 0, count: count, into: &packet)
    packet.append(frames.bytes.extracting(2 + sentCount..<2 + sentCount + count))
    if inFlight == 0 { start = now }
    inFlight += 1
    lastProgress = now
    sentCount += count
    if sentCount == frameCount {
      frames.removeFirst(2 + frameCount)
      sentCount = 0
    }
  }

  /// The last packet was dropped before the controller got it.
  package mutating func takeBack() { inFlight = max(0, inFlight - 1) }

  /// Takes back buffers that the controller has emptied.
  package mutating func complete(_ count: Int, at now: Instant) {
    guard count > 0 else { return }
    inFlight = max(0, inFlight - count)
    lastProgress = now
  }
}
