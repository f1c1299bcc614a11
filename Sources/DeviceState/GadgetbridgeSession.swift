package import Bytes
import Navigation
package import PhoneServices

/// What Gadgetbridge says beside the turns, from a link's beginning to its end.
///
/// | call | incoming | outgoing, accepted, started, refused, ended | answered | 2 min | link lost |
/// |---|---|---|---|---|---|
/// | none | ringing | – | – | – | – |
/// | ringing | ringing, with a new number if the name is another | none | none | none | none |
///
/// A notice waits until there is time for it, and a newer one replaces it. Its texts show once there is time; those of
/// a call show at once. The lines, the call, the texts and the track live here, and only its functions change them. It
/// reads no clock.
package struct GadgetbridgeSession: ~Copyable {
  private enum Ringing: Equatable {
    case none
    /// With our number for the call.
    case ringing(UInt32, until: Instant)
  }

  /// No phone rings for longer, in milliseconds.
  private static var ringingTime: Int64 { 120_000 }

  /// What the rider wants to see; `nil` for nothing.
  private let wish: NotificationSession.Wish?
  private let hasMusic: Bool
  private var assembler = Gadgetbridge.LineAssembler()
  /// Whether the phone has written a line on this link.
  package private(set) var hasWritten = false
  private var ringing = Ringing.none
  private var lastCall: UInt32 = 0
  private var hasCallChanged = false
  /// The app's number for the notice that waits, if it has one.
  private var waitingIdentifier: Int64?
  private var waitingTitle = FixedBuffer<128>()
  private var waitingMessage = FixedBuffer<200>()
  /// The caller of the last call, or the title of the last notice.
  package private(set) var title = FixedBuffer<128>()
  /// The text of the last notice.
  package private(set) var message = FixedBuffer<200>()
  package private(set) var trackTitle = FixedBuffer<96>()
  package private(set) var trackArtist = FixedBuffer<96>()
  /// Whether the player is paused, as it reported last; it reports changes only, not its state on each link.
  private var isPaused = false
  /// The last sentence of OsmAnd; `nil` if an app sent the street alone.
  private var sentence: TextMark?

  package init(_ wish: NotificationSession.Wish?, hasMusic: Bool) {
    self.wish = wish
    self.hasMusic = hasMusic
  }

  /// When `advance` must be called at the latest.
  package var deadline: Instant? {
    if case .ringing(_, let end) = ringing { end } else { nil }
  }

  package mutating func advance(to now: Instant) {
    if let deadline, now >= deadline { endCall() }
  }

  package mutating func linkWasLost() {
    assembler.linkWasLost()
    hasWritten = false
    endCall()
    dropNotice()
    title.wipe()
    message.wipe()
    trackTitle.wipe()
    trackArtist.wipe()
  }

  // MARK: - Lines

  /// A line that is complete: the first one on this link, or a further one.
  package enum Line { case first, further }

  /// Handles a byte that was written; returns the line that it completes.
  package mutating func receive(_ byte: UInt8, at now: Instant) -> Line? {
    guard assembler.receive(byte, at: now) else { return nil }
    defer { hasWritten = true }
    return hasWritten ? .further : .first
  }

  /// Reads the complete line; throws if its literals are not whole.
  package func read() throws(ParseError) -> Gadgetbridge.Message {
    try Gadgetbridge.Message(parsing: assembler.line)
  }

  /// Handles what a line says of calls, notices and music.
  mutating func receive(_ message: borrowing Gadgetbridge.Message, at now: Instant) {
    switch message {
    case .call(let call): receive(call, at: now)
    case .notice(let notice): receive(notice)
    case .noticeRemoved(let identifier): if waitingIdentifier == identifier { dropNotice() }
    case .track(let track): receive(track)
    case .player(let player): receive(player)
    default: break
    }
  }

  /// Reads the street of the turn from a text.
  ///
  /// A sentence is repeated with each line until the next one is spoken, so it may belong to the turn before. With a
  /// known turn a repeated sentence therefore says nothing.
  package mutating func readStreet(
    _ text: Span<UInt8>, hasTurn: Bool
  ) -> Gadgetbridge.SpokenStreet {
    var mark = TextMark()
    mark.add(text)
    if hasTurn, sentence == mark { return Gadgetbridge.SpokenStreet() }
    let street = Gadgetbridge.SpokenStreet(text)
    sentence = street.kind == .street ? nil : mark
    return street
  }

  // MARK: - Calls and notices

  /// Our number for the call that rings.
  package var call: UInt32? {
    if case .ringing(let number, _) = ringing { number } else { nil }
  }

  /// What is new, once: a call, or a notice if there is time for one.
  package mutating func takeOutcome(hasTime: Bool) -> NotificationSession.Outcome? {
    if hasCallChanged {
      hasCallChanged = false
      return call == nil ? .callEnded : .call
    }
    guard hasTime, hasNotice, call == nil else { return nil }
    title.assign(waitingTitle.bytes)
    message.assign(waitingMessage.bytes)
    dropNotice()
    return .other
  }

  private mutating func receive(_ news: borrowing Gadgetbridge.Call, at now: Instant) {
    switch news.stage {
    case .incoming where wish != nil: ring(news.name.bytes, at: now)
    case .outgoing, .accepted, .started, .refused, .ended: endCall()
    case .incoming, .unknown: break
    }
  }

  private mutating func ring(_ name: Span<UInt8>, at now: Instant) {
    var caller = FixedBuffer<128>()
    caller.assign(text: name)
    // A press is for the caller whose name was read.
    let isSame = call != nil && isEqual(caller.bytes, title.bytes)
    if !isSame { lastCall &+= 1 }
    (ringing, hasCallChanged) = (.ringing(lastCall, until: now + Self.ringingTime), true)
    title.assign(caller.bytes)
    message.removeAll()
  }

  /// The rider took the call or refused it, or it is over.
  package mutating func endCall() {
    guard call != nil else { return }
    (ringing, hasCallChanged) = (.none, true)
  }

  private mutating func receive(_ notice: borrowing Gadgetbridge.Notice) {
    guard let wish, wish != .calls else { return }
    waitingTitle.assign(text: notice.title.bytes)
    waitingMessage.assign(text: notice.message.bytes)
    waitingIdentifier = notice.identifier
  }

  private var hasNotice: Bool { !waitingTitle.isEmpty || !waitingMessage.isEmpty }

  private mutating func dropNotice() {
    waitingIdentifier = nil
    waitingTitle.wipe()
    waitingMessage.wipe()
  }

  // MARK: - Music

  /// Whether the phone plays something.
  package var hasTrack: Bool { !trackTitle.isEmpty || !trackArtist.isEmpty }

  private mutating func receive(_ track: borrowing Gadgetbridge.Track) {
    guard hasMusic else { return }
    trackTitle.assign(text: track.title.bytes)
    trackArtist.assign(text: track.artist.bytes)
  }

  /// The command for Gadgetbridge, which has no toggle: the device has to know whether to play or to pause.
  package func meaning(of command: MusicPlayer.Command) -> Gadgetbridge.Answer.MusicCommand {
    switch command {
    case .toggle: isPaused ? .play : .pause
    case .next: .next
    }
  }

  private mutating func receive(_ player: Gadgetbridge.Message.Player) {
    isPaused = player == .paused
    guard player == .stopped else { return }
    trackTitle.removeAll()
    trackArtist.removeAll()
  }
}
