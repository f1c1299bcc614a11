import Bytes
import Graphics

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

  /// The second line.
  @_lifetime(copy street)
  func rest(of street: Span<UInt8>) -> Span<UInt8> {
    street.extracting(droppingFirst: end).droppingBlanks()
  }

  /// The last joint in a word of which both lines fit.
  private static func lastJoint(of street: Span<UInt8>, width: Int) -> StreetBreak? {
    let hyphen = "-".utf8
    let room = width - Font.bold12.width(of: hyphen.span)
    var last: StreetBreak?
    for index in street.indices where street.isWordEnd(index + 1) {
      guard let joint = street.joint(ofWordThatEndsAt: index + 1) else { continue }
      let place = StreetBreak(joint, isHyphenated: true)
      if Font.bold12.fits(street.extracting(first: joint), in: room),
        Font.bold12.fits(place.rest(of: street), in: width)
      {
        last = place
      }
    }
    return last
  }
}

/// The kinds of streets that German and Dutch words end in, the longer ones first.
private var kinds: String {
  """
  promenade steenweg chaussee straße strasse straat brücke gracht singel graben allee gasse platz \
  markt steig stieg plein ufer damm ring park laan kade dijk baan weg hof pad 
  """
}

extension Span<UInt8> {
  /// Where the kind of street begins that a word ends in, behind three other letters of it at least.
  func joint(ofWordThatEndsAt end: Int) -> Int? {
    let kinds = kinds.utf8
    let list = kinds.span
    var start = 0
    for index in list.indices where list[index] == 0x20 {
      let kind = list.extracting(start..<index)
      start = index + 1
      let joint = end - kind.count
      guard joint > 0, isEqual(extracting(joint..<end), kind), hasLetters(before: joint) else {
        continue
      }
      return joint
    }
    return nil
  }

  /// Whether three letters of the same word stand there.
  private func hasLetters(before end: Int) -> Bool {
    var letters = 0
    var index = end
    while index > 0, letters < 3, !isWordEnd(index - 1) {
      index -= 1
      // A letter's further bytes are none of their own.
      if self[index] & 0xC0 != 0x80 { letters += 1 }
    }
    return letters == 3
  }
}
