import Bytes
import Testing

@testable import Lenker

private let start = Instant(milliseconds: 1_000_000)

/// A radio that is missing, on the panel and among the events.
struct NoRadioTests {
  @Test func oneWhoseDriverMayStillBeLoadedIsWaitedForFiveSeconds() {
    let rider = Watcher()
    #expect(rider.fails("no such controller", mayCome: true, at: start))
    #expect(rider.connection == .starting)
    #expect(!rider.fails("no such controller", mayCome: true, at: start + 4_999))
    #expect(rider.connection == .starting)
    #expect(!rider.fails("no such controller", mayCome: true, at: start + 5_000))
    #expect(rider.connection == .noRadio)
  }

  @Test func eachNewReasonIsToldMeanwhile() {
    let rider = Watcher()
    #expect(rider.fails("no Bluetooth", mayCome: true, at: start))
    #expect(rider.fails("no such controller", mayCome: true, at: start + 1_000))
    #expect(!rider.fails("no such controller", mayCome: true, at: start + 2_000))
  }

  @Test func anyOtherIsShownAtOnce() {
    let rider = Watcher()
    #expect(rider.fails("is the other side running?", mayCome: false, at: start))
    #expect(rider.connection == .noRadio)
    #expect(!rider.fails("is the other side running?", mayCome: false, at: start + 1_000))
  }

  @Test func oneThatWasThereIsMissedAtOnce() {
    let rider = Watcher()
    rider.search()
    #expect(rider.fails("the controller went away", mayCome: true, at: start + 2_000))
    #expect(rider.connection == .noRadio)
  }
}

/// A scene that `#expect` can ask, which takes copyable values only.
private final class Watcher {
  private var scene = Scene(at: start)

  var connection: Scene.Connection { scene.connection }

  func search() { scene.connection = .searching }

  func fails(_ text: String, mayCome: Bool, at now: Instant) -> Bool {
    let bytes = Array(text.utf8)
    return scene.showNoRadio(bytes.span, mayCome: mayCome, at: now)
  }
}
