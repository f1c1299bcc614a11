package import Bytes

/// What the phone plays, and whether it sends the track.
///
/// | state | found | accepted | refused | gone |
/// |---|---|---|---|---|
/// | absent | asking | – | – | – |
/// | asking | asking | there | absent | absent |
/// | there | asking | there | there | absent |
///
/// Players forget to report which commands are allowed, so a report is only a hint. The device tries a command,
/// and a refusal is in force until the phone sends news. The state and the texts live here; `receive` and `ask`
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
  package enum Input: Sendable {
    /// Entity Update was found, and the device has subscribed to it.
    case found
    /// The phone accepted the value that was written to Entity Update.
    case accepted
    /// The phone refused the value or the subscription.
    case refused
    case commandRefused
    case gone
  }

  package private(set) var state = State.absent
  /// The title of the track; empty if unknown, like the artist.
  package private(set) var title = FixedBuffer<96>()
  package private(set) var artist = FixedBuffer<96>()
  /// The command that was sent last, and whether the phone refused it and has sent no news since.
  private var asked = Command.next
  private var isRefused = false

  package init() {}

  /// Writes the value for Entity Update that requests artist and title of the track.
  package static func request<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    writer.append(EntityUpdate.track)
    writer.append(EntityUpdate.Attribute.artist.rawValue)
    writer.append(EntityUpdate.Attribute.title.rawValue)
  }

  /// Handles what happened; returns whether the device must request the track.
  package mutating func receive(_ input: Input) -> Bool {
    switch (state, input) {
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
    title.wipe()
    artist.wipe()
    isRefused = false
  }

  /// Handles a notification of Entity Update; returns whether a text of the track has changed.
  package mutating func receive(update bytes: Span<UInt8>) -> Bool {
    guard let update = try? EntityUpdate(parsing: bytes) else { return false }
    let hasChanged: Bool
    switch update.attribute {
    case .title: hasChanged = replace(&title, by: update.value)
    case .artist: hasChanged = replace(&artist, by: update.value)
    case .album, .duration: return false
    }
    if hasChanged { isRefused = false }
    return hasChanged
  }

  /// Handles a notification of Remote Command: the phone allows other commands now.
  package mutating func receiveCommands() { isRefused = false }

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

/// A notification of Entity Update: a new value of the phone's player, its queue or its track.
///
/// Entity, attribute and flags (a byte each), then the value in UTF-8, cut to what fits into a
/// notification. Apple Media Service Specification, Entity Update Notification Format.
package struct EntityUpdate: ~Escapable {
  /// An attribute of a track, with its identifier.
  package enum Attribute: UInt8, Sendable {
    case artist = 0
    case album = 1
    case title = 2
    case duration = 3
  }

  /// The identifier of the track among the entities.
  static var track: UInt8 { 2 }

  package let attribute: Attribute
  /// UTF-8, which may end in the middle of a letter.
  package let value: Span<UInt8>

  /// Reads a notification; throws `ParseError.unknown` for one that is not about the track.
  @_lifetime(copy bytes)
  package init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    let entity = try reader.u8()
    guard entity == Self.track else { throw .unknown(entity) }
    let number = try reader.u8()
    guard let attribute = Attribute(rawValue: number) else { throw .unknown(number) }
    try reader.skip(1)  // flags: whether the value is cut
    self.attribute = attribute
    value = reader.rest()
  }
}

/// Apple Media Service (AMS) and its characteristics.
///
/// AMS Specification, Service Characteristics.
extension UUID {
  package static var mediaService: UUID {
    UUID(0x89D3_502B_0F36_433A, 0x8EF4_C502_AD55_F8DC)
  }
  package static var remoteCommand: UUID {
    UUID(0x9B3C_81D8_57B1_4A8A, 0xB8DF_0E56_F7CA_51C2)
  }
  package static var entityUpdate: UUID {
    UUID(0x2F7C_ABCE_808D_411F, 0x9A0C_BB92_BA96_C102)
  }
}
