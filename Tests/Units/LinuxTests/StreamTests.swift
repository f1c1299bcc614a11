import Bytes
import Expecting
import Foundation
import Linux
import TestSupport

private func connect(_ host: String, _ port: UInt16) throws(Errno) -> HCITransport {
  let bytes = Array(host.utf8)
  var stream = try HCITransport(host: bytes.span, port: port)
  wait(for: stream.descriptor, stream.interest(hasOutput: false))
  try stream.finishConnecting()
  return stream
}

private func connect(socket path: String) throws(Errno) -> HCITransport {
  let bytes = Array(path.utf8)
  var stream = try HCITransport(socket: bytes.span)
  wait(for: stream.descriptor, stream.interest(hasOutput: false))
  try stream.finishConnecting()
  return stream
}

struct StreamTests {
  @Test(arguments: ["127.0.0.1", "localhost"])
  func bytesGoBothWaysOverTCP(_ host: String) throws {
    let listener = Listener()
    let stream = try connect(host, listener.port)
    let peer = listener.accept()
    let sent: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
    let taken = try stream.send(sent.span)
    expect(taken, 4)
    expect(peer.receive(4), sent)
    peer.send([0x04, 0x0E, 0x04])
    let received = try receive(3, from: stream)
    expect(received, [0x04, 0x0E, 0x04])
  }

  @Test func bytesGoBothWaysOverAUnixSocket() throws {
    let scratch = try Scratch()
    let listener = Listener(path: scratch("radio"))
    let stream = try connect(socket: scratch("radio"))
    let peer = listener.accept()
    var buffer = FixedBuffer<8>()
    let hasReceived = try stream.receive(into: &buffer)
    expect(!hasReceived, "nothing yet is no error")
    let sent: [UInt8] = [1, 2, 3]
    _ = try stream.send(sent.span)
    expect(peer.receive(3), sent)
    peer.send([4, 5])
    let received = try receive(2, from: stream)
    expect(received, [4, 5])
  }

  @Test func nothingIsSentOrReceivedBeforeTheConnectionIsMade() throws {
    let listener = Listener()
    let host = Array("127.0.0.1".utf8)
    let bytes: [UInt8] = [1]
    let stream = try HCITransport(host: host.span, port: listener.port)
    var buffer = FixedBuffer<8>()
    let isConnecting = stream.isConnecting
    let taken = try stream.send(bytes.span)
    let hasReceived = try stream.receive(into: &buffer)
    expect(isConnecting && taken == 0 && !hasReceived)
  }

  @Test func aClosedPortRefusesTheConnection() throws {
    let closed = Listener(isListening: false)
    #expect(throws: Errno.connectionRefused) { _ = try connect("127.0.0.1", closed.port) }
  }

  @Test(arguments: ["example.org", "127.0.0.1 ", "", "[::1]", "127.0.0.1\0", "localhost."])
  func whatIsNoNumericAddressIsRefusedWithoutALookup(_ host: String) {
    #expect(throws: Errno.self) { _ = try connect(host, 1) }
  }

  @Test func theEndOfTheStreamComesAfterItsBytes() throws {
    let listener = Listener()
    let stream = try connect("127.0.0.1", listener.port)
    let peer = listener.accept()
    peer.send([7])
    peer.end()
    let received = try receive(1, from: stream)
    expect(received, [7])
    #expect(throws: Errno.peerClosed) { _ = try receive(1, from: stream) }
  }

  @Test func aResetIsAnErrorOfReceivingAndSendingIntoItKillsNobody() throws {
    let listener = Listener()
    let stream = try connect("127.0.0.1", listener.port)
    listener.accept().reset()
    #expect(throws: Errno.connectionReset) { _ = try receive(1, from: stream) }
    let bytes: [UInt8] = [1]
    #expect(throws: Errno.peerClosed) { _ = try stream.send(bytes.span) }
  }

  @Test func aFullSocketTakesAPartAndLaterTheRest() throws {
    let scratch = try Scratch()
    let listener = Listener(path: scratch("radio"))
    let stream = try connect(socket: scratch("radio"))
    let peer = listener.accept()
    let bytes = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    var sent = try stream.send(bytes.span)
    let sentAtFirst = sent
    let more = try stream.send(bytes.span)
    expect(sentAtFirst > 0 && sentAtFirst < bytes.count)
    expect(more, 0)
    var received: [UInt8] = []
    while received.count < bytes.count {
      received += peer.receive(min(sent - received.count, 100_000))
      sent += try stream.send(bytes.span.extracting(droppingFirst: sent))
    }
    expect(received, bytes)
  }

  @Test func aMissingSocketAndALongPathAreTold() {
    #expect(throws: Errno.noSuchFile) { _ = try connect(socket: "/nowhere/radio") }
    let long = "/" + String(repeating: "p", count: 107)
    #expect(throws: Errno.nameTooLong) { _ = try connect(socket: long) }
  }
}
