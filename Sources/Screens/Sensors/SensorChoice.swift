import Bytes
package import Sensors
import Words

/// Sensors among which the rider chooses: those around the one that is offered.
package struct SensorChoice: ~Escapable {
  /// How many a panel is given at most.
  package static var room: Int { 4 }

  private let first, second, third, fourth: SensorCandidate
  /// How many of the four there are.
  let count: Int
  /// The number of the one that is offered.
  let mark: Int

  /// The first `count` of these, of which number `mark` is offered.
  @_lifetime(copy first, copy second, copy third, copy fourth)
  package init(
    _ first: SensorCandidate, _ second: SensorCandidate, _ third: SensorCandidate,
    _ fourth: SensorCandidate, count: Int, mark: Int
  ) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
    self.count = min(max(count, 1), Self.room)
    self.mark = min(max(mark, 0), self.count - 1)
  }

  /// The sensor of a line.
  subscript(index: Int) -> SensorCandidate {
    @_lifetime(copy self)
    get {
      switch index {
      case 0: first
      case 1: second
      case 2: third
      default: fourth
      }
    }
  }
}

/// A sensor that was found; its value tells the rider whether it is theirs.
package struct SensorCandidate: ~Escapable {
  /// The state of a sensor on offer.
  package enum Reading: Equatable, Sendable {
    /// Nothing: the link is being made.
    case connecting
    /// It sends nothing before something moves.
    case still
    /// Its value.
    case figure(ShownFigure)
    /// How many vehicles a radar sees.
    case vehicles(Int)
  }

  /// What it measures.
  package var kind: SensorKind
  /// Its name, empty while it is not known.
  package var name: Span<UInt8>
  /// Its value or state.
  package var reading: Reading

  /// A sensor of a kind, with its name and its value or state.
  @_lifetime(copy name)
  package init(_ kind: SensorKind, _ name: Span<UInt8>, _ reading: Reading) {
    self.kind = kind
    self.name = name
    self.reading = reading
  }
}

extension Span<UInt8> {
  /// Where the first word ends.
  var firstBlank: Int {
    var index = 0
    while index < count, self[index] != 0x20 { index += 1 }
    return index
  }
}

extension SensorCandidate.Reading {
  /// The value such as `72 bpm`, or in its second form `72`; empty without one.
  func append(to text: inout FixedBuffer<24>, form: Int, in language: Language) {
    switch self {
    case .connecting, .still: break
    case .figure(let figure):
      figure.append(to: &text, in: language)
      let end = text.bytes.firstBlank
      if form > 0 { text.truncate(to: end) }
    case .vehicles(let count):
      let phrase: SensorPhrase = count <= 0 ? .noVehicles : count == 1 ? .oneVehicle : .vehicles
      let words = language[phrase]
      var number = FixedBuffer<24>()
      number.append(decimal: Int64(widening: max(0, min(count, 99))))
      let isLast = words.bytes.form(form).isEmpty
      text.append(words.bytes.form(isLast ? 0 : form), naming: number.bytes)
    }
  }
}
