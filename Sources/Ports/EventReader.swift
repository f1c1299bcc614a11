import Bytes
import Events
import Linux

/// A place for a program that reads events: its connection, if there is one, and its `Subscriber`.
struct EventReader: ~Copyable {
  private var socket: FileDescriptor?
  private var subscriber: Subscriber
  /// Whether the kernel takes nothing more, until the poller says that it does.
  private var isBlocked = false

  init(offering offered: Topics, start: Instant) {
    subscriber = Subscriber(offered: offered, start: start)
  }

  var isFree: Bool { descriptor == .none }

  mutating func admit(
    _ socket: consuming FileDescriptor, offering offered: Topics, start: Instant
  ) {
    self = EventReader(offering: offered, start: start)
    self.socket = consume socket
  }

  /// The topics that are read here.
  var wanted: Topics { isFree ? Topics() : subscriber.wanted }

  var descriptor: Descriptor { socket.withValue { $0.descriptor } ?? .none }

  var interest: Interest {
    switch (isBlocked, subscriber.takesInput) {
    case (true, true): .readOrWrite
    case (true, false): .write
    case (false, true): .read
    case (false, false): .end
    }
  }

  /// When to call `send` at the latest.
  var deadline: Instant? { isFree ? nil : subscriber.deadline }

  /// Gives the program a line without its newline, if it wants the topic.
  mutating func write(_ line: Span<UInt8>, of topic: Topic, at now: Instant) {
    guard wanted.contains(topic) else { return }
    // Many lines may come in one turn, and a reader that is not slow loses none of them.
    if !subscriber.hasRoom(for: line) { send(at: now) }
    subscriber.receive(line, of: topic)
  }

  mutating func send(at now: Instant) {
    if isFree { return }
    subscriber.advance(to: now)
    while !isBlocked, !subscriber.output.isEmpty {
      do throws(Errno) {
        guard let count = try socket?.send(subscriber.output.bytes) else { return }
        isBlocked = count < subscriber.output.count
        subscriber.outputWasSent(count)
        subscriber.advance(to: now)
      } catch {
        return socket = nil
      }
    }
    if subscriber.isOver { socket = nil }
  }

  /// Reads what came, if anything did.
  mutating func receive(_ poller: borrowing Poller, at now: Instant) {
    guard !poller.hasEnded(descriptor) else { return socket = nil }
    if poller.isWritable(descriptor) { isBlocked = false }
    guard poller.isReadable(descriptor), subscriber.takesInput else { return }
    var input = Subscriber.Input()
    do throws(Errno) {
      if try socket?.receive(into: &input) ?? false { subscriber.receive(input, at: now) }
    } catch .peerClosed {
      subscriber.inputEnded(at: now)
    } catch {
      socket = nil
    }
  }
}
