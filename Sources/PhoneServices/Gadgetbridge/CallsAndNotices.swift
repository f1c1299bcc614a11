import Bytes

extension Gadgetbridge {
  /// A line `{"t":"call",…}`: a telephone call, or what has become of it.
  package struct Call: ~Copyable {
    /// What the line says of it, with Gadgetbridge's word.
    package enum Stage: Equatable, Sendable {
      case incoming, outgoing, accepted, started, refused, ended
      /// Another word, or none.
      case unknown
    }

    package let stage: Stage
    private var nameBuffer = FixedBuffer<128>()

    init(_ object: ScriptObject) {
      var word = ScriptObject.Text()
      _ = object.read("cmd", into: &word)
      stage = Self.stage(word.bytes)
      object.copy("name", into: &nameBuffer)
      if nameBuffer.isEmpty { object.copy("number", into: &nameBuffer) }
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

    /// The caller's name, else the number; empty if neither is known.
    package var name: Span<UInt8> {
      @_lifetime(borrow self)
      @_addressableSelf
      borrowing get { nameBuffer.bytes }
    }
  }

  /// A line `{"t":"notify",…}`: a notification on the phone.
  package struct Notice: ~Copyable {
    /// The number by which it is dismissed, and removed; `nil` if it has none.
    package let identifier: Int64?
    private var appBuffer = FixedBuffer<256>()
    private var titleBuffer = FixedBuffer<128>()
    private var messageBuffer = FixedBuffer<200>()

    init(_ object: ScriptObject) {
      identifier = object.integer("id")
      object.copy("src", into: &appBuffer)
      object.copy("title", into: &titleBuffer)
      if titleBuffer.isEmpty { object.copy("sender", into: &titleBuffer) }
      if titleBuffer.isEmpty { object.copy("src", into: &titleBuffer) }
      object.copy("body", into: &messageBuffer)
      if messageBuffer.isEmpty { object.copy("subject", into: &messageBuffer) }
    }

    /// The app's name, such as `WhatsApp`; empty if it has none.
    package var app: Span<UInt8> {
      @_lifetime(borrow self)
      @_addressableSelf
      borrowing get { appBuffer.bytes }
    }

    /// Its title, else the sender, else the app.
    package var title: Span<UInt8> {
      @_lifetime(borrow self)
      @_addressableSelf
      borrowing get { titleBuffer.bytes }
    }

    /// Its text, else the subject.
    package var message: Span<UInt8> {
      @_lifetime(borrow self)
      @_addressableSelf
      borrowing get { messageBuffer.bytes }
    }
  }

  /// A line `{"t":"musicinfo",…}`: the track that the phone plays.
  package struct Track: ~Copyable {
    private var titleBuffer = FixedBuffer<96>()
    private var artistBuffer = FixedBuffer<96>()

    init(_ object: ScriptObject) {
      object.copy("track", into: &titleBuffer)
      object.copy("artist", into: &artistBuffer)
    }

    /// Empty if unknown.
    package var title: Span<UInt8> {
      @_lifetime(borrow self)
      @_addressableSelf
      borrowing get { titleBuffer.bytes }
    }

    /// Empty if unknown.
    package var artist: Span<UInt8> {
      @_lifetime(borrow self)
      @_addressableSelf
      borrowing get { artistBuffer.bytes }
    }
  }
}
