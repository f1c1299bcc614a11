package import Bytes

/// What the phone plays, and how far the two sides have come to tell of it.
///
/// | state | found | accepted | refused | gone |
/// |---|---|---|---|---|
/// | absent | asking | – | – | – |
/// | asking | asking | there | absent | absent |
/// | there | asking | there | there | absent |
///
/// Players forget to tell which commands are allowed, so that this is no more than a hint: a command is
/// tried, and its refusal holds until the phone tells something new. Apple Media Service Specification.
package struct MusicPlayer: ~Copyable {
  /// How far it has come.
  package enum State: Equatable, Sendable {
    /// The phone has none, or none that it lets us see.
    case absent
    /// It was asked for its track.
    case asking
    /// It tells its track from now on.
    case there
  }

  /// What a player is told to do; the raw value is the command's identifier.
  package enum Command: UInt8, Sendable {
    case next = 3
  }

  /// What happened on the link.
  package enum Event: Sendable {
    /// Entity Update was found and is subscribed to.
    case found
    /// The phone took what was written to Entity Update.
    case accepted
    /// It did not, or refuses to be subscribed to.
    case refused
    /// The phone refuses a command.
    case commandRefused
    /// The link is gone.
    case gone
  }

  /// How far it has come.
  package private(set) var state = State.absent
  private var titleBuffer = FixedBuffer<96>()
  private var artistBuffer = FixedBuffer<96>()
  /// Whether the phone refused the next title, and has told nothing new since.
  private var isNextRefused = false

  /// A phone without music.
  package init() {}

  /// The title of the track, empty if none is known.
  package var title: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { titleBuffer.bytes }
  }

  /// Who plays it, empty if that is not known.
  package var artist: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { artistBuffer.bytes }
  }

  /// What is written to Entity Update to be told artist and title of the track.
  package static func request<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    writer.append(EntityUpdate.track)
    writer.append(EntityUpdate.Attribute.artist.rawValue)
    writer.append(EntityUpdate.Attribute.title.rawValue)
  }

  /// Notes what happened; returns whether the track is to be asked for.
  package mutating func note(_ event: Event) -> Bool {
    switch (state, event) {
    case (_, .gone), (.asking, .refused):
      state = .absent
      forget()
    case (_, .found):
      state = .asking
      forget()
      return true
    case (.asking, .accepted): state = .there
    case (.there, .commandRefused): isNextRefused = true
    case (.absent, .accepted), (.absent, .refused), (.there, .accepted), (.there, .refused),
      (.absent, .commandRefused), (.asking, .commandRefused):
      break
    }
    return false
  }

  private mutating func forget() {
    titleBuffer.wipe()
    artistBuffer.wipe()
    isNextRefused = false
  }

  /// Takes a notification of Entity Update; returns whether something of the track is another one.
  package mutating func hear(update bytes: Span<UInt8>) -> Bool {
    guard let update = try? EntityUpdate(parsing: bytes) else { return false }
    let isOther: Bool
    switch update.attribute {
    case .title: isOther = replace(&titleBuffer, by: update.value)
    case .artist: isOther = replace(&artistBuffer, by: update.value)
    case .album, .duration: return false
    }
    if isOther { isNextRefused = false }
    return isOther
  }

  /// Notes a notification of Remote Command: other commands are allowed now, as the phone believes.
  package mutating func hearCommands() { isNextRefused = false }

  /// Whether the command is worth a try.
  package func takes(_ command: Command) -> Bool {
    switch command {
    case .next: state == .there && !isNextRefused
    }
  }
}

/// Returns whether it is another text.
private func replace(_ buffer: inout FixedBuffer<96>, by value: Span<UInt8>) -> Bool {
  var text = FixedBuffer<96>()
  text.assign(text: value)
  guard !isEqual(text.bytes, buffer.bytes) else { return false }
  buffer.assign(text.bytes)
  return true
}
