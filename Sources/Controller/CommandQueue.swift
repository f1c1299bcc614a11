import Bytes
import HCI

/// The commands for the controller: one at a time, and only while it grants credits.
///
/// Core Specification, Vol 4, Part E, 4.4. An answer or a credit that does not
/// come for 2 s is an error (`deadline`).
struct CommandQueue: ~Copyable {
  /// How long an answer, or a credit, may take.
  static var timeout: Int64 { 2_000 }
  private static var capacity: Int { 24 }

  private var waiting = InlineArray<24, Command>(repeating: .reset)
  private var first = 0
  private var count = 0
  private var credits = 1
  private(set) var awaited: Opcode?
  /// The command that was sent last, without its key.
  private(set) var sent = Command.reset
  private(set) var deadline: Instant?

  /// Whether there is nothing to send and no answer to come.
  var isIdle: Bool { count == 0 && awaited == nil }

  /// Whether such a command is not sent yet.
  func isWaiting(_ opcode: Opcode) -> Bool {
    for index in 0..<count where waiting[(first + index) % Self.capacity].opcode == opcode {
      return true
    }
    return false
  }

  /// Drops the commands of a link that were not sent yet.
  mutating func removeWaiting(for handle: UInt16) { removeWaiting { $0.handle == handle } }

  /// Drops the commands of this kind that were not sent yet; returns whether there was one.
  @discardableResult
  mutating func removeWaiting(_ opcode: Opcode) -> Bool {
    let countBefore = count
    removeWaiting { $0.opcode == opcode }
    return count < countBefore
  }

  /// Drops the commands that are unwanted, with their keys; an answer to come is still awaited.
  private mutating func removeWaiting(where isUnwanted: (Command) -> Bool) {
    var kept = 0
    for index in 0..<count {
      let place = (first + index) % Self.capacity
      if isUnwanted(waiting[place]) {
        waiting[place].wipe()
      } else {
        waiting.swapAt(place, (first + kept) % Self.capacity)
        kept += 1
      }
    }
    count = kept
    if count == 0, awaited == nil { deadline = nil }
  }

  /// Drops all commands with their keys, and awaits no answer.
  mutating func removeAll() {
    removeWaiting { _ in true }
    (credits, awaited, sent, deadline) = (1, nil, .reset, nil)
  }

  /// Queues a command, in place of an earlier one of the same kind for the same link: a peer with many requests must
  /// leave room.
  ///
  /// The host never queues more than a handful; a command beyond the capacity is left out, and its missing effect
  /// times out.
  mutating func append(_ command: Command) {
    if let handle = command.handle {
      let opcode = command.opcode
      removeWaiting { $0.handle == handle && $0.opcode == opcode }
    }
    guard count < Self.capacity else { return }
    waiting[(first + count) % Self.capacity] = command
    count += 1
  }

  /// The command to send now, if any.
  ///
  /// A controller that grants no credits for 2 s is as bad as one that does not answer.
  mutating func next(at now: Instant) -> Command? {
    guard count > 0, awaited == nil else { return nil }
    guard credits > 0 else {
      deadline = deadline ?? now + Self.timeout
      return nil
    }
    let command = waiting[first]
    waiting[first].wipe()
    sent = waiting[first]
    first = (first + 1) % Self.capacity
    count -= 1
    credits -= 1
    awaited = command.opcode
    deadline = now + Self.timeout
    return command
  }

  /// Takes back the last command, as it was not sent yet, and is of no use any more.
  mutating func takeBack() {
    (awaited, deadline) = (nil, nil)
    credits += 1
  }

  /// The command that the controller holds up, once the deadline has passed.
  var overdue: Opcode {
    if let awaited { return awaited }
    return count > 0 ? waiting[first].opcode : .none
  }

  /// Settles the command that was sent, if this event answers it; returns whether it does.
  mutating func settle(_ opcode: Opcode, credits: UInt8) -> Bool {
    self.credits = Int(credits)
    guard let awaited, awaited == opcode else { return false }
    self.awaited = nil
    deadline = nil
    return true
  }
}
