import Bytes
import DeviceState
import VirtualAir

/// The rider's iPhone with komoot in front: advertises until it is connected, then says its ride.
struct RidingPhone {
  /// How often it advertises, and how often it says the same again, in milliseconds.
  private static let (advertisingInterval, repetition): (Int64, Int64) = (30, 2_000)

  let phone = VirtualPhone()
  let security = VirtualSecurity()
  var ride = Ride([])
  /// Whether it is within reach.
  private(set) var isNear = true
  /// Whether it has nothing to say, as it has no position.
  var isInTunnel = false
  private(set) var isPaused = false
  /// The step that it has come to, and has not said.
  private var unsaid: RideStep?
  private var identifier: UInt32 = 0
  private var nextAdvertisement: Instant
  private var nextRepetition: Instant?

  init(at now: Instant) {
    nextAdvertisement = now
    phone.security = security
    phone.address = security.privateAddress(1)
    phone.hasServiceChanged = true
    phone.notice = .identifier
    phone.blobErrorAtEnd = 0x07
    phone.name = "iPhone"
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
    nextAdvertisement = now
  }

  // MARK: - Time

  func deadline(isConnected: Bool) -> Instant? {
    let said = earlier(ride.deadline, nextRepetition)
    return isNear && !isConnected ? earlier(said, nextAdvertisement) : said
  }

  /// Whether it advertises now.
  mutating func takeAdvertisement(isConnected: Bool, at now: Instant) -> Bool {
    guard isNear, !isConnected, nextAdvertisement <= now else { return false }
    nextAdvertisement = now + Self.advertisingInterval
    return true
  }

  /// What it notifies now, if anything; its ride goes on without a listener, too.
  mutating func takeNews(at now: Instant) -> [UInt8]? {
    if !isPaused, !ride.hasBegun, phone.isSubscribed { ride.start(at: now) }
    if let step = ride.takeDueStep(at: now) { unsaid = step }
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
}
