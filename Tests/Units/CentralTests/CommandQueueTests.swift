import Bytes
import HCI
import Testing

@testable import Controller

/// What is known of the commands that wait for the controller.
@Suite struct CommandQueueTests {
  private static let now = Instant(milliseconds: 0)

  private func send(_ command: Command, _ queue: inout CommandQueue) {
    queue.append(command)
    let opcode = queue.next(at: Self.now)?.opcode
    _ = queue.settle(opcode ?? .none, credits: 1)
  }

  /// The commands of before may have filled the places of the queue but for the last.
  @Test(arguments: [0, 1, 22, 23, 24])
  func eachCommandThatWaitsIsFoundWhereverTheQueueBegins(_ countBefore: Int) {
    var queue = CommandQueue()
    for _ in 0..<countBefore { send(.reset, &queue) }
    queue.append(.leSetScanEnable(false))
    queue.append(.leCreateConnectionCancel)
    let found = (
      queue.isWaiting(.leSetScanEnable), queue.isWaiting(.leCreateConnectionCancel),
      queue.isWaiting(.reset)
    )
    #expect(found == (true, true, false))
  }
}
