import Bytes
import Expecting
import Foundation
import TestSupport

@testable import Linux

/// The user channel's habits, at a socket of the same kind: one packet a call, and none split.
struct HCISocketTests {
  /// The kernel's end, and the number of ours.
  private static func pair() throws -> (kernel: Peer, ours: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
    return (Peer(ends[0]), ends[1])
  }

  @Test func centralBehaviour8_itIsDrainedUntilThereIsNothingLeft() throws {
    let (kernel, ours) = try Self.pair()
    let socket = HCITransport(packets: try FileDescriptor(opening: ours))
    for number in UInt8(0)..<100 { kernel.send([0x04, 0xFF, 1, number]) }
    var buffer = FixedBuffer<1026>()
    for number in UInt8(0)..<100 {
      let hasPacket = try socket.receive(into: &buffer)
      expect(hasPacket)
      expect(array(buffer.bytes), [0x04, 0xFF, 1, number])
    }
    // EAGAIN is no error: there is just nothing now, again and again.
    for _ in 0..<2 {
      let hasPacket = try socket.receive(into: &buffer)
      expect(!hasPacket)
    }
    kernel.send([0x04, 0x10, 1, 0])
    let hasPacket = try socket.receive(into: &buffer)
    expect(hasPacket)
  }

  @Test func centralBehaviour8_aPacketThatIsTooLongIsDroppedAndTheNextOneIsWhole() throws {
    let (kernel, ours) = try Self.pair()
    let socket = HCITransport(packets: try FileDescriptor(opening: ours))
    kernel.send([0x04, 0xFF, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    kernel.send([0x04, 0xFF, 0])
    var buffer = FixedBuffer<8>()
    let hasPacket = try socket.receive(into: &buffer)
    expect(hasPacket)
    expect(array(buffer.bytes), [0x04, 0xFF, 0])
  }

  @Test func centralBehaviour8_aControllerThatIsGoneIsAnError() throws {
    let (kernel, ours) = try Self.pair()
    let socket = HCITransport(packets: try FileDescriptor(opening: ours))
    kernel.send([0x04, 0x10, 1, 0])
    kernel.end()
    var buffer = FixedBuffer<1026>()
    let hasPacket = try socket.receive(into: &buffer)
    expect(hasPacket, "what came before the end still counts")
    var reason: Errno?
    do { _ = try socket.receive(into: &buffer) } catch { reason = error }
    expect(reason, .peerClosed)
    let reset: [UInt8] = [0x01, 0x03, 0x0C, 0]
    do { _ = try socket.send(reset.span) } catch { reason = error }
    expect(reason, .peerClosed)
  }

  @Test func aFullQueueIsNoErrorAndLosesNothing() throws {
    let (kernel, ours) = try Self.pair()
    let socket = HCITransport(packets: try FileDescriptor(opening: ours))
    let packet = [UInt8](repeating: 7, count: 1000)
    var sent = 0
    while try socket.send(packet.span) == packet.count { sent += 1 }
    #expect(sent > 1)
    expect(kernel.receive(1000), packet)
    let taken = try socket.send(packet.span)
    expect(taken, packet.count)
  }
}
