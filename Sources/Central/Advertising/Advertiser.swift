import Bytes

/// How the device says that it is there, so that a phone can connect by itself, and when it is silent.
///
/// It owns the times of advertising, and who had to be sent away. Its owner says what the search is for; it says
/// what the controller is to advertise. A fixed address can be tracked: so nothing is said without a reason, and
/// nothing for longer than that lasts.
///
/// | search for | says | until |
/// |---|---|---|
/// | nobody, or a link is there or being made | nothing | |
/// | strangers, as the rider asked | quickly, to be listed by all | the search ends |
/// | the phone, all the time | quickly for 30 s, then slowly | the search is another one |
/// | the phone, now and then | slowly | 10 min after the ride, the start or the last press |
///
/// After the fourth link within a minute it is slow for a minute; for 100 ms after the link of a stranger that was
/// sent away it is silent, and for a second after that of one that was let in: then the search listens undisturbed.
/// One that was let in and came for nothing is sent away for 10 s.
/// A controller that cannot listen at the same time advertises for 2 s of three. One that refuses in its turn, too,
/// as beside the link to a sensor, is asked again after a minute.
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

  /// What is said, and how often.
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
  /// A stranger that does not let itself be sent away must not silence the device.
  private static var longestPause: Int64 { 1_000 }
  private static var crowdTime: Int64 { 60_000 }
  private static var busyTime: Int64 { 60_000 }
  private static var turn: Int64 { 2_000 }
  private static var listeningTurn: Int64 { 1_000 }

  /// Whether the rider wants that at all.
  let isOn: Bool
  /// What the controller was told last.
  private var told: Form?
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
  /// Whether it is advertising's turn, and until when.
  private var isTurn = false
  private var turnEnd: Instant?
  /// Until when a controller is left in peace that was busy in its turn, too.
  private var busyEnd: Instant?
  private var wasBusy = false
  /// Whether the last visitor with an address of the phone's went before its link was encrypted.
  private(set) var wasVisitorSilent = false
  /// The last ones that came for nothing, until when they are sent away, and where the next one goes.
  private var silent = InlineArray<4, Silent>(repeating: Silent())
  private var nextSilent = 0
  /// Whether somebody had the time to repair a key since the rider asked for a phone.
  private var wasRepairing = false

  private struct Silent {
    var address = DeviceAddress(0, .public)
    var end = Instant(milliseconds: .min)
  }

  /// What the controller can do.
  private enum Ability {
    case unknown
    /// It does not listen at the same time: it does the one or the other.
    case inTurn
    case none
  }

  init(isOn: Bool) { self.isOn = isOn }

  // MARK: - What happens

  /// The controller is up: where that is the start, the phone may come now.
  mutating func start(at now: Instant) {
    if !hasStarted { wake(at: now) }
    hasStarted = true
  }

  /// The program begins, the rider has pressed a button, or the phone was lost: it may come now.
  mutating func wake(at now: Instant) {
    quickEnd = now + Self.quickTime
    wakeEnd = now + Self.wakeTime
  }

  /// Somebody uses the device: a slow search goes on saying that it is there.
  mutating func stayAwake(at now: Instant) { wakeEnd = now + Self.wakeTime }

  /// Somebody has connected.
  mutating func somebodyCame(at now: Instant) {
    told = nil
    if let first = arrivals[0], now - first < Self.crowdTime { crowdEnd = now + Self.crowdTime }
    (arrivals[0], arrivals[1], arrivals[2]) = (arrivals[1], arrivals[2], now)
  }

  /// It was nobody that is served: the link is being ended.
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

  /// The link is over that somebody made who has an address of the phone's.
  mutating func visitorLeft(wasEncrypted: Bool) { wasVisitorSilent = !wasEncrypted }

  /// The link of a stranger is over that was let in; this is its address if it came for nothing.
  mutating func strangerLeft(_ address: DeviceAddress?, at now: Instant) {
    pauseEnd = now + Self.longPause
    guard let address else { return }
    silent[nextSilent] = Silent(address: address, end: now + Self.silentRest)
    nextSilent = (nextSilent + 1) % silent.count
  }

  /// Whether this one came for nothing a moment ago.
  func isSentAway(_ address: DeviceAddress, at now: Instant) -> Bool {
    for index in silent.indices where silent[index].address.isSame(as: address) {
      if now < silent[index].end { return true }
    }
    return false
  }

  /// The rider wants to try again.
  mutating func forgetStrangers() {
    silent = .init(repeating: Silent())
    wasRepairing = false
  }

  /// Somebody wants a key that there is not; returns whether that is the first one since the rider asked.
  mutating func repairBegins() -> Bool {
    defer { wasRepairing = true }
    return !wasRepairing
  }

  /// The controller was reset.
  mutating func forgetController() {
    (told, ability, stranger) = (nil, .unknown, nil)
    (busyEnd, wasBusy) = (nil, false)
    endTurn()
  }

  private mutating func endTurn() { (isTurn, turnEnd) = (false, nil) }

  /// The controller does not advertise while it listens.
  mutating func takesTurns() { (told, ability) = (nil, .inTurn) }

  /// The controller is busy: it may advertise in turn, or later; returns whether that must be told.
  mutating func isBusy(at now: Instant) -> Bool {
    guard ability == .inTurn else {
      takesTurns()
      return false
    }
    defer { wasBusy = true }
    (told, busyEnd) = (nil, now + Self.busyTime)
    endTurn()
    return !wasBusy
  }

  /// The controller does not advertise at all.
  mutating func isRefused() {
    (told, ability) = (nil, .none)
    endTurn()
  }

  // MARK: - What is to be done

  /// Whether the radio is for advertising alone now.
  var hasRadio: Bool { isTurn }

  /// Lets the time pass: where they are done in turn, the turn may be over.
  mutating func pass(to now: Instant, for search: Search) {
    pauseEnd = rest(of: pauseEnd, at: now)
    quickEnd = rest(of: quickEnd, at: now)
    wakeEnd = rest(of: wakeEnd, at: now)
    crowdEnd = rest(of: crowdEnd, at: now)
    turnEnd = rest(of: turnEnd, at: now)
    busyEnd = rest(of: busyEnd, at: now)
    guard ability == .inTurn else { return }
    guard wish(for: search) != nil else { return endTurn() }
    guard turnEnd == nil else { return }
    isTurn.toggle()
    turnEnd = now + (isTurn ? Self.turn : Self.listeningTurn)
  }

  private func rest(of end: Instant?, at now: Instant) -> Instant? {
    if let end, now < end { end } else { nil }
  }

  /// What the controller is to say from now on, if that is something else than it says; `.some(nil)` is nothing.
  mutating func takeChange(for search: Search, isAdvertising: Bool) -> Form?? {
    let form = ability == .inTurn && !isTurn ? nil : wish(for: search)
    guard form != (isAdvertising ? told : nil) else { return nil }
    told = form
    return .some(form)
  }

  private func wish(for search: Search) -> Form? {
    guard isOn, ability != .none, pauseEnd == nil, busyEnd == nil else { return nil }
    let isCrowded = crowdEnd != nil
    switch search {
    case .nobody: return nil
    case .strangers, .phoneAgain: return Form(isQuick: !isCrowded, isDiscoverable: true)
    // A stranger with an address of the phone's must not keep it going for ever.
    case .phone where wakeEnd == nil: return nil
    case .phone:
      return Form(isQuick: quickEnd != nil && !isCrowded, isDiscoverable: false)
    case .phoneNowAndThen:
      return wakeEnd != nil ? Form(isQuick: false, isDiscoverable: false) : nil
    }
  }

  /// When something else is to be said.
  func deadline(for search: Search) -> Instant? {
    guard isOn, search != .nobody, ability != .none else { return nil }
    var deadline = earlier(earlier(pauseEnd, turnEnd), busyEnd)
    if let told, told.isQuick {
      deadline = earlier(deadline, search == .phone ? quickEnd : nil)
    } else {
      deadline = earlier(deadline, crowdEnd)
    }
    return search == .phoneNowAndThen || search == .phone ? earlier(deadline, wakeEnd) : deadline
  }
}
