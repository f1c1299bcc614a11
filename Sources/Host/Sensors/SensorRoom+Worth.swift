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
    for index in 0..<SensorKind.count where links[index].isThere && !links[index].isEnding {
      if worth(.at(index)) >= worth(.at(place)) { count += 1 }
    }
    return count > Self.mostLinks
  }

  /// The remembered sensors that a link is wanted to, which they do not have.
  var missing: Kinds {
    var kinds = Kinds()
    guard limitEnd == nil else { return kinds }
    for index in 0..<SensorKind.count where isMissing(.at(index)) { kinds.insert(.at(index)) }
    return kinds
  }

  func isMissing(_ kind: SensorKind) -> Bool {
    guard followed[kind.index] != nil, !links[kind.index].isThere,
      !turns.isResting(kind)
    else { return false }
    return hasRoom(for: kind)
  }

  /// Whether those that are worth more leave a link for this kind.
  func hasRoom(for kind: SensorKind) -> Bool {
    var better = 0
    for index in 0..<SensorKind.count where links[index].isThere && !links[index].isEnding {
      if worth(.at(index)) > worth(kind) { better += 1 }
    }
    return better < Self.mostLinks
  }

  /// The place of the link that is worth the least: first of all that of who is not remembered.
  var leastLinked: Int? {
    let sought = Self.soughtPlace
    if links[sought].isThere, !links[sought].isEnding { return sought }
    var least: Int?
    for index in 0..<SensorKind.count where links[index].isThere && !links[index].isEnding {
      if let before = least, worth(.at(before)) < worth(.at(index)) { continue }
      least = index
    }
    return least
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
