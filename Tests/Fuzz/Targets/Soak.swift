import Bytes
import Graphics
import Seeded
import TestSupport
import VirtualAir
import VirtualDevice

/// `Fuzz --soak [--hours N] [--seed N] [--advertise] [--tell]`: the scripted ride of `device` for days and weeks.
///
/// Script after script of random bytes is played on one device and mended. Between them are quiet rides with losses
/// of the link, and rests. The clock starts a few minutes before 2^31, 2^32 or 2^53 ms, and the identifiers of
/// instructions near their end. Each oracle of the fuzzer holds; what only time shows is in a table.
final class Soak {
  private static let hour: Int64 = 3_600_000
  private static let clockBounds: [Int64] = [1 << 31, 1 << 32, 1 << 53]

  private let hours: Int
  private var random: SeededGenerator
  private let ride: ScriptedRide
  private var figures = SoakFigures()
  private var nextSample: Int64 = 0

  init(hours: Int, seed: UInt64, advertises: Bool) {
    self.hours = hours
    var random = SeededGenerator(state: seed)
    // A phone that pairs, sensors and all ports, on a panel of 128 by 64, with or without others.
    let rotation: UInt8 = advertises ? 0x80 : 0
    let company = UInt8.random(in: 0...255, using: &random) & 0x3E | 0x81
    ride = ScriptedRide(Feed([1 + UInt8(seed % 2), 0, rotation, company]))
    self.random = random
    whereabouts = { [unowned self] in
      ", after \(Double(ride.elapsed / 36_000) / 100) h with seed \(seed)"
    }
  }

  /// Prints the table, and returns whether all of it is held.
  func live() -> Bool {
    print("\(hours) hours, \(ride.settings.joined(separator: " ")), \(ride.parties.count) phones")
    while ride.elapsed < Int64(hours) * Self.hour {
      for _ in 0..<chosen(1...3) { playScript() }
      rideQuietly(for: chosen(20...60) * 60_000)
      if figures.firstMemory == 0 { figures.firstMemory = SoakFigures.memory }
      rest()
    }
    let rows = figures.rows(
      hours: hours, lasted: Int(ride.elapsed / Self.hour), writes: ride.storeWrites,
      size: MemoryLayout.size(ofValue: ride.world.device))
    print("| figure | bound | measured | held |\n|---|---|---|---|")
    for row in rows { print(row.line) }
    return rows.allSatisfy(\.isHeld)
  }

  // MARK: - A day

  private func playScript() {
    let script = (0..<400).map { _ in UInt8(chosen(0...255)) }
    let bound = Self.clockBounds[figures.rides % 3]
    let clock = Instant(milliseconds: bound - chosen(5...30) * 60_000)
    tell("script \(figures.scripts)")
    ride.goOn(with: script, at: clock)
    ride.firstIdentifier = 0 &- UInt32(1_000 * (ride.street + 20))
    figures.scripts += 1
  }

  /// Turn after turn, until the link is lost; once the phone is back, its next turn is told.
  private func rideQuietly(for time: Int64) {
    let end = ride.elapsed + time
    figures.rides += 1
    ride.mendPhone()
    let writes = ride.storeWrites
    while ride.elapsed < end {
      ride.addressNumber = UInt8(ride.elapsed / 900_000 % 256)
      let party = ride.remembered ?? ride.parties[0]
      for distance in stride(from: UInt32(chosen(8...37)) * 10, to: 0, by: -10) {
        figures.said += 1
        let id = ride.firstIdentifier &+ UInt32(1_000 * ride.street + 500) &- distance
        ride.world.tell(8, distance, "\(party.streets) \(ride.street)", id: id, by: party.phone)
        pass(2_000)
      }
      figures.losses += 1
      ride.world.loseLink(reason: [0x08, 0x13, 0x22][Int(chosen(0...2))])
      pass(gap)
      let start = ride.elapsed
      ride.mendPhone()
      figures.returns.append(ride.elapsed - start)
    }
    figures.quietWrites += ride.storeWrites - writes
  }

  /// How long the phone is away: mostly for seconds.
  private var gap: Int64 {
    switch chosen(0...99) {
    case 0..<70: chosen(200...5_000)
    case 70..<96: chosen(5_000...60_000)
    case 96..<99: chosen(60_000...540_000)
    default: chosen(660_000...1_500_000)
    }
  }

  /// A café or a night, in which nobody comes by.
  private func rest() {
    ride.world.loseAllLinks()
    pass(Self.hour)
    let turns = ride.world.turns
    pass(Self.hour)
    figures.mostIdleTurns = max(figures.mostIdleTurns, ride.world.turns - turns)
    pass(chosen(0...2) * Self.hour)
  }

  // MARK: - The clock

  private func pass(_ milliseconds: Int64) {
    var rest = milliseconds
    while rest > 0 {
      let before = ride.world.now.milliseconds
      let step = min(rest, 30_000)
      ride.world.pass(step)
      rest -= step
      ride.look()
      ride.world.forgetWhatCameOut()
      let now = ride.world.now.milliseconds
      for (index, bound) in Self.clockBounds.enumerated() where before < bound && bound <= now {
        figures.clockPassings[index] += 1
      }
      guard ride.elapsed >= nextSample else { continue }
      nextSample = ride.elapsed + 30_000
      var glass = Bitmap(Size(128, 64))
      let isShown = ride.world.panel.isOn && ride.world.panel.updateGlass(&glass)
      figures.sample(glass, isShown: isShown, isMoved: ride.world.panel.startLine != 0)
    }
  }

  private func chosen(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }
}
