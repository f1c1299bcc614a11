import Bytes
import VirtualAir

/// The app that says the turns on the phone; the page has these numbers.
enum RidingApp: Int32 {
  case komoot
  /// OsmAnd, whose turns Gadgetbridge sends.
  case osmAnd
}

/// The rider's phone, which says its ride.
///
/// An iPhone with komoot in front advertises until it is connected. One with Gadgetbridge connects by itself.
struct RidingPhone {
  /// How often it advertises, in milliseconds, how often komoot says the same again, and how often OsmAnd has a fix.
  private static let advertisingInterval: Int64 = 30
  private static let (repetition, fix): (Int64, Int64) = (2_000, 1_000)
  /// The time when the page's clock begins, in seconds since 1970: 9:46 on 10 September 2026, by summer time.
  private static let beginning: Int64 = 1_789_026_400
  private static let (zone, day): (Int64, Int64) = (2 * 3_600, 86_400)

  let app: RidingApp
  let phone = VirtualPhone()
  /// How it connects by itself, if it does.
  let central: VirtualCentral?
  let security = VirtualSecurity()
  var ride = Ride([])
  var extras = Extras()
  private var apple = AppleExtras()
  private var gadgetbridge = GadgetbridgeExtras()
  private(set) var isNear = true
  /// Whether it has nothing to say, as it has no position.
  var isInTunnel = false
  private(set) var isPaused = false
  /// The step that was reached last, while it has not been sent.
  private var unsaid: RideStep?
  private var osmAnd = OsmAnd()
  private var identifier: UInt32 = 0
  private var nextAdvertisement: Instant
  private var nextRepetition: Instant?

  init(_ app: RidingApp, at now: Instant) {
    self.app = app
    nextAdvertisement = now
    phone.security = security
    phone.address = security.privateAddress(1)
    guard app == .komoot else {
      (phone.hasService, phone.name) = (false, "Android")
      let central = VirtualCentral.gadgetbridge(phone)
      central.forgetsRefusedKey = true
      central.whenKeyIsRefused = [.pair] + central.steps.dropFirst()
      self.central = central
      return
    }
    central = nil
    phone.hasServiceChanged = true
    phone.notice = .identifier
    phone.blobErrorAtEnd = 0x07
    phone.name = "iPhone"
    phone.notifications.isThere = true
    phone.music.isThere = true
    // Summer time, an hour east of Greenwich.
    phone.clock.zone = [4, 4]
    setClock(at: now)
  }

  // MARK: - What its rider does

  /// Begins another ride, or the same again; it starts when the device has subscribed.
  mutating func begin(_ steps: [RideStep], at now: Instant) {
    let speed = ride.speed
    ride = Ride(steps)
    ride.setSpeed(speed, at: now)
    (isPaused, isInTunnel) = (false, false)
    // Before its first instruction an iPhone refuses to be read.
    phone.value = nil
    (unsaid, nextRepetition) = (nil, nil)
    osmAnd = OsmAnd()
  }

  mutating func pause(_ isPaused: Bool, at now: Instant) {
    self.isPaused = isPaused
    if isPaused {
      ride.stop(at: now)
    } else if phone.value != nil {
      ride.start(at: now)
    }
  }

  mutating func setNear(_ isNear: Bool, at now: Instant) {
    self.isNear = isNear
    central?.isNear = isNear
    nextAdvertisement = now
  }

  /// Prepares the steps of its next connection, which send the time.
  func prepareToCome(at now: Instant) {
    let time = Self.beginning + now.milliseconds / 1_000
    central?.steps = VirtualCentral.gadgetbridge(phone, time: String(time)).steps
  }

  // MARK: - Time

  /// Current Time (CTS 1.1, 3.1) of an iPhone: on that day, or one of the twenty after it.
  private func setClock(at now: Instant) {
    let time = Self.beginning + Self.zone + now.milliseconds / 1_000
    let days = time / Self.day - (Self.beginning + Self.zone) / Self.day
    let second = time % Self.day
    // 2026, September; the tenth was a Thursday.
    let date = [0xEA, 0x07, 9, 10 + days, second / 3_600, second / 60 % 60, second % 60]
    phone.clock.time = (date + [(3 + days) % 7 + 1, 0, 0]).map { UInt8(truncatingIfNeeded: $0) }
  }

  func deadline(isConnected: Bool) -> Instant? {
    let said = earlier(ride.deadline, nextRepetition)
    return advertises(isConnected) ? earlier(said, nextAdvertisement) : said
  }

  private func advertises(_ isConnected: Bool) -> Bool {
    isNear && !isConnected && central == nil
  }

  mutating func takeAdvertisement(isConnected: Bool, at now: Instant) -> Bool {
    guard advertises(isConnected), nextAdvertisement <= now else { return false }
    nextAdvertisement = now + Self.advertisingInterval
    return true
  }

  /// Whether the device listens to its turns.
  private var isHeard: Bool {
    if let central { return central.isEncrypted && central.hasDoneAll }
    return phone.isSubscribed
  }

  /// What it says now: an iPhone's notifications, or lines of Gadgetbridge's.
  ///
  /// Its ride goes on without a listener, too.
  mutating func takeOutcome(at now: Instant) -> [[UInt8]] {
    if !isPaused, !ride.hasBegun, isHeard { ride.start(at: now) }
    if let step = ride.takeDueStep(at: now) { unsaid = step }
    guard let central else {
      setClock(at: now)
      apple.receive(phone, &extras)
      return apple.say(&extras, phone) + [takeNotification(at: now)].compactMap { $0 }
    }
    gadgetbridge.receive(central, &extras)
    // A line that is being written comes first.
    if central.isEncrypted, !central.hasDoneAll { return [] }
    let said = gadgetbridge.say(&extras)
    return (isHeard ? said : []) + [takeLine(at: now)].compactMap { $0 }
  }

  private mutating func takeNotification(at now: Instant) -> [UInt8]? {
    if !isInTunnel, let step = unsaid {
      unsaid = nil
      identifier += 1
      phone.value = step.value(identifier: identifier)
      nextRepetition = now
    }
    guard let due = nextRepetition, due <= now else { return nil }
    nextRepetition = now + Self.repetition
    return isInTunnel ? nil : phone.news
  }

  /// The line of the current step at each fix; after the last step OsmAnd says nothing more.
  private mutating func takeLine(at now: Instant) -> [UInt8]? {
    guard let step = unsaid, nextRepetition ?? now <= now else { return nil }
    nextRepetition = now + Self.fix
    guard !isInTunnel, isHeard else { return nil }
    // It has said something, so that a pause may end.
    phone.value = []
    if ride.isOver { (unsaid, nextRepetition) = (nil, nil) }
    return osmAnd.line(step)
  }
}
