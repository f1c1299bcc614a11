import BoardFile
import Bytes
import Events
import Expecting
import Foundation
import Linux
import Ports
import TestSupport

/// Another program that reads events; nothing that it does waits.
private final class Program {
  private(set) var descriptor: Int32

  /// Connects; it is not known yet whether anybody lets it in.
  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
  }

  deinit { leave() }

  func say(_ text: String) { _ = send(descriptor, text, text.utf8.count, Int32(MSG_DONTWAIT)) }

  /// Leaves, once: another test may have the number by then.
  func leave() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  /// All that there is to read now; `nil` for the end.
  func read() -> String? {
    var (text, part) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = recv(descriptor, &part, part.count, Int32(MSG_DONTWAIT))
      guard count > 0 else {
        return count == 0 && text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
      }
      text += part.prefix(count)
    }
  }
}

/// The server with the loop around it, whose clock is the test's.
private final class Loop {
  private var server: EventServer
  private var poller = Poller()
  private var now = Instant(milliseconds: 5_000)

  init(_ path: String?) {
    server = EventServer(
      path.map { Text($0) }, offering: .ofDevice, start: Instant(milliseconds: 0))
  }

  var wanted: Topics? { server.wanted }
  /// In how many milliseconds there is something to do.
  var deadline: Int64? { server.deadline.map { $0 - now } }

  /// A turn of the loop after so many milliseconds.
  func turn(after milliseconds: Int64 = 0) {
    now = now + milliseconds
    server.open(at: now)
    server.send(at: now)
    poller.removeAll()
    server.addDescriptors(to: &poller)
    let start = Clock.now
    poller.wait(until: start, now: start)
    server.receive(poller, at: now)
    server.send(at: now)
  }

  /// Lets in who has connected, and hears what they say, however many they are.
  func settle() { for _ in 0..<4 { turn(after: 100) } }

  func tell(_ topic: Topic, _ lines: [String]) {
    let text = Array(lines.map { $0 + "\n" }.joined().utf8)
    let topics = lines.map { _ in topic }
    server.write(text.span, of: topics.span, at: now)
  }
}

/// The server of the events with real sockets.
struct EventServerTests {
  private let scratch: Scratch
  private let loop: Loop

  init() throws {
    scratch = try Scratch()
    loop = Loop(scratch("events"))
    loop.turn()
  }

  /// Programs that have said this, and were answered.
  private func programs(_ count: Int, saying text: String) throws -> [Program] {
    let programs = try (0..<count).map { _ in try Program(scratch("events")) }
    for program in programs { program.say(text) }
    loop.settle()
    for program in programs { expect(program.read()?.hasSuffix("}\n"), true) }
    return programs
  }

  private func events(_ numbers: Range<Int>) -> [String] {
    numbers.map { #"{"t":5.000,"event":"frame","number":\#($0)}"# }
  }

  @Test func eachProgramGetsTheEventsThatItAskedForOnce() throws {
    let first = try programs(1, saying: "on radio\non radio\n")[0]
    let second = try programs(1, saying: "on device\n")[0]
    expect(loop.wanted, Topics(.radio) | Topics(.device))
    loop.tell(.radio, ["{1}", "{2}"])
    loop.tell(.sensors, ["{3}"])
    loop.tell(.device, ["{4}"])
    loop.turn()
    expect(first.read() == "{1}\n{2}\n" && second.read() == "{4}\n")
  }

  @Test func fourReadAtATimeAndAFifthIsToldWhy() throws {
    let four = try programs(4, saying: "on all\n")
    let fifth = try Program(scratch("events"))
    loop.settle()
    expect(
      fifth.read(),
      #"{"event":"error","message":"4 others read already: end one of them, or try again later"}"#
        + "\n")
    expect(fifth.read(), nil, "and it is its end")
    four[2].leave()
    loop.settle()
    expect(try programs(1, saying: "on all\n").count, 1)
  }

  @Test func whoNeverReadsCostsTheOthersNothing() throws {
    let programs = try programs(2, saying: "on device\n")
    let (hung, other) = (programs[0], programs[1])
    var read = ""
    for start in stride(from: 0, to: 20_000, by: 100) {
      loop.tell(.device, events(start..<start + 100))
      loop.turn(after: 10)
      read += other.read() ?? ""
    }
    expect(read.split(separator: "\n").map(String.init), events(0..<20_000))
    // Once it reads, it has the first ones, and is told how many are missing before the next one.
    var late = ""
    for _ in 0..<10 {
      late += hung.read() ?? ""
      loop.turn(after: 100)
    }
    loop.tell(.device, events(20_000..<20_001))
    loop.turn()
    late += hung.read() ?? ""
    let lines = late.split(separator: "\n").map(String.init)
    let count = lines.count - 2
    expect(lines.starts(with: events(0..<count)) && count > 1_000 && late.hasSuffix("\n"))
    #expect(lines[count].hasSuffix(#""event":"lost","lines":\#(20_000 - count)}"#))
    expect(lines.last, events(20_000..<20_001)[0])
  }

  /// More than a reader's buffer has room for, which is no loss where the kernel takes it.
  @Test func manyEventsInOneTurnAreNoLoss() throws {
    let program = try programs(1, saying: "on device\n")[0]
    loop.tell(.device, events(0..<1_000))
    loop.turn()
    expect(program.read()?.split(separator: "\n").map(String.init), events(0..<1_000))
  }

  @Test func whoComesAndGoesKeepsNobodyBusy() throws {
    for _ in 0..<4 {
      let program = try Program(scratch("events"))
      loop.turn()
      program.leave()
    }
    expect(loop.deadline, 100, "nobody is let in until then")
    let program = try Program(scratch("events"))
    program.say("on all\n")
    for _ in 0..<20 { loop.turn() }
    expect(program.read(), "")
    loop.turn(after: 100)
    for _ in 0..<2 { loop.turn() }
    expect(program.read()?.contains("subscribed"), true)
  }

  @Test(arguments: ["", "on", "on all\non", "on all\n"])
  func whoLeavesInTheMiddleMakesRoom(_ text: String) throws {
    for _ in 0..<3 {
      for _ in 0..<4 {
        let program = try Program(scratch("events"))
        program.say(text)
        loop.settle()
        loop.tell(.device, events(0..<10))
        program.leave()
      }
      loop.settle()
    }
    expect(loop.wanted, Topics())
    _ = try programs(4, saying: "on all\n")
  }

  @Test func aSocketThatCannotBeMadeIsTriedAgainEachSecond() throws {
    let late = Loop(scratch("later/events"))
    late.turn()
    expect(late.deadline == 1_000 && late.wanted == Topics())
    late.turn(after: 1_000)
    expect(late.deadline, 1_000)
    mkdir(scratch("later"), 0o700)
    late.turn(after: 999)
    #expect(access(scratch("later/events"), F_OK) != 0)
    late.turn(after: 1)
    expect(late.deadline, nil)
    #expect(throws: Never.self) { _ = try Program(scratch("later/events")) }
  }

  @Test func withoutAPathNothingIsMadeOrWaitedFor() {
    let none = Loop(nil)
    none.tell(.device, events(0..<10))
    none.turn()
    expect(none.wanted == nil && none.deadline == nil)
  }
}
