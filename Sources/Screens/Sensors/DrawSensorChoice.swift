import Bytes
import Graphics
import Messages
import Words

/// The list of a search: a line for each sensor with its value and its name, the offered one inverted, and what
/// the buttons do.
extension Bitmap {
  /// Draws as many lines as there is room for; where that is one alone, the question about the offered one.
  mutating func draw(_ choice: borrowing SensorChoice, in language: Language) {
    let answers = Answers(yes: .aKeep, no: .bNext, in: language)
    let space = size.height - answerRows(answers) - (isUpright ? 2 : 0)
    // The name has a line of its own where that leaves none out, else a place behind the value.
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
    // Nothing was heard of it so far.
    if value.isEmpty { value.append("–") }
    // Where three digits have no room beside a sign, they say more.
    let hasSign = small.inkFits(value.bytes, in: size.width - beside)
    if hasSign { draw(sign, at: Point(1, baseline - sign.size.height)) }
    return draw(value.bytes, font: small, at: Point(hasSign ? beside : 1, baseline))
  }
}

extension SensorCandidate.Reading {
  /// Whether that is what the rider knows a sensor by.
  fileprivate var isValue: Bool {
    switch self {
    case .connecting, .still: false
    case .figure, .vehicles: true
    }
  }
}
