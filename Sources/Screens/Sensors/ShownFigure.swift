import Bytes
package import Navigation
import Words

/// One figure as it is shown; two that look the same are equal.
package struct ShownFigure: Equatable, Sendable {
  enum Kind: Equatable {
    case speed(Units)
    case heart, cadence, power, seconds, clock
  }

  let kind: Kind
  /// The number that is shown; `nil` while it is not known.
  let number: Int?

  private init(_ kind: Kind, _ number: Int?, from least: Int = 0, to most: Int = 999) {
    self.kind = kind
    self.number = number.map { max(least, min($0, most)) }
  }

  /// The speed, from millimetres a second.
  package static func speed(_ millimetres: Int?, _ units: Units) -> ShownFigure {
    ShownFigure(
      .speed(units),
      millimetres.map {
        Int(truncatingIfNeeded: units.perHour(Int64(widening: max(0, min($0, 1_000_000)))))
      })
  }

  /// The pulse in beats a minute.
  package static func heart(_ beats: Int?) -> ShownFigure { ShownFigure(.heart, beats) }

  /// How fast the crank turns, in turns a minute.
  package static func cadence(_ turns: Int?) -> ShownFigure { ShownFigure(.cadence, turns) }

  /// The rider's power in watts; negative if the hub drives the rider.
  package static func power(_ watts: Int?) -> ShownFigure {
    ShownFigure(.power, watts, from: -999, to: 9_999)
  }

  /// The time to a turn in seconds.
  package static func seconds(_ seconds: Int?) -> ShownFigure {
    ShownFigure(.seconds, seconds, to: 9_999)
  }

  /// The local time of day in minutes since midnight.
  package static func clock(minutes: Int?) -> ShownFigure {
    ShownFigure(.clock, minutes, to: 24 * 60 - 1)
  }

  /// Number and unit such as `142 bpm`, with a dash for a number that is not known.
  func append(to text: inout FixedBuffer<24>, in language: Language) {
    if kind == .clock { return appendClock(to: &text) }
    if let number { text.append(decimal: Int64(widening: number)) } else { text.append("–") }
    text.append(" ")
    switch kind {
    case .speed(let units): text.append(units.speedUnit)
    case .heart: text.append(.beats, in: language)
    case .cadence:
      let turns = language[.turns]
      text.append(turns.bytes.form(0))
    case .power: text.append("W")
    case .seconds, .clock: text.append("s")
    }
  }

  /// Hours and minutes such as `9:05`.
  private func appendClock(to text: inout FixedBuffer<24>) {
    if let number { text.append(hoursAndMinutes: number) } else { text.append("–:–") }
  }
}
