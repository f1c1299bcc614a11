import Bytes
import Graphics
import Messages

/// How the name of a street is fitted in.
struct StreetFit {
  enum Way {
    /// In one line of a font.
    case one(Font)
    /// In two lines of the small font.
    case two(StreetBreak)
    /// In several lines of a font, on an upright panel.
    case several(Int, Font)
    /// Not at once: it scrolls.
    case scrolled
  }

  let way: Way
  /// Whether `str.` stands for `straße`, as the name fits in no other way.
  let isShortened: Bool

  /// Tries one line in the large and in the small font, then two lines, then the same with the
  /// short name.
  ///
  /// A line is `width` columns wide; `mayTakeTwo` says whether there is room for a second one.
  init(_ street: Span<UInt8>, _ font: Font, width: Int, mayTakeTwo: Bool) {
    self.init(street) { street in
      if font.fits(street, in: width) { return .one(font) }
      if Font.bold12.fits(street, in: width) { return .one(.bold12) }
      if mayTakeTwo, let place = StreetBreak(of: street, width: width) { return .two(place) }
      return .scrolled
    }
  }

  /// Tries two lines of the large font on an upright panel, then the small font in `rows`, then the
  /// same with the short name.
  init(upright street: Span<UInt8>, _ font: Font, width: Int, rows: Int) {
    self.init(street) { street in
      if font.inkFits(street, in: width) { return .one(font) }
      if Font.bold12.inkFits(street, in: width) { return .one(.bold12) }
      if font != .bold12, let lines = font.lines(of: street, width: width, most: 2) {
        return .several(lines, font)
      }
      let most = rows / Font.bold12.pitch(of: street)
      let lines = Font.bold12.lines(of: street, width: width, most: most)
      return lines.map { .several($0, .bold12) } ?? .scrolled
    }
  }

  /// Tries lines of the large font on a square panel, then smaller ones, in `rows`, then the same with the short
  /// name.
  init(square street: Span<UInt8>, width: Int, rows: Int) {
    self.init(street) { street in
      Font.largest(from: .bold18) { font -> Way? in
        if font.inkFits(street, in: width) { return .one(font) }
        let most = rows / font.pitch(of: street)
        return font.lines(of: street, width: width, most: most).map { .several($0, font) }
      } ?? .scrolled
    }
  }

  var isScrolled: Bool { !way.isWhole }

  /// Finds the way of a name, or that of the short name if only this shows all of it.
  private init(_ street: Span<UInt8>, by wayOf: (Span<UInt8>) -> Way) {
    let way = wayOf(street)
    let shortWay = way.isWhole ? nil : Self.shortWay(of: street, by: wayOf)
    (self.way, isShortened) = (shortWay ?? way, shortWay != nil)
  }

  /// The way of the short name, if there is one and all of it is shown.
  private static func shortWay(of street: Span<UInt8>, by wayOf: (Span<UInt8>) -> Way) -> Way? {
    let short = ShortenedStreet(street)
    guard short.isShorter else { return nil }
    let way = wayOf(short.name.bytes)
    return way.isWhole ? way : nil
  }

  /// Whether less of the name is seen at once than with another fit.
  func showsLess(than other: StreetFit) -> Bool {
    !way.isWhole && other.way.isWhole || isShortened && !other.isShortened
  }
}

extension Font {
  /// How many lines a name takes if its words may be parted; `nil` if it cannot be done in `most` lines.
  fileprivate func lines(of street: Span<UInt8>, width: Int, most: Int) -> Int? {
    // Letters of a word that runs from right to left may join.
    let mayPart = LineBreak.partsWords(in: width) && !isRightToLeft(street)
    var rest = street
    var count = 0
    while !rest.isEmpty {
      let line = LineBreak(of: rest, self, width: width)
      guard count < most, line.end > 0, !line.isHyphenated || mayPart else { return nil }
      rest = rest.extracting(droppingFirst: line.end).droppingBlanks()
      count += 1
    }
    return count
  }

  /// Rows from one line of a name to the next, so that they may touch but not overlap.
  func pitch(of street: Span<UInt8>) -> Int {
    let extent = extent(of: street)
    return max(capHeight + 3, extent.above + extent.below)
  }
}

extension StreetFit.Way {
  /// Whether all of the name is seen at once.
  fileprivate var isWhole: Bool { if case .scrolled = self { false } else { true } }
}

/// A name with `str.` at the ends of its words instead of `straße`.
struct ShortenedStreet: ~Copyable {
  private(set) var name = FixedBuffer<512>()
  private(set) var isShorter = false

  init(_ street: Span<UInt8>) {
    var index = 0
    while index < street.count {
      let length = street.streetEnding(at: index)
      if length > 0 { name.append("tr.") } else { name.append(street[index]) }
      if length > 0 { isShorter = true }
      index += max(1, length)
    }
  }
}

extension Span<UInt8> {
  /// The length in bytes of `traße` or `trasse`, if it follows an s here and ends a word; else 0.
  fileprivate func streetEnding(at index: Int) -> Int {
    guard index > 0, self[index - 1] | 0x20 == UInt8(ascii: "s") else { return 0 }
    let rest = extracting(droppingFirst: index)
    let length = hasPrefix(rest, "traße") || hasPrefix(rest, "trasse") ? 6 : 0
    return isWordEnd(index + length) ? length : 0
  }
}

/// Where the name of a street is parted into two lines of the small font.
struct StreetBreak {
  /// How many bytes the first line has.
  let end: Int
  /// Whether a hyphen follows them, as a word is parted.
  let isHyphenated: Bool

  private init(_ end: Int, isHyphenated: Bool) {
    (self.end, self.isHyphenated) = (end, isHyphenated)
  }

  /// Parts a name between its words, else before the kind of street that ends a word; `nil` if one
  /// of the lines would be wider than `width` columns in any case.
  init?(of street: Span<UInt8>, width: Int) {
    let end = Font.bold12.line(of: street, fitting: width)
    let atBlank = StreetBreak(end, isHyphenated: false)
    if end > 0, Font.bold12.fits(atBlank.rest(of: street), in: width) {
      self = atBlank
    } else if let joint = Self.lastJoint(of: street, width: width) {
      self = joint
    } else {
      return nil
    }
  }

  @_lifetime(copy street)
  func rest(of street: Span<UInt8>) -> Span<UInt8> {
    street.extracting(droppingFirst: end).droppingBlanks()
  }

  /// The last joint in a word at which both lines fit.
  private static func lastJoint(of street: Span<UInt8>, width: Int) -> StreetBreak? {
    let hyphen = "-".utf8
    let room = width - Font.bold12.width(of: hyphen.span)
    var last: StreetBreak?
    for index in street.indices where street.isWordEnd(index + 1) {
      guard let joint = street.joint(ofWordThatEndsAt: index + 1) else { continue }
      // A later joint makes the first line longer still.
      guard Font.bold12.fits(street.extracting(first: joint), in: room) else { break }
      let place = StreetBreak(joint, isHyphenated: true)
      if Font.bold12.fits(place.rest(of: street), in: width) { last = place }
    }
    return last
  }
}
