import Bytes
import Expecting
import Seeded
import TestSupport
import Turns

@testable import Navigation

/// `WheelCalibration`, by rides whose wheel is known.
struct WheelCalibrationTests {
  /// A rider, a wheel and a phone: what they say is told to a guidance that calibrates.
  private struct Rider: ~Copyable {
    var guidance = Guidance(units: .metric)
    /// In millimetres: the true one, and that of which the firmware makes distances.
    var wheel: Double
    var circumference: Int64
    /// The phone's steps and how far it is off, in metres.
    var step = 1.0
    var noise = 0.0
    var chance: SeededGenerator
    var time: Int64 = 0
    /// What was ridden, in metres.
    var way = 0.0
    var saved: [Int64] = []
    private var counted: Int64 = 0
    private var distance: Int64 = 0
    private var error = 0.0

    init(wheel: Double, from circumference: Int64 = 2_105, seed: UInt64 = 1) {
      (self.wheel, self.circumference) = (wheel, circumference)
      chance = SeededGenerator(state: seed)
      guidance.calibrateWheel(from: circumference)
    }

    /// Rides to a turn that is so many metres away.
    mutating func ride(_ metres: Double, speed: Double, to street: String) {
      let name = Array(street.utf8)
      let end = way + metres
      while way < end {
        time += 1_000
        way += speed
        let revolutions = Int64(way * 1_000 / wheel)
        distance += (revolutions - counted) * circumference
        counted = revolutions
        let now = start + time
        guidance.receiveWheel(distance: distance, speed: Int64(speed * 1_000), at: now)
        // The error of a position is nearly that of a second ago.
        error = error * 0.9 + noise * Double.random(in: -1...1, using: &chance)
        let left = ((max(0, end - way + error)) / step).rounded() * step
        _ = guidance.receive(Turn(.right, distance: UInt32(left), street: name.span), at: now)
        circumference = guidance.circumference ?? 0
        if let value = guidance.takeCircumferenceToSave() { saved.append(value) }
      }
    }

    /// Rides so many metres by turns of any length, at any speed.
    mutating func tour(_ metres: Double) {
      let end = way + metres
      while way < end {
        ride(
          .random(in: 60...1_500, using: &chance), speed: .random(in: 2...11, using: &chance),
          to: "\(way)")
      }
    }
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func theCircumferenceIsGoodToThreePercent(_ seed: UInt64) {
    var chance = SeededGenerator(state: seed + 100)
    var rider = Rider(wheel: .random(in: 1_900...2_300, using: &chance), seed: seed)
    rider.noise = .random(in: 0...3, using: &chance)
    rider.step = seed % 2 == 0 ? 1 : 10
    rider.tour(30_000)
    let error = abs(Double(rider.circumference) / rider.wheel - 1)
    let saved = rider.saved
    #expect(error < 0.03, "\(rider.circumference) instead of \(rider.wheel)")
    expect(saved.count == 1 || abs(rider.wheel / 2_105 - 1) < 0.03)
    #expect(saved.allSatisfy { abs(Double($0) / rider.wheel - 1) < 0.04 })
  }

  @Test func itIsAdoptedAfterFiveKilometresInStepsOfOnePercent() {
    var rider = Rider(wheel: 2_250)
    var steps: [Int64] = []
    for turn in 0..<40 {
      rider.ride(500, speed: 5, to: "\(turn)")
      if steps.last != rider.circumference { steps.append(rider.circumference) }
      if turn == 9 {
        expect(rider.circumference, 2_105, "ten stretches of 490 m have ended")
      }
    }
    expect(steps.prefix(4), [2_105, 2_126, 2_147, 2_168])
    for (before, after) in zip(steps, steps.dropFirst()) {
      #expect(abs(after - before) * 100 <= before)
    }
    #expect(abs((steps.last ?? 0) - 2_250) < 12)
    expect(rider.saved.count, 1)
  }

  @Test(arguments: [1_700, 2_500] as [Double])
  func aWheelThatNoBicycleHasIsNotAdopted(_ wheel: Double) {
    var rider = Rider(wheel: wheel)
    rider.tour(20_000)
    expect(rider.circumference, 2_105)
  }

  @Test func shortWaysTeachNothing() {
    var rider = Rider(wheel: 2_250)
    for turn in 0..<100 { rider.ride(100, speed: 5, to: "\(turn)") }
    expect(rider.circumference, 2_105)
  }

  @Test func aValueThatIsRightAlreadyIsNotSavedAgain() {
    var rider = Rider(wheel: 2_250, from: 2_250)
    rider.tour(20_000)
    expect(rider.saved, [])
  }

  /// After a night the bicycle has a tyre that is a little larger.
  @Test func eachRideSavesWhatItHasTaught() {
    var rider = Rider(wheel: 2_250)
    for turn in 0..<25 { rider.ride(500, speed: 5, to: "\(turn)") }
    let first = rider.saved
    rider.time += 12 * 3_600_000
    rider.wheel = 2_300
    for turn in 0..<25 { rider.ride(500, speed: 5, to: "\(turn)") }
    let saved = rider.saved
    expect(first.count, 1)
    expect(saved.count, 2, "\(saved)")
  }

  // MARK: - Stretches

  /// What happens in the middle of a way, on which the wheel otherwise rolls what the phone counts.
  enum Disturbance: CaseIterable {
    /// The rider takes a street that is 50 m farther.
    case farther
    /// The phone is silent for ten seconds, on a detour of 50 m.
    case silent
    /// On each tenth way the phone counts twice what is ridden.
    case wrong
  }

  @Test(arguments: Disturbance.allCases)
  func whatIsNoStretchTeachesNothing(_ disturbance: Disturbance) {
    var calibration = WheelCalibration(circumference: 2_105)
    var (rolled, time): (Int64, Int64) = (0, 0)
    for turn in 0..<30 {
      for second in 0..<50 as Range<Int64> {
        var metres = 500 - 10 * second
        rolled += disturbance == .wrong && turn % 10 == 0 ? 5_000 : 10_000
        time += 1_000
        if disturbance == .farther, second >= 25 { metres += 50 }
        if disturbance == .silent, second == 25 {
          (rolled, time) = (rolled + 50_000, time + 10_000)
        }
        calibration.receive(
          metres, second == 0 ? .another : .same, rolled: rolled, at: start + time)
      }
    }
    expect(calibration.circumference, 2_105)
  }

  @Test func withoutAWishNothingIsCalibrated() {
    expect(Guidance(units: .metric).circumference, nil)
  }
}
