import Sensors

/// Which of the remembered sensors get the available links.
extension SensorSide {
  /// How many of all kinds are linked at once.
  static var mostLinks: Int { 3 }

  /// Whether the sensors that are worth more leave no room for this link.
  ///
  /// The sensor that the rider is asked about does not count.
  func isSurplus(_ place: SensorPlace) -> Bool {
    guard case .of(let kind) = place else { return false }
    var count = 0
    for other in SensorKind.all where places.isLinked(.of(other)) {
      if worth(other) >= worth(kind) { count += 1 }
    }
    return count > Self.mostLinks
  }

  /// The remembered sensors without a link that are to get one.
  var awaitingLink: SensorKinds {
    var kinds = SensorKinds()
    guard limitEnd == nil else { return kinds }
    for kind in SensorKind.all where isAwaitingLink(kind) { kinds.insert(kind) }
    return kinds
  }

  func isAwaitingLink(_ kind: SensorKind) -> Bool {
    guard followed[kind] != nil, !places.isThere(.of(kind)), !turns.isResting(kind)
    else { return false }
    return hasRoom(for: kind)
  }

  /// Whether those that are worth more leave a link for this kind.
  func hasRoom(for kind: SensorKind) -> Bool {
    var better = 0
    for other in SensorKind.all where places.isLinked(.of(other)) {
      if worth(other) > worth(kind) { better += 1 }
    }
    return better < Self.mostLinks
  }

  /// The place of the link that is worth the least: first of all that of a sensor which is not remembered.
  var leastLinked: SensorPlace? {
    if places.isLinked(.sought) { return .sought }
    var least: SensorKind?
    for kind in SensorKind.all where places.isLinked(.of(kind)) {
      if let before = least, worth(before) < worth(kind) { continue }
      least = kind
    }
    return least.map { .of($0) }
  }

  /// What a kind is worth, compared with others.
  private func worth(_ kind: SensorKind) -> Int {
    switch kind {
    case .speed where givingWay.contains(.speed): -1
    // Before the speed sensor, which the rider would miss more.
    case .cadence where givingWay.contains(.cadence): -2
    default: kind.worth
    }
  }
}
