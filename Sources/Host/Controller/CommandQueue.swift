import Bytes
import HCI

/// The commands for the controller: one at a time, and only while it grants credits.
///
/// Core Specification, Vol 4, Part E, 4.4. An answer or a credit that does not
/// come for 2 s is an error (`deadline`).
struct CommandQueue: ~Copyable {
  static var timeout: Int64 { 2_000 }
  private static var capacity: Int { 16 }

  private var waiting = InlineArray<16, Command>(repeating: .reset)
  private var first = 0
  private var count = 0
  private var credits = 1
  private(set) var awaited: Opcode?
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

  /// Drops what was not sent yet; the answer to come is still awaited.
  mutating func removeWaiting() {
    count = 0
    if awaited == nil { deadline = nil }
  }

  mutating func removeAll() { self = CommandQueue() }

  /// Puts a command behind the others.
  ///
  /// The host never has more than a handful; one beyond the capacity is left out, and its missing
  /// effect times out.
  mutating func append(_ command: Command) {
    guard count < Self.capacity else { return }
    waiting[(first + count) % Self.capacity] = command
    count += 1
  }

  /// The command to send now, if any.
  ///
  /// A controller that grants no credits for 2 s is as bad as one that does not answer.
  mutating func next(at now: Instant) -> Command? {
    guard count > 0, awaited == nil else { return nil }
    let command = waiting[first]
    guard credits > 0 else {
      deadline = deadline ?? now + Self.timeout
      return nil
    }
    first = (first + 1) % Self.capacity
    count -= 1
    credits -= 1
    awaited = command.opcode
    deadline = now + Self.timeout
    return command
  }

  /// The command that the controller holds up, once the deadline has passed.
  var overdue: Opcode {
    if let awaited { return awaited }
    return count > 0 ? waiting[first].opcode : .none
  }

  /// Settles the command sent, if a Command Complete or Command Status is for it; returns whether.
  mutating func settle(_ opcode: Opcode, credits: UInt8) -> Bool {
    self.credits = Int(credits)
    guard let awaited, awaited == opcode else { return false }
    self.awaited = nil
    deadline = nil
    return true
  }
}
