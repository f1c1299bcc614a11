public import Bytes

/// What the phone's notifications say, from a link's beginning to its end.
///
/// One request at a time: the texts of a notification, or what is to be done with a call.
///
/// | stage | found | request taken | written | refused | whole | 10 s | time to retry | gone |
/// |---|---|---|---|---|---|---|---|---|
/// | absent | idle | – | – | – | – | – | – | – |
/// | idle | idle | asking, acting | – | – | – | – | – | absent |
/// | asking | idle | – | asking | idle, forbidden | idle | idle | – | absent |
/// | acting | idle | – | idle | idle | – | idle | – | absent |
/// | forbidden | idle | – | – | – | – | – | asking | absent |
///
/// A refusal with an error of the service itself (A0 to A3) is about this notification; any other one says
/// that the rider has not allowed it on the phone, and it is tried again ever more rarely. Reads no clock.
/// Apple Notification Center Service Specification.
public struct NotificationSession: ~Copyable {
  /// Which notifications the rider wants to see.
  public enum Wish: Sendable {
    case calls
    case all
  }

  /// What there is to show, or no longer.
  public enum News: Equatable, Sendable {
    /// Somebody calls: `title` has the name.
    case call
    /// The call that was told has ended, or was taken.
    case callEnded
    /// `title` and `message` have another notification.
    case other
    /// The phone does not let its notifications be read.
    case forbidden(UInt8)
  }

  private enum Stage: Equatable {
    case absent, idle
    case asking(SourceEvent)
    case acting
    case forbidden(SourceEvent)
  }

  /// An action that the phone offers; the raw value is its identifier.
  public enum Action: UInt8, Sendable {
    case accept = 0
    case refuse = 1
  }

  /// What was there before the link comes again in its first seconds.
  private static var oldTime: Int64 { 10_000 }
  private static var answerTime: Int64 { 10_000 }
  /// No phone rings longer.
  private static var ringingTime: Int64 { 120_000 }
  private static var firstRetry: Int64 { 5_000 }
  private static var lastRetry: Int64 { 600_000 }
  private static var titleLength: UInt16 { 128 }
  private static var messageLength: UInt16 { 200 }

  private let wish: Wish
  private var stage = Stage.absent
  /// When the stage has lasted long enough.
  private var stageEnd: Instant?
  /// When the call that rings has.
  private var callEnd: Instant?
  private var oldEnd = Instant(milliseconds: 0)
  private var queue = NotificationQueue()
  private var reader = AnswerReader(uid: 0, hasMessage: false)
  private var isWritten = false
  /// Whether what is asked for has gone in the meantime.
  private var isGone = false
  private var isForbiddenTold = false
  private var retryPause = NotificationSession.firstRetry
  private var titleBuffer = FixedBuffer<128>()
  private var messageBuffer = FixedBuffer<200>()
  /// The call that rings, once its name is known.
  public private(set) var call: SourceEvent?
  /// What is to be done with it.
  private var action: Action?
  private var news: News?

  /// Before a link.
  public init(_ wish: Wish) { self.wish = wish }

