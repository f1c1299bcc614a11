package import Bytes
import CLinux

/// A byte stream to a controller that speaks H4: TCP, unix socket or serial port.
///
/// Never waits: a connection in progress becomes writable when it is made or has failed.
/// After any error the stream is useless: close it and open another one.
public struct H4Stream: ~Copyable {
  private let file: FileDescriptor
  private let isSocket: Bool

  /// Whether the connection is not made yet; nothing can be sent or received until then.
  package private(set) var isConnecting: Bool

  /// Begins to connect to a numeric IPv4 or IPv6 address or `localhost`.
  ///
  /// Throws `invalid` for any other name: a static program has no resolver.
  package init(host: Span<UInt8>, port: UInt16) throws(Errno) {
    file = try FileDescriptor(opening: linux_connect_tcp(host, port))
    (isSocket, isConnecting) = (true, true)
  }

  /// Begins to connect to a unix stream socket; `nameTooLong` beyond 107 bytes.
  package init(socket path: Span<UInt8>) throws(Errno) {
    file = try FileDescriptor(opening: linux_connect_unix(path))
    (isSocket, isConnecting) = (true, true)
  }

  /// Opens a serial port, raw, 8N1 with RTS/CTS.
  ///
  /// Core Specification, Vol 4, Part A, 3. Throws `invalid` for a baud rate that Linux does not know, `wrongKind` for no serial port.
  package init(serial path: Span<UInt8>, baud: UInt32) throws(Errno) {
    file = try FileDescriptor(opening: linux_open_serial(path, baud))
    (isSocket, isConnecting) = (false, false)
  }

  deinit {
    if !isSocket { linux_drop_output(file.rawValue) }
  }

  /// Readable when bytes have come, writable when some can go.
  package var descriptor: Descriptor { file.descriptor }

  /// What to wait for, depending on whether the caller has bytes to send.
  package func interest(hasOutput: Bool) -> Interest {
    if isConnecting { return .write }
    return hasOutput ? .readOrWrite : .read
  }

  /// Call when writable while connecting; throws `connectionRefused` and the like.
  package mutating func finishConnecting() throws(Errno) {
    guard isConnecting else { return }
    try check(linux_connection_result(file.rawValue))
    isConnecting = false
  }

  /// Replaces `buffer` by the next bytes; `false` if there are none now.
  ///
  /// Throws `peerClosed` at the end of the stream.
  package func receive<let n: Int>(into buffer: inout FixedBuffer<n>) throws(Errno) -> Bool {
    buffer.removeAll()
    return isConnecting ? false : try file.receive(into: &buffer)
  }

  /// Returns how many of `bytes` the kernel took, from the first one on; the caller keeps the rest.
  package func send(_ bytes: Span<UInt8>) throws(Errno) -> Int {
    if isConnecting || bytes.isEmpty { return 0 }
    if isSocket { return try file.send(bytes) }
    do throws(Errno) {
      return try file.write(bytes)
    } catch .wouldBlock {
      return 0
    }
  }
}
