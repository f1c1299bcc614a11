package import Bytes

/// What the phone's notifications say, from a link's beginning to its end.
///
/// One request at a time: the texts of a notification, or what is to be done with a call.
///
/// | stage | found | request taken | written | refused | whole | 10 s | time to retry | gone |
/// |---|---|---|---|---|---|---|---|---|
/// | absent | idle | – | – | – | – | – | – | – |
/// | idle | idle | asking, acting, probing | – | – | – | – | – | absent |
/// | asking | idle | – | asking | idle, forbidden | idle | idle | – | absent |
/// | acting | idle | – | idle | idle | – | idle | – | absent |
/// | probing | idle | – | probing | idle | idle | idle | – | absent |
/// | forbidden | idle | – | – | – | – | – | asking | absent |
///
/// A refusal with an error of the service itself (A0 to A3) is about this notification; any other one says
/// that the rider has not allowed it on the phone, and it is tried again, less and less often. What is asked
/// once nothing was heard for long is a probe: see `SubscriptionWatch`. Reads no clock.
/// Apple Notification Center Service Specification.
package struct NotificationSession: ~Copyable {
  private enum Stage: Equatable {
    case absent, idle
    case asking(SourceEvent)
    case acting(UInt32)
    case probing
    case forbidden(SourceEvent)
  }

  /// What was there before the link comes again in its first seconds.
  private static var oldTime: Int64 { 10_000 }
  private static var answerTime: Int64 { 10_000 }
  /// No phone rings longer.
  private static var ringingTime: Int64 { 120_000 }
  private static var firstRetry: Int64 { 5_000 }
  private static var lastRetry: Int64 { 600_000 }
  /// The number of a notification that no phone has.
  private static var nobodysUID: UInt32 { .max }
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
  private var watch = SubscriptionWatch()
  private var retryPause = NotificationSession.firstRetry
  private var titleBuffer = FixedBuffer<128>()
  private var messageBuffer = FixedBuffer<200>()
  /// The call that rings, once its name is known.
  package private(set) var call: SourceEvent?
  /// Whether services have moved since the phone told its number.
  private var isNumberInDoubt = false
  /// What is to be done with it.
  private var action: Action?
  private var news: News?

  /// Before a link.
  package init(_ wish: Wish) { self.wish = wish }

  /// Of the last notification or call that was told.
  package var title: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { titleBuffer.bytes }
  }

  /// Likewise.
  package var message: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { messageBuffer.bytes }
  }

  /// How the next bytes of Data Source are read, for those who must not keep its texts.
  package var answer: AnswerReader { reader }

  /// When `advance` must be called at the latest.
  package var deadline: Instant? { earlier(earlier(stageEnd, callEnd), watch.end) }

  /// What is new; once.
  package mutating func takeNews() -> News? {
    defer { news = nil }
    return news
  }

  // MARK: - The link

  /// The phone was paired with on this link, and its rider may not have allowed anything yet.
  package mutating func paired(at now: Instant) { watch.paired(at: now) }

  /// All three characteristics are found, and two subscribed to.
  ///
  /// If they were before on this link, they have been somewhere else in the meantime: what was asked is asked
  /// anew, and a call that the phone tells of once more is none of before the link.
  package mutating func found(at now: Instant) {
    switch stage {
    case .absent: oldEnd = now + Self.oldTime
    case .asking(let entry): if !isGone { queue.add(entry) }
    case .forbidden(let entry): queue.add(entry)
    case .idle, .acting, .probing: break
    }
    isNumberInDoubt = call != nil
    watch.found(at: now)
    enter(.idle)
  }

  /// The link is gone, and with it every UID.
  package mutating func gone() {
    forget()
    enter(.absent)
    isForbiddenTold = false
    retryPause = Self.firstRetry
    watch = SubscriptionWatch()
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
    (call, callEnd, action, isNumberInDoubt) = (nil, nil, nil, false)
    news = .callEnded
  }

  // MARK: - In

  /// Takes a value of Notification Source.
  package mutating func hear(source value: Span<UInt8>, at now: Instant) {
    guard stage != .absent, let event = try? SourceEvent(parsing: value) else { return }
    heard(at: now)
    switch event.kind {
    case .removed: remove(event.uid)
    case .modified: change(event)
    case .added where isKnown(event.uid): change(event)
    case .added where isRetold(event): retell(event)
    case .added where event.isSilent: break
    // A call of before the link may be told once more, as the services moved; all else has been seen.
    case .added where event.isOld && (now < oldEnd || !event.isCall): break
    case .added where event.isCall || wish == .all: queue.add(event)
    case .added: break
    }
  }

  /// The phone tells something: what is subscribed to lives, and a probe that it has taken has its answer.
  private mutating func heard(at now: Instant) {
    watch.heard(at: now)
    if stage == .probing, isWritten { enter(.idle) }
  }

  private mutating func remove(_ uid: UInt32) {
    queue.remove(uid)
    if uid == call?.uid { endCall() }
    switch stage {
    case .asking(let entry) where entry.uid == uid: isGone = true
    case .forbidden(let entry) where entry.uid == uid: enter(.idle)
    default: break
    }
  }

  /// Whether it shows as a call, is being asked for, or waits for that.
  private func isKnown(_ uid: UInt32) -> Bool {
    if case .asking(let entry) = stage, entry.uid == uid, !isGone { return true }
    return uid == call?.uid || queue.contains(uid)
  }

  /// Whether a call that is known here is told as one of before, by another number, as services moved.
  private func isRetold(_ event: SourceEvent) -> Bool {
    guard event.isCall, event.isOld else { return false }
    if case .asking(let entry) = stage, entry.isCall, !isGone { return true }
    return call != nil || queue.hasCall
  }

  /// Takes over the number by which a call is told again.
  ///
  /// Where the phone has only one, it is that one. Else nobody can know which of them shows: who calls is
  /// asked once more.
  private mutating func retell(_ event: SourceEvent) {
    if event.isOnly {
      queue.removeCalls()
      if case .asking(let entry) = stage, entry.isCall { isGone = true }
    } else if isNumberInDoubt {
      endCall()
    }
    switch event.isSilent {
    case true: if event.isOnly { endCall() }
    case false where call != nil && event.isOnly: (call, isNumberInDoubt) = (event, false)
    case false: queue.add(event)
    }
  }

  /// The phone says once more what may be done with a notification; one that it silences is none any more.
  private mutating func change(_ event: SourceEvent) {
    guard !event.isSilent else { return remove(event.uid) }
    queue.change(event)
    if event.uid == call?.uid {
      call?.take(event)
      isNumberInDoubt = false
    }
    if case .asking(var entry) = stage, entry.uid == event.uid {
      entry.take(event)
      stage = .asking(entry)
    }
  }

  /// Takes a value of Data Source.
  package mutating func hear(data value: Span<UInt8>, at now: Instant) {
    if stage != .absent { heard(at: now) }
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
  package mutating func written(at now: Instant) {
    retryPause = Self.firstRetry
    watch.allowed()
    switch stage {
    case .asking(let entry):
      isWritten = true
      finish(entry, at: now)
    case .acting(let uid):
      // Its end may be told in the moment in which Lenker subscribes once more, and be lost.
      if uid == call?.uid { endCall() }
      enter(.idle)
    case .probing where watch.end != nil: enter(.idle)  // it has told something since
    case .probing: isWritten = true
    case .absent, .idle, .forbidden: break
    }
  }

  /// It did not, with this error of the Attribute Protocol.
  package mutating func refused(_ code: UInt8, at now: Instant) {
    switch stage {
    case .acting: enter(.idle)
    case .asking where (0xA0...0xA3).contains(code), .probing where (0xA0...0xA3).contains(code):
      watch.allowed()
      watch.heard(at: now)
      enter(.idle)
    case .asking(let entry):
      watch.refused(until: now + Self.lastRetry)
      enter(.forbidden(entry), until: now + retryPause)
      noteRefusal(code)
    case .probing:
      watch.refused(until: now + retryPause)
      enter(.idle)
      noteRefusal(code)
    case .absent: tellForbidden(code)  // to be subscribed to
    case .idle, .forbidden: break
    }
  }

  private mutating func noteRefusal(_ code: UInt8) {
    retryPause = min(retryPause * 2, Self.lastRetry)
    tellForbidden(code)
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
      (call, callEnd, isNumberInDoubt) = (entry, now + Self.ringingTime, false)
      news = .call
    } else if !title.isEmpty || !message.isEmpty {
      news = .other
    }
  }

  /// Lets the time pass.
  package mutating func advance(to now: Instant) {
    if let due = callEnd, now >= due { endCall() }
    watch.advance(to: now)
    guard let due = stageEnd, now >= due else { return }
    if case .forbidden(let entry) = stage { queue.add(entry) }
    if stage == .probing { watch.probeEnded() }
    enter(.idle)
  }

  // MARK: - Out

  /// Whether all is to be subscribed to once more, as the phone may have forgotten it; once.
  package mutating func takeRenewal() -> Bool {
    switch stage {
    case .absent, .idle: watch.take(.renewal)
    case .asking, .acting, .probing, .forbidden: false
    }
  }

  /// Has the phone take the call that rings, or refuse it; what the phone does not offer ends the call here.
  package mutating func act(_ action: Action) {
    guard let call else { return }
    let isOffered = action == .accept ? call.canBeAccepted : call.canBeRefused
    if isOffered { self.action = action } else { endCall() }
  }

  /// Writes what is to be written to Control Point now, once; returns whether there is anything.
  ///
  /// With it the last texts are gone; `callsOnly` keeps them as long as nobody calls.
  package mutating func takeRequest<Writer: ByteWriter & ~Copyable>(
    into writer: inout Writer, callsOnly: Bool = false, at now: Instant
  ) -> Bool {
    guard stage == .idle else { return false }
    if let action, let call {
      self.action = nil
      enter(.acting(call.uid), until: now + Self.answerTime)
      writer.append(2)
      writer.append(u32: call.uid)
      writer.append(action.rawValue)
      return true
    }
    // What is shown of a call stays until it ends.
    guard call == nil else { return false }
    if let entry = queue.take(callsOnly: callsOnly) {
      begin(entry, into: &writer, at: now)
      return true
    }
    guard watch.take(.probe) else { return false }
    enter(.probing, until: now + Self.answerTime)
    isWritten = false
    writeQuestion(about: Self.nobodysUID, into: &writer)
    return true
  }

  private func writeQuestion<Writer: ByteWriter & ~Copyable>(
    about uid: UInt32, into writer: inout Writer
  ) {
    writer.append(0)
    writer.append(u32: uid)
    writer.append(AnswerReader.Attribute.title.rawValue)
    writer.append(u16: Self.titleLength)
  }

  private mutating func begin<Writer: ByteWriter & ~Copyable>(
    _ entry: SourceEvent, into writer: inout Writer, at now: Instant
  ) {
    enter(.asking(entry), until: now + Self.answerTime)
    reader = AnswerReader(uid: entry.uid, hasMessage: !entry.isCall)
    (isWritten, isGone) = (false, false)
    titleBuffer.wipe()
    messageBuffer.wipe()
    writeQuestion(about: entry.uid, into: &writer)
    guard !entry.isCall else { return }
    writer.append(AnswerReader.Attribute.message.rawValue)
    writer.append(u16: Self.messageLength)
  }
}
