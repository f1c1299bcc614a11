import Bytes
import Expecting
import Foundation
import Linux
import TestSupport

/// A datagram socket instead of systemd's; an abstract name begins with @.
private final class Manager {
  private let descriptor: Int32

  init(_ name: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    withAddress(name) { bind(descriptor, $0, $1) }
  }

  deinit { close(descriptor) }

  /// All that has come since the last call.
  func heard() -> [String] {
    var messages: [String] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count < 0 { return messages }
      messages.append(String(decoding: bytes.prefix(count), as: UTF8.self))
    }
  }
}

private func service(_ socket: String, watchdogSeconds: Int = 0) -> ServiceManager {
  let (name, time) = (Array(socket.utf8), Array("\(watchdogSeconds)000000".utf8))
  let none: [UInt8] = []
  let watchdog = Watchdog(microseconds: time.span, process: none.span, ours: 1)
  return ServiceManager(socket: name.span, watchdog: watchdog)
}

struct ServiceManagerTests {
  @Test func itHearsThatWeAreReadyThenThatWeTurnThenThatWeEnd() throws {
    let scratch = try Scratch()
    let manager = Manager(scratch("notify"))
    var service = service(scratch("notify"), watchdogSeconds: 30)
    service.advance(to: at(0))
    expect(manager.heard() == ["READY=1", "WATCHDOG=1"] && service.deadline == at(10_000))
    service.advance(to: at(9_999))
    expect(manager.heard(), [])
    service.advance(to: at(10_000))
    expect(manager.heard(), ["WATCHDOG=1"])
    service.stop()
    expect(manager.heard(), ["STOPPING=1"])
  }

  @Test func centralBehaviour61_aWatchdogThatIsStarvedHearsNothing() throws {
    let scratch = try Scratch()
    let manager = Manager(scratch("notify"))
    var service = service(scratch("notify"), watchdogSeconds: 30)
    service.advance(to: at(0))
    _ = manager.heard()
    service.isStarving = true
    service.advance(to: at(20_000))
    expect(manager.heard() == [] && service.deadline == nil, "the loop does not spin")
    service.isStarving = false
    service.advance(to: at(20_000))
    expect(manager.heard(), ["WATCHDOG=1"])
  }

  @Test func centralBehaviour61_whoRebindsTheRadioIsAskedByADatagram() throws {
    let scratch = try Scratch()
    let manager = Manager(scratch("radio"))
    let (name, seconds, none) = (Array(scratch("radio").utf8), Array("600".utf8), [UInt8]())
    let card = RadioSwitch(socket: name.span, rebootTime: seconds.span)
    card.rebind()
    card.announceReboot()
    let (canRebind, rebootTime) = (card.exists, card.rebootTime)
    expect(canRebind && rebootTime == at(600_000))
    expect(manager.heard(), ["RADIO=rebind", "RADIO=reboot"])
    let package = RadioSwitch(socket: name.span, rebootTime: none.span)
    let nobody = RadioSwitch(socket: none.span, rebootTime: seconds.span)
    let (ofPackage, ofNobody) = (package.rebootTime, nobody.rebootTime)
    expect(ofPackage == nil && ofNobody == nil)
    expect(nobody.exists, false)
  }

  @Test func withoutAWatchdogItHearsTheBeginningAndTheEnd() throws {
    let scratch = try Scratch()
    let manager = Manager(scratch("notify"))
    var service = service(scratch("notify"))
    for second in 0..<100 { service.advance(to: at(Int64(second) * 1_000)) }
    service.stop()
    expect(manager.heard() == ["READY=1", "STOPPING=1"] && service.deadline == nil)
  }

  @Test func itsSocketMayHaveAnAbstractName() {
    let name = "@lenker-" + UUID().uuidString
    let manager = Manager(name)
    var service = service(name, watchdogSeconds: 30)
    service.advance(to: at(0))
    expect(manager.heard(), ["READY=1", "WATCHDOG=1"])
  }

  @Test func aPathAsLongAsTheKernelTakesIsUsed() throws {
    let scratch = try Scratch()
    let name = scratch("n" + String(repeating: "o", count: 105 - scratch.path.utf8.count))
    expect(name.utf8.count, 107)
    let manager = Manager(name)
    var service = service(name)
    service.advance(to: at(0))
    expect(manager.heard(), ["READY=1"])
  }

