import Bytes
import Testing

@testable import Lenker

/// A mistake in the board file, told by who starts us with other settings.
struct MistakeTests {
  @Test func itIsShownUntilAPhoneIsFound() {
    let rider = Watcher("board.conf:12: unknown key")
    for connection in [.starting, .noRadio, .unpaired, .searching] as [Scene.Connection] {
      #expect(rider.isShown(while: connection))
    }
    for connection in [.found, .connecting, .ready] as [Scene.Connection] {
      #expect(!rider.isShown(while: connection))
    }
    #expect(rider.isShown(while: .searching), "the phone left")
  }

  @Test func aPressPutsItAway() {
    let rider = Watcher("board.conf:12: unknown key")
    #expect(rider.pressChangesThePicture)
    #expect(!rider.isShown(while: .searching))
    #expect(!rider.pressChangesThePicture)
  }

  @Test func withoutOneNothingIsShown() {
    let rider = Watcher("")
    #expect(!rider.isShown(while: .starting))
    #expect(!rider.pressChangesThePicture)
  }
}

/// A scene that `#expect` can ask, which takes copyable values only.
private final class Watcher {
  private var scene = Scene(at: Instant(milliseconds: 0))

  init(_ mistake: String) { scene.mistake.append(mistake) }

  func isShown(while connection: Scene.Connection) -> Bool {
    scene.connection = connection
    return scene.isMistakeDue
  }

  var pressChangesThePicture: Bool {
    scene.isChanged = false
    scene.dismissMistake()
    return scene.isChanged
  }
}
