package import Bytes

/// What the phone plays, and whether it sends that.
///
/// | state | found | accepted | refused | gone |
/// |---|---|---|---|---|
/// | absent | asking | – | – | – |
/// | asking | asking | there | absent | absent |
/// | there | asking | there | there | absent |
///
/// Players forget to report which commands are allowed, so a report is only a hint. The device tries a command,
/// and a refusal is in force until the phone sends news. The state and the texts live here; `note` and `hear`
/// change them. Apple Media Service Specification.
package struct MusicPlayer: ~Copyable {
  package enum State: Equatable, Sendable {
    /// The phone has no player, or does not show it.
    case absent
    /// The track was requested.
    case asking
    /// The phone sends its track from now on.
    case there
  }

  /// A command to the player, with its identifier.
  package enum Command: UInt8, Sendable {
    /// Play, or pause where it plays.
    case toggle = 2
    case next = 3
  }

  /// What happened on the link.
  package enum Event: Sendable {
    /// Entity Update was found, and the device has subscribed to it.
    case found
    /// The phone accepted the value that was written to Entity Update.
    case accepted
    /// The phone refused that value, or the subscription.
    case refused
    case commandRefused
    case gone
  }

  package private(set) var state = State.absent
  private var titleBuffer = FixedBuffer<96>()
  private var artistBuffer = FixedBuffer<96>()
  /// The command that was sent last, and whether the phone refused it and has sent no news since.
  private var asked = Command.next
  private var isRefused = false

  package init() {}

  /// The title of the track, empty if unknown.
  package var title: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { titleBuffer.bytes }
  }

  /// The artist of the track, empty if unknown.
  package var artist: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { artistBuffer.bytes }
  }

  /// Writes the value for Entity Update that requests artist and title of the track.
  package static func request<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    writer.append(EntityUpdate.track)
    writer.append(EntityUpdate.Attribute.artist.rawValue)
    writer.append(EntityUpdate.Attribute.title.rawValue)
  }

  /// Notes an event; returns whether the device must request the track.
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
    case (.there, .commandRefused): isRefused = true
    case (.absent, .accepted), (.absent, .refused), (.there, .accepted), (.there, .refused),
      (.absent, .commandRefused), (.asking, .commandRefused):
      break
    }
    return false
  }

  private mutating func forget() {
    titleBuffer.wipe()
    artistBuffer.wipe()
    isRefused = false
  }

  /// Handles a notification of Entity Update; returns whether a text of the track has changed.
  package mutating func hear(update bytes: Span<UInt8>) -> Bool {
    guard let update = try? EntityUpdate(parsing: bytes) else { return false }
    let isOther: Bool
    switch update.attribute {
    case .title: isOther = replace(&titleBuffer, by: update.value)
    case .artist: isOther = replace(&artistBuffer, by: update.value)
    case .album, .duration: return false
    }
    if isOther { isRefused = false }
    return isOther
  }

  /// Handles a notification of Remote Command: the phone allows other commands now.
  package mutating func hearCommands() { isRefused = false }

  /// Whether the command is worth a try.
  package func takes(_ command: Command) -> Bool {
    state == .there && !(isRefused && command == asked)
  }

  /// Notes that the command is sent, if it is worth a try; returns whether it is.
  package mutating func ask(_ command: Command) -> Bool {
    guard takes(command) else { return false }
    (asked, isRefused) = (command, false)
    return true
  }
}

/// Replaces a text; returns whether that changed it.
private func replace(_ buffer: inout FixedBuffer<96>, by value: Span<UInt8>) -> Bool {
  var text = FixedBuffer<96>()
  text.assign(text: value)
  guard !isEqual(text.bytes, buffer.bytes) else { return false }
  buffer.assign(text.bytes)
  return true
}