  @Test(
    arguments: ["", String(repeating: "x", count: 108), "/nowhere/at/all", "@", "vsock:2:1234"])
  func whereNobodyListensNothingHappens(_ name: String) {
    for seconds in name.isEmpty ? [0, 30] : [0] {
      var service = service(name, watchdogSeconds: seconds)
      service.advance(to: at(0))
      service.stop()
      expect(service.deadline, nil)
    }
  }

  @Test func aFullQueueIsToldAgainAfterASecond() throws {
    let scratch = try Scratch()
    let manager = Manager(scratch("notify"))
    // Another program fills the queue: the kernel holds few datagrams that nobody reads.
    var noise = 0
    while linesAreTaken(scratch("notify")) { noise += 1 }
    var service = service(scratch("notify"))
    service.advance(to: at(0))
    expect(service.deadline == at(1_000) && manager.heard().count == noise)
    service.advance(to: at(999))
    expect(manager.heard(), [])
    service.advance(to: at(1_000))
    expect(manager.heard() == ["READY=1"] && service.deadline == nil)
  }
}

/// Sends a datagram as another program; `false` when the queue is full.
private func linesAreTaken(_ path: String) -> Bool {
  let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
  defer { close(descriptor) }
  return withAddress(path) { sendto(descriptor, "x", 1, Int32(MSG_DONTWAIT), $0, $1) } == 1
}

/// WATCHDOG_USEC and WATCHDOG_PID as systemd sets them: sd_watchdog_enabled(3).
struct WatchdogTests {
  private static func watchdog(_ microseconds: String, process: String = "") -> Watchdog {
    let (time, number) = (Array(microseconds.utf8), Array(process.utf8))
    return Watchdog(microseconds: time.span, process: number.span, ours: 4711)
  }

  @Test(
    arguments: [
      ("30000000", 10_000), ("20000000", 6_666), ("3000", 1), ("2999", 1), ("1", 1),
      ("18446744073709551614", 6_148_914_691_236_517),
    ] as [(String, Int64)])
  func threeSignsOfLifeFitIntoItsTime(_ microseconds: String, _ milliseconds: Int64) {
    expect(Self.watchdog(microseconds).interval, milliseconds)
  }

  @Test(
    arguments: [
      "", "0", "00", "-1", "+1", "1s", " 1", "1 ", "0x10", "1.5", "١", "18446744073709551615",
      "18446744073709551616", "99999999999999999999", "10000000000000000000000000000",
    ])
  func withoutAProperTimeNobodyWantsAny(_ microseconds: String) {
    var watchdog = Self.watchdog(microseconds)
    let isDue = watchdog.takeDue(at: Instant(milliseconds: 0))
    expect(!isDue && watchdog == .none && watchdog.deadline == nil)
  }

  @Test func oneForThisProcessCountsAlone() {
    for process in ["4711", "04711"] {
      expect(Self.watchdog("3000000", process: process).interval, 1_000)
    }
    for process in ["4712", "1", "4711x", "0", "-4711"] {
      expect(Self.watchdog("3000000", process: process), .none)
    }
  }

  @Test func theFirstIsDueAtOnceAndTheOthersAnIntervalAfterTheOneBefore() {
    var watchdog = Self.watchdog("30000000")
    var due: [Int64] = []
    // A loop that is woken every 0.7 s by other things, from any time on.
    for time in stride(from: Int64(5_000), through: 35_000, by: 700) {
      if watchdog.takeDue(at: Instant(milliseconds: time)) { due.append(time) }
    }
    expect(due, [5_000, 15_500, 26_000])
    expect(watchdog.deadline, Instant(milliseconds: 36_000))
  }

  @Test func aLoopThatHungSaysSoOnceAndDoesNotMakeUpForIt() {
    var watchdog = Self.watchdog("30000000")
    let signs = [0, 100_000, 100_001, 109_999, 110_000].map {
      watchdog.takeDue(at: Instant(milliseconds: $0))
    }
    expect(signs, [true, true, false, false, true])
  }
}
