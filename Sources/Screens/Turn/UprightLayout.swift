import Graphics

extension NavigationLayout {
  /// Lays out a panel that stands upright: the arrow on top, below it the distance, and the street.
  ///
  /// The distance keeps enough rows to be read at a glance, and the arrow those that it needs. The
  /// street has the rows that are left.
  init(upright size: Size, for turn: ShownTurn) {
    var room = UprightRoom(size, for: turn, hasCaption: true)
    if !turn.hasCaption, room.captionRows > 0 {
      // An extra figure takes no line of the street.
      let without = UprightRoom(size, for: turn, hasCaption: false)
      if room.fit.showsLess(than: without.fit) { room = without }
    }
    let (isTall, isWide, captionRows) = (room.isTall, room.isWide, room.captionRows)
    streetFont = room.font
    fit = room.fit
    let lines = UprightLines(fit, for: turn, streetFont)
    // Words instead of a street wrap, too; an age is one line.
    let isAge = turn.age != nil && captionRows == 0
    let hasWords = turn.isOffRoute || !isWide && turn.street.isEmpty && turn.word != nil
    let streetRows =
      isAge ? 15 : hasWords ? (isTall ? 39 : 26) : turn.needsLine ? lines.height : 0
    arrow = Arrow.size(fitting: min(size.width, room.rest - streetRows))
    arrowOrigin = Point((size.width - arrow) / 2, 0)
    let gap = isTall ? 2 : 1
    var top = arrow + gap
    caption =
      captionRows > 0 ? Rectangle(x: 0, y: top, width: size.width, height: captionRows - gap) : nil
    top += captionRows
    nearBar = room.barRows == 0 ? nil : Rectangle(x: 0, y: top, width: size.width, height: 5)
    top += room.barRows
    let bottom = size.height - streetRows
    column = Rectangle(x: 0, y: top, width: size.width, height: bottom - top - (hasWords ? 0 : 1))
    street = Rectangle(x: 0, y: bottom, width: size.width, height: streetRows)
    streetBaseline = size.height - lines.descent
    linePitch = lines.pitch
    isUpright = true
  }
}

/// The rows of an upright panel, before the arrow takes its own.
private struct UprightRoom {
  let isTall, isWide: Bool
  /// Rows of the line above the distance, and of the bar of a turn that is near.
  let captionRows, barRows: Int
  /// Rows of arrow and street.
  let rest: Int
  let font: Font
  let fit: StreetFit

  /// The room with a line above the distance, if there is something to say in it, or without.
  init(_ size: Size, for turn: ShownTurn, hasCaption: Bool) {
    isTall = size.height >= 100
    isWide = size.width >= 56
    // On the narrowest an age takes two lines, and there is no room for words.
    let isSpare = isTall && (isWide || turn.age != nil || !turn.hasCaption)
    captionRows = hasCaption && turn.hasLineAbove && isSpare ? (isWide ? 17 : 28) : 0
    barRows = turn.nearness != nil && isTall ? 8 : 0
    rest = size.height - (isWide ? 40 : isTall ? 30 : 15) - captionRows - barRows
    let leastArrow = isWide ? (captionRows > 0 ? 32 : 40) : 27
    font = isWide ? .bold14 : .bold12
    fit = StreetFit(upright: turn.street, font, width: size.width, rows: rest - leastArrow)
  }
}

/// The rows of a name on a panel that stands upright.
private struct UprightLines {
  var height: Int
  var descent = 3
  var pitch: Int

  init(_ fit: StreetFit, for turn: ShownTurn, _ font: Font) {
    let extent = font.extent(of: turn.street)
    switch fit.way {
    case .several(let count, let font):
      pitch = font.pitch(of: turn.street)
      descent = max(2, font.extent(of: turn.street).below)
      height = count * pitch + max(0, font.extent(of: turn.street).above - font.capHeight)
    case .one, .two, .scrolled:
      pitch = 0
      height = max(font.capHeight + 4, extent.above + extent.below)
    }
  }
}
