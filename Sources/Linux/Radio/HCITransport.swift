package import Bytes
import CLinux

/// The way to the controller: its user channel, or a byte stream that speaks H4.
///
/// Received bytes are H4 in either case: a type byte and a packet, again and again. Nothing here waits: a
/// connection in progress becomes writable when it is made or has failed. After any error close the
/// transport and open another one.
public struct HCITransport: ~Copyable {
  private enum Kind { case userChannel, socket, serialPort }

  private let kind: Kind
  private let file: FileDescriptor

  /// Whether the connection is still being made; nothing can be sent or received meanwhile.
  package private(set) var isConnecting: Bool

  private init(_ kind: Kind, _ file: consuming FileDescriptor) {
    self.kind = kind
    self.file = file
    isConnecting = kind == .socket
  }

  /// Takes the controller `hci<device>` of this machine down, and opens its user channel for us alone.
  ///
  /// Linux, net/bluetooth/hci_sock.c. Needs CAP_NET_ADMIN. Throws `noSuchDevice`, `radioBlocked`,
  /// `notPermitted`, and
  /// - `busy` or `tooManyUsers`: another program has it.
  /// - `inProgress`: its driver is setting it up, or failed to.
  /// - `noSuchFamily`: the kernel has no Bluetooth.
  package init(device: UInt16) throws(Errno) {
    self.init(packets: try FileDescriptor(opening: linux_open_hci_user_channel(device)))
  }

  /// Uses a socket that carries whole packets, as the user channel does.
  init(packets file: consuming FileDescriptor) { self.init(.userChannel, file) }

  /// Begins to connect to a numeric IPv4 or IPv6 address or `localhost`.
  ///
  /// Throws `invalid` for any other name: a static program has no resolver.
  package init(host: Span<UInt8>, port: UInt16) throws(Errno) {
    self.init(.socket, try FileDescriptor(opening: linux_connect_tcp(host, port)))
  }

  /// Begins to connect to a unix stream socket; `nameTooLong` beyond 107 bytes.
  package init(socket path: Span<UInt8>) throws(Errno) {
    self.init(.socket, try FileDescriptor(opening: linux_connect_unix(path)))
  }

  /// Opens a serial port, raw, 8N1 with RTS/CTS.
  ///
  /// Core Specification, Vol 4, Part A, 3. Throws `invalid` for an unknown baud rate, `wrongKind` for no serial port.
  package init(serial path: Span<UInt8>, baud: UInt32) throws(Errno) {
    self.init(.serialPort, try FileDescriptor(opening: linux_open_serial(path, baud)))
  }

  deinit {
    if kind == .serialPort { linux_drop_output(file.rawValue) }
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

  /// Replaces `buffer` by the next bytes, a whole packet by the user channel; `false` if there are none now.
  ///
  /// Call it until it returns `false`: the kernel drops packets when the queue of a user channel is full.
  /// Throws `peerClosed` at the end.
  package func receive<let n: Int>(into buffer: inout FixedBuffer<n>) throws(Errno) -> Bool {
    buffer.removeAll()
    if isConnecting { return false }
    guard kind == .userChannel else { return try file.receive(into: &buffer) }
    while true {
      var length = 0
      do throws(Errno) {
        try buffer.fill { (space) throws(Errno) in
          length = try check { linux_receive_message(file.rawValue, &space) }
          return length
        }
      } catch .wouldBlock {
        return false
      }
      guard length > 0 else { throw .peerClosed }
      // A packet that is longer than the buffer is dropped.
      if length <= n { return true }
    }
  }

  /// Returns how many bytes of one whole packet were taken, all or none by the user channel; the caller
  /// sends the rest later.
  package func send(_ packet: Span<UInt8>) throws(Errno) -> Int {
    if isConnecting || packet.isEmpty { return 0 }
    guard kind == .serialPort else { return try file.send(packet) }
    do throws(Errno) {
      return try file.write(packet)
    } catch .wouldBlock {
      return 0
    }
  }
}
