package import Bytes

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
