import Bytes
import Central
import Expecting
import TestSupport
import VirtualAir

/// Time goes in as an argument: no timeout knows what the clock says, or when it began.
struct TimeTests {
  /// Everything that happens in the first ten minutes, and when.
  private static func story(from start: Int64) -> [String] {
    let controller = VirtualController()
    let phone = VirtualPhone()
    let central = Central(at: Instant(milliseconds: start))
    var lines: [String] = []
    phone.value = VirtualPhone.turn
    controller.phone = phone
    controller.attach(to: central)
    func tell() {
      let elapsed = central.now - Instant(milliseconds: start)
      lines += central.takeSaid().map { "\(elapsed) \($0)" }
      lines += central.takeEvents().map { "\(elapsed) \($0)" }
    }
    func pass(_ milliseconds: Int64) {
      let end = central.now + milliseconds
      while let due = central.deadline, due <= end {
        central.pass(due - central.now)
        tell()
      }
      central.pass(end - central.now)
      tell()
    }
    central.start()
    pass(40_000)  // the search becomes slow
    controller.connects = false
    controller.advertise(central)
    pass(10_000)  // an attempt is called back
    controller.connects = true
    controller.advertise(central)
    pass(20_000)  // a link, which is relaxed
    phone.withheld = [0x0A]
    central.read()
    pass(60_000)  // a request without an answer
    controller.withheld = [0x200C]
    central.searchFast()
    pass(60_000)  // a command without an answer
    return lines
  }

  /// The start of the clock, a year later, and where 32 bits of milliseconds would be full.
  @Test(arguments: [1, 31_536_000_000, 0xFFFF_FFFF - 30_000, 0x7FFF_FFFF - 5_000] as [Int64])
  func centralBehaviour40_theSameHappensWheneverItBegins(_ start: Int64) {
    let story = Self.story(from: start)
    expect(story, Self.story(from: 0))
    #expect(story.count > 50)
  }
}
