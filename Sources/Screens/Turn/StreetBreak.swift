import Bytes
import Graphics
import Messages

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
      // A later one is further from the start still.
      guard Font.bold12.fits(street.extracting(first: joint), in: room) else { break }
      let place = StreetBreak(joint, isHyphenated: true)
      if Font.bold12.fits(place.rest(of: street), in: width) { last = place }
    }
    return last
  }
}
