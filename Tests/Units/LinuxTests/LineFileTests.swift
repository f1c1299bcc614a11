import Bytes
import Expecting
import Foundation
import Linux
import TestSupport

private func open(_ path: String) throws(Errno) -> LineFile {
  let bytes = Array(path.utf8)
  return try LineFile(path: bytes.span)
}

private func write(_ text: String, to file: inout LineFile) {
  let bytes = Array(text.utf8)
  file.write(line: bytes.span)
}

struct LineFileTests {
  @Test func aFileIsEmptiedAndTakesWholeLines() throws {
    let scratch = try Scratch()
    try scratch.write("events", "old and long\n")
    var file = try open(scratch("events"))
    write("{\"t\":0}", to: &file)
    write("", to: &file)
    write(String(repeating: "x", count: 10_000), to: &file)
    expect(file.lostLines, 0)
    expect(
      try scratch.read("events"), "{\"t\":0}\n\n" + String(repeating: "x", count: 10_000) + "\n")
  }

  @Test func aFullDiskCostsLinesAndNothingElse() throws {
    var file = try open("/dev/full")
    write("one", to: &file)
    write("two", to: &file)
    expect(file.lostLines, 2)
  }

  @Test func noneTakesEverythingAndLosesNothing() {
    var file = LineFile.none
    write("one", to: &file)
    let (lost, isNone) = (file.lostLines, file.isNone)
    expect(lost == 0 && isNone)
  }

  @Test func aSlowReaderLosesLinesAndThenGetsWholeOnesAgain() throws {
    let scratch = try Scratch()
    mkfifo(scratch("pipe"), 0o600)
    let reader = Peer(Foundation.open(scratch("pipe"), O_RDONLY | O_NONBLOCK))
    var file = try open(scratch("pipe"))
    let line = String(repeating: "x", count: 3_000)
    // A pipe holds 64 KiB.
    for _ in 0..<30 { write(line, to: &file) }
    let lost = file.lostLines
    expect(lost > 0 && lost < 30)
    let lines = reader.receive(1_000_000)
    write("after", to: &file)
    let rest = reader.receive(1_000_000)
    let text = String(decoding: lines + rest, as: UTF8.self)
    #expect(text.hasSuffix("\nafter\n"))
    expect(text.components(separatedBy: line + "\n").count - 1 == 30 - lost)
    expect(file.lostLines, lost)
  }

  @Test func whatCannotBeOpenedIsTold() throws {
    let scratch = try Scratch()
    #expect(throws: Errno.noSuchFile) { _ = try open(scratch("missing/events")) }
    #expect(throws: Errno.isAFolder) { _ = try open(scratch.path) }
    mkfifo(scratch("pipe"), 0o600)
    #expect(throws: Errno.noSuchAddress) { _ = try open(scratch("pipe")) }
  }
}

/// What becomes of SIGPIPE belongs to the whole process, too.
extension PollerTests {
  @Test func aReaderOfALineFileThatGoesCostsLinesAndNothingElse() throws {
    signal(SIGPIPE, SIG_IGN)
    let scratch = try Scratch()
    mkfifo(scratch("pipe"), 0o600)
    let reader = Peer(Foundation.open(scratch("pipe"), O_RDONLY | O_NONBLOCK))
    var file = try open(scratch("pipe"))
    reader.end()
    write("one", to: &file)
    expect(file.lostLines, 1)
    let next = Peer(Foundation.open(scratch("pipe"), O_RDONLY | O_NONBLOCK))
    write("two", to: &file)
    expect(String(decoding: next.receive(100), as: UTF8.self), "two\n")
  }
}
