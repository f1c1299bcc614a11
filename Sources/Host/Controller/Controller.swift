import Bytes
import HCI

/// The controller: what it told of itself, and what it is still to be told.
struct Controller: ~Copyable {
  private(set) var information = ControllerInformation()
  var commands = CommandQueue()
  /// The address for a chip that has none.
  private let boardAddress: DeviceAddress?
  /// Optional commands that had no answer.
  private var unanswered = InlineArray<10, Opcode>(repeating: .none)
  private var unansweredCount = 0
  /// Since when it has sent nothing but vendor events though it owes an answer.
  private var vendorEventsStart: Instant?

  /// After so long of that it is dead, in milliseconds.
  static var vendorEventsTime: Int64 { 5_000 }

  init(boardAddress: DeviceAddress?) { self.boardAddress = boardAddress }

  /// Forgets everything that Reset makes untrue.
  mutating func restart() {
    abandonCommands()
    information = ControllerInformation()
    information.boardAddress = boardAddress
  }

  /// Drops all commands, and expects no answer any more.
  mutating func abandonCommands() {
    commands.removeAll()
    vendorEventsStart = nil
  }

  /// Notes a packet that is no vendor event.
  mutating func spoke() { vendorEventsStart = nil }

  /// Notes a vendor event; returns whether the controller is dead, as it has sent nothing else for so
  /// many milliseconds.
  mutating func sentVendorEvent(
    owesAnswer: Bool, longest: Int64, at now: Instant
  ) -> Bool {
    guard owesAnswer else { return false }
    let start = vendorEventsStart ?? now
    vendorEventsStart = start
    return now - start >= longest
  }

  /// Learns from the return parameters of a step, which begin behind the status.
  mutating func learn(_ parameters: Span<UInt8>, of step: BringUpStep) throws(ParseError) {
    try information.learn(parameters, of: step)
  }

  /// The board's address was written: it is not written once more.
  mutating func addressWasWritten() { information.boardAddress = nil }

  /// Notes that a command had no answer: it is not sent again if the controller is of use without.
  mutating func leftUnanswered(_ opcode: Opcode) {
    guard opcode.isOptional, mayBeSent(opcode), unansweredCount < unanswered.count else { return }
    unanswered[unansweredCount] = opcode
    unansweredCount += 1
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

  /// Whether the controller has not left it without an answer before.
  func mayBeSent(_ opcode: Opcode) -> Bool {
    for index in 0..<unansweredCount where unanswered[index] == opcode { return false }
    return true
  }
}
