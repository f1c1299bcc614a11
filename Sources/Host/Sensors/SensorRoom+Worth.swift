import Sensors

/// Which of the remembered sensors have the links that there are.
extension SensorRoom {
  /// How many of all kinds are linked at once.
  static var mostLinks: Int { 3 }

  /// Whether one that is worth more has no room left for it.
  ///
  /// Whom the rider is asked about is beside those.
  func isSurplus(_ place: Int) -> Bool {
    guard place != Self.soughtPlace else { return false }
    var count = 0
    for kind in SensorKind.all where isLinked(kind) {
      if worth(kind) >= worth(.at(place)) { count += 1 }
    }
    return count > Self.mostLinks
  }

  /// The remembered sensors that a link is wanted to, which they do not have.
  var missing: SensorKinds {
    var kinds = SensorKinds()
    guard limitEnd == nil else { return kinds }
    for kind in SensorKind.all where isMissing(kind) { kinds.insert(kind) }
    return kinds
  }

  func isMissing(_ kind: SensorKind) -> Bool {
    guard followed[kind] != nil, !links[kind.index].isThere, !turns.isResting(kind)
    else { return false }
    return hasRoom(for: kind)
  }

  /// Whether those that are worth more leave a link for this kind.
  func hasRoom(for kind: SensorKind) -> Bool {
    var better = 0
    for other in SensorKind.all where isLinked(other) {
      if worth(other) > worth(kind) { better += 1 }
    }
    return better < Self.mostLinks
  }

  /// The place of the link that is worth the least: first of all that of who is not remembered.
  var leastLinked: Int? {
    let sought = Self.soughtPlace
    if links[sought].isThere, !links[sought].isEnding { return sought }
    var least: SensorKind?
    for kind in SensorKind.all where isLinked(kind) {
      if let before = least, worth(before) < worth(kind) { continue }
      least = kind
    }
    return least?.index
  }

  /// Whether a kind has a link which is not to end.
  private func isLinked(_ kind: SensorKind) -> Bool {
    links[kind.index].isThere && !links[kind.index].isEnding
  }

  /// What a kind is worth, compared with others.
  private func worth(_ kind: SensorKind) -> Int {
    switch kind {
    case .speed where speedGivesWay: -1
    case .cadence where cadenceGivesWay: -2
    default: kind.worth
    }
  }
}
