import Bytes

/// When and how the device advertises, so that a phone can connect by itself.
///
/// It owns the times of advertising, and which devices were sent away. Its owner says what the search is for; it says
/// what the controller is to advertise. A fixed address can be tracked: the device advertises only as long as it has
/// a reason.
///
/// | search for | advertises | until |
/// |---|---|---|
/// | no phone, or a link is there or being made | not at all | |
/// | strangers, or the phone that may pair again, as the rider asked | quickly, to be listed by all | the search ends |
/// | the phone, all the time | quickly for 30 s, then slowly | 10 min after the ride, the start or the last press |
/// | the phone, now and then | slowly | 10 min after the ride, the start or the last press |
///
/// After the fourth link within a minute it is slow for a minute. It is silent for 100 ms after the link of a
/// stranger that was sent away, and for 1 s after that of a stranger that was let in, so that the search can listen.
/// A stranger that was let in and came for nothing is sent away for 10 s. A controller that cannot listen at the same
/// time advertises for 2 s of three. If it refuses even in its turn, as beside a sensor's link, it is asked again
/// after a minute.
struct Advertiser {
  /// What is searched for.
  enum Search: Equatable {
    case nobody
    case strangers
    /// The phone that is remembered, which may be paired with once more.
    case phoneAgain
    case phone
    case phoneNowAndThen
  }

  /// What is advertised, and how often.
  struct Form: Equatable {
    let isQuick: Bool
    /// Whether phones list the device.
    let isDiscoverable: Bool

    /// 20 ms, or 1022.5 ms, in units of 0.625 ms (Accessory Design Guidelines, chapter Bluetooth Low Energy).
    var interval: UInt16 { isQuick ? 0x0020 : 0x0664 }
  }

  private static var quickTime: Int64 { 30_000 }
  private static var wakeTime: Int64 { 600_000 }
  private static var pause: Int64 { 100 }
  /// Long enough for the search to hear the rider's phone.
  private static var longPause: Int64 { 1_000 }
  private static var silentRest: Int64 { 10_000 }
  /// A stranger whose link does not end must not silence the device.
  private static var longestPause: Int64 { 1_000 }
  private static var crowdTime: Int64 { 60_000 }
  private static var busyTime: Int64 { 60_000 }
  private static var advertisingTime: Int64 { 2_000 }
  private static var listeningTime: Int64 { 1_000 }

  /// Whether the rider wants advertising at all.
  let isOn: Bool
  /// What the controller was last asked to advertise.
  private var requested: Form?
  private var hasStarted = false
  private var quickEnd: Instant?
  private var wakeEnd: Instant?
  private var pauseEnd: Instant?
  /// The link of the stranger that was sent away last.
  private var stranger: UInt16?
  /// When the last three links began.
  private var arrivals = InlineArray<3, Instant?>(repeating: nil)
  private var crowdEnd: Instant?
  private var ability = Ability.unknown
  private var turn = Turn.none
  /// Until when the controller is left alone, as it was busy even in advertising's turn.
  private var busyEnd: Instant?
  private var wasBusy = false
  /// Until when visitors get little time, as a link from the phone's address ended unencrypted, and none was encrypted
  /// since.
  private var suspicionEnd: Instant?
  /// The last strangers that came for nothing, and the place of the next one.
  private var silent = InlineArray<4, Silent>(repeating: Silent())
  private var nextSilent = 0
  /// Whether a device was given time to repair its key since the rider asked for a phone.
  private var wasRepairing = false

  private struct Silent {
    var address = DeviceAddress(0, .public)
    var end = Instant(milliseconds: .min)
  }

  /// What the controller is to do.
  enum Outcome: Equatable {
    /// The same as before.
    case nothing
    case advertise(Form)
    case stop
  }

  /// What the controller can do.
  private enum Ability {
    case unknown
    /// It advertises and listens in turn, not at the same time.
    case inTurn
    case none
  }

  /// Whose turn it is, if advertising and listening take turns.
  private enum Turn {
    case none
    case advertising(until: Instant)
    case listening(until: Instant)

    var end: Instant? {
      switch self {
      case .none: nil
      case .advertising(let end), .listening(let end): end
      }
    }
  }

  init(isOn: Bool) { self.isOn = isOn }

  /// Whether the radio is for advertising alone now.
  var hasRadio: Bool { if case .advertising = turn { true } else { false } }

  // MARK: - What happens

  /// The controller is up; the first time, the phone may come now.
  mutating func start(at now: Instant) {
    if !hasStarted { wake(at: now) }
    hasStarted = true
  }

  /// The program begins, the rider has pressed a button, or the phone was lost: it may come now.
  mutating func wake(at now: Instant) {
    quickEnd = now + Self.quickTime
    wakeEnd = now + Self.wakeTime
  }

  /// Somebody uses the device: a slow search goes on advertising.
  mutating func stayAwake(at now: Instant) { wakeEnd = now + Self.wakeTime }

  /// A device has connected.
  mutating func somebodyCame(at now: Instant) {
    requested = nil
    suspicionEnd = rest(of: suspicionEnd, at: now)
    if let first = arrivals[0], now - first < Self.crowdTime { crowdEnd = now + Self.crowdTime }
    (arrivals[0], arrivals[1], arrivals[2]) = (arrivals[1], arrivals[2], now)
  }

