/// What happens on the rider's phone beside the ride: who calls, what comes in, what plays.
///
/// Which phone it is makes no difference here. `AppleExtras` and `GadgetbridgeExtras` say it to the device, and take
/// what the device wants done.
struct Extras {
  /// A telephone call; the page has these numbers.
  enum Call: Int32 {
    case none, ringing, taken, refused
  }

  /// Something that the phone says once.
  enum Outcome: Equatable {
    case call(from: [UInt8])
    /// The call rings no more: it was taken, or has ended.
    case ringingEnds(isTaken: Bool)
    case notification(title: [UInt8], message: [UInt8])
    /// Another song plays, or none does.
    case song
  }

  struct Song: Equatable {
    let title, artist: [UInt8]

    init(_ title: String, _ artist: String) {
      (self.title, self.artist) = (Array(title.utf8), Array(artist.utf8))
    }
  }

  /// Songs and artists are invented.
  private static let songs = [
    Song("Zwischen Kette und Ritzel", "Die Speichen"), Song("Tailwind", "The Invented Hubs"),
    Song("La montée", "Les Dérailleurs"), Song("Ανηφόρα", "Οι Πεταλιές"), Song("坂道", "自転車"),
  ]

  private(set) var call = Call.none
  private var number = 0
  private(set) var isPlaying = false
  /// Whether what plays is held for now.
  private(set) var isPaused = false
  private var outcomes: [Outcome] = []

  var song: Song? { isPlaying ? Self.songs[number] : nil }

  mutating func takeOutcomes() -> [Outcome] {
    defer { outcomes = [] }
    return outcomes
  }

  // MARK: - What happens

  /// Somebody calls, and lets it ring.
  mutating func ring(from caller: [UInt8]) {
    if call == .ringing { endRinging(.none) }
    call = .ringing
    outcomes.append(.call(from: caller))
  }

  /// The caller gives up, or the rider has taken or refused the call.
  mutating func endRinging(_ end: Call) {
    if call == .ringing { outcomes.append(.ringingEnds(isTaken: end == .taken)) }
    call = end
  }

  mutating func notify(_ title: [UInt8], _ message: [UInt8]) {
    outcomes.append(.notification(title: title, message: message))
  }

  mutating func play(_ isPlaying: Bool) {
    (self.isPlaying, isPaused) = (isPlaying, false)
    outcomes.append(.song)
  }

  mutating func playNext() {
    guard isPlaying else { return }
    number = (number + 1) % Self.songs.count
    outcomes.append(.song)
  }

  /// Holds what plays, or goes on with it.
  mutating func pause(_ isPaused: Bool) {
    guard isPlaying else { return }
    self.isPaused = isPaused
    outcomes.append(.song)
  }
}
