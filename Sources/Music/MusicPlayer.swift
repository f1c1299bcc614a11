public import Bytes

/// What the phone plays, and how far the two sides have come to tell of it.
///
/// | state | found | accepted | refused | gone |
/// |---|---|---|---|---|
/// | absent | asking | – | – | – |
/// | asking | asking | there | absent | absent |
/// | there | asking | there | there | absent |
///
/// In `there` a refusal is that of a command. Apple Media Service Specification.
public struct MusicPlayer: ~Copyable {
  /// How far it has come.
  public enum State: Equatable, Sendable {
    /// The phone has none, or none that it lets us see.
    case absent
    /// It was asked for its track.
    case asking
    /// It tells its track from now on.
    case there
  }

  /// What a player is told to do; the raw value is the command's identifier.
  public enum Command: UInt8, Sendable {
    case next = 3
  }

  /// What happened on the link.
  public enum Event: Sendable {
    /// Entity Update was found and is subscribed to.
    case found
    /// The phone took what was written to Entity Update.
    case accepted
    /// It did not, or refuses to be subscribed to.
    case refused
    /// The link is gone.
    case gone
  }

  /// How far it has come.
  public private(set) var state = State.absent
  private var titleBuffer = FixedBuffer<96>()
  private var artistBuffer = FixedBuffer<96>()
  /// A bit for each command that is allowed now; `nil` while the phone has not told.
  private var allowed: UInt32?

  /// A phone without music.
  public init() {}

  /// The title of the track, empty if none is known.
  public var title: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { titleBuffer.bytes }
  }

  /// Who plays it, empty if that is not known.
  public var artist: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { artistBuffer.bytes }
  }

  /// What is written to Entity Update to be told artist and title of the track.
  public static func request<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    writer.append(EntityUpdate.track)
    writer.append(EntityUpdate.Attribute.artist.rawValue)
    writer.append(EntityUpdate.Attribute.title.rawValue)
  }

  /// Notes what happened; returns whether the track is to be asked for.
  public mutating func note(_ event: Event) -> Bool {
    switch (state, event) {
    case (_, .gone), (.asking, .refused):
      state = .absent
      forget()
    case (_, .found):
      state = .asking
      forget()
      return true
    case (.asking, .accepted): state = .there
    case (.absent, .accepted), (.absent, .refused), (.there, .accepted), (.there, .refused): break
    }
    return false
  }

  private mutating func forget() {
    titleBuffer.wipe()
    artistBuffer.wipe()
    allowed = nil
  }

  /// Takes a notification of Entity Update; returns whether something of the track is another one.
  public mutating func hear(update bytes: Span<UInt8>) -> Bool {
    guard let update = try? EntityUpdate(parsing: bytes) else { return false }
    switch update.attribute {
    case .title: return replace(&titleBuffer, by: update.value)
    case .artist: return replace(&artistBuffer, by: update.value)
    case .album, .duration: return false
    }
  }

  /// Takes a notification of Remote Command: all commands that are allowed now.
  public mutating func hear(commands: Span<UInt8>) {
    var bits: UInt32 = 0
    for index in commands.indices where commands[index] < 32 {
      bits |= 1 &<< UInt32(commands[index])
    }
    allowed = bits
  }

  /// Whether the command is of any use now.
  public func takes(_ command: Command) -> Bool {
    guard state == .there else { return false }
    return allowed.map { $0 & 1 &<< UInt32(command.rawValue) != 0 } ?? true
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
