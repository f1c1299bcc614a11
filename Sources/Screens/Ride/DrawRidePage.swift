import Bytes
import Graphics
import Navigation

/// The page of facts: as many lines as the panel has room for, the most useful first.
extension Bitmap {
  mutating func draw(_ facts: borrowing Facts) {
    let none = "No phone".utf8
    let stranger = "A phone".utf8
    let name = facts.isConnected ? stranger.span : none.span
    let title = facts.phone.isEmpty ? name : facts.phone
    switch size.height / lineHeight {
    case 4...: drawAll(facts, title)
    case 3: drawThree(facts, title)
    default: drawTwo(facts, title)
    }
  }

  /// Name, last turn, signal, and version with the battery, a line each.
  private mutating func drawAll(_ facts: borrowing Facts, _ title: Span<UInt8>) {
    let height = size.height / 4
    let font: Font = Font.bold14.fits(title, in: size.width) ? .bold14 : .bold12
    draw(title, font: font, at: Point(0, height - 4), width: size.width)
    var text = FixedBuffer<48>()
    text.append(facts.age == nil ? "No turn yet" : "Last turn: ")
    text.append(newsOf: facts)
    draw(text.bytes, font: .bold12, at: Point(0, 2 * height - 3), width: size.width)
    text.removeAll()
    if !facts.isConnected {
      text.append("Not connected")
    } else if facts.rssi == 127 {
      text.append("Connected")
    } else {
      text.append("Signal ")
      text.append(decimal: Int64(widening: Int(facts.rssi)))
      text.append(" dBm")
      drawSignal(of: facts, bottom: 3 * height - 3)
    }
    draw(text.bytes, font: .bold12, at: Point(0, 3 * height - 3), width: size.width)
    text.removeAll()
    text.append("Lenker ")
    text.append(facts.version)
    draw(text.bytes, font: .bold12, at: Point(0, 4 * height - 3), width: size.width)
    guard let battery = facts.knownBattery else { return }
    let end = Font.bold12.width(of: text.bytes)
    drawBattery(battery, right: size.width, bottom: 4 * height - 3)
    text.removeAll()
    text.append(decimal: Int64(widening: Int(battery)))
    text.append(" %")
    let x = size.width - batteryWidth - 3 - Font.bold12.width(of: text.bytes)
    if x > end + 4 { draw(text.bytes, font: .bold12, at: Point(x, 4 * height - 3)) }
  }

  /// Name with the battery, last turn, and version with the signal.
  private mutating func drawThree(_ facts: borrowing Facts, _ title: Span<UInt8>) {
    let height = size.height / 3
    var room = size.width
    if let battery = facts.knownBattery {
      drawBattery(battery, right: room, bottom: height - 3)
      room -= batteryWidth + 3
    }
    draw(title, font: .bold12, at: Point(0, height - 3), width: room)
    drawNews(facts, at: Point(0, 2 * height - 3), width: size.width)
    room = size.width - signalWidth - 4
    draw(facts.version, font: .bold12, at: Point(0, 3 * height - 3), width: room)
    drawSignal(of: facts, bottom: 3 * height - 3)
  }

  /// Name with battery and signal, and last turn with the version.
  private mutating func drawTwo(_ facts: borrowing Facts, _ title: Span<UInt8>) {
    let height = size.height / 2
    var room = size.width - signalWidth - 4
    if let battery = facts.knownBattery {
      drawBattery(battery, right: room, bottom: height - 3)
      room -= batteryWidth + 3
    }
    let font: Font = Font.bold14.fits(title, in: room) ? .bold14 : .bold12
    draw(title, font: font, at: Point(0, height - 3), width: room)
    drawSignal(of: facts, bottom: height - 3)
    let x = size.width - Font.bold12.width(of: facts.version)
    let isRoom = x > size.width / 2
    drawNews(facts, at: Point(0, 2 * height - 3), width: isRoom ? x - 4 : size.width)
    if isRoom { draw(facts.version, font: .bold12, at: Point(x, 2 * height - 3)) }
  }

  private mutating func drawSignal(of facts: borrowing Facts, bottom: Int) {
    if facts.isConnected, facts.rssi != 127 { drawSignal(facts.rssi, bottom: bottom) }
  }

  private mutating func drawNews(_ facts: borrowing Facts, at origin: Point, width: Int) {
    var text = FixedBuffer<32>()
    if facts.age == nil { text.append("No turn") }
    text.append(newsOf: facts)
    draw(text.bytes, font: .bold12, at: origin, width: width)
  }

  /// Columns of a battery.
  private var batteryWidth: Int { 14 }

  /// Draws a battery that is filled from the left by so many percent.
  private mutating func drawBattery(_ percent: UInt8, right: Int, bottom: Int) {
    let (body, height) = (Size(batteryWidth - 2, 8), 8)
    let corner = Point(right - batteryWidth, bottom - height)
    fill(corner, body)
    fill(Point(corner.x + 1, corner.y + 1), Size(body.width - 2, height - 2), lit: false)
    fill(Point(corner.x + body.width, corner.y + 2), Size(2, height - 4))
    // One pixel of its inside stays dark all around.
    let columns = (Int(percent) * (body.width - 4) + 50) / 100
    fill(Point(corner.x + 2, corner.y + 2), Size(columns, height - 4))
  }

  /// Columns of the four bars of a signal.
  var signalWidth: Int { 18 }

  /// Draws a bar at the right edge for each step of a signal, and a foot where one is missing.
  mutating func drawSignal(_ rssi: Int8, bottom: Int) {
    for bar in 0..<4 {
      let height = bar < signalBars(rssi) ? 3 * (bar + 1) : 1
      fill(Point(size.width - signalWidth + 5 * bar, bottom - height), Size(3, height))
    }
  }

  /// From four bars at arm's length to one at the limit of what can be heard; none if not known.
  private func signalBars(_ rssi: Int8) -> Int {
    switch rssi {
    case 127: 0
    case (-60)...: 4
    case (-70)...: 3
    case (-80)...: 2
    default: 1
    }
  }
}

extension Facts {
  /// The battery of a phone that is there.
  fileprivate var knownBattery: UInt8? { isConnected ? battery : nil }
}

extension ByteWriter where Self: ~Copyable {
  /// `just now` or `20 s ago`; nothing if there was no turn.
  fileprivate mutating func append(newsOf facts: borrowing Facts) {
    guard let age = facts.age else { return }
    guard age.seconds >= Facts.freshness else { return append("just now") }
    age.append(to: &self)
    append(" ago")
  }
}
