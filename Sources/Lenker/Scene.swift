import Bytes

/// What the rider is to see, as far as it does not come from the guidance.
struct Scene: ~Copyable {
  /// How the way to the phone stands.
  enum Connection: Equatable {
    case starting, noRadio, searching, connecting, ready
  }

  /// What the page button leads through.
  enum Page: Equatable {
    case ride, facts
  }

  /// How long the answer to a short press of unpair shows.
  private static var noticeTime: Int64 { 3_000 }
  /// For how many seconds the last instruction of a lost phone is of use.
  static var memorySeconds: Int64 { 600 }

  var connection = Connection.starting {
    didSet { if connection != oldValue { isChanged = true } }
  }
  private(set) var page = Page.ride
  private(set) var advice = Explanation()
  private(set) var phoneName = FixedBuffer<32>()
  /// Until when a short press of unpair is answered.
  private(set) var deadline: Instant?
  /// Whether the panel must be drawn anew.
  var isChanged = true

  /// Whether the rider asked which phone it is.
  var isShowingNotice: Bool { deadline != nil }

  /// Shows that the radio fails; returns whether that is new.
  mutating func showNoRadio(_ text: Span<UInt8>) -> Bool {
    let isNew = connection != .noRadio || !isEqual(advice.bytes, text)
    connection = .noRadio
    guard isNew else { return false }
    advice.assign(text)
    isChanged = true
    return true
  }

  mutating func setPhoneName(_ name: Span<UInt8>) {
    phoneName.assign(name)
    isChanged = true
  }

  mutating func turnPage() {
    page = page == .ride ? .facts : .ride
    isChanged = true
  }

  mutating func showNotice(at now: Instant) {
    deadline = now + Self.noticeTime
    isChanged = true
  }

  mutating func advance(to now: Instant) {
    guard let end = deadline, now >= end else { return }
    deadline = nil
    isChanged = true
  }
}
