import BoardFile
import Bytes
import HCI
import Linux

/// The controller's transport, reopened for as long as it fails.
struct Radio: ~Copyable {
  /// What a turn of the loop found.
  enum Change {
    case none
    /// The transport is up: the controller must be brought up from Reset on.
    case opened
  }

  /// Why the transport is closed.
  enum Failure: Error, Equatable {
    case errno(Errno)
    case stream(H4Error)
    /// A packet began and did not end.
    case stalled
    /// A connection was not made in time.
    case unanswered
  }

  private static var retryTime: Int64 { 1_000 }
  /// A stream that is out of step is back in step within a second.
  private static var resyncTime: Int64 { 250 }
  /// How long after the start a driver may still be loading.
  private static var startTime: Int64 { 5_000 }
  /// How often the controller is looked for until then.
  private static var lookTime: Int64 { 100 }
  private static var connectTime: Int64 { 5_000 }
  /// How long a packet may take from its first byte to its last.
  private static var packetTime: Int64 { 500 }

  private var transport: HCITransport?
  private var framer = H4Framer()
  private var received = FixedBuffer<1026>()
  private var takenCount = 0
  private var outgoing = FixedBuffer<1026>()

  /// When to open the transport, or to give up what hangs.
  private(set) var deadline: Instant?

  private let startEnd: Instant

  init(opening now: Instant) {
    deadline = now
    startEnd = now + Self.startTime
  }

  /// What to wait for, and how.
  var descriptor: Descriptor {
    switch transport {
    case .some(let transport): transport.descriptor
    case .none: .none
    }
  }

  var interest: Interest {
    switch transport {
    case .some(let transport): transport.interest(hasOutput: !outgoing.isEmpty)
    case .none: .read
    }
  }

  var isOpen: Bool {
    switch transport {
    case .some(let transport): !transport.isConnecting
    case .none: false
    }
  }

  /// Whether bytes have come that `receive` has not taken yet.
  var hasReceived: Bool { takenCount < received.count }

  /// Whether the next packet may be given to `send`.
  var takesOutput: Bool { isOpen && outgoing.isEmpty }

  /// Opens what is closed and gives up what hangs, if it is time to.
  mutating func advance(_ port: ControllerPort, to now: Instant) throws(Failure) -> Change {
    guard let due = deadline, now >= due else { return .none }
    guard transport == nil else {
      throw close(isOpen ? .stalled : .unanswered, at: now)
    }
    do throws(Errno) {
      transport = try port.open()
    } catch {
      let failure = close(.errno(error), at: now)
      if port.isDevice, now < startEnd { deadline = now + Self.lookTime }
      throw failure
    }
    deadline = isOpen ? nil : now + Self.connectTime
    return isOpen ? .opened : .none
  }

  /// Takes that the descriptor became writable.
  mutating func becameWritable(at now: Instant) throws(Failure) -> Change {
    let wasOpen = isOpen
    do throws(Errno) {
      try transport?.finishConnecting()
      try push()
    } catch {
      throw close(.errno(error), at: now)
    }
    guard isOpen, !wasOpen else { return .none }
    deadline = nil
    return .opened
  }

  /// Sends a packet, now or as soon as there is room for it.
  mutating func send(_ packet: Span<UInt8>, at now: Instant) throws(Failure) {
    outgoing.assign(packet)
    do throws(Errno) {
      try push()
    } catch {
      throw close(.errno(error), at: now)
    }
  }

  /// The packet that `receive` found, its indicator first.
  var packet: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { framer.packet }
  }

  /// Finds the next whole packet; `false` when all that has come is taken.
  mutating func receive(at now: Instant) throws(Failure) -> Bool {
    while true {
      if takenCount == received.count {
        guard try refill(at: now) else {
          deadline = framer.isInsidePacket ? earlier(deadline, now + Self.packetTime) : nil
          return false
        }
      }
      do throws(H4Error) {
        takenCount += try framer.take(received.bytes.extracting(droppingFirst: takenCount))
      } catch {
        throw close(.stream(error), at: now)
      }
      if framer.isComplete {
        deadline = nil
        return true
      }
    }
  }

  /// Closes the transport, to be opened anew in a moment.
  mutating func close(_ failure: Failure, at now: Instant) -> Failure {
    transport = nil
    framer.removeAll()
    received.removeAll()
    takenCount = 0
    outgoing.removeAll()
    switch failure {
    case .stream, .stalled: deadline = now + Self.resyncTime
    case .errno, .unanswered: deadline = now + Self.retryTime
    }
    return failure
  }

  private mutating func refill(at now: Instant) throws(Failure) -> Bool {
    takenCount = 0
    do throws(Errno) {
      return try transport?.receive(into: &received) ?? false
    } catch {
      throw close(.errno(error), at: now)
    }
  }

  private mutating func push() throws(Errno) {
    guard !outgoing.isEmpty, let count = try transport?.send(outgoing.bytes) else { return }
    outgoing.removeFirst(count)
  }
}
