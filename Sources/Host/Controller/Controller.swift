import Bytes
import HCI

/// The controller: what it told of itself, and what it is still to be told.
struct Controller: ~Copyable {
  private(set) var information = ControllerInformation()
  var commands = CommandQueue()
  /// The step of the bring-up that is under way.
  private var step: BringUpStep?
  /// The address for a chip that has none.
  private let boardAddress: DeviceAddress?
  /// Optional commands that had no answer.
  private var silences = InlineArray<13, Silence>(repeating: Silence())
  private var silenceCount = 0
  /// Since when it has sent nothing but vendor events though it owes an answer.
  private var vendorEventsStart: Instant?

  /// How often a command had no answer.
  private struct Silence {
    var opcode = Opcode.none
    var times = 0
  }

  /// The first silence may be the wire's, or an accident: a command is left out after the second.
  private static var chances: Int { 2 }

  /// After so long of that it is dead, in milliseconds.
  static var vendorEventsTime: Int64 { 5_000 }

  init(boardAddress: DeviceAddress?) { self.boardAddress = boardAddress }

  /// How far an answer has brought the bring-up.
  enum Progress: Equatable {
    /// It was an answer to something else.
    case none
    /// Another step is under way.
    case goesOn
    /// The controller can scan.
    case isUp
    case failed(HostFailure)
  }

  /// Begins with Reset, and forgets everything that it makes untrue.
  mutating func bringUp() {
    abandonCommands()
    information = ControllerInformation()
    information.boardAddress = boardAddress
    _ = bringUp(from: .reset)
  }

  /// Takes the answer to a command that was carried out; its parameters begin behind the status.
  mutating func carriedOut(_ opcode: Opcode, _ parameters: Span<UInt8>) -> Progress {
    guard let step, isSteps(opcode) else { return .none }
    do throws(ParseError) {
      try information.learn(parameters, of: step)
    } catch {
      guard step.isOptional else { return .failed(.commandFailed(opcode, .success)) }
    }
    guard step == .writeAddress else { return bringUp(from: step.next) }
    // From Reset on it has the new address; one that does not take it is not asked again.
    information.boardAddress = nil
    return bringUp(from: .reset)
  }

  /// Takes the answer to a command that was refused, or put off, as none of these steps is.
  mutating func refused(_ opcode: Opcode, _ status: ErrorCode) -> Progress {
    guard let step, isSteps(opcode) else { return .none }
    return step.isOptional ? bringUp(from: step.next) : .failed(.commandFailed(opcode, status))
  }

  /// Whether the command is that of the bring-up's step: a peer's wish may be answered between two.
  func isSteps(_ opcode: Opcode) -> Bool {
    guard let step else { return false }
    return step.command(for: self)?.opcode == opcode
  }

  /// Does a step of the bring-up, passing over those that the controller does not need.
  private mutating func bringUp(from first: BringUpStep?) -> Progress {
    step = first
    while let candidate = step {
      if let command = candidate.command(for: self), mayBeSent(command.opcode) {
        commands.append(command)
        return .goesOn
      }
      step = candidate.next
    }
    return .isUp
  }

  /// Drops all commands, and expects no answer any more.
  mutating func abandonCommands() {
    commands.removeAll()
    vendorEventsStart = nil
    step = nil
  }

  /// Tells it again which events are wanted: one that was reset by itself has forgotten that, and one that
  /// does not answer to it is dead.
  mutating func renewEvents() {
    var next: BringUpStep? = .setEventMask
    while let step = next {
      if let command = step.command(for: self) { send(command) }
      next = step.next
    }
  }

  /// Puts a command behind the others, unless the controller has no answer to it.
  mutating func send(_ command: Command) {
    if mayBeSent(command.opcode) { commands.append(command) }
  }

  /// Notes a packet that is no vendor event; returns whether that was waited for.
  @discardableResult
  mutating func spoke() -> Bool {
    defer { vendorEventsStart = nil }
    return vendorEventsStart != nil
  }

  /// What a vendor event says of a controller.
  enum Babble {
    case nothing
    /// It may be dead: the time counts from this event on.
    case noted
    /// It has said nothing else for too long.
    case dead
  }

  /// Notes a vendor event; a controller is dead that owes an answer and has sent nothing else for so many
  /// milliseconds.
  mutating func sentVendorEvent(
    owesAnswer: Bool, longest: Int64, at now: Instant
  ) -> Babble {
    guard owesAnswer else { return .nothing }
    guard let start = vendorEventsStart else {
      vendorEventsStart = now
      return .noted
    }
    return now - start >= longest ? .dead : .nothing
  }

  /// Notes that a command had no answer: without it, it may still be of use.
  mutating func leftUnanswered(_ opcode: Opcode) {
    guard opcode.isOptional else { return }
    for index in 0..<silenceCount where silences[index].opcode == opcode {
      silences[index].times += 1
      return
    }
    guard silenceCount < silences.count else { return }
    silences[silenceCount] = Silence(opcode: opcode, times: 1)
    silenceCount += 1
  }

  /// Whether it can be told what we make of the parameters that a peer asks for.
  ///
  /// If not, it does better to refuse by itself: the peer then asks by L2CAP.
  var takesParameterReply: Bool {
    information.features.connectionParametersRequest
      && information.commands.leRemoteConnectionParameterRequestReplies
      && mayBeSent(.leRemoteConnectionParameterRequestReply)
      && mayBeSent(.leRemoteConnectionParameterRequestNegativeReply)
  }

  /// Whether it can be told to change the parameters of a link, as a peer may want.
  var takesUpdates: Bool { mayBeSent(.leConnectionUpdate) }

  /// Whether the controller has not left it without an answer too often.
  func mayBeSent(_ opcode: Opcode) -> Bool {
    for index in 0..<silenceCount where silences[index].opcode == opcode {
      return silences[index].times < Self.chances
    }
    return true
  }
}
