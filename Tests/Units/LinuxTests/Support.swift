import Bytes
import Foundation
import Linux
import TestSupport

/// The other end of a stream, as the C library alone has it: blocking, and closed when let go.
final class Peer {
  private(set) var descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { end() }

  func end() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Ends a TCP connection by a reset.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    end()
  }

  func send(_ bytes: [UInt8]) { _ = Glibc.write(descriptor, bytes, bytes.count) }

  /// Waits for exactly so many bytes, or for the end.
  func receive(_ count: Int) -> [UInt8] {
    var received: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while received.count < count {
      let taken = Glibc.read(descriptor, &part, min(part.count, count - received.count))
      if taken <= 0 { break }
      received += part.prefix(taken)
    }
    return received
  }
}

/// A listening socket of the loopback interface or of the file system.
final class Listener {
  private let descriptor: Int32
  private(set) var port: UInt16 = 0

  /// One that does not listen keeps its port closed, and from others.
  init(isListening: Bool = true) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout.size(ofValue: address))
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size)
        if isListening { listen(descriptor, 4) }
        getsockname(descriptor, $0, &size)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
  }

  init(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        listen(descriptor, 4)
      }
    }
  }

  deinit { close(descriptor) }

  func accept() -> Peer { Peer(Glibc.accept(descriptor, nil, nil)) }
}

/// Waits until the stream is ready; five seconds are for ever here.
func wait(for descriptor: Descriptor, _ interest: Interest = .read) {
  var poller = Poller()
  poller.add(descriptor, interest)
  poller.wait(until: Clock.now + 5_000, now: Clock.now)
}

/// Everything that comes until `count` bytes are there or the stream ends.
func receive(_ count: Int, from stream: borrowing H4Stream) throws(Errno) -> [UInt8] {
  var received: [UInt8] = []
  var buffer = FixedBuffer<256>()
  while received.count < count {
    if try stream.receive(into: &buffer) {
      received += array(buffer.bytes)
    } else {
      wait(for: stream.descriptor)
    }
  }
  return received
}
