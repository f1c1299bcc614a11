package import Bytes

extension Gadgetbridge {
  /// A line `{"t":"call",…}`: a telephone call, or what has become of it.
  package struct Call: ~Copyable {
    /// The state of the call, by Gadgetbridge's word.
    package enum Stage: Equatable, Sendable {
      case incoming, outgoing, accepted, started, refused, ended
      /// Another word, or none.
      case unknown
    }

    package let stage: Stage
    /// The caller's name, else the number; empty if neither is known.
    package private(set) var name = FixedBuffer<128>()

    init(_ object: ScriptObject) {
      var word = ScriptObject.Text()
      _ = object.read("cmd", into: &word)
      stage = Self.stage(word.bytes)
      object.copy("name", into: &name)
      if name.isEmpty { object.copy("number", into: &name) }
    }

    private static func stage(_ word: Span<UInt8>) -> Stage {
      if isText(word, "incoming") { return .incoming }
      if isText(word, "outgoing") { return .outgoing }
      if isText(word, "accept") { return .accepted }
      if isText(word, "start") { return .started }
      if isText(word, "reject") { return .refused }
      if isText(word, "end") { return .ended }
      return .unknown
    }
  }

  /// A line `{"t":"notify",…}`: a notification on the phone.
  package struct Notice: ~Copyable {
    /// The number by which it is dismissed, and removed; `nil` if it has none.
    package let identifier: Int64?
    /// The app's name, such as `WhatsApp`; empty if it has none.
    package private(set) var app = FixedBuffer<256>()
    /// Its title, else the sender, else the app.
    package private(set) var title = FixedBuffer<128>()
    /// Its text, else the subject.
    package private(set) var message = FixedBuffer<200>()

    init(_ object: ScriptObject) {
      identifier = object.integer("id")
      object.copy("src", into: &app)
      object.copy("title", into: &title)
      if title.isEmpty { object.copy("sender", into: &title) }
      if title.isEmpty { object.copy("src", into: &title) }
      object.copy("body", into: &message)
      if message.isEmpty { object.copy("subject", into: &message) }
    }
  }

  /// A line `{"t":"musicinfo",…}`: the track that the phone plays.
  package struct Track: ~Copyable {
    /// Empty if unknown, as the artist.
    package private(set) var title = FixedBuffer<96>()
    package private(set) var artist = FixedBuffer<96>()

    init(_ object: ScriptObject) {
      object.copy("track", into: &title)
      object.copy("artist", into: &artist)
    }
  }
}
