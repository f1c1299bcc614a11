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

  init(boardAddress: DeviceAddress?) { self.boardAddress = boardAddress }

  /// Forgets everything that Reset makes untrue.
  mutating func restart() {
    commands.removeAll()
    information = ControllerInformation()
    information.boardAddress = boardAddress
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

  /// Whether the controller has not left it without an answer before.
  func mayBeSent(_ opcode: Opcode) -> Bool {
    for index in 0..<unansweredCount where unanswered[index] == opcode { return false }
    return true
  }
}
