package import BoardFile
package import Bytes
package import Events
package import Linux
import Recording

/// The socket at which up to four programs at a time read events, each those of the topics that it asks for.
///
/// A `Subscriber` says what becomes of each of them. Nothing here waits, and a turn of the loop does little
/// for them, whatever they do.
///
///     server.open(at: now)
///     server.write(lines, of: topics, at: now)
///     server.send(at: now)                       // before each wait
///     server.addDescriptors(to: &poller)         // until `deadline` at the latest
///     server.receive(poller, at: now)
public struct EventServer: ~Copyable {
  /// From one attempt to make the socket to the next, in milliseconds.
  private static var openPause: Int64 { 1_000 }
  /// How long no program is let in after another was, so that coming and going does not keep the loop busy.
  private static var acceptPause: Int64 { 100 }
  /// The same after a failure, such as too many open files.
  private static var failurePause: Int64 { 1_000 }

  private let path: Text?
  private let offered: Topics
  private let start: Instant
  private var listener: ListeningSocket?
  private var opening: Retry
  /// Until when no program is let in.
  private var acceptTime: Instant?
  private var readers: InlineArray<4, EventReader>

  /// A server at this path, or none, whose readers may have these topics; times begin at `start`.
  package init(_ path: Text?, offering offered: Topics, start: Instant) {
    (self.path, self.offered, self.start) = (path, offered, start)
    opening = Retry(at: path == nil ? nil : start, pause: Self.openPause)
    readers = InlineArray { _ in EventReader(offering: offered, start: start) }
  }

  /// The topics that are read now; `nil` where there is no server.
  package var wanted: Topics? {
    guard path != nil else { return nil }
    var topics = Topics()
    for index in readers.indices { topics = topics | readers[index].wanted }
    return topics
  }

  /// Makes the socket when that is due; says on standard error why it cannot be made, and tries again.
  package mutating func open(at now: Instant) {
    guard opening.isDue(at: now), let path else { return }
    do throws(Errno) {
      listener = try ListeningSocket(path: path.bytes)
      opening.succeeded()
    } catch {
      guard opening.failed(error.rawValue, at: now) else { return }
      complain(of: error.explanation(for: .listener), at: path)
    }
  }

  /// Gives each reader the lines that it wants: each line has its newline, and `topics` the topic of each.
  package mutating func write(_ lines: Span<UInt8>, of topics: Span<Topic>, at now: Instant) {
    var (start, number) = (0, 0)
    for end in lines.indices where lines[end] == 0x0A {
      let line = lines.extracting(start..<end)
      for index in readers.indices { readers[index].write(line, of: topics[number], at: now) }
      start = end + 1
      number += 1
    }
  }

  package mutating func send(at now: Instant) {
    for index in readers.indices { readers[index].send(at: now) }
  }

  /// When to call `open`, `receive` and `send` at the latest.
  package var deadline: Instant? {
    var deadline = earlier(opening.deadline, acceptTime)
    for index in readers.indices { deadline = earlier(deadline, readers[index].deadline) }
    return deadline
  }

  /// Adds all descriptors that something may come from.
  package func addDescriptors(to poller: inout Poller) {
    for index in readers.indices { poller.add(readers[index].descriptor, readers[index].interest) }
    if acceptTime == nil { poller.add(listenerDescriptor) }
  }

  /// Receives from the readers, drops those that have gone, and lets others in.
  package mutating func receive(_ poller: borrowing Poller, at now: Instant) {
    for index in readers.indices { readers[index].receive(poller, at: now) }
    if let time = acceptTime, now >= time { acceptTime = nil }
    // After the old readers: the poller may know a new one's descriptor as that of another.
    if acceptTime == nil, poller.isReadable(listenerDescriptor) { accept(at: now) }
  }

  private var listenerDescriptor: Descriptor { listener.withValue { $0.descriptor } ?? .none }

  private mutating func accept(at now: Instant) {
    do throws(Errno) {
      for _ in readers.indices {
        guard let socket = try listener?.accept() else { return }
        acceptTime = now + Self.acceptPause
        admit(socket)
      }
    } catch {
      acceptTime = now + Self.failurePause
    }
  }

  private mutating func admit(_ socket: consuming FileDescriptor) {
    for index in readers.indices where readers[index].isFree {
      readers[index].admit(socket, offering: offered, start: start)
      return
    }
    var refusal = FixedBuffer<128>()
    Subscriber.writeRefusal(readers: readers.count, to: &refusal)
    // A program that does not take it sees the end.
    _ = try? socket.send(refusal.bytes)
  }
}
