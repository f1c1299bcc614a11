import Bytes
import Graphics
import Messages
import Sensors
import Words

/// The page of the sensors: a line for each, and what the buttons do with them.
///
/// On a panel of 64 rows the lines of all five kinds leave no room for the hints. A rider who has all
/// five knows the buttons.
extension Bitmap {
  mutating func draw(_ page: borrowing SensorsPage, in language: Language) {
    var kinds = SensorKinds()
    for kind in SensorKind.all where page[kind].state != .absent { kinds.insert(kind) }
    guard !kinds.isEmpty else { return drawNoSensors(in: language) }
    let grid = SensorGrid(size, count: kinds.count, rowHeight: rowHeight)
    let nameLeft = nameLeft(of: kinds, in: language)
    // Without room for all kinds, the last ones are shown: they are worth most.
    var index = grid.shown - kinds.count
    for worth in 0..<SensorKind.count {
      let kind = SensorKind.worth(worth)
      guard kinds.contains(kind) else { continue }
      defer { index += 1 }
      guard index >= 0 else { continue }
      let area = grid.cell(index)
      if grid.hasWords {
        drawInWords(kind, page[kind], in: area, nameLeft: nameLeft, language)
      } else {
        drawSmall(kind, page[kind], in: area, language)
      }
    }
    drawHints(rows: size.height - grid.rows, in: language)
  }

  private mutating func drawNoSensors(in language: Language) {
    let advice = language[.bAddSensor]
    let short = language[.bAdd]
    draw(
      .heart, language[.sensors], text: advice.bytes,
      shorter: fitting(short.bytes, beside: 1, rows: lineHeight))
  }

  /// Where names begin, right of the widest kind.
  private func nameLeft(of kinds: SensorKinds, in language: Language) -> Int {
    var width = 0
    for kind in SensorKind.all where kinds.contains(kind) {
      let word = language[kind.look.word]
      width = max(width, small.width(of: word.bytes.form(0)))
    }
    return width + 3
  }

  /// The kind on the left, the sensor's state on the right, and its name between them.
  private mutating func drawInWords(
    _ kind: SensorKind, _ row: borrowing SensorRow, in area: Rectangle, nameLeft: Int,
    _ language: Language
  ) {
    let baseline = area.origin.y + small.capHeight + 1
    var words = FixedBuffer<64>()
    row.state.append(to: &words, in: language)
    let names = language[kind.look.word]
    let number = form(of: names.bytes, before: words.bytes, in: area.size.width)
    let right = draw(
      names.bytes.form(number), font: small, at: Point(area.origin.x, baseline))
    let state = form(of: words.bytes, fitting: area.size.width - right - 5)
    let left = area.size.width - small.width(of: state)
    draw(state, font: small, at: Point(left, baseline))
    if size.isSquare, area.size.height >= 2 * rowHeight {
      draw(row.name, font: small, at: Point(0, baseline + lineHeight), width: size.width)
      return
    }
    // A few letters of a name say nothing.
    let nameRoom = left - 3 - nameLeft
    guard nameRoom >= (size.isSquare ? 48 : 24) else { return }
    draw(row.name, font: small, at: Point(nameLeft, baseline), width: nameRoom)
  }

  /// The form of a kind before a state: a short kind is better than a short state.
  private func form(of names: Span<UInt8>, before words: Span<UInt8>, in width: Int) -> Int {
    var number = 0
    while !words.form(number).isEmpty {
      let room = width - small.width(of: words.form(number)) - 5
      if small.fits(names.form(0), in: room) || names.form(1).isEmpty { return 0 }
      if small.fits(names.form(1), in: room) { return 1 }
      number += 1
    }
    return 0
  }

  /// The sign of the kind, the sensor's state, and its name in a line below, if there is one.
  private mutating func drawSmall(
    _ kind: SensorKind, _ row: borrowing SensorRow, in area: Rectangle, _ language: Language
  ) {
    let sign = kind.look.sign
    draw(sign, at: Point(area.origin.x, area.origin.y + 1))
    let beside = sign.size.width + 4
    let baseline = area.origin.y + small.capHeight + 1
    var words = FixedBuffer<64>()
    row.state.append(to: &words, in: language)
    draw(
      form(of: words.bytes, fitting: area.size.width - beside), font: small,
      at: Point(area.origin.x + beside, baseline))
    guard area.size.height >= 2 * rowHeight else { return }
    draw(
      row.name, font: small, at: Point(area.origin.x, baseline + area.size.height / 2),
      width: area.size.width + 1)
  }

  @_lifetime(copy words)
  private func form(of words: Span<UInt8>, fitting room: Int) -> Span<UInt8> {
    var number = 0
    while !words.form(number + 1).isEmpty, !small.inkFits(words.form(number), in: room) {
      number += 1
    }
    return words.form(number)
  }

  /// Says what the buttons do, in the rows that are left.
  private mutating func drawHints(rows: Int, in language: Language) {
    let adds = language[.bAdd]
    let deletes = language[.holdDelete]
    guard !isUpright else {
      return drawUprightHints(
        fitting(adds.bytes, rows: lineHeight), fitting(deletes.bytes, rows: lineHeight), rows: rows)
    }
    let lines = rows / rowHeight
    let (add, delete) = (adds.bytes.form(0), deletes.bytes.form(0))
    if lines > 0, drawInLine(add, delete) { return }
    let bottom = size.height - 3
    if lines > 1 {
      draw(fitting(adds.bytes), font: small, at: Point(0, bottom - lineHeight))
      draw(fitting(deletes.bytes), font: small, at: Point(0, bottom))
    } else if lines == 1, !drawInLine(add, deletes.bytes.form(1)),
      !drawInLine(adds.bytes.form(1), deletes.bytes.form(1))
    {
      draw(fitting(adds.bytes), font: small, at: Point(0, bottom))
    }
  }

