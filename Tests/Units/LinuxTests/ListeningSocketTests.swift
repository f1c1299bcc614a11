import Bytes
import Expecting
import Foundation
import Linux
import TestSupport

private func listen(_ path: String) throws(Errno) -> ListeningSocket {
  let bytes = Array(path.utf8)
  return try ListeningSocket(path: bytes.span)
}

/// Connects as another program; `nil` where nobody listens.
private func connect(_ path: String) -> Peer? {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  let result = withAddress(path) { Glibc.connect(descriptor, $0, $1) }
  let peer = Peer(descriptor)
  return result == 0 ? peer : nil
}

/// What a file is: its type and its mode.
private func status(_ path: String) -> (type: mode_t, mode: mode_t)? {
  var status = stat()
  return lstat(path, &status) == 0 ? (status.st_mode & S_IFMT, status.st_mode & 0o777) : nil
}

/// The socket at which others read events.
struct ListeningSocketTests {
  @Test func bytesGoBothWaysWithoutAnybodyWaiting() throws {
    let scratch = try Scratch()
    let listener = try listen(scratch("events"))
    let isAlone = try isNobody(listener.accept())
    expect(isAlone)
    let peer = try #require(connect(scratch("events")))
    wait(for: listener.descriptor)
    let accepted = try listener.accept()
    var buffer = FixedBuffer<8>()
    switch accepted {
    case .some(let socket):
      let hasReceived = try socket.receive(into: &buffer)
      expect(!hasReceived, "nothing yet is no error")
      peer.send([1, 2])
      wait(for: socket.descriptor)
      let hasNow = try socket.receive(into: &buffer)
      expect(hasNow && array(buffer.bytes) == [1, 2])
      let bytes: [UInt8] = [3, 4, 5]
      let count = try socket.send(bytes.span)
      expect(count, 3)
    case nil: Issue.record("nobody was accepted")
    }
    expect(peer.receive(3), [3, 4, 5])
  }

  @Test func whoDoesNotReadMakesNobodyWaitAndLosesNothing() throws {
    let scratch = try Scratch()
    let listener = try listen(scratch("events"))
    let peer = try #require(connect(scratch("events")))
    let bytes = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    var received: [UInt8] = []
    switch try listener.accept() {
    case .some(let socket):
      var sent = try socket.send(bytes.span)
      let (atFirst, more) = (sent, try socket.send(bytes.span.extracting(droppingFirst: sent)))
      expect(atFirst > 0 && atFirst < bytes.count && more == 0)
      while sent < bytes.count {
        received += peer.receive(min(sent - received.count, 100_000))
        sent += try socket.send(bytes.span.extracting(droppingFirst: sent))
      }
    case nil: Issue.record("nobody was accepted")
    }
    received += peer.receive(bytes.count - received.count)
    expect(received, bytes)
  }

  @Test func whoSaysNothingMoreCanStillRead() throws {
    let scratch = try Scratch()
    let listener = try listen(scratch("events"))
    let peer = try #require(connect(scratch("events")))
    shutdown(peer.descriptor, Int32(SHUT_WR))
    var poller = Poller()
    var buffer = FixedBuffer<8>()
    switch try listener.accept() {
    case .some(let socket):
      #expect(throws: Errno.peerClosed) { try socket.receive(into: &buffer) }
      poller.add(socket.descriptor, .end)
      poller.wait(until: Clock.now, now: Clock.now)
      expect(poller.isReadable(socket.descriptor), false, "else there were no wait any more")
      let bytes: [UInt8] = [7]
      let count = try socket.send(bytes.span)
      expect(count == 1 && peer.receive(1) == [7])
      peer.end()
      poller.wait(until: nil, now: Clock.now)
      let hasEndedNow = poller.hasEnded(socket.descriptor)
      expect(hasEndedNow, "told though neither reading nor writing was asked for")
      #expect(throws: Errno.peerClosed) { _ = try socket.send(bytes.span) }
    case nil: Issue.record("nobody was accepted")
    }
  }

  /// unix_bind_bsd of the kernel: else there were a moment in which others could connect.
  @Test func theSocketIsForItsOwnerAndGroupAsFarAsTheUmaskLetsThem() throws {
    let scratch = try Scratch()
    let mask = umask(0)
    umask(mask)
    let listener = try listen(scratch("events"))
    let made = try #require(status(scratch("events")))
    expect(made == (S_IFSOCK, 0o660 & ~mask))
    withExtendedLifetime(listener) {}
  }

  @Test func theFileGoesWithTheSocket() throws {
    let scratch = try Scratch()
    do {
      let listener = try listen(scratch("events"))
      withExtendedLifetime(listener) {}
    }
    expect(status(scratch("events")) == nil)
    expect(connect(scratch("events")) == nil)
  }

  @Test func aFileThatAnotherProgramHasMadeMeanwhileStays() throws {
    let scratch = try Scratch()
    do {
      let listener = try listen(scratch("events"))
      unlink(scratch("events"))
      try scratch.write("events", "a letter")
      withExtendedLifetime(listener) {}
    }
    expect(try scratch.read("events"), "a letter")
  }

  /// As a program that was killed leaves it.
  @Test func aSocketThatNobodyListensAtIsReplaced() throws {
    let scratch = try Scratch()
    do {
      let killed = Listener(path: scratch("events"))
      withExtendedLifetime(killed) {}
    }
    expect(connect(scratch("events")) == nil && status(scratch("events"))?.type == S_IFSOCK)
    let listener = try listen(scratch("events"))
    #expect(connect(scratch("events")) != nil)
    withExtendedLifetime(listener) {}
  }

  @Test func oneThatSomebodyListensAtIsLeftToThem() throws {
    let scratch = try Scratch()
    let other = Listener(path: scratch("events"))
    for _ in 0..<20 {  // its queue is full by then
      #expect(throws: Errno.addressInUse) { _ = try listen(scratch("events")) }
    }
    expect(status(scratch("events"))?.type, S_IFSOCK)
    withExtendedLifetime(other) {}
  }

  @Test func aSocketOfAnotherTypeInUseIsLeftAlone() throws {
    let scratch = try Scratch()
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    withAddress(scratch("events")) { bind(descriptor, $0, $1) }
    #expect(throws: Errno.addressInUse) { _ = try listen(scratch("events")) }
  }

  @Test func noOtherKindOfFileIsReplaced() throws {
    let scratch = try Scratch()
    try scratch.write("file", "a letter")
    mkfifo(scratch("fifo"), 0o600)
    mkdir(scratch("folder"), 0o700)
    symlink(scratch("nowhere"), scratch("link"))
    for name in ["file", "fifo", "folder", "link"] {
      let before = try #require(status(scratch(name)))
      #expect(throws: Errno.fileExists) { _ = try listen(scratch(name)) }
      expect(status(scratch(name)).map { $0 == before }, true)
    }
    expect(try scratch.read("file"), "a letter")
  }

  @Test func aMissingFolderAndALongPathAreTold() throws {
    let scratch = try Scratch()
    #expect(throws: Errno.noSuchFile) { _ = try listen(scratch("missing/events")) }
    #expect(throws: Errno.noSuchFile) { _ = try listen("") }
    let room = 107 - scratch("").utf8.count
    let longest = scratch(String(repeating: "p", count: room))
    let listener = try listen(longest)
    #expect(connect(longest) != nil)
    #expect(throws: Errno.nameTooLong) { _ = try listen(longest + "p") }
    withExtendedLifetime(listener) {}
  }

  private func isNobody(_ socket: consuming FileDescriptor?) -> Bool {
    switch socket {
    case .some: false
    case nil: true
    }
  }
}
