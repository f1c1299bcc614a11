import Bytes
import Expecting
import TestSupport

@testable import PhoneServices

/// What a phone plays: Apple Media Service Specification.
struct MusicTests {
  private static let song = bytes("02 02 00") + Array("nRF52 Series song".utf8)

  /// A player that can be looked at in an expectation.
  private final class Player {
    private var player = MusicPlayer()

    var state: MusicPlayer.State { player.state }
    var title: String { MusicTests.texts(of: player)[0] }
    var artist: String { MusicTests.texts(of: player)[1] }
    var takesNext: Bool { player.takes(.next) }

    func receive(_ value: [UInt8]) -> Bool { player.receive(update: value.span) }
    func allowOthers() { player.receiveCommands() }
    @discardableResult
    func receive(_ input: MusicPlayer.Input) -> Bool { player.receive(input) }
  }

  private static func texts(of player: borrowing MusicPlayer) -> [String] {
    [string(player.title.bytes), string(player.artist.bytes)]
  }

  @Test func artistAndTitleOfTheTrackAreAskedFor() {
    var request = FixedBuffer<12>()
    MusicPlayer.request(into: &request)
    expect(array(request.bytes), bytes("02 00 02"))
  }

  @Test func aTitleAndAnArtistAreKept() {
    let player = Player()
    expect(player.receive(Self.song))
    expect(player.receive(bytes("02 00 00") + Array("Ella".utf8)))
    expect(player.title == "nRF52 Series song" && player.artist == "Ella")
    expect(!player.receive(Self.song), "the same again")
    expect(player.receive(bytes("02 02 00")))
    #expect(player.title.isEmpty, "nothing plays")
  }

  /// Its volume, its queue, its album.
  @Test(arguments: [
    "00 02 00 31", "01 00 00 31", "02 01 00 31", "02 03 00 31", "02 09 00 31", "03 00 00",
  ])
  func anythingElseIsNotKept(_ value: String) {
    let player = Player()
    expect(!player.receive(bytes(value)))
    expect(player.title + player.artist, "")
  }

  @Test func aTitleThatIsTooLongOrCutByThePhoneEndsBehindAWholeLetter() {
    for cut in ["02 02 01 61 F0 9F 8E", "02 02 01 61 C3"] {
      let player = Player()
      _ = player.receive(bytes(cut))
      expect(player.title, "a")
    }
    for letter in ["a", "ö", "さ", "🎵"] {
      for lead in 0..<4 {
        let player = Player()
        let long = String(repeating: "-", count: lead) + String(repeating: letter, count: 99)
        expect(player.receive(bytes("02 02 01") + Array(long.utf8)))
        let kept = player.title
        expect(long.hasPrefix(kept) && kept.utf8.count > 92 && kept.utf8.count <= 96)
      }
    }
  }

  @Test func everyPrefixAndBitFlipIsATextOrNothing() {
    for count in Self.song.indices {
      let player = Player()
      expect(player.receive(Array(Self.song[..<count])), (count > 3))
    }
    for bit in 0..<Self.song.count * 8 {
      let player = Player()
      var flipped = Self.song
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = player.receive(flipped)
      #expect(player.title.utf8.count + player.artist.utf8.count <= 3 * 17)
    }
  }

  // MARK: - The way there

  @Test func itIsThereOnceThePhoneHasTakenTheQuestion() {
    let player = Player()
    expect(player.receive(.found) && player.state == .asking)
    expect(!player.receive(.accepted) && player.state == .there)
    expect(!player.receive(.refused) && player.state == .there, "that was a command")
    expect(player.receive(.found) && player.state == .asking, "its handles have moved")
  }

  @Test func aPhoneThatRefusesHasNone() {
    let player = Player()
    player.receive(.found)
    expect(!player.receive(.refused) && player.state == .absent)
    expect(!player.receive(.accepted) && player.state == .absent, "nobody asked")
  }

  @Test func withTheLinkGoesWhatItTold() {
    let player = playing()
    _ = player.receive(Self.song)
    player.receive(.gone)
    expect(player.state == .absent && player.title.isEmpty)
  }

  // MARK: - Commands

  private func playing() -> Player {
    let player = Player()
    player.receive(.found)
    expect(!player.takesNext)
    player.receive(.accepted)
    return player
  }

  @Test func centralBehaviour92_aCommandIsTriedWhateverThePhoneSaysThatItAllows() {
    let player = playing()
    expect(player.takesNext)
    player.allowOthers()
    expect(player.takesNext)
  }

  /// Another title may have a next one, and other commands may be allowed.
  @Test(arguments: 0..<3) func centralBehaviour92_aCommandThatIsRefusedIsLeftUntilThereIsNews(
    _ news: Int
  ) {
    let player = playing()
    _ = player.receive(Self.song)
    player.receive(.commandRefused)
    expect(!player.takesNext && player.state == .there && player.title == "nRF52 Series song")
    _ = player.receive(Self.song)
    expect(!player.takesNext, "the same again is no news")
    switch news {
    case 0: player.allowOthers()
    case 1: _ = player.receive(bytes("02 00 00 41"))
    default:
      player.receive(.found)
      player.receive(.accepted)
    }
    expect(player.takesNext)
  }

  @Test func centralBehaviour92_aPhoneThatRefusesToTellItsCommandsMayTakeThem() {
    let player = Player()
    player.receive(.commandRefused)
    player.receive(.found)
    player.receive(.commandRefused)
    player.receive(.accepted)
    expect(player.takesNext && player.state == .there)
  }
}