  /// Draws two hints in the last line, or returns `false` if they do not fit.
  private mutating func drawInLine(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
    let width = small.width(of: second)
    guard small.width(of: first) + 4 + width <= size.width else { return false }
    draw(first, font: small, at: Point(0, size.height - 3))
    draw(second, font: small, at: Point(size.width - width, size.height - 3))
    return true
  }

  private mutating func drawUprightHints(
    _ add: Span<UInt8>, _ delete: Span<UInt8>, rows: Int
  ) {
    let (addRows, deleteRows) = (self.rows(of: add), self.rows(of: delete))
    guard addRows <= rows else { return }
    let both = addRows + deleteRows <= rows ? deleteRows : 0
    drawLines(of: add, from: size.height - addRows - both, rows: addRows)
    drawLines(of: delete, from: size.height - both, rows: both)
  }
}

extension Bitmap {
  /// Rows that a line of small text takes at least.
  fileprivate var rowHeight: Int { small.capHeight + 3 }
}

private struct SensorGrid {
  /// How many sensors there is room for.
  let shown: Int
  /// Whether there is room for words and names rather than signs.
  let hasWords: Bool
  let rows: Int
  private let columns, pitch, width: Int

  init(_ size: Size, count: Int, rowHeight: Int) {
    let isFlat = size.width >= 100 && size.height < 60
    columns = isFlat && count > 1 ? 2 : 1
    hasWords = size.width >= 100 && columns == 1
    // A panel that is high has a second line for the name.
    let lines =
      size.height >= 100 && size.width >= 48 && (!size.isSquare || count < 4) ? 2 : 1
    shown = min(count, size.height / (lines * rowHeight) * columns)
    let places = (shown + columns - 1) / columns
    // Space between the sensors, as far as two lines are left for the hints.
    let spare = (size.height - 2 * rowHeight) / places / lines
    pitch = max(rowHeight, min(spare, rowHeight + 3)) * lines
    width = size.width
    rows = places * pitch
  }

  func cell(_ index: Int) -> Rectangle {
    let gap = columns > 1 ? 6 : 0
    return Rectangle(
      x: index % columns * (width + gap) / columns, y: index / columns * pitch,
      width: (width - gap) / columns, height: pitch)
  }
}

extension SensorState {
  /// Appends the state in a word or two, in all its forms.
  func append(to text: inout FixedBuffer<64>, in language: Language) {
    switch self {
    case .absent: break
    case .looking: text.append(.looking, in: language)
    case .away: text.append("–")
    case .ready(nil): text.append(.isReady, in: language)
    case .ready(let battery?):
      text.append(decimal: Int64(widening: UInt32(min(battery, 100))))
      text.append("%|")
      text.append(decimal: Int64(widening: UInt32(min(battery, 100))))
    case .changesAddress: text.append(.changesAddress, in: language)
    case .noLinkFree: text.append(.noLinkFree, in: language)
    }
  }
}

package enum SensorState: Equatable, Sendable {
  /// No sensor of its kind is remembered or being looked for, so it has no line.
  case absent
  /// It is being looked for.
  case looking
  /// It is not there.
  case away
  /// It sends its values; how full its battery is in percent, if that is known.
  case ready(battery: UInt8?)
  /// Its address changes, so that it cannot be recognised.
  case changesAddress
  /// There are not enough links for it.
  case noLinkFree
}

/// A line of the page of the sensors.
package struct SensorRow: ~Escapable {
  /// The sensor's name, empty while it is not known.
  package var name: Span<UInt8>
  package var state: SensorState

  @_lifetime(copy name)
  package init(_ name: Span<UInt8>, _ state: SensorState) {
    (self.name, self.state) = (name, state)
  }
}

/// The sensors that are remembered or being looked for, one of each kind at most.
package struct SensorsPage: ~Escapable {
  private let heart, cadence, speed, power, radar: SensorRow

  /// The sensor of each kind.
  @_lifetime(copy heart, copy cadence, copy speed, copy power, copy radar)
  package init(
    heart: SensorRow, cadence: SensorRow, speed: SensorRow, power: SensorRow, radar: SensorRow
  ) {
    (self.heart, self.cadence, self.speed) = (heart, cadence, speed)
    (self.power, self.radar) = (power, radar)
  }

  subscript(kind: SensorKind) -> SensorRow {
    @_lifetime(copy self)
    get {
      switch kind {
      case .heart: heart
      case .cadence: cadence
      case .speed: speed
      case .power: power
      case .radar: radar
      }
    }
  }
}

extension SensorKind {
  /// The rider's word for it, its symbol, the small symbol where a word has no room, and what makes it
  /// send something.
  var look: (word: SensorPhrase, symbol: Symbol, sign: Symbol, waking: SensorPhrase?) {
    switch self {
    case .heart: (.heart, .heart, .smallHeart, .putStrapOn)
    case .cadence: (.cadence, .crank, .smallCrank, .turnCrank)
    case .speed: (.speed, .wheel, .smallWheel, .spinWheel)
    case .power: (.power, .bolt, .smallBolt, .turnCrank)
    case .radar: (.radar, .car, .smallCar, nil)
    }
  }
}
