package import Bytes
import CLinux

/// The way to the controller: its user channel or an H4 stream, used alike as `H4Stream` says.
///
/// What is received reads as H4 from either: a type byte and a packet, again and again. Never
/// waits. After any error it is of no more use: close it and open another one.
public struct HCITransport: ~Copyable {
  // One of the two; an enumeration of them could not be changed in place.
  private var socket: HCISocket?
  private var stream: H4Stream?

  package init(_ socket: consuming HCISocket) { self.socket = consume socket }

  package init(_ stream: consuming H4Stream) { self.stream = consume stream }

  /// What to wait for with `interest`.
  package var descriptor: Descriptor {
    stream.withValue { $0.descriptor } ?? socket.withValue { $0.descriptor } ?? .none
  }

  package func interest(hasOutput: Bool) -> Interest {
    stream.withValue { $0.interest(hasOutput: hasOutput) } ?? (hasOutput ? .readOrWrite : .read)
  }

  package var isConnecting: Bool { stream.withValue { $0.isConnecting } ?? false }

  package mutating func finishConnecting() throws(Errno) { try stream?.finishConnecting() }

  /// Replaces `buffer` by the next bytes, a whole packet by the user channel; `false` if there are none now.
  ///
  /// Call it until then. Throws `peerClosed` at the end of a stream.
  package mutating func receive<let n: Int>(
    into buffer: inout FixedBuffer<n>
  ) throws(Errno) -> Bool {
    if let received = try stream?.receive(into: &buffer) { return received }
    return try socket?.receive(into: &buffer) ?? false
  }

  /// Returns how many bytes of one whole packet were taken; the caller sends the rest later.
  package mutating func send(_ packet: Span<UInt8>) throws(Errno) -> Int {
    if let sent = try stream?.send(packet) { return sent }
    return try socket?.send(packet) == true ? packet.count : 0
  }
}

/// A controller of this machine, for us alone: the HCI user channel.
///
/// Linux, net/bluetooth/hci_sock.c.
///
/// Carries whole packets, each with its type byte in front as in H4. Needs CAP_NET_ADMIN.
public struct HCISocket: ~Copyable {
  private let file: FileDescriptor

  /// Packets that were longer than the buffer they were to be received into, and so were dropped.
  package private(set) var droppedPackets: UInt32 = 0

  /// Takes the controller `hci<device>` down, and opens it for us alone.
  ///
  /// Throws `noSuchDevice`, `radioBlocked`, `notPermitted`, and
  /// - `busy` or `tooManyUsers`: another program has it.
  /// - `inProgress`: its driver is setting it up, or failed to.
  /// - `noSuchFamily`: the kernel has no Bluetooth.
  package init(device: UInt16) throws(Errno) {
    file = try FileDescriptor(opening: linux_open_hci_user_channel(device))
  }

  /// Uses a socket that carries whole packets.
  init(_ file: consuming FileDescriptor) { self.file = file }

  /// Readable when a packet has come.
  package var descriptor: Descriptor { file.descriptor }

  /// Replaces `buffer` by the next whole packet; `false` if there is none now.
  ///
  /// Call it until then: the kernel drops packets when its queue is full. After any error the
  /// socket is of no more use: close it and open another one.
  package mutating func receive<let n: Int>(
    into buffer: inout FixedBuffer<n>
  ) throws(Errno) -> Bool {
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
      if length <= n { return true }
      droppedPackets &+= 1
    }
  }

  /// Sends one whole packet; `false` if the kernel cannot take it now.
  package func send(_ packet: Span<UInt8>) throws(Errno) -> Bool {
    try file.send(packet) == packet.count
  }
}

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
