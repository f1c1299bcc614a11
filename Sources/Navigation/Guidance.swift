public import Bytes
public import Komoot

/// Instructions over time: what the rider must know now.
///
/// Reads no clock. Call `take` for each value that was read or notified whole,
/// and `advance` no later than `deadline`; after both, and after `removeInstruction`,
/// there may be an alert to announce. A lost link needs no call: the last
/// instruction stays and becomes stale, as nothing fresh comes.
public struct Guidance: ~Copyable {
  /// How much an instruction differs from the one before.
  public enum Change: Equatable, Sendable {
    /// Not at all.
    case nothing
    /// In its distance only.
    case distance
    /// In direction or street; also the first instruction, and the loss of it.
    case turn
  }

  /// After how many milliseconds without news an instruction is stale.
  public static var freshness: Int64 { 8_000 }

  /// The last instruction that the phone gave; empty if there is none.
  public private(set) var instruction = Instruction()
  /// How distances are shown.
  public let units: Units
  /// How old the instruction is, as shown; `nil` while it is fresh, or if there is none.
  public private(set) var age: Age?
  private var lastNews: Instant?
  private var alerts = Alerts()

  /// Knows no instruction.
  public init(units: Units) { self.units = units }

  /// Whether there is an instruction to show.
  public var hasInstruction: Bool { lastNews != nil }

  /// Whether the instruction may no longer be true.
  public var isStale: Bool { age != nil }

  /// The distance to the turn, as shown.
  public var distance: RoundedDistance {
    RoundedDistance(metres: instruction.distance, units: units)
  }

  /// How much attention the instruction wants.
  public var level: AlertLevel { alerts.level }

  /// Whether the turn is to be shown inverted, to draw attention.
  public var isInverted: Bool { alerts.isInverted }

  /// When `advance` has something to do; `nil` for never.
  public var deadline: Instant? { earlier(alerts.deadline, ageDeadline) }

  private var ageDeadline: Instant? {
    guard let lastNews else { return nil }
    guard let age else { return lastNews + Self.freshness }
    guard let end = age.end else { return nil }
    return lastNews + end
  }

  /// Takes what the phone says now; it is fresh even if it says the same again.
  ///
  /// An empty instruction means that the phone has none: see `Instruction.isEmpty`.
  public mutating func take(_ news: borrowing Instruction, at now: Instant) -> Change {
    if news.isEmpty { return removeInstruction() ? .turn : .nothing }
    let change = change(to: news)
    instruction.assign(news)
    lastNews = now
    age = nil
    alerts.take(news, at: now)
    return change
  }

  /// The level that is new since the last call, if there is one.
  public mutating func takeAnnouncement() -> AlertLevel? { alerts.takeAnnouncement() }

  /// Forgets the instruction, as another phone or none is followed now.
  ///
  /// Returns whether there was one.
  @discardableResult
  public mutating func removeInstruction() -> Bool {
    let hadInstruction = hasInstruction
    instruction = Instruction()
    lastNews = nil
    age = nil
    alerts.removeAll()
    return hadInstruction
  }

  /// Lets the time be `now`; returns whether what is shown changed.
  @discardableResult
  public mutating func advance(to now: Instant) -> Bool {
    let isAlertChanged = alerts.advance(to: now)
    guard let lastNews, now - lastNews >= Self.freshness else { return isAlertChanged }
    let shown = Age(milliseconds: now - lastNews)
    guard shown != age else { return isAlertChanged }
    age = shown
    return true
  }

  private func change(to news: borrowing Instruction) -> Change {
    guard hasInstruction, news.isSameTurn(as: instruction) else { return .turn }
    return news.distance == instruction.distance ? .nothing : .distance
  }
}
