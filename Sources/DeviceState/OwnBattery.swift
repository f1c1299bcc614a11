package import Battery
package import Bytes

/// Lenker's own battery: its gauge, its charge, and when to warn the rider.
///
/// Only its functions change these values.
package struct OwnBattery {
  private var gauge: BatteryGauge?
  /// The charge of the last round, or of the one before if the last one failed; `nil` if both failed.
  package private(set) var charge: BatteryCharge?
  private var warning = LowWarning()
  /// How many rounds in a row have failed, up to one more than `lastingFailure`.
  private var failures = 0
  /// A disturbed bus, or a cell under load, fails fewer rounds in a row than this.
  private static var lastingFailure: Int { 3 }

  package init(_ kind: GaugeKind?, at now: Instant) {
    gauge = kind.map { BatteryGauge($0, at: now) }
  }

  /// When there is something to read; `nil` without a gauge.
  package var deadline: Instant? { gauge?.deadline }

  /// What is to be read now.
  package func read(at now: Instant) -> GaugeRead? { gauge?.read(at: now) }

  /// What follows from a value of the gauge.
  package enum Outcome {
    case nothing
    /// A round has ended; `hasChanged` if the percentage is another one, or whether the battery is charging.
    case charge(BatteryCharge, hasChanged: Bool)
    /// It has failed for `lastingFailure` rounds, which is to be reported.
    case fault(GaugeKind, GaugeFault)
  }

  /// Receives the bytes of a register.
  package mutating func receive(
    _ bytes: Span<UInt8>, of register: UInt8, at now: Instant
  ) -> Outcome {
    guard var gauge else { return .nothing }
    let result = gauge.receive(bytes, of: register, at: now)
    self.gauge = gauge
    switch result {
    case nil: return .nothing
    case .charge(let charge):
      let last = self.charge
      (self.charge, failures) = (charge, 0)
      warning.receive(charge)
      let isSame = charge.percent == last?.percent && charge.isCharging == last?.isCharging
      return .charge(charge, hasChanged: !isSame)
    case .fault(let fault): return roundFailed() ? .fault(gauge.kind, fault) : .nothing
    }
  }

  /// Notes that a register could not be read; returns the gauge if the failure is to be reported.
  package mutating func failed(at now: Instant) -> GaugeKind? {
    gauge?.failed(at: now)
    return roundFailed() ? gauge?.kind : nil
  }

  /// Counts a failed round; returns whether to report it.
  private mutating func roundFailed() -> Bool {
    failures = min(failures + 1, Self.lastingFailure + 1)
    if failures > 1 { charge = nil }
    return failures == Self.lastingFailure
  }

  /// The percentage if the rider is to be warned now; once for each level.
  package mutating func takeLow() -> UInt8? { warning.take() }
}

/// Whether to warn the rider that the battery is nearly empty: at 15 and at 5 percent.
///
/// Two rounds in a row have to show it, as a voltage may dip for a moment. A level warns again once the battery was 5
/// percent above it.
private struct LowWarning {
  private static var levels: InlineArray<2, UInt8> { [15, 5] }
  private static var margin: UInt8 { 5 }

  private var last: UInt8?
  /// The lowest level that the rider was warned of, or is to be.
  private var warned: UInt8 = .max
  private var isDue = false

  mutating func receive(_ charge: BatteryCharge) {
    let percent = charge.percent
    if warned < .max, percent >= warned + Self.margin { forget(at: percent) }
    let surely = max(last ?? .max, percent)
    last = percent
    guard charge.isCharging != true else { return isDue = false }
    let levels = Self.levels
    for index in levels.indices where surely <= levels[index] && levels[index] < warned {
      (warned, isDue) = (levels[index], true)
    }
  }

  /// Forgets the warnings of levels that are far enough below.
  private mutating func forget(at percent: UInt8) {
    let levels = Self.levels
    var lowest: UInt8 = .max
    for index in levels.indices where percent < levels[index] + Self.margin {
      lowest = levels[index]
    }
    (warned, isDue) = (lowest, false)
  }

  mutating func take() -> UInt8? {
    guard isDue else { return nil }
    isDue = false
    return last
  }
}
