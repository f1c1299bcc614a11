import Beacons
import Bytes
import Places
import TestSupport

/// A locator in virtual time, which begins at `start` milliseconds; its events as words.
final class Walk {
  private var locator: Locator
  private(set) var now: Int64
  private(set) var told: [String] = []

  /// Near the groups `A`, `B` and so on, of these UUIDs.
  init(_ groups: [UUID] = [groupUUID], start: Int64 = 7_000) throws(PlaceError) {
    now = start
    var named = FixedList<4, Locator.Group>(filler: .init(name: name("none"), UUID(0, 0)))
    for (letter, uuid) in zip("ABCD", groups) { named.append(.init(name: name("\(letter)"), uuid)) }
    locator = try Locator(named)
  }

  func add(_ location: String, _ fingerprint: Fingerprint) throws(PlaceError) {
    try locator.add(location: name(location), fingerprint)
  }

  var deadline: Int64? { locator.deadline?.milliseconds }

  /// The beacons that were heard in the last second, each with its signal.
  var heard: [String] {
    (0..<locator.table.entries.count).compactMap { index in
      let entry = locator.table.entries[index]
      return entry.rssi.map { "\(entry.beacon.minor) \($0)" }
    }
  }

  func receive(_ beacon: IBeacon, _ rssi: Int8) {
    locator.receive(beacon, rssi: rssi, at: at(now))
    take()
  }

  /// Lets the time pass, and calls the locator at each of its deadlines.
  func pass(_ milliseconds: Int64) {
    let end = now + milliseconds
    while let deadline, deadline <= end {
      now = deadline
      locator.advance(to: at(now))
      take()
    }
    now = end
  }

  /// Lets the time pass, and calls the locator at the end only.
  func sleep(_ milliseconds: Int64) {
    now += milliseconds
    locator.advance(to: at(now))
    take()
  }

  /// Hears these signals of the beacons from 1 on in the middle of each of so many seconds.
  func stand(_ signals: [Int8?], seconds: Int) {
    for _ in 0..<seconds {
      pass(500)
      for (index, signal) in signals.enumerated() {
        if let signal { receive(beacon(index + 1), signal) }
      }
      pass(500)
    }
  }

  /// What was told since the last call, without what is told each second.
  func moves() -> [String] {
    news().filter { !$0.hasPrefix("beacons") && !$0.hasPrefix("current") }
  }

  /// The answers since the last call, as `kitchen` or `kitchen 1234` with the margin.
  func answers(withMargin: Bool = false) -> [String] {
    news().filter { $0.hasPrefix("current") }.map {
      let words = $0.split(separator: " ").dropFirst(2)
      return words.prefix(withMargin ? 2 : 1).joined(separator: " ")
    }
  }

  /// All that was told since the last call.
  func news() -> [String] {
    defer { told = [] }
    return told
  }

  private func take() {
    while let outcome = locator.takeOutcome() { told.append(words(outcome)) }
  }

  private func words(_ event: Locator.Outcome) -> String {
    func group(_ index: Int) -> String { string(locator.groups[index].name.bytes) }
    func location(_ index: Int) -> String { string(locator.locations[index].name.bytes) }
    return switch event {
    case .beacons(let number): "beacons \(group(number))"
    case .enterRegion(let number): "enter \(group(number))"
    case .exitRegion(let number): "exit \(group(number))"
    case .enterLocation(let number, let place): "enter \(group(number)) \(location(place))"
    case .exitLocation(let number, let place): "exit \(group(number)) \(location(place))"
    case .currentLocation(let number, let place, let margin):
      "current \(group(number)) \(location(place)) \(margin.map(String.init) ?? "alone")"
    }
  }
}
