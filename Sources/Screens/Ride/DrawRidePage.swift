import Bytes
import Graphics
import Messages
package import Navigation
import Words

/// The page of the ride: one figure as large as fits, the other figures, and the phone below them.
///
/// At home, the last line says so instead of naming the phone.
extension Bitmap {
  mutating func draw(_ page: borrowing RidePage) {
    let trip = page.figures.trip
    guard trip.isUnderWay || trip.tenths != nil else { return drawNoRide(page) }
    // A small panel has no room for the phone beside a ride that goes on.
    let isLarge = size.width >= 100 || size.height >= 100
    let hasPhone = isLarge || page.figures.isAtHome || !trip.isUnderWay && size.height >= 48
    if hasPhone { drawPhoneLine(of: page) }
    var area = bounds
    if hasPhone { area.size.height -= bottomRows(of: page) }
    // If the time of day has no place beside the phone, it is worth more than the average.
    let last: TripFigures.Figure = hasPhone || trip.clock == nil ? .average : .clock
    var list = others(of: trip, last)
    list.ownBattery = page.figures.ownBattery
    let hasBattery = drawFigures(of: trip, list, in: area)
    if !hasBattery, let percent = page.figures.ownBattery {
      drawOwnBattery(percent, above: area.size.height)
    }
  }

  /// The first figure on the left of the others, or above them; returns whether Lenker's battery is there, too.
  private mutating func drawFigures(
    of trip: TripFigures, _ others: FigureList, in area: Rectangle
  ) -> Bool {
    var (first, rest) = (area, area)
    if size.width >= 100 && !size.isSquare {
      first.size.width /= 2
      rest.origin.x = first.size.width + 4
      rest.size.width -= rest.origin.x
    } else {
      first.size.height = max(Font.bold18.digitHeight + 3, area.size.height * 4 / 9)
      rest.origin.y = first.size.height + 1
      rest.size.height -= rest.origin.y
    }
    drawFirst(of: trip, in: first)
    return draw(others, of: trip, in: rest)
  }

  /// The speed or the word for a pause during a ride, the distance after it; a dash if the figure is unknown.
  private mutating func drawFirst(of trip: TripFigures, in area: Rectangle) {
    guard !trip.isPaused else { return drawPause(in: area, trip.language) }
    var list = FigureList()
    list.add(trip.isUnderWay ? .speed : .distance, of: trip)
    // The largest digits come without a point.
    list.largest = size.isSquare ? .bold56 : trip.isUnderWay ? .bold48 : .bold34
    list.prefersTall = !size.isSquare
    draw(list, of: trip, in: area)
    guard list.figures.isEmpty else { return }
    let dash = Size(min(24, area.size.width / 3), 3)
    fill(Point(1, area.origin.y + (area.size.height - dash.height) / 2), dash)
  }

  private mutating func drawPause(in area: Rectangle, _ language: Language) {
    let word = language[.pause]
    let text = word.bytes
    let font = Font.largest(from: .bold24) {
      $0.inkWidth(of: text) <= area.size.width && $0.capHeight < area.size.height
    }
    let baseline = area.origin.y + (area.size.height + font.capHeight) / 2
    draw(text, font: font, at: Point(area.origin.x, baseline))
  }

  private func others(of trip: TripFigures, _ last: TripFigures.Figure) -> FigureList {
    var list = FigureList()
    // On a square panel three lines keep rows between them.
    if size.height < 60 || size.isSquare && trip.isUnderWay { list.largest = .bold18 }
    list.add(.time, of: trip)
    if trip.isUnderWay { list.add(.distance, of: trip) }
    list.add(last, of: trip)
    return list
  }

