import Bytes

/// The controller: what it told of itself, and what it is still to be told.
struct Controller: ~Copyable {
  private(set) var information = ControllerInformation()
  var commands = CommandQueue()
  /// The address for a chip that has none; `nil` once a chip did not answer to it.
  private var boardAddress: DeviceAddress?

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

  /// The chip does not answer where it is given an address: it is used with its own.
  mutating func giveUpAddress() { boardAddress = nil }
}
