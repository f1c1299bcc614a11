package import Bytes
package import Words

/// The figures of a ride on the panel: whole numbers, so that equal pictures have equal values.
///
/// An unknown figure is `nil`, and not shown. A ride that has just begun has figures of 0.
package struct TripFigures: Equatable, Sendable {
  /// Kilometres and km/h, or miles and mph.
  package var units: Units
  /// The language of the words.
  package var language = Language.english
  /// Whether the ride goes on, so that a speed is possible.
  package var isUnderWay: Bool
  /// Whether the rider stands still, and has for some seconds.
  package var isPaused = false
  /// The speed in km/h or mph, 0…999.
  package var speed: Int?
  /// The average of the time ridden in km/h or mph, 0…999.
  package var average: Int?
  /// The time ridden in minutes, 0…5999.
  package var minutes: Int?
  /// The way ridden in tenths of a kilometre or a mile, 0…99999.
  package var tenths: Int?
  /// The time of the day in minutes since midnight.
  package var clock: Int?

  package init(units: Units, isUnderWay: Bool) {
    self.units = units
    self.isUnderWay = isUnderWay
  }

  /// The figures of a trip; it has a speed only if it is under way and fresh.
  init(_ trip: Trip, isUnderWay: Bool, isFresh: Bool, units: Units) {
    self.init(units: units, isUnderWay: isUnderWay)
    if isUnderWay, isFresh { (speed, isPaused) = (perHour(trip.speed), trip.isPaused) }
    guard isUnderWay || trip.millimetres > 0 else { return }
    average = perHour(trip.average)
    minutes = shown(trip.milliseconds / 60_000, limit: 5_999)
    tenths = shown((trip.millimetres * 10 + units.unit / 2) / units.unit, limit: 99_999)
  }

  /// Whole kilometres or miles an hour of millimetres a second.
  private func perHour(_ speed: Int64?) -> Int? {
    guard let speed else { return nil }
    return shown(units.perHour(speed), limit: 999)
  }

  private func shown(_ value: Int64, limit: Int64) -> Int {
    Int(truncatingIfNeeded: max(0, min(value, limit)))
  }

  package enum Figure: Sendable {
    case speed, time, distance, average, clock
  }

  /// Number, blank and unit of a figure, such as `12.4 km`; empty if unknown.
  package func text(of figure: Figure) -> FixedBuffer<16> {
    var text = FixedBuffer<16>()
    switch figure {
    case .speed: append(speed, units.speedUnit, to: &text)
    case .time: appendTime(to: &text)
    case .distance: appendDistance(to: &text)
    case .average: append(average, language.text(of: .average), to: &text)
    case .clock: if let clock { text.append(hoursAndMinutes: clock) }
    }
    return text
  }

  private func append(_ value: Int?, _ unit: String, to text: inout FixedBuffer<16>) {
    guard let value else { return }
    text.append(decimal: Int64(widening: value))
    text.append(" ")
    text.append(unit)
  }

  /// Hours and minutes, such as `0:42 h`, from a minute on; English has no unit there.
  private func appendTime(to text: inout FixedBuffer<16>) {
    guard let minutes, minutes > 0 else { return }
    text.append(hoursAndMinutes: minutes)
    guard language != .english else { return }
    text.append(" ")
    text.append(.hours, in: language)
  }

  /// The distance, with a tenth below 100.
  private func appendDistance(to text: inout FixedBuffer<16>) {
    guard let tenths else { return }
    text.append(decimal: Int64(widening: tenths / 10))
    if tenths < 1_000 {
      text.append(language.decimalSign)
      text.append(decimal: Int64(widening: tenths % 10))
    }
    text.append(units == .metric ? " km" : " mi")
  }
}

extension ByteWriter where Self: ~Copyable {
  /// Minutes as hours and minutes, such as `9:05`.
  package mutating func append(hoursAndMinutes minutes: Int) {
    append(decimal: Int64(widening: minutes / 60))
    append(minutes % 60 < 10 ? ":0" : ":")
    append(decimal: Int64(widening: minutes % 60))
  }
}
