package import BoardFile
package import Bytes
package import DeviceState
import HCI
package import Linux

/// The transport to the controller: whole HCI packets in and out.
///
/// After any error it is closed and may be opened again.
public struct Radio: ~Copyable {
  private static var connectTime: Int64 { 5_000 }
  /// How long a packet may take from its first byte to its last.
  private static var packetTime: Int64 { 500 }

  private var transport: HCITransport?
  private var framer = H4Framer()
  private var received = FixedBuffer<1026>()
  private var takenCount = 0
  private var outgoing = FixedBuffer<1026>()
  /// When to give up what hangs: a connection that is being made, or a packet that has begun.
  package private(set) var deadline: Instant?

  package init() {}

  package var descriptor: Descriptor { transport.withValue { $0.descriptor } ?? .none }

  package var interest: Interest {
    transport.withValue { $0.interest(hasOutput: !outgoing.isEmpty) } ?? .read
  }

  /// Whether packets can be sent; not while a connection is still being made.
  package var isOpen: Bool { transport.withValue { !$0.isConnecting } ?? false }

  /// Whether bytes have come that `receive` has not framed yet.
  package var hasReceived: Bool { takenCount < received.count }

  /// Whether the next packet may be given to `send`.
  package var takesOutput: Bool { isOpen && outgoing.isEmpty }

  /// Opens the port, or begins to: then `becameWritable` says when it is open.
  package mutating func open(_ port: ControllerPort, at now: Instant) throws(RadioFailure) {
    close()
    try attempt { (radio) throws(Errno) in radio.transport = try port.open() }
    deadline = isOpen ? nil : now + Self.connectTime
  }

  /// Gives up what has been hanging until `deadline`; call it if nothing has come.
  package mutating func advance(to now: Instant) throws(RadioFailure) {
    guard let due = deadline, now >= due else { return }
    let failure: RadioFailure = isOpen ? .stalled : .unanswered
    close()
    throw failure
  }

  /// Call it when the descriptor is writable; returns whether this has just opened the connection.
  package mutating func becameWritable() throws(RadioFailure) -> Bool {
    let wasOpen = isOpen
    try attempt { (radio) throws(Errno) in
      try radio.transport?.finishConnecting()
      try radio.push()
    }
    guard isOpen, !wasOpen else { return false }
    deadline = nil
    return true
  }

  /// Sends a packet, now or as soon as there is room for it.
  package mutating func send(_ packet: Span<UInt8>) throws(RadioFailure) {
    outgoing.assign(packet)
    try attempt { (radio) throws(Errno) in try radio.push() }
  }

  /// The packet that `receive` found, its indicator first.
  package var packet: Span<UInt8> { framer.packet }

  /// Finds the next whole packet; `false` when there is none in what has come.
  ///
  /// Gives up a packet that has been hanging until `deadline`, unless bytes have come since: then it was
  /// the program that was late.
  package mutating func receive(at now: Instant) throws(RadioFailure) -> Bool {
    while isOpen {
      if !hasReceived {
        guard try refill() else {
          deadline = framer.isInsidePacket ? deadline ?? now + Self.packetTime : nil
          try advance(to: now)
          return false
        }
      }
      do throws(H4Error) {
        takenCount += try framer.receive(received.bytes.extracting(droppingFirst: takenCount))
      } catch {
        close()
        throw .stream(error)
      }
      if framer.isComplete {
        deadline = nil
        return true
      }
    }
    return false
  }

  /// Closes the transport, and drops what was under way.
  package mutating func close() {
    transport = nil
    framer.removeAll()
    received.removeAll()
    takenCount = 0
    outgoing.removeAll()
    deadline = nil
  }

  private mutating func refill() throws(RadioFailure) -> Bool {
    takenCount = 0
    return try attempt { (radio) throws(Errno) in
      try radio.transport?.receive(into: &radio.received) ?? false
    }
  }

  /// Does something with the transport; if that fails, closes it.
  private mutating func attempt<Result>(
    _ body: (inout Radio) throws(Errno) -> Result
  ) throws(RadioFailure) -> Result {
    do throws(Errno) {
      return try body(&self)
    } catch {
      close()
      throw .errno(error)
    }
  }

  private mutating func push() throws(Errno) {
    guard !outgoing.isEmpty, let count = try transport?.send(outgoing.bytes) else { return }
    outgoing.removeFirst(count)
  }
}
