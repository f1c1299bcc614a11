import Bytes
import Expecting
import Foundation
import Linux
import TestSupport

/// Signals and standard input belong to the whole process, so one test at a time.
@Suite(.serialized) struct PollerTests {
  @Test(arguments: [1, 40] as [Int64])
  func aWaitEndsAtItsDeadlineAndNotBefore(_ milliseconds: Int64) {
    var poller = Poller()
    let start = Clock.now
    poller.wait(until: start + milliseconds, now: start)
    let waited = Clock.now - start
    expect(waited >= milliseconds && waited < milliseconds + 5_000)
  }

  @Test(arguments: [0, -1, Int64.min / 2])
  func aDeadlineThatIsOverIsNotWaitedFor(_ milliseconds: Int64) {
    var poller = Poller()
    let start = Clock.now
    poller.wait(until: start + milliseconds, now: start)
    #expect(Clock.now - start < 5_000)
  }

  @Test func whoIsReadyEndsTheWaitAndIsNamed() throws {
    let scratch = try Scratch()
    let (quiet, loud) = (Array(scratch("quiet").utf8), Array(scratch("loud").utf8))
    let first = try ByteInput(fifo: quiet.span)
    let second = try ByteInput(fifo: loud.span)
    try scratch.append("loud", "p")
    var poller = Poller()
    poller.add(.none)
    poller.add(first.descriptor)
    poller.add(second.descriptor)
    poller.wait(until: nil, now: Clock.now)
    let ready = (
      poller.isReadable(first.descriptor), poller.isReadable(second.descriptor),
      poller.isReadable(.none)
    )
    expect(ready == (false, true, false))
    poller.removeAll()
    expect(poller.isReadable(second.descriptor), false)
  }

  @Test func aFifoIsWritableAtOnceIfThatIsAskedFor() throws {
    let scratch = try Scratch()
    let path = Array(scratch("fifo").utf8)
    let input = try ByteInput(fifo: path.span)
    var poller = Poller()
    poller.add(input.descriptor, .readOrWrite)
    poller.wait(until: nil, now: Clock.now)
    let ready = (poller.isReadable(input.descriptor), poller.isWritable(input.descriptor))
    expect(ready == (false, true))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalToStopIsReadInsteadOfEndingTheProcess(_ signal: Int32) throws {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let signals = try Signals()
    expect(signals.takeStop(), false)
    raise(signal)
    var poller = Poller()
    poller.add(signals.descriptor)
    poller.wait(until: nil, now: Clock.now)
    let isReadable = poller.isReadable(signals.descriptor)
    let (first, second) = (signals.takeStop(), signals.takeStop())
    expect(isReadable && first && !second)
  }

  @Test func afterSignalsAPipeWithoutReaderIsAnErrorOnly() throws {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    signal(SIGPIPE, SIG_DFL)
    let signals = try Signals()
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    close(ends[0])
    expect(write(ends[1], "x", 1) == -1 && errno == EPIPE)
    close(ends[1])
    withExtendedLifetime(signals) {}
  }

  @Test func standardInputIsGivenUpAtItsEnd() throws {
    let saved = dup(0)
    defer {
      dup2(saved, 0)
      close(saved)
    }
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    dup2(ends[0], 0)
    close(ends[0])
    var input = ByteInput.standardInput
    expect(input.next(), nil)
    expect(write(ends[1], "pU", 2), 2)
    input.receive()
    let (first, second, third) = (input.next(), input.next(), input.next())
    expect(first == UInt8(ascii: "p") && second == UInt8(ascii: "U") && third == nil)
    #expect(input.descriptor != .none)
    close(ends[1])
    input.receive()
    expect(input.next() == nil && input.descriptor == .none)
  }
}
