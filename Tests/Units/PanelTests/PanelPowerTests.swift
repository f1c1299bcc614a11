import Bytes
import Expecting
import Panel
import TestSupport

/// How long the panel shines, in virtual time.
struct PanelPowerTests {
  /// Milliseconds of a minute and a second.
  static let minute: Int64 = 60_000
  static let second: Int64 = 1_000

  func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: 7_000 + milliseconds) }

  /// Lets the time go on from deadline to deadline, as the loop does, and notes each new level.
  func levels(
    _ power: inout PanelPower, from start: Int64, to end: Int64
  ) -> [(Int64, PanelPower.Level)] {
    var levels: [(Int64, PanelPower.Level)] = []
    var last = power.level
    var turns = 0
    while let deadline = power.deadline, deadline <= at(end), turns < 10_000 {
      turns += 1
      _ = power.advance(to: deadline)
      if power.level != last { levels.append((deadline - at(0), power.level)) }
      last = power.level
    }
    _ = power.advance(to: at(end))
    return levels
  }

  @Test func itDimsAfterAMinuteAndGoesOffAfterTenWithoutAPhone() {
    var power = PanelPower(at: at(0))
    for (time, level) in [(1, .bright), (10, .dim)] as [(Int64, PanelPower.Level)] {
      _ = power.advance(to: at(time * Self.minute - 1))
      expect(power.level, level, "a moment before it")
    }
    power = PanelPower(at: at(0))
    let levels = levels(&power, from: 0, to: 20 * Self.minute)
    expect(levels.map(\.0), [Self.minute, 10 * Self.minute])
    expect(levels.map(\.1), [.dim, .off])
  }

  @Test func withAPhoneItNeverGoesOff() {
    var power = PanelPower(at: at(0))
    power.use(.linked, at: at(5 * Self.second))
    let levels = levels(&power, from: 0, to: 600 * Self.minute)
    expect(levels.map(\.1), [.dim])
  }

  @Test func aChangeOfThePictureBringsTheUsersContrastBack() {
    var power = PanelPower(at: at(0))
    _ = power.advance(to: at(Self.minute))
    power.pictureChanged(at: at(70 * Self.second))
    expect(power.level, .bright)
    let dims = levels(&power, from: 70, to: 5 * Self.minute)
    expect(dims.map(\.0), [130 * Self.second])
  }

  @Test func theTenMinutesRunFromTheLossOfTheLink() {
    var power = PanelPower(at: at(0))
    power.use(.linked, at: at(0))
    power.use(.alone, at: at(30 * Self.minute))
    let levels = levels(&power, from: 30 * Self.minute, to: 60 * Self.minute)
    expect(levels.last?.0, 40 * Self.minute)
    expect(levels.last?.1, .off)
  }

  /// A link that fails again and again is no use of the panel.
  @Test func beingToldTwiceThatThereIsNoPhoneDoesNotProlongTheTime() {
    var power = PanelPower(at: at(0))
    power.use(.alone, at: at(9 * Self.minute))
    let levels = levels(&power, from: 9 * Self.minute, to: 30 * Self.minute)
    expect(levels.last?.0, 10 * Self.minute)
  }

  @Test(arguments: [PanelPower.Use.press, .instruction, .motion, .attention, .nextLevel])
  func aPanelThatWentOffIsSwitchedOnBy(_ use: PanelPower.Use) {
    var power = PanelPower(at: at(0))
    _ = levels(&power, from: 0, to: 20 * Self.minute)
    expect(power.level, .off)
    power.use(use, at: at(20 * Self.minute))
    expect(power.level, .bright)
    let next = levels(&power, from: 20 * Self.minute, to: 60 * Self.minute)
    // And it rests again as after a start.
    expect(next.map(\.0), [21 * Self.minute, 30 * Self.minute])
    expect(next.map(\.1), [.dim, .off])
  }

  @Test(arguments: [PanelPower.Use.linked, .alone])
  func aPhoneThatComesOrGoesDoesNotSwitchItOn(_ use: PanelPower.Use) {
    var power = PanelPower(at: at(0))
    _ = levels(&power, from: 0, to: 20 * Self.minute)
    power.use(use, at: at(20 * Self.minute))
    power.pictureChanged(at: at(20 * Self.minute))
    expect(power.level, .off)
  }

  @Test func aMovingWheelKeepsItBrightForHours() {
    var power = PanelPower(at: at(0))
    var levels: [PanelPower.Level] = []
    for number in 1..<10_000 as Range<Int64> {
      power.use(.motion, at: at(number * Self.second))
      _ = power.advance(to: at(number * Self.second))
      if levels.last != power.level { levels.append(power.level) }
    }
    expect(levels, [.bright])
  }

  @Test func switchedOffByHandItStaysOffThroughTheRide() {
    var power = PanelPower(at: at(0))
    power.use(.linked, at: at(0))
    switchOff(&power)
    for number in 2..<2_000 as Range<Int64> {
      power.use(number % 2 == 0 ? .instruction : .motion, at: at(number * Self.second))
      _ = power.advance(to: at(number * Self.second))
    }
    expect(power.level, .off)
    expect(power.deadline, nil)
  }

  /// By hand, in the first second.
  private func switchOff(_ power: inout PanelPower) {
    power.use(.nextLevel, at: at(Self.second))
    power.use(.nextLevel, at: at(Self.second))
  }

  /// Bright, though dim was on the way to off.
  @Test(arguments: [PanelPower.Use.press, .attention, .nextLevel])
  func switchedOffByHandItIsSwitchedOnBy(_ use: PanelPower.Use) {
    var power = PanelPower(at: at(0))
    switchOff(&power)
    power.use(use, at: at(2 * Self.second))
    expect(power.level, .bright)
  }

  /// Otherwise a wish of last week would keep the next ride dark.
  @Test func aPanelThatIsOnAgainForgetsThatItWasOffByHand() {
    var power = PanelPower(at: at(0))
    switchOff(&power)
    power.use(.press, at: at(2 * Self.second))
    _ = levels(&power, from: 0, to: 20 * Self.minute)
    expect(power.level, .off)
    power.use(.instruction, at: at(20 * Self.minute))
    expect(power.level, .bright)
  }

  // MARK: - At rest

  private func level(after uses: PanelPower.Use...) -> PanelPower.Level {
    var power = PanelPower(at: at(0))
    for (number, use) in uses.enumerated() { power.use(use, at: at(Int64(number) * Self.second)) }
    return power.level
  }

  @Test(arguments: [
    PanelPower.Use.linked, .instruction, .motion, .press, .attention, .nextLevel,
  ])
  func atRestItIsDarkAndSwitchedOnBy(_ use: PanelPower.Use) {
    expect(level(after: .rest), .off)
    expect(level(after: .rest, use), .bright)
    expect(level(after: .nextLevel, .rest, use), use == .nextLevel ? .bright : .dim)
  }

  @Test(arguments: [PanelPower.Use.linked, .instruction, .motion])
  func offByHandNoRestChangesWhatSwitchesItOn(_ use: PanelPower.Use) {
    expect(level(after: .nextLevel, .nextLevel, .rest, use), .off)
  }

  /// What went off by itself is not lit by a phone at night, nor twice what was dark at rest.
  @Test func aLinkSwitchesItOnOnce() {
    expect(level(after: .rest, .linked, .alone, .rest, .linked), .off)
    expect(level(after: .rest, .linked, .alone, .rest, .linked, .instruction), .bright)
    expect(level(after: .rest, .linked, .alone, .press, .rest, .linked), .bright)
    var power = PanelPower(at: at(0))
    _ = levels(&power, from: 0, to: 20 * Self.minute)
    power.use(.rest, at: at(20 * Self.minute))
    power.use(.linked, at: at(21 * Self.minute))
    expect(power.level, .off)
  }

  /// A phone in the house, all night.
  @Test func aLinkThatSaysNothingLightsItForTenMinutes() {
    var power = PanelPower(at: at(0))
    power.use(.rest, at: at(0))
    power.use(.linked, at: at(0))
    let silent = levels(&power, from: 0, to: 60 * Self.minute)
    expect(silent.map(\.0), [Self.minute, 10 * Self.minute])
    expect(silent.map(\.1), [.dim, .off])
    power.use(.instruction, at: at(60 * Self.minute))
    let riding = levels(&power, from: 60 * Self.minute, to: 600 * Self.minute)
    expect(riding.map(\.1), [.dim])
  }

  // MARK: - Bright or dim

  @Test func byHandItGoesFromBrightToDimToOffToBright() {
    var power = PanelPower(at: at(0))
    var levels: [PanelPower.Level] = []
    for number in 1...4 as ClosedRange<Int64> {
      power.use(.nextLevel, at: at(number * Self.second))
      levels.append(power.level)
    }
    expect(levels, [.dim, .off, .bright, .dim])
  }

  @Test(arguments: [PanelPower.Use.linked, .press, .instruction, .motion, .attention])
  func dimByHandItIsNotMadeBrighterBy(_ use: PanelPower.Use) {
    var power = PanelPower(at: at(0))
    power.use(.nextLevel, at: at(Self.second))
    power.use(use, at: at(2 * Self.second))
    power.pictureChanged(at: at(3 * Self.second))
    let (level, isDimByHand) = (power.level, power.isDimByHand)
    expect(level == .dim && isDimByHand)
  }

  /// Ten minutes from the press; what wakes it then leaves it dim.
  @Test(arguments: [PanelPower.Use.press, .instruction, .motion, .attention])
  func dimByHandItGoesOffAllTheSameAndIsDimAgainAfter(_ use: PanelPower.Use) {
    var power = PanelPower(at: at(0))
    power.use(.nextLevel, at: at(Self.minute))
    let levels = levels(&power, from: Self.minute, to: 30 * Self.minute)
    power.use(use, at: at(30 * Self.minute))
    expect(power.level, .dim)
    expect(levels.map(\.0) == [11 * Self.minute] && levels.map(\.1) == [.off])
  }

  /// The next step is the one behind what the rider sees: dim by itself, or off while dim by hand.
  @Test func byHandItGoesOnFromWhatThePanelShows() {
    var power = PanelPower(at: at(0))
    _ = power.advance(to: at(Self.minute))
    power.use(.nextLevel, at: at(70 * Self.second))
    expect([power.level == .off, power.isDimByHand], [true, false])
    power = PanelPower(at: at(0))
    power.use(.nextLevel, at: at(Self.second))
    _ = levels(&power, from: 0, to: 30 * Self.minute)
    power.use(.nextLevel, at: at(30 * Self.minute))
    expect([power.level == .bright, power.isDimByHand], [true, false])
  }

  @Test func theBrightnessOfBeforeARestartCountsAndLightsNothing() {
    var power = PanelPower(at: at(0))
    power.setDimByHand(true)
    let dim = power.level
    _ = levels(&power, from: 0, to: 30 * Self.minute)
    power.setDimByHand(false)
    let off = power.level
    power.use(.press, at: at(31 * Self.minute))
    let bright = power.level
    expect(dim == .dim && off == .off && bright == .bright)
  }

  @Test func thePictureMayMoveEveryThirdMinuteWhileThereIsOne() {
    var power = PanelPower(at: at(0))
    var moves: [Int64] = []
    while let deadline = power.deadline {
      if power.advance(to: deadline) { moves.append((deadline - at(0)) / Self.minute) }
    }
    expect(moves, [3, 6, 9])
  }
}