  /// The device that has connected is not served: its link is being ended.
  mutating func sentAway(_ handle: UInt16, at now: Instant) {
    stranger = handle
    pauseEnd = now + Self.longestPause
  }

  /// This link is over.
  mutating func linkEnded(_ handle: UInt16, at now: Instant) {
    guard stranger == handle else { return }
    stranger = nil
    pauseEnd = now + Self.pause
  }

  /// The link is over that a device with the phone's address had made.
  ///
  /// Further ones prolong nothing: a slow phone must get its time one day.
  mutating func visitorLeft(wasEncrypted: Bool, at now: Instant) {
    suspicionEnd = wasEncrypted ? nil : suspicionEnd ?? now + Self.wakeTime
  }

  /// Whether a visitor may be a stranger that uses the phone's address.
  var isVisitorSuspect: Bool { suspicionEnd != nil }

  /// A stranger that was let in has left; `address` is given if it came for nothing.
  mutating func strangerLeft(_ address: DeviceAddress?, at now: Instant) {
    pauseEnd = now + Self.longPause
    guard let address else { return }
    silent[nextSilent] = Silent(address: address, end: now + Self.silentRest)
    nextSilent = (nextSilent + 1) % silent.count
  }

  /// Whether this device came for nothing a moment ago.
  func cameForNothing(_ address: DeviceAddress, at now: Instant) -> Bool {
    for index in silent.indices where silent[index].address.isSame(as: address) {
      if now < silent[index].end { return true }
    }
    return false
  }

  /// The rider wants to try again.
  mutating func forgetStrangers() {
    silent = .init(repeating: Silent())
    suspicionEnd = nil
    wasRepairing = false
  }

  /// A device wants a key that does not exist; returns whether it is the first one since the rider asked.
  mutating func repairBegins() -> Bool {
    defer { wasRepairing = true }
    return !wasRepairing
  }

  /// The controller was reset.
  mutating func forgetController() {
    (requested, ability, stranger) = (nil, .unknown, nil)
    (busyEnd, wasBusy) = (nil, false)
    turn = .none
  }

  /// The controller does not advertise while it listens.
  mutating func takeTurns() { (requested, ability) = (nil, .inTurn) }

  /// The controller is busy: it may advertise in turn, or later; returns whether to report this.
  mutating func postpone(at now: Instant) -> Bool {
    guard ability == .inTurn else {
      takeTurns()
      return false
    }
    defer { wasBusy = true }
    (requested, busyEnd) = (nil, now + Self.busyTime)
    turn = .none
    return !wasBusy
  }

  /// The controller does not advertise at all.
  mutating func giveUp() {
    (requested, ability) = (nil, .none)
    turn = .none
  }

  // MARK: - What is to be done

  /// Advances to `now`; where advertising and listening take turns, a turn may end.
  mutating func advance(to now: Instant, for search: Search) {
    pauseEnd = rest(of: pauseEnd, at: now)
    quickEnd = rest(of: quickEnd, at: now)
    wakeEnd = rest(of: wakeEnd, at: now)
    crowdEnd = rest(of: crowdEnd, at: now)
    busyEnd = rest(of: busyEnd, at: now)
    guard ability == .inTurn else { return }
    guard wish(for: search) != nil else { return turn = .none }
    if let end = turn.end, now < end { return }
    turn =
      hasRadio
      ? .listening(until: now + Self.listeningTime)
      : .advertising(until: now + Self.advertisingTime)
  }

  private func rest(of end: Instant?, at now: Instant) -> Instant? {
    if let end, now < end { end } else { nil }
  }

  /// What the controller, which `isAdvertising` or not, is to do from now on.
  mutating func takeOutcome(for search: Search, isAdvertising: Bool) -> Outcome {
    let form = ability == .inTurn && !hasRadio ? nil : wish(for: search)
    guard form != (isAdvertising ? requested : nil) else { return .nothing }
    requested = form
    return form.map { .advertise($0) } ?? .stop
  }

  private func wish(for search: Search) -> Form? {
    guard isOn, ability != .none, pauseEnd == nil, busyEnd == nil else { return nil }
    let isCrowded = crowdEnd != nil
    switch search {
    case .nobody: return nil
    case .strangers, .phoneAgain: return Form(isQuick: !isCrowded, isDiscoverable: true)
    // A stranger with an address of the phone's must not keep the device advertising without end.
    case .phone where wakeEnd == nil: return nil
    case .phone:
      return Form(isQuick: quickEnd != nil && !isCrowded, isDiscoverable: false)
    case .phoneNowAndThen:
      return wakeEnd != nil ? Form(isQuick: false, isDiscoverable: false) : nil
    }
  }

  /// When something else may have to be advertised.
  func deadline(for search: Search) -> Instant? {
    guard isOn, search != .nobody, ability != .none else { return nil }
    var deadline = earlier(earlier(pauseEnd, turn.end), busyEnd)
    if let requested, requested.isQuick {
      deadline = earlier(deadline, search == .phone ? quickEnd : nil)
    } else {
      deadline = earlier(deadline, crowdEnd)
    }
    return search == .phoneNowAndThen || search == .phone ? earlier(deadline, wakeEnd) : deadline
  }
}