  private mutating func drawNoRide(_ page: borrowing RidePage) {
    drawPhoneLine(of: page)
    let language = page.figures.trip.language
    let words = language[.noRide]
    let rows = bottomRows(of: page)
    let nothing = "".utf8
    if isUpright {
      var message = Message(.bicycle, title: nothing.span, forms: words.bytes)
      message.free.height = rows
      draw(message)
    } else if size.width >= 100 {
      var message = Message(.bicycle, title: fitting(words.bytes), text: nothing.span)
      message.free.height = rows
      draw(message)
    } else {
      let area = Rectangle(x: 0, y: 0, width: size.width, height: size.height - rows)
      let isShort = self.rows(of: words.bytes.form(0)) > area.size.height
      drawLinesInTheMiddle(of: words.bytes.form(isShort ? 1 : 0), in: area)
    }
    if let percent = page.figures.ownBattery { drawOwnBattery(percent, above: size.height - rows) }
  }

  // MARK: - The phone

  /// Rows at the bottom for the phone: on a narrow panel its signs have a line of their own.
  private var phoneRows: Int { isPhoneInTwoLines ? 2 * lineHeight : lineHeight }

  private var isPhoneInTwoLines: Bool { size.width < 100 && size.height >= 100 }

  private var hasBars: Bool { size.width >= 100 || isPhoneInTwoLines }

  /// Whether the time of day stands beside the phone's name; a narrow panel has room for only one.
  private var hasRoomForClock: Bool { hasBars && size.width >= 48 }

  private func isClockInstead(on page: borrowing RidePage) -> Bool {
    !hasRoomForClock && page.figures.trip.clock != nil && (page.figures.isConnected || hasBars)
  }

  /// The phone's name, its battery beside the name, the time of day and the signal.
  ///
  /// The battery is beside the name so that nobody takes it for this device's.
  private mutating func drawPhoneLine(of page: borrowing RidePage) {
    if page.figures.isAtHome { return drawHomeLine(in: page.figures.trip.language) }
    let baseline = size.height - 3
    var room = size.width
    // A line of a narrow panel has no room for the time beside the signs of a connected phone.
    let isClockFirst =
      hasRoomForClock && isPhoneInTwoLines && page.figures.isConnected
      && page.figures.trip.clock != nil
    let hasSignal = !page.phone.isEmpty && (!page.figures.isConnected || page.figures.rssi != nil)
    if hasBars, hasSignal, !isClockFirst {
      drawSignal(page.figures.isConnected ? page.figures.rssi : nil, bottom: baseline)
      if !isPhoneInTwoLines { room -= signalWidth + 4 }
    }
    if hasRoomForClock { drawClock(of: page, room: &room, bottom: baseline) }
    let hasBattery = page.figures.battery != nil && (isPhoneInTwoLines || !isClockInstead(on: page))
    let isBatteryKnown = page.figures.isConnected && hasBattery
    if isBatteryKnown, !isPhoneInTwoLines { room -= batteryWidth + 4 }
    let name = lineName(of: page, room: room)
    let nameLine = isPhoneInTwoLines ? baseline - lineHeight : baseline
    // The blank column behind the last digit of a time may be beyond the edge.
    draw(
      name.bytes, font: small, at: Point(0, nameLine),
      width: isClockInstead(on: page) ? room + 1 : room)
    guard isBatteryKnown, let battery = page.figures.battery else { return }
    let end = isPhoneInTwoLines ? 0 : min(room, small.width(of: name.bytes)) + 4
    drawBattery(battery, left: end, bottom: baseline)
  }

  /// The name of the phone, or what replaces it.
  private func lineName(of page: borrowing RidePage, room: Int) -> FixedBuffer<64> {
    let language = page.figures.trip.language
    var name = FixedBuffer<64>()
    if isClockInstead(on: page) {
      name.append(page.figures.trip.text(of: .clock).bytes)
    } else if page.phone.isEmpty {
      let stranger = language[page.figures.isConnected ? .aPhone : .noPhone]
      name.append(fitting(stranger.bytes, beside: size.width - room, rows: lineHeight))
    } else if page.figures.isConnected || hasBars {
      name.append(page.phone)
    } else {
      let lost = language[.noLink]
      name.append(fitting(lost.bytes, beside: size.width - room, rows: lineHeight))
    }
    return name
  }

