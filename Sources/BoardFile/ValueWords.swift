import Bytes
import Link
import Navigation
import Panel
import Screens
import Words

/// The words that are the only values of a key, each with what it means.
enum ValueWords {
  static var updates: InlineArray<3, (String, Updates)> {
    [("changes", .changes), ("pages", .pages), ("whole", .whole)]
  }

  static var rotation: InlineArray<4, (String, Rotation)> {
    [
      ("0", .noTurn), ("90", .quarterTurn), ("180", .halfTurn), ("270", .threeQuarterTurn),
    ]
  }

  static var pairing: InlineArray<3, (String, PairingPolicy)> {
    [("required", .required), ("preferred", .preferred), ("off", .off)]
  }

  static var units: InlineArray<2, (String, Units)> {
    [("metric", .metric), ("imperial", .imperial)]
  }

  /// As ISO 639 has them.
  static var language: InlineArray<6, (String, Language)> {
    [
      ("en", .english), ("de", .german), ("fr", .french), ("es", .spanish), ("it", .italian),
      ("nl", .dutch),
    ]
  }

  static var sensors: InlineArray<2, (String, SensorPolicy)> {
    [("learned", .learned), ("off", .off)]
  }

  static var extra: InlineArray<7, (String, ExtraFigure)> {
    [
      ("none", .none), ("speed", .speed), ("heart", .heart), ("cadence", .cadence),
      ("power", .power), ("seconds", .seconds), ("clock", .clock),
    ]
  }

  static var notifications: InlineArray<3, (String, NotificationPolicy)> {
    [("off", .off), ("calls", .calls), ("all", .all)]
  }

  static var music: InlineArray<2, (String, Bool)> { [("off", false), ("on", true)] }
  static var advertise: InlineArray<2, (String, Bool)> { [("off", false), ("on", true)] }
  static var alertSides: InlineArray<2, (String, Bool)> { [("off", false), ("on", true)] }
}

/// What the word means, or `nil` if it is none of these.
func meaning<let count: Int, Meaning>(
  of word: Span<UInt8>, in words: InlineArray<count, (String, Meaning)>
) -> Meaning? {
  for index in words.indices where isText(word, words[index].0) { return words[index].1 }
  return nil
}

extension ByteWriter where Self: ~Copyable {
  mutating func append<let count: Int, Meaning>(_ words: InlineArray<count, (String, Meaning)>) {
    for index in words.indices {
      if index > 0 { append(", ") }
      append(words[index].0)
    }
  }

  mutating func appendPanelNames() {
    for number in 0..<PanelKind.count {
      guard let kind = PanelKind(rawValue: UInt8(truncatingIfNeeded: number)) else { continue }
      if number > 0 { append(", ") }
      append(kind.name)
    }
  }
}