  /// Of the last notification or call that was told.
  public var title: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { titleBuffer.bytes }
  }

  /// Likewise.
  public var message: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { messageBuffer.bytes }
  }

  /// How the next bytes of Data Source are read, for those who must not keep its texts.
  public var answer: AnswerReader { reader }

  /// When `advance` must be called at the latest.
  public var deadline: Instant? { earlier(stageEnd, callEnd) }

  /// What is new; once.
  public mutating func takeNews() -> News? {
    defer { news = nil }
    return news
  }

  // MARK: - The link

  /// All three characteristics are found, and two subscribed to.
  ///
  /// If they were before on this link, they have been somewhere else in the meantime: what was asked is asked
  /// anew, and a call that the phone tells of once more is none of before the link.
  public mutating func found(at now: Instant) {
    switch stage {
    case .absent: oldEnd = now + Self.oldTime
    case .asking(let entry): if !isGone { queue.add(entry) }
    case .forbidden(let entry): queue.add(entry)
    case .idle, .acting: break
    }
    enter(.idle)
  }

  /// The link is gone, and with it every UID.
  public mutating func gone() {
    forget()
    enter(.absent)
    isForbiddenTold = false
    retryPause = Self.firstRetry
  }

  private mutating func forget() {
    queue.removeAll()
    endCall()
    titleBuffer.wipe()
    messageBuffer.wipe()
  }

  private mutating func enter(_ stage: Stage, until deadline: Instant? = nil) {
    self.stage = stage
    stageEnd = deadline
  }

  private mutating func endCall() {
    guard call != nil else { return }
    (call, callEnd, action) = (nil, nil, nil)
    news = .callEnded
  }

  // MARK: - In

  /// Takes a value of Notification Source.
  public mutating func hear(source value: Span<UInt8>, at now: Instant) {
    guard stage != .absent, let event = try? SourceEvent(parsing: value) else { return }
    switch event.kind {
    case .removed:
      queue.remove(event.uid)
      if event.uid == call?.uid { endCall() }
      switch stage {
      case .asking(let entry) where entry.uid == event.uid: isGone = true
      case .forbidden(let entry) where entry.uid == event.uid: enter(.idle)
      default: break
      }
    case .modified: change(event)
    case .added where event.uid == call?.uid: change(event)
    // A call of before the link may be told once more, as the services moved; all else has been seen.
    case .added where event.isOld && (now < oldEnd || !event.isCall): break
    case .added where event.isCall || wish == .all && !event.isSilent: queue.add(event)
    case .added: break
    }
  }

  /// The phone says anew what may be done with a notification.
  private mutating func change(_ event: SourceEvent) {
    queue.change(event)
    if event.uid == call?.uid { call?.take(event) }
    if case .asking(var entry) = stage, entry.uid == event.uid {
      entry.take(event)
      stage = .asking(entry)
    }
  }

  /// Takes a value of Data Source.
  public mutating func hear(data value: Span<UInt8>, at now: Instant) {
    guard case .asking(let entry) = stage else { return }
    reader.beginNotification()
    for index in value.indices {
      switch reader.take(value[index]) {
      case .text(.title?): titleBuffer.append(value[index])
      case .text(.message?): messageBuffer.append(value[index])
      case .text(nil), .structure: break
      }
    }
    finish(entry, at: now)
  }

  /// The phone took what was written to Control Point.
  public mutating func written(at now: Instant) {
    retryPause = Self.firstRetry
    switch stage {
    case .asking(let entry):
      isWritten = true
      finish(entry, at: now)
    case .acting: enter(.idle)
    case .absent, .idle, .forbidden: break
    }
  }

  /// It did not, with this error of the Attribute Protocol.
  public mutating func refused(_ code: UInt8, at now: Instant) {
    switch stage {
    case .asking where (0xA0...0xA3).contains(code), .acting: enter(.idle)
    case .asking(let entry):
      enter(.forbidden(entry), until: now + retryPause)
      retryPause = min(retryPause * 2, Self.lastRetry)
      tellForbidden(code)
    case .absent: tellForbidden(code)  // to be subscribed to
    case .idle, .forbidden: break
    }
  }

  private mutating func tellForbidden(_ code: UInt8) {
    if !isForbiddenTold { news = .forbidden(code) }
    isForbiddenTold = true
  }

  private mutating func finish(_ entry: SourceEvent, at now: Instant) {
    guard isWritten, reader.isComplete else { return }
    titleBuffer.trimText()
    messageBuffer.trimText()
    enter(.idle)
    guard !isGone else { return }
    if entry.isCall {
      (call, callEnd) = (entry, now + Self.ringingTime)
      news = .call
    } else if !title.isEmpty || !message.isEmpty {
      news = .other
    }
  }

  /// Lets the time pass.
  public mutating func advance(to now: Instant) {
    if let due = callEnd, now >= due { endCall() }
    guard let due = stageEnd, now >= due else { return }
    if case .forbidden(let entry) = stage { queue.add(entry) }
    enter(.idle)
  }

  // MARK: - Out

  /// Has the phone take the call that rings, or refuse it; what the phone does not offer ends the call here.
  public mutating func act(_ action: Action) {
    guard let call else { return }
    let isOffered = action == .accept ? call.canBeAccepted : call.canBeRefused
    if isOffered { self.action = action } else { endCall() }
  }

  /// Writes what is to be written to Control Point now, once; returns whether there is anything.
  ///
  /// With it the last texts are gone; `callsOnly` keeps them as long as nobody calls.
  public mutating func takeRequest<Writer: ByteWriter & ~Copyable>(
    into writer: inout Writer, callsOnly: Bool = false, at now: Instant
  ) -> Bool {
    guard stage == .idle else { return false }
    if let action, let call {
      self.action = nil
      enter(.acting, until: now + Self.answerTime)
      writer.append(2)
      writer.append(u32: call.uid)
      writer.append(action.rawValue)
      return true
    }
    // What is shown of a call stays until it ends.
    guard call == nil, let entry = queue.take(callsOnly: callsOnly) else { return false }
    begin(entry, into: &writer, at: now)
    return true
  }

  private mutating func begin<Writer: ByteWriter & ~Copyable>(
    _ entry: SourceEvent, into writer: inout Writer, at now: Instant
  ) {
    enter(.asking(entry), until: now + Self.answerTime)
    reader = AnswerReader(uid: entry.uid, hasMessage: !entry.isCall)
    (isWritten, isGone) = (false, false)
    titleBuffer.wipe()
    messageBuffer.wipe()
    writer.append(0)
    writer.append(u32: entry.uid)
    writer.append(AnswerReader.Attribute.title.rawValue)
    writer.append(u16: Self.titleLength)
    guard !entry.isCall else { return }
    writer.append(AnswerReader.Attribute.message.rawValue)
    writer.append(u16: Self.messageLength)
  }
}
