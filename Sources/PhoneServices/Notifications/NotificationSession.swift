package import Bytes

/// The phone's notifications and calls on one link.
///
/// It makes one request at a time: for the texts of a notification, or for an action on a call.
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
/// A refusal with an error of the service itself (A0 to A3) is about this notification. Any other error means
/// that the rider has not allowed access on the phone: the session tries again, less and less often. A probe
/// follows a long silence: see `SubscriptionWatch`. The queue, the call and its texts live here, and only
/// these calls change them. Reads no clock. Apple Notification Center Service Specification.
package struct NotificationSession: ~Copyable {
  private enum Stage: Equatable {
    case absent, idle
    case asking(SourceEvent)
    case acting(UInt32)
    case probing
    case forbidden(SourceEvent)
  }

  /// In the first seconds of a link the phone repeats what it had before.
  private static var oldTime: Int64 { 10_000 }
  private static var answerTime: Int64 { 10_000 }
  /// No phone rings for longer.
  private static var ringingTime: Int64 { 120_000 }
  private static var firstRetry: Int64 { 5_000 }
  private static var lastRetry: Int64 { 600_000 }
  /// The UID of no notification.
  private static var nobodysUID: UInt32 { .max }
  private static var titleLength: UInt16 { 128 }
  private static var messageLength: UInt16 { 200 }

  private let wish: Wish
  private var stage = Stage.absent
  private var stageEnd: Instant?
  /// When the ringing call ends, at the latest.
  private var callEnd: Instant?
  private var oldEnd = Instant(milliseconds: 0)
  private var queue = NotificationQueue()
  private var reader = AnswerReader(uid: 0, hasMessage: false)
  private var isWritten = false
  /// Whether the requested notification is gone by now.
  private var isRequestedGone = false
  private var isForbiddenReported = false
  private var watch = SubscriptionWatch()
  private var retryPause = NotificationSession.firstRetry
  /// The title of the last notification or call that came out.
  package private(set) var title = FixedBuffer<128>()
  /// Its message.
  package private(set) var message = FixedBuffer<200>()
  /// The identifier of its app, such as `net.whatsapp.WhatsApp`; empty if it is not requested.
  ///
  /// There is room for more than any name in a list of apps.
  package private(set) var app = FixedBuffer<256>()
  /// The ringing call, once its name is known.
  package private(set) var call: SourceEvent?
  /// Whether services have moved since the phone sent the call's UID.
  private var isNumberInDoubt = false
  /// The action that the rider has chosen for the call.
  private var action: Action?
  private var outcome: Outcome?

  package init(_ wish: Wish) { self.wish = wish }

  /// The reader of the next bytes of Data Source, for the record, which must not keep texts.
  package var answer: AnswerReader { reader }

  /// When `advance` must be called at the latest.
  package var deadline: Instant? { earlier(earlier(stageEnd, callEnd), watch.end) }

  /// What has followed since the last call, if anything has.
  package mutating func takeOutcome() -> Outcome? {
    defer { outcome = nil }
    return outcome
  }

  // MARK: - The link

  /// The pairing took place on this link, so the rider may not have allowed anything yet.
  package mutating func paired(at now: Instant) { watch.paired(at: now) }

  /// All three characteristics are found, and both subscriptions are made.
  ///
  /// A second time on this link means that the characteristics have moved. The open request is made again, and
  /// a call that the phone repeats is not older than the link.
  package mutating func found(at now: Instant) {
    switch stage {
    case .absent: oldEnd = now + Self.oldTime
    case .asking(let entry) where !isRequestedGone, .forbidden(let entry): queue.add(entry)
    case .asking, .idle, .acting, .probing: break
    }
    isNumberInDoubt = call != nil
    watch.found(at: now)
    enter(.idle)
  }

  /// The link is gone, and all UIDs are void.
  package mutating func gone() {
    forget()
    enter(.absent)
    isForbiddenReported = false
    retryPause = Self.firstRetry
    watch = SubscriptionWatch()
  }

  private mutating func forget() {
    queue.removeAll()
    endCall()
    wipeTexts()
  }

  private mutating func wipeTexts() {
    title.wipe()
    message.wipe()
    app.wipe()
  }

  private mutating func enter(_ stage: Stage, until deadline: Instant? = nil) {
    self.stage = stage
    stageEnd = deadline
  }

  private mutating func endCall() {
    guard call != nil else { return }
    (call, callEnd, action, isNumberInDoubt) = (nil, nil, nil, false)
    outcome = .callEnded
  }

  // MARK: - In

  /// Handles a value of Notification Source.
  package mutating func receive(source value: Span<UInt8>, at now: Instant) {
    guard stage != .absent, let event = try? SourceEvent(parsing: value) else { return }
    received(at: now)
    switch event.kind {
    case .removed: remove(event.uid)
    case .modified: change(event)
    case .added where isKnown(event.uid): change(event)
    case .added where isRetold(event): retell(event)
    case .added where event.isSilent: break
    // The phone may repeat a call after its services moved; everything else old was seen before.
    case .added where event.isOlderThanLink && (now < oldEnd || !event.isCall): break
    case .added where event.isCall || wish != .calls: queue.add(event)
    case .added: break
    }
  }

  /// The phone has sent something: the subscriptions work, and that answers an accepted probe.
  private mutating func received(at now: Instant) {
    watch.received(at: now)
    if stage == .probing, isWritten { enter(.idle) }
  }

  private mutating func remove(_ uid: UInt32) {
    queue.remove(uid)
    if uid == call?.uid { endCall() }
    switch stage {
    case .asking(let entry) where entry.uid == uid: isRequestedGone = true
    case .forbidden(let entry) where entry.uid == uid: enter(.idle)
    default: break
    }
  }

  /// Whether it is the call, the open request, or in the queue.
  private func isKnown(_ uid: UInt32) -> Bool {
    uid == requested?.uid || uid == call?.uid || queue.contains(uid)
  }

  /// Whether the phone repeats a known call as an old one with another UID, as its services moved.
  private func isRetold(_ event: SourceEvent) -> Bool {
    guard event.isCall, event.isOlderThanLink else { return false }
    return requested?.isCall == true || call != nil || queue.hasCall
  }

  /// The notification whose texts are requested, unless it is gone.
  private var requested: SourceEvent? {
    if case .asking(let entry) = stage, !isRequestedGone { entry } else { nil }
  }

  /// Adopts the new UID of a repeated call.
  ///
  /// A phone's only call is the known one. Else it is uncertain which call is on the panel, and the name is
  /// requested again.
  private mutating func retell(_ event: SourceEvent) {
    if event.isOnlyOfCategory {
      queue.removeCalls()
      if requested?.isCall == true { isRequestedGone = true }
    } else if isNumberInDoubt {
      endCall()
    }
    switch event.isSilent {
    case true: if event.isOnlyOfCategory { endCall() }
    case false where call != nil && event.isOnlyOfCategory: (call, isNumberInDoubt) = (event, false)
    case false: queue.add(event)
    }
  }

  /// The flags of a notification have changed; a silent one counts as removed.
  private mutating func change(_ event: SourceEvent) {
    guard !event.isSilent else { return remove(event.uid) }
    queue.change(event)
    if event.uid == call?.uid {
      call?.adopt(event)
      isNumberInDoubt = false
    }
    if case .asking(var entry) = stage, entry.uid == event.uid {
      entry.adopt(event)
      stage = .asking(entry)
    }
  }

  /// Handles a value of Data Source.
  package mutating func receive(data value: Span<UInt8>, at now: Instant) {
    if stage != .absent { received(at: now) }
    guard case .asking(let entry) = stage else { return }
    reader.beginNotification()
    for index in value.indices {
      switch reader.receive(value[index]) {
      case .text(.title?): title.append(value[index])
      case .text(.message?): message.append(value[index])
      case .text(.app?): app.append(value[index])
      case .text(nil), .structure: break
      }
    }
    finish(entry, at: now)
  }

  /// The phone accepted the value that was written to Control Point.
  package mutating func written(at now: Instant) {
    retryPause = Self.firstRetry
    watch.allowed()
    switch stage {
    case .asking(let entry):
      isWritten = true
      finish(entry, at: now)
    case .acting(let uid):
      // The report of its end may be lost during a renewal.
      if uid == call?.uid { endCall() }
      enter(.idle)
    case .probing where watch.end != nil: enter(.idle)  // it has sent something since
    case .probing: isWritten = true
    case .absent, .idle, .forbidden: break
    }
  }

  /// The phone refused a write to Control Point, or a subscription, with this error of the Attribute Protocol.
  package mutating func refused(_ code: UInt8, at now: Instant) {
    switch stage {
    case .acting: enter(.idle)
    case .asking where (0xA0...0xA3).contains(code), .probing where (0xA0...0xA3).contains(code):
      watch.allowed()
      watch.received(at: now)
      enter(.idle)
    case .asking(let entry):
      watch.refused(until: now + Self.lastRetry)
      enter(.forbidden(entry), until: now + retryPause)
      countRefusal(code)
    case .probing:
      watch.refused(until: now + retryPause)
      enter(.idle)
      countRefusal(code)
    case .absent: reportForbidden(code)  // the subscription
    case .idle, .forbidden: break
    }
  }

  private mutating func countRefusal(_ code: UInt8) {
    retryPause = min(retryPause * 2, Self.lastRetry)
    reportForbidden(code)
  }

  private mutating func reportForbidden(_ code: UInt8) {
    if !isForbiddenReported { outcome = .forbidden(code) }
    isForbiddenReported = true
  }

  private mutating func finish(_ entry: SourceEvent, at now: Instant) {
    guard isWritten, reader.isComplete else { return }
    title.removeOwnSigns()
    message.removeOwnSigns()
    title.trimText()
    message.trimText()
    enter(.idle)
    guard !isRequestedGone else { return }
    if entry.isCall {
      (call, callEnd, isNumberInDoubt) = (entry, now + Self.ringingTime, false)
      outcome = .call
    } else if !title.isEmpty || !message.isEmpty {
      outcome = .other
    }
  }

  package mutating func advance(to now: Instant) {
    if let due = callEnd, now >= due { endCall() }
    watch.advance(to: now)
    guard let due = stageEnd, now >= due else { return }
    if case .forbidden(let entry) = stage { queue.add(entry) }
    if stage == .probing { watch.probeEnded() }
    enter(.idle)
  }

  // MARK: - Out

  /// Whether to renew all subscriptions, as the phone may have forgotten them; once.
  package mutating func takeRenewal() -> Bool {
    switch stage {
    case .absent, .idle: watch.take(.renewal)
    case .asking, .acting, .probing, .forbidden: false
    }
  }

  /// Accepts or refuses the ringing call; if the phone does not offer that, the call ends on the panel.
  package mutating func act(_ action: Action) {
    guard let call else { return }
    let isOffered = action == .accept ? call.canBeAccepted : call.canBeRefused
    if isOffered { self.action = action } else { endCall() }
  }

  /// Writes the next value for Control Point; returns whether there is one.
  ///
  /// The request for a notification clears the last texts. With `callsOnly` they stay until a call comes.
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
    // The name of a call stays until the call ends.
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

  /// Writes the beginning of a question, up to the title; the app has no length.
  private func writeQuestion<Writer: ByteWriter & ~Copyable>(
    about uid: UInt32, hasApp: Bool = false, into writer: inout Writer
  ) {
    writer.append(0)
    writer.append(u32: uid)
    if hasApp { writer.append(AnswerReader.Attribute.app.rawValue) }
    writer.append(AnswerReader.Attribute.title.rawValue)
    writer.append(u16: Self.titleLength)
  }

  private mutating func begin<Writer: ByteWriter & ~Copyable>(
    _ entry: SourceEvent, into writer: inout Writer, at now: Instant
  ) {
    enter(.asking(entry), until: now + Self.answerTime)
    let hasApp = wish == .apps && !entry.isCall
    reader = AnswerReader(uid: entry.uid, hasMessage: !entry.isCall, hasApp: hasApp)
    (isWritten, isRequestedGone) = (false, false)
    wipeTexts()
    writeQuestion(about: entry.uid, hasApp: hasApp, into: &writer)
    guard !entry.isCall else { return }
    writer.append(AnswerReader.Attribute.message.rawValue)
    writer.append(u16: Self.messageLength)
  }
}
