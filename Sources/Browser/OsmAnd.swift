import VirtualAir

/// What OsmAnd says of a ride, as Gadgetbridge writes it to a Bangle.js: a line at each fix of its position.
///
/// A line has the sentence that was spoken last, which belongs to the turn before until the next one is spoken.
/// It knows neither the finish nor the exits of a roundabout.
struct OsmAnd {
  /// The lines of `OsmAndSentences`, by their columns.
  private static let sentences = Array(OsmAndSentences.lines.utf8).split(separator: 0x0A).map {
    $0.split(separator: 0x7C, omittingEmptySubsequences: false)
  }
  private static let language = Array("en".utf8)

  /// The sentence that was spoken last, as Gadgetbridge escapes it.
  private var spoken: [UInt8] = []

  /// The line of a position that is at this step, without what frames it.
  mutating func line(_ step: RideStep) -> [UInt8] {
    let action = Self.action(step.direction)
    var line = Array("GB({\"t\":\"nav\",\"instr\":\"".utf8) + spoken
    line += Array("\",\"distance\":\"".utf8) + Array(String(step.distance).utf8)
    line += Array("m\"".utf8)
    if !action.isEmpty { line += Array(",\"action\":\"".utf8) + Array(action.utf8) + [0x22] }
    if let sentence = Self.sentence(action, step) { spoken = Self.escaped(sentence) }
    return line + Array("})".utf8)
  }

  /// The sentence that is spoken at this distance; `nil` without one, and for a street without a name.
  private static func sentence(_ action: String, _ step: RideStep) -> [UInt8]? {
    let kind = Array((action.utf8.starts(with: "roundabout".utf8) ? "roundabout" : action).utf8)
    let any = Array("*".utf8)
    let line = sentences.filter {
      $0[0].elementsEqual(language) && ($0[1].elementsEqual(kind) || $0[1].elementsEqual(any))
        && number($0[2]) >= step.distance
    }.min { number($0[2]) < number($1[2]) }
    guard let line else { return nil }
    if line[4].isEmpty { return Array(line[3]) }
    return step.street.isEmpty ? nil : line[3].dropLast(line[4].count) + step.street
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt32 {
    digits.reduce(0) { $0 * 10 + UInt32($1 & 15) }
  }

  /// The action of one of komoot's directions.
  private static func action(_ direction: UInt8) -> String {
    switch direction {
    case 1, 2, 3: "continue"
    case 4: "left_slight"
    case 5: "left"
    case 6: "left_sharp"
    case 7: "right_sharp"
    case 8: "right"
    case 9: "right_slight"
    case 10: "keep_right"
    case 11: "keep_left"
    case 12: "uturn_left"
    // Only the side that is driven on counts.
    case 15, 23...28: "roundabout_left"
    case 14, 16...22, 29: "roundabout_right"
    case 30: "offroute"
    default: ""
    }
  }

  /// UTF-8 as the text of a string of Gadgetbridge's (`BangleJSDeviceSupport`), which is ISO 8859-1 with escapes.
  static func escaped(_ text: [UInt8]) -> [UInt8] {
    var escaped: [UInt8] = []
    for unit in String(decoding: text, as: UTF8.self).utf16 {
      switch unit {
      case 0x22, 0x5C: escaped += [0x5C, UInt8(unit)]
      case 0x20..<0x7F, 0x80..<0xAD, 0xAE..<0xC2, 0xF5...0xFF: escaped.append(UInt8(unit))
      case 0...0xFF: escaped += Array("\\x".utf8) + hexadecimal(unit, digits: 2)
      default: escaped += Array("\\u".utf8) + hexadecimal(unit, digits: 4)
      }
    }
    return escaped
  }

  private static func hexadecimal(_ number: UInt16, digits: Int) -> [UInt8] {
    let letters = Array("0123456789abcdef".utf8)
    return (0..<digits).reversed().map { letters[Int(number >> (4 * $0) & 15)] }
  }
}
