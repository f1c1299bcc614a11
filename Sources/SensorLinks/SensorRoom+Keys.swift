package import Bond
package import Bytes
package import Sensors

/// The keys that are kept of sensors, and whether another one may take the place of one.
extension SensorRoom {
  /// The sensor that denies the key which is kept of it, and waits for the rider's permission to be paired with again.
  package var pairingWish: SensorKind? {
    for kind in SensorKind.all where followed[kind]?.permission == .requested { return kind }
    return nil
  }

  /// The rider lets the sensor of this kind be paired with again, or does not.
  package mutating func answerPairingWish(_ kind: SensorKind, _ isYes: Bool) {
    changeFollowed(kind) { $0.answerWish(isYes) }
  }

  /// Notes what has become of the key of a remembered sensor.
  mutating func noteKey(_ consequence: SensorPlaces.Consequence, of place: SensorPlace) {
    guard isFollowed(place) else { return }
    changeFollowed(places.kind(at: place)) {
      switch consequence {
      // Another one counts once it has brought a value.
      case .key(let key): if $0.key == nil { $0.learn(key) }
      case .keyWorks: $0.keyWorks()
      case .keyFailed(let isDenied): $0.keyFailed(isDenied: isDenied)
      case .nothing, .ready, .stuck: break
      }
    }
  }

  /// Until when the key of the sensor with this link is not tried again.
  func keyRestEnd(of place: SensorPlace) -> Instant? {
    isFollowed(place) ? followed[places.kind(at: place)]?.keyRestEnd : nil
  }

  /// A value came over this link: if a key was made on it, that is the sensor's from now on.
  mutating func proveKey(of place: SensorPlace) {
    guard let key = places.newKey(at: place), isFollowed(place) else { return }
    changeFollowed(places.kind(at: place)) { $0.learn(key) }
  }
}

extension SensorRoom {
  /// A sensor that is remembered.
  package struct Followed {
    /// Whether the rider lets another key take the place of the one that is kept.
    enum Permission {
      case absent, requested, granted, denied
    }

    /// After so many failures in a row the rider is asked, whatever the sensor says.
    private static var mostFailures: UInt8 { 3 }
    /// Right after a loss the right key fails on some chips: so long lies between two tries.
    private static var keyRest: Int64 { 5_000 }

    let address: DeviceAddress
    private(set) var handles: SubscribedHandles
    /// What encrypts its link, if it has asked for that.
    private(set) var key: Bond.Key?
    private(set) var permission = Permission.absent
    /// How often the key has failed since it worked.
    private var failureCount: UInt8 = 0
    /// Until when the key is not tried again.
    private(set) var keyRestEnd: Instant?
    /// Whether the next link begins without it: the sensor ends each link with it, so that no other one is made.
    private var isKeySkipped = false

    package init(address: DeviceAddress, handles: SubscribedHandles, key: Bond.Key? = nil) {
      (self.address, self.handles, self.key) = (address, handles, key)
    }

    /// Where its value is, is known from its link.
    mutating func learn(_ handles: SubscribedHandles) { self.handles = handles }

    /// Its key is this one from now on.
    mutating func learn(_ key: Bond.Key) {
      self.key = key
      keyWorks()
    }

    var mayReplaceKey: Bool { permission == .granted }

    /// A link begins: the key that is to encrypt it, if there is one.
    mutating func takeKey(at now: Instant) -> Bond.Key? {
      guard let key, !isKeySkipped else {
        isKeySkipped = false
        return nil
      }
      keyRestEnd = now + Self.keyRest
      return key
    }

    mutating func keyWorks() { (failureCount, permission) = (0, .absent) }

    mutating func keyFailed(isDenied: Bool) {
      isKeySkipped = mayReplaceKey && !isDenied
      failureCount = min(failureCount + 1, Self.mostFailures)
      guard permission == .absent else { return }
      if isDenied || failureCount == Self.mostFailures { permission = .requested }
    }

    mutating func answerWish(_ isYes: Bool) {
      if permission == .requested { permission = isYes ? .granted : .denied }
    }
  }
}
