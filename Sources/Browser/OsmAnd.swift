/// What OsmAnd says of a ride, as Gadgetbridge writes it to a Bangle.js: a line at each fix of its position.
///
/// It has the sentence that was spoken last, which is of the turn before until the next one is spoken. It knows no
/// finish and no exits of a roundabout.
struct OsmAnd {
  /// The sentence that was spoken last, as Gadgetbridge escapes it.
  private var spoken: [UInt8] = []
  private var turn: (direction: UInt8, street: [UInt8])?

  /// The line of a position that is at this step, without what frames it.
  mutating func line(_ step: RideStep) -> [UInt8] {
    let (action, sentence) = Self.words(step.direction)
    var line = Array("GB({\"t\":\"nav\",\"instr\":\"".utf8) + spoken
    line += Array("\",\"distance\":\"".utf8) + Array(String(step.distance).utf8)
    line += Array("m\"".utf8)
    if !action.isEmpty { line += Array(",\"action\":\"".utf8) + Array(action.utf8) + [0x22] }
    if turn?.direction != step.direction || turn?.street != step.street {
      turn = (step.direction, step.street)
      spoken = Array(sentence.utf8)
      if !Self.isWhole(step.direction) { spoken += Self.escaped(step.street) }
    }
    return line + Array("})".utf8)
  }

  /// The action of one of komoot's directions, and what is spoken before the name of the street.
  private static func words(_ direction: UInt8) -> (action: String, sentence: String) {
    switch direction {
    case 1, 2: ("continue", "Continue on ")
    case 3: ("continue", "You are arriving at your destination")
    case 4: ("left_slight", "Turn slightly left onto ")
    case 5: ("left", "Turn left onto ")
    case 6: ("left_sharp", "Turn sharp left onto ")
    case 7: ("right_sharp", "Turn sharp right onto ")
    case 8: ("right", "Turn right onto ")
    case 9: ("right_slight", "Turn slightly right onto ")
    case 10: ("keep_right", "Keep right on ")
    case 11: ("keep_left", "Keep left on ")
    case 12: ("uturn_left", "Make a U-turn")
    // By the side that is driven on alone.
    case 15, 23...28: ("roundabout_left", "Enter the roundabout, and leave it for ")
    case 14, 16...22, 29: ("roundabout_right", "Enter the roundabout, and leave it for ")
    case 30: ("offroute", "You have been off the route")
    default: ("", "Go to ")
    }
  }

  /// Whether no street follows the sentence.
  private static func isWhole(_ direction: UInt8) -> Bool {
    direction == 3 || direction == 12 || direction == 30
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