  /// The time of day at the right end of the free room.
  ///
  /// On a narrow panel it is at the left edge if the signal is at the right one.
  private mutating func drawClock(
    of page: borrowing RidePage, room: inout Int, bottom: Int
  ) {
    let text = page.figures.trip.text(of: .clock)
    guard !text.isEmpty else { return }
    let width = small.width(of: text.bytes)
    // The blank column behind the last digit may be beyond the edge.
    let isLeft = isPhoneInTwoLines && !page.figures.isConnected
    let end = room == size.width ? room + 1 : room
    draw(text.bytes, font: small, at: Point(isLeft ? 0 : end - width, bottom))
    if !isPhoneInTwoLines { room = end - width - 4 }
  }

  /// Rows at the bottom that belong to no figure.
  private func bottomRows(of page: borrowing RidePage) -> Int {
    // A dark row above, which the lines of a narrow panel lack.
    let gap = small.capHeight + 4 - lineHeight
    guard page.figures.isAtHome else {
      return isClockInstead(on: page) ? phoneRows + gap : phoneRows
    }
    let phrase = page.figures.trip.language[.atHome]
    return rows(of: fitting(phrase.bytes, rows: phoneRows)) + gap
  }

  private mutating func drawHomeLine(in language: Language) {
    let phrase = language[.atHome]
    let words = fitting(phrase.bytes, rows: phoneRows)
    let wordRows = rows(of: words)
    drawLines(of: words, from: size.height - wordRows, rows: wordRows)
  }

  private var batteryWidth: Int { 14 }

  /// Draws a battery that is filled from the left by `percent`.
  private mutating func drawBattery(_ percent: UInt8, left: Int, bottom: Int) {
    let (body, height) = (Size(batteryWidth - 2, 8), 8)
    let corner = Point(left, bottom - height)
    fill(corner, body)
    fill(Point(corner.x + 1, corner.y + 1), Size(body.width - 2, height - 2), lit: false)
    fill(Point(corner.x + body.width, corner.y + 2), Size(2, height - 4))
    // One pixel of its inside stays dark all around.
    let columns = (Int(min(percent, 100)) * (body.width - 4) + 50) / 100
    fill(Point(corner.x + 2, corner.y + 2), Size(columns, height - 4))
  }
}

/// The figures of the page of the ride, but for the phone's name.
package struct RideFigures: Equatable {
  /// The ride so far, or the last one.
  package var trip: TripFigures
  /// Whether there is a link to the phone.
  package var isConnected: Bool
  /// The power of its last advertisement in dBm, `nil` if that is not known.
  package var rssi: Int8?
  /// How full its battery is, in percent, or `nil` if that is not known.
  package var battery: UInt8?
  /// Whether the device is at home, where no phone is shown.
  package var isAtHome = false
  /// How full Lenker's own battery is, in percent, or `nil` if that is not known.
  package var ownBattery: UInt8?
  /// What comes from behind, if there is a radar.
  package var radar: ShownRadar?

  /// Figures without a radar, away from home.
  package init(_ trip: TripFigures, isConnected: Bool, rssi: Int8? = nil, battery: UInt8? = nil) {
    (self.trip, self.isConnected, self.rssi, self.battery) = (trip, isConnected, rssi, battery)
  }
}

/// The figures of the ride and the state of the phone, which button A leads to.
package struct RidePage: ~Escapable {
  package var figures: RideFigures
  /// The phone's name, empty while it is not known.
  package var phone: Span<UInt8>

  @_lifetime(copy phone)
  package init(_ figures: RideFigures, phone: Span<UInt8>) {
    (self.figures, self.phone) = (figures, phone)
  }
}

/// The end of a ride.
package struct Arrival: ~Escapable {
  /// The distance and time that were measured.
  package var trip: TripFigures
  /// The street of the finish, empty if it has no name.
  package var street: Span<UInt8>

  /// The end of a ride in a street.
  @_lifetime(copy street)
  package init(_ trip: TripFigures, street: Span<UInt8>) {
    (self.trip, self.street) = (trip, street)
  }
}
