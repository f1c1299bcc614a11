package import Bytes

/// Edges of two buttons come in, and gestures of the rider go out.
///
/// Times are those of the edges, so a press that is read late is still as long as it was. A short
/// press counts at its release, a long one while the button is still held, and then its release
/// counts no more. Both buttons held together for 3 s are a gesture of their own, and neither counts
/// until both are released.
///
///     recognizer.receive(edge)
///     while let outcome = recognizer.takeOutcome() { … }
///     recognizer.advance(to: now)  // at `deadline`, and after all edges up to then were taken
package struct PressRecognizer: ~Copyable {
  /// What follows from the edges.
  package enum Outcome: Equatable, Sendable {
    /// The rider did this, by a press that began so.
    case gesture(Gesture, Beginning)
    /// The button is held for longer than any rider holds it.
    case stuck(Button)
  }

  /// How a press began; of both buttons, the first press.
  package struct Beginning: Equatable, Sendable {
    /// When the contact closed.
    package let time: Instant
    /// The values of `hold` and `isPanelOn` then.
    package let hold: Hold
    package let isPanelOn: Bool

    package init(time: Instant, hold: Hold, isPanelOn: Bool) {
      (self.time, self.hold, self.isPanelOn) = (time, hold, isPanelOn)
    }
  }

  /// What a long press of B is about; for the player it is long after a second, like a press of A, and has no progress.
  package enum Hold: Sendable { case phone, sensors, player }

  /// The press that may become a gesture.
  private enum Press: Equatable {
    case none
    case of(Button)
    /// Both are held: the second was pressed before the first press had become a long one.
    case both
    /// The press was a long one, or one of both was released: nothing counts until both are released.
    case over
  }

  /// For how many milliseconds both are held.
  private static var bothTime: Int64 { 3_000 }
  /// Milliseconds from one step of the progress to the next.
  private static var stepTime: Int64 { 150 }
  /// The step with which the progress begins to show.
  private static var firstStep: Int64 { 3 }

  private var a: Contact
  private var b: Contact
  /// How the last press began.
  private var beginning: Beginning
  private var press: Press { didSet { holdSteps = 0 } }
  /// How many steps of the way to the long press of B are done.
  private var holdSteps: Int64 = 0
  /// What a long press of B from now on is about.
  package var hold = Hold.phone
  /// Whether the panel is on, so that a press from now on can be meant for what it shows.
  package var isPanelOn = true
  /// Between two edges each button adds at most a gesture and a report that it is stuck.
  private var outcomes = FixedList<4, Outcome>(filler: .stuck(.a))

  /// Whether a byte that is no gesture was reported since the last gesture.
  private var isStrangeByteReported = false

  /// Begins with the buttons as they are; a button that is held already counts after its release.
  package init(isAPressed: Bool = false, isBPressed: Bool = false, at now: Instant) {
    a = Contact(isPressed: isAPressed, at: now)
    b = Contact(isPressed: isBPressed, at: now)
    beginning = Beginning(time: now, hold: .phone, isPanelOn: true)
    press = isAPressed || isBPressed ? .over : .none
  }

  /// When to call `advance(to:)` if no edge comes first.
  package var deadline: Instant? {
    let settling = earlier(a.settlingDeadline, b.settlingDeadline)
    let stuck = earlier(a.stuckDeadline, b.stuckDeadline)
    return earlier(earlier(settling, stuck), earlier(stepDeadline, longDeadline))
  }

  /// How far button B is on its way to a long press, 150–950 of 1000; else `nil`.
  ///
  /// It moves on in steps of 150 ms, each at its own `deadline`, so that the bar on the panel needs
  /// no clock. The first 450 ms show nothing, as most presses are short ones.
  package var holdProgress: Int? {
    guard holdSteps >= Self.firstStep else { return nil }
    return Int(truncatingIfNeeded: holdSteps * Self.stepTime * 1_000 / Button.b.longTime)
  }

  /// What the press under way is about, if it becomes a long one of B.
  package var beganHold: Hold { beginning.hold }

  /// Receives the next edge of either button, in the order of their times; then take the outcomes.
  package mutating func receive(_ edge: Edge) {
    advance(to: edge.time)
    change(edge.button) { $0.receive(isPressed: edge.isPressed, at: edge.time) }
  }

  /// Notes that a button is released now, even without an edge; call it before `advance`.
  ///
  /// The kernel drops edges that are not read in time, and a phone must not be forgotten for that.
  package mutating func receiveRelease(of button: Button, at now: Instant) {
    // Bounces that are over may have ended in a press, which the kernel reported last.
    settle(button, at: now)
    let contact = button == .a ? a : b
    guard contact.isPressed, contact.settlingDeadline == nil else { return }
    change(button) { $0.receive(isPressed: false, at: now) }
  }

  /// Lets time pass; then take the outcomes.
  package mutating func advance(to now: Instant) {
    while let due = deadline, due <= now {
      settle(.a, at: due)
      settle(.b, at: due)
      if let step = stepDeadline, due >= step { holdSteps = max(Self.firstStep, holdSteps + 1) }
      completeLongPress(at: due)
      reportStuck(.a, at: due)
      reportStuck(.b, at: due)
    }
  }

  /// The oldest outcome not taken yet.
  package mutating func takeOutcome() -> Outcome? { outcomes.takeFirst() }

  // MARK: - The rules

  private mutating func settle(_ button: Button, at now: Instant) {
    guard change(button, { $0.settle(at: now) }) else { return }
    let contact = button == .a ? a : b
    let isPressed = contact.isPressed
    switch press {
    case .none where isPressed:
      press = .of(button)
      beginning = Beginning(time: contact.since, hold: hold, isPanelOn: isPanelOn)
    case .of where isPressed: press = .both
    case .of(button):
      outcomes.append(.gesture(button.short, beginning))
      press = .none
    case _ where !a.isPressed && !b.isPressed: press = .none
    default: press = .over
    }
  }

  /// When the press becomes a long one; `nil` without a press, and while a contact still bounces, as
  /// a button may have been pressed or released.
  private var longDeadline: Instant? {
    guard a.settlingDeadline == nil, b.settlingDeadline == nil else { return nil }
    switch press {
    case .of(.b) where beginning.hold == .player: return b.since + Button.a.longTime
    case .of(let button): return (button == .a ? a : b).since + button.longTime
    case .both: return max(a.since, b.since) + Self.bothTime
    case .none, .over: return nil
    }
  }

  /// When the next step of the progress is due; `nil` while there is none.
  private var stepDeadline: Instant? {
    guard press == .of(.b), beginning.hold != .player, longDeadline != nil else { return nil }
    return b.since + max(Self.firstStep, holdSteps + 1) * Self.stepTime
  }

  private mutating func completeLongPress(at now: Instant) {
    guard let due = longDeadline, now >= due else { return }
    if case .of(let button) = press {
      outcomes.append(.gesture(button.long, beginning))
    } else {
      outcomes.append(.gesture(.both, beginning))
    }
    press = .over
  }

  private mutating func reportStuck(_ button: Button, at now: Instant) {
    if change(button, { $0.takeStuck(at: now) }) { outcomes.append(.stuck(button)) }
  }

  @discardableResult
  private mutating func change<Result>(
    _ button: Button, _ body: (inout Contact) -> Result
  ) -> Result {
    button == .a ? body(&a) : body(&b)
  }

  /// What a byte of a stand-in for the buttons means; `nil` for one that is no gesture.
  package mutating func gesture(of byte: UInt8) -> Gesture? {
    let gesture = Gesture(byte)
    if gesture != nil { isStrangeByteReported = false }
    return gesture
  }

  /// Receives a byte that is no gesture; returns whether to report it: only the first of several.
  package mutating func receiveStrangeByte() -> Bool {
    defer { isStrangeByteReported = true }
    return !isStrangeByteReported
  }
}

