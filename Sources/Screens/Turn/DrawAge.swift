import Bytes
import Graphics
import Messages
import Navigation
import Words

/// What a stale turn says above its distance, or instead of its street.
extension Bitmap {
  /// `No link 12 s` in an inverted block, in one line or two, shortened to fit; at its end a mark if the
  /// phone is in doubt.
  mutating func drawAge(
    of turn: ShownTurn, _ age: Age, in area: Rectangle, _ language: Language
  ) {
    let words = language[turn.figures.isLinkLost ? .noLink : .noNews]
    // An age is worth more than the mark.
    let signWidth = Font.bold12.width(of: "\u{E043} 88 min".utf8.span) + 2
    let mark =
      turn.figures.isPhoneInDoubt && signWidth <= area.size.width ? "\u{E043}".utf8 : "".utf8
    let markWidth = Font.bold12.width(of: mark.span)
    // A narrow panel fits the words by half the margin, as letters end in a blank column.
    var place = Rectangle(
      Point(area.origin.x + (isUpright ? 1 : 2), area.origin.y),
      Size(area.size.width - (isUpright ? 1 : 4), area.size.height))
    let areTwoLines = !isUpright && area.size.height >= 2 * Font.bold12.capHeight + 6
    if areTwoLines {
      draw(words.bytes, above: age, in: place, language)
    } else {
      place.size.width -= markWidth
      draw(words.bytes, beside: age, in: place, language)
    }
    let rows = areTwoLines ? Font.bold12.capHeight + 2 : area.size.height
    let markX = area.origin.x + area.size.width - 1 - markWidth
    let markY = area.origin.y + area.size.height - (rows - Font.bold12.capHeight) / 2
    draw(mark.span, font: .bold12, at: Point(markX, markY))
    invert(area)
  }

  /// The words in a line, and below them the age.
  private mutating func draw(
    _ words: Span<UInt8>, above age: Age, in place: Rectangle, _ language: Language
  ) {
    var number = 0
    while !Font.bold12.fits(words.form(number), in: place.size.width + 1),
      !words.form(number + 1).isEmpty, !words.form(number + 1).namesAge
    {
      number += 1
    }
    var text = FixedBuffer<32>()
    age.append(to: &text, in: language)
    let baseline = place.origin.y + Font.bold12.capHeight + 1
    draw(
      words.form(number), font: .bold12, at: Point(place.origin.x, baseline),
      width: place.size.width + 1)
    let pitch = Font.bold12.capHeight + 3
    draw(text.bytes, font: .bold12, at: Point(place.origin.x, baseline + pitch))
  }

  /// The longest form of the words that fits beside the age, or the age alone; an upright panel uses as many
  /// lines as needed.
  private mutating func draw(
    _ words: Span<UInt8>, beside age: Age, in place: Rectangle, _ language: Language
  ) {
    let large: Font = size.isSquare ? .bold18 : place.size.height >= 16 ? .bold14 : .bold12
    var time = FixedBuffer<16>()
    age.append(to: &time, in: language)
    var text = FixedBuffer<32>()
    var (number, isWhole) = (0, false)
    while !isWhole {
      let form = words.form(number)
      text.removeAll()
      text.append(form, naming: time.bytes)
      if !form.namesAge {
        if !form.isEmpty { text.append(" ") }
        text.append(time.bytes)
      }
      // After the last form comes an empty one, and the age stands alone.
      isWhole = Font.bold12.fits(text.bytes, in: place.size.width) || form.isEmpty
      number += 1
    }
    let font = Font.largest(from: large) { $0.fits(text.bytes, in: place.size.width) }
    guard font.fits(text.bytes, in: place.size.width) || !isUpright else {
      return drawLinesInTheMiddle(of: text.bytes, in: place)
    }
    let baseline = place.origin.y + (place.size.height + font.capHeight) / 2
    draw(
      text.bytes, font: font, at: Point(place.origin.x, baseline), width: place.size.width)
  }
}

extension Span<UInt8> {
  fileprivate var namesAge: Bool { firstIndex(of: UInt8(ascii: "%"), in: self) != nil }
}
