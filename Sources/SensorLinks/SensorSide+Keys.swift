package import Bond
package import Bytes
package import Sensors

/// The stored keys of sensors, and whether a new key may replace one.
extension SensorSide {
  /// The kind of a sensor whose stored key fails: the rider is asked whether to pair with it again.
  package var pairingWish: SensorKind? {
    for kind in SensorKind.all where followed[kind]?.permission == .requested { return kind }
    return nil
  }

  /// The rider agrees to pair with the sensor of this kind again, or refuses.
  package mutating func answerPairingWish(_ kind: SensorKind, _ isYes: Bool) {
    changeFollowed(kind) { $0.answerWish(isYes) }
  }

  /// Receives what has become of the key of a remembered sensor.
  mutating func updateKey(_ outcome: SensorPlaces.Outcome, of place: SensorPlace) {
    guard isFollowed(place) else { return }
    changeFollowed(places.kind(at: place)) {
      switch outcome {
      // A new key replaces the stored one once it has brought a value.
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

  /// A value came over this link: a key that was made on it is the sensor's from now on.
  mutating func proveKey(of place: SensorPlace) {
    guard let key = places.newKey(at: place), isFollowed(place) else { return }
    changeFollowed(places.kind(at: place)) { $0.learn(key) }
  }
}

extension SensorSide {
  /// A sensor that is remembered.
  package struct Followed {
    /// Whether the rider lets a new key replace the stored one.
    enum Permission {
      case absent, requested, granted, denied
    }

    /// After this many failures in a row the rider is asked, whatever the sensor says.
    private static var mostFailures: UInt8 { 3 }
    /// The time between two tries in milliseconds: right after a loss the right key fails on some chips.
    private static var keyRest: Int64 { 5_000 }

    let address: DeviceAddress
    private(set) var handles: SubscribedHandles
    /// The key of its link, if the sensor has asked for encryption.
    private(set) var key: Bond.Key?
    private(set) var permission = Permission.absent
    /// How often the key has failed since it worked.
    private var failureCount: UInt8 = 0
    /// Until when the key is not tried again.
    private(set) var keyRestEnd: Instant?
    /// Whether the next link begins without the key: with it the sensor ends each link, and no new key is made.
    private var isKeySkipped = false

    package init(address: DeviceAddress, handles: SubscribedHandles, key: Bond.Key? = nil) {
      (self.address, self.handles, self.key) = (address, handles, key)
    }

    /// Learns the handles of its value from its link.
    mutating func learn(_ handles: SubscribedHandles) { self.handles = handles }

    /// Makes this key the sensor's.
    mutating func learn(_ key: Bond.Key) {
      self.key = key
      keyWorks()
    }

    var mayReplaceKey: Bool { permission == .granted }

    /// Returns the key that is to encrypt a link that begins, if there is one.
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