/// One button without its bounces.
///
/// A new level counts once the contact kept it for `settlingTime`, and then from the first edge of
/// its bounces on. A shorter change is a disturbance and never counts.
struct Contact {
  static var settlingTime: Int64 { 30 }
  static var stuckTime: Int64 { 30_000 }

  private(set) var isPressed = false
  /// When the level began that counts now.
  private(set) var since: Instant
  private var isReportedStuck = false

  /// The level of the newest edge.
  private var level = false
  private var firstBounce: Instant?
  private var lastBounce: Instant?

  /// A contact that had this level already when it was first looked at.
  init(isPressed: Bool, at now: Instant) {
    self.isPressed = isPressed
    level = isPressed
    since = now
  }

  /// When the bounces are over, if none comes until then.
  var settlingDeadline: Instant? { lastBounce.map { $0 + Self.settlingTime } }

  /// When the contact has been closed for too long.
  var stuckDeadline: Instant? {
    isPressed && !isReportedStuck && lastBounce == nil ? since + Self.stuckTime : nil
  }

  mutating func receive(isPressed: Bool, at time: Instant) {
    level = isPressed
    firstBounce = firstBounce ?? time
    lastBounce = time
  }

  /// Ends the bounces if it is time to; returns whether another level counts now.
  mutating func settle(at now: Instant) -> Bool {
    guard let due = settlingDeadline, let first = firstBounce, now >= due else { return false }
    firstBounce = nil
    lastBounce = nil
    guard level != isPressed else { return false }
    isPressed = level
    since = first
    isReportedStuck = false
    return true
  }

