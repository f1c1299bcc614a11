import Bytes
import Graphics
import Messages
package import Sensors
import Words

/// Sensors among which the rider chooses: those around the one that is offered.
package struct SensorChoice: ~Escapable {
  /// How many a panel is given at most.
  package static var room: Int { 4 }

  private let first, second, third, fourth: SensorCandidate
  let count: Int
  /// The index of the offered sensor.
  let mark: Int

  /// The first `count` of these, of which number `mark` is offered.
  @_lifetime(copy first, copy second, copy third, copy fourth)
  package init(
    _ first: SensorCandidate, _ second: SensorCandidate, _ third: SensorCandidate,
    _ fourth: SensorCandidate, count: Int, mark: Int
  ) {
    (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
    self.count = min(max(count, 1), Self.room)
    self.mark = min(max(mark, 0), self.count - 1)
  }

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
    /// It sends nothing until something moves.
    case still
    /// It can no longer be reached.
    case gone
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
    (self.kind, self.name, self.reading) = (kind, name, reading)
  }
}

extension Span<UInt8> {
  var firstBlank: Int { firstIndex(of: 0x20, in: self) ?? count }
}

extension SensorCandidate.Reading {
  /// The value such as `72 bpm`, or in its second form `72`; empty without one.
  func append(to text: inout FixedBuffer<24>, form: Int, in language: Language) {
    switch self {
    case .connecting, .still: break
    case .gone: text.append("×")
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

/// The list of a search: a line for each sensor with its value and its name, the offered one inverted, and what
/// the buttons do.
extension Bitmap {
  /// Draws as many lines as there is room for; if there is room for one only, the question about the offered sensor.
  mutating func draw(_ choice: borrowing SensorChoice, in language: Language) {
    let answers = Answers(yes: .aKeep, no: .bNext, in: language)
    let space = size.height - answerRows(answers) - (isUpright ? 2 : 0)
    // The name has a line of its own if all sensors fit then, else a place behind the value.
    let isBeside = size.width >= 100
    let hasNameLines =
      (!isBeside || size.isSquare) && choice.count * 2 * lineHeight <= space
    let height = hasNameLines ? 2 * lineHeight : lineHeight
    let shown = min(choice.count, space / height)
    let offered = choice[choice.mark]
    guard shown > 1, offered.reading.isValue else { return draw(offered, in: language) }
    draw(answers)
    let start = max(0, min(choice.mark - 1, choice.count - shown))
    var nameLeft = 0
    for line in start..<start + shown {
      let area = Rectangle(x: 0, y: (line - start) * height, width: size.width, height: height)
      nameLeft = max(nameLeft, drawValue(of: choice[line], in: area, language))
    }
    for line in start..<start + shown {
      let area = Rectangle(x: 0, y: (line - start) * height, width: size.width, height: height)
      if hasNameLines {
        drawName(choice[line].name, at: Point(1, area.origin.y + height - 3))
      } else if isBeside {
        drawName(choice[line].name, at: Point(nameLeft + 5, area.origin.y + height - 3))
      }
      if line == choice.mark { invert(area) }
    }
  }

  private mutating func drawName(_ name: Span<UInt8>, at origin: Point) {
    draw(name, font: small, at: origin, width: size.width - origin.x)
  }

  /// Draws the sign of the kind and the value in the first line of `area`; returns where the value ends.
  private mutating func drawValue(
    of sensor: borrowing SensorCandidate, in area: Rectangle, _ language: Language
  ) -> Int {
    let sign = sensor.kind.look.sign
    let baseline = area.origin.y + lineHeight - 3
    let beside = sign.size.width + 4
    var value = FixedBuffer<24>()
    sensor.reading.append(to: &value, form: 0, in: language)
    if !small.inkFits(value.bytes, in: size.width - beside) {
      let end = value.bytes.firstBlank
      value.truncate(to: end)
    }
    // The sensor has sent nothing so far.
    if value.isEmpty { value.append("–") }
    // Three digits say more than a sign, if there is no room for both.
    let hasSign = small.inkFits(value.bytes, in: size.width - beside)
    if hasSign { draw(sign, at: Point(1, baseline - sign.size.height)) }
    return draw(value.bytes, font: small, at: Point(hasSign ? beside : 1, baseline))
  }
}

extension SensorCandidate.Reading {
  /// Whether the reading is a value, by which the rider knows a sensor.
  fileprivate var isValue: Bool {
    switch self {
    case .connecting, .still, .gone: false
    case .figure, .vehicles: true
    }
  }
}
