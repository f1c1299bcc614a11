import TestSupport
import VirtualDevice

/// When what happens now and then happens next.
struct Schedule {
  enum Trouble: CaseIterable {
    case powerCut, pairAgain, serviceChanged, panelCut, radioLoss, idJump, report, garbage

    /// From one to the next in the mean, in minutes of riding.
    var minutes: Int64 {
      switch self {
      case .powerCut: 120
      case .pairAgain: 150
      case .serviceChanged: 45
      case .panelCut: 90
      case .radioLoss: 100
      case .idJump: 20
      case .report: 150
      case .garbage: 5
      }
    }
  }

  private var next: [Trouble: Int64] = [:]

  /// What is due, of which each is put off.
  mutating func take(_ elapsed: Int64, _ random: inout some RandomNumberGenerator) -> [Trouble] {
    Trouble.allCases.filter { trouble in
      let isDue = next[trouble].map { $0 <= elapsed } ?? false
      if isDue || next[trouble] == nil {
        let mean = trouble.minutes * 60_000
        next[trouble] = elapsed + Int64.random(in: mean / 2...mean * 3 / 2, using: &random)
      }
      return isDue
    }
  }
}

/// Days: rides, cafés and nights.
extension Life {
  func live(hours: Int, eachDay: (Int) -> Void) throws {
    let end = Int64(hours) * Self.hour
    try begin()
    var day = 0
    while elapsed < end {
      let morning = min(end, Int64(day + 1) * 24 * Self.hour)
      while elapsed < morning - 9 * Self.hour {
        try ride(for: chosen(20...90) * 60_000)
        if isOneIn(2) { stop(for: chosen(3...15) * 60_000) } else { sitInACafé() }
        if figures.firstResidentPages == 0 { figures.firstResidentPages = residentPages }
      }
      try sleep(until: morning)
      day += 1
      eachDay(day)
    }
  }

  /// The phone is paired with; then the store's numbers are set near their end, and the clock too.
  private func begin() throws {
    isRiderHelping = true
    comeBack()
    isRiderHelping = false
    setSequences()
    try cutPower(tearing: false)
    comeBack()
  }

  func ride(for time: Int64) throws {
    let end = elapsed + time
    var nextLoss = elapsed + chosen(15...75) * 1_000
    while elapsed < end {
      go()
      writeLines()
      pass(2_000)
      for trouble in schedule.take(elapsed, &random) { try suffer(trouble) }
      guard elapsed >= nextLoss else { continue }
      loseLink(for: gap)
      nextLoss = elapsed + chosen(15...75) * 1_000
    }
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

  private func loseLink(for time: Int64) {
    if world.controller.isConnected {
      figures.losses += 1
      world.loseLink(reason: chosen([0x08, 0x08, 0x08, 0x13, 0x22]))
    }
    // While the phone is lost, the device lets itself be heard by anybody.
    if isVisited, isOneIn(20) { strangerKnocks() }
    pass(time)
    comeBack()
  }

  /// A short stop: komoot pauses, and says nothing.
  private func stop(for time: Int64) {
    pass(time)
    if !world.controller.isConnected { comeBack() }
  }

  /// An hour in which the phone is somewhere else, or komoot is closed.
  private func sitInACafé() {
    let end = elapsed + Self.hour
    if isOneIn(2) {
      leave()
      pass(10 * 60_000)
      strangerComes()
      pass(max(0, end - elapsed))
      return comeBack()
    }
    world.phone.hasService = false
    tellServiceChanged()
    pass(end - elapsed)
    world.phone.hasService = true
    tellServiceChanged()
    comeBack()
  }

  func leave() {
    guard world.controller.isConnected else { return }
    figures.losses += 1
    world.loseLink()
  }

  /// Nothing for hours, but for somebody who comes by; once in a while the current is off.
  private func sleep(until morning: Int64) throws {
    leave()
    pass(Self.hour)
    var hour = 0
    while elapsed + Self.hour <= morning {
      hour += 1
      let turns = world.turns
      let start = elapsed
      let isQuiet = !hour.isMultiple(of: 3)
      if !isQuiet { strangerComes() }
      pass(start + Self.hour - elapsed)
      if isQuiet { figures.idleTurns.append(world.turns - turns) }
    }
    pass(max(0, morning - elapsed))
    if isOneIn(2) { try cutPower(tearing: false) }
    comeBack()
  }

  // MARK: - Chance

  func chosen(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }

  func chosen<Element>(_ elements: [Element]) -> Element {
    elements[Int(chosen(0...Int64(elements.count - 1)))]
  }

  func isOneIn(_ count: Int64) -> Bool { chosen(1...count) == 1 }
}