  /// Whether the contact has been closed for too long; returns `true` once for each time that it closes.
  mutating func takeStuck(at now: Instant) -> Bool {
    guard let due = stuckDeadline, now >= due else { return false }
    isReportedStuck = true
    return true
  }
}

/// What a rider does with the buttons.
package enum Gesture: Equatable, Sendable {
  case aShort, aLong, bShort, bLong
  /// Both buttons held together.
  case both

  /// The gesture that a byte stands for: `a`, `A`, `b`, `B` or `r`.
  package init?(_ byte: UInt8) {
    let all: InlineArray<5, Gesture> = [.aShort, .aLong, .bShort, .bLong, .both]
    for index in all.indices where all[index].byte == byte {
      self = all[index]
      return
    }
    return nil
  }

  /// The byte that stands for the gesture.
  package var byte: UInt8 {
    switch self {
    case .aShort: UInt8(ascii: "a")
    case .aLong: UInt8(ascii: "A")
    case .bShort: UInt8(ascii: "b")
    case .bLong: UInt8(ascii: "B")
    case .both: UInt8(ascii: "r")
    }
  }

  /// The button that was pressed, and whether the press was a long one; `nil` for both buttons.
  package var press: (button: Button, isLong: Bool)? {
    switch self {
    case .aShort: (.a, false)
    case .aLong: (.a, true)
    case .bShort: (.b, false)
    case .bLong: (.b, true)
    case .both: nil
    }
  }
}

/// One of the two buttons.
package enum Button: Equatable, Sendable {
  /// Goes on and says yes.
  case a
  /// The other one: no, next, more; held long, it forgets.
  case b

  /// For how many milliseconds it is held for a long press.
  package var longTime: Int64 {
    switch self {
    case .a: 1_000
    case .b: 3_000
    }
  }

  /// The button's name in the events.
  package var name: String {
    switch self {
    case .a: "a"
    case .b: "b"
    }
  }

  var short: Gesture { self == .a ? .aShort : .bShort }
  var long: Gesture { self == .a ? .aLong : .bLong }
}

/// A contact that closed or opened, bounces included, when the kernel saw it.
package struct Edge: Equatable, Sendable {
  /// The button of this contact.
  package var button: Button
  package var isPressed: Bool
  /// The kernel's timestamp.
  package var time: Instant

  package init(_ button: Button, isPressed: Bool, at time: Instant) {
    self.button = button
    self.isPressed = isPressed
    self.time = time
  }
}
