import Graphics
import TestSupport
import Words

extension Golden {
  /// Every screen with words in German, and each in that of the others in which it is the longest.
  static var translated: [Golden] {
    german
      + longest.flatMap { language, code, names in
        english.filter { names.contains($0.name) }.map { $0.translated(to: language, code) }
      }
  }

  /// All others in all other languages, for the large panel alone.
  static var translatedOnceMore: [Golden] {
    longest.flatMap { language, code, names in
      english.filter { !names.contains($0.name) }
        .compactMap { $0.other(in: language, code, on: [.large]) }
    }
  }

  private static var german: [Golden] {
    english.compactMap { $0.other(in: .german, "de", on: Panel.allCases) }
  }

  /// In another language; `nil` where it looks the same.
  private func other(in language: Language, _ code: String, on panels: [Panel]) -> Golden? {
    let translated = translated(to: language, code)
    let isOther = panels.contains {
      portableBitmap(draw(on: $0)) != portableBitmap(translated.draw(on: $0))
    }
    return isOther ? translated : nil
  }

  /// By the columns of what a screen says where there is room.
  private static let longest: [(language: Language, code: String, names: [String])] = [
    (
      .spanish, "es",
      [
        "found-60", "compare-123456", "failed-timeout", "failed-tooManyAttempts", "failed-notSaved",
        "stale-9s-no-link", "stale-75s", "phone-address", "no-code", "forgotten", "sensors",
        "sensors-trouble",
      ]
    ),
    (
      .french, "fr",
      [
        "no-phone", "searching", "failed-refusedByPhone", "failed-refusedHere",
        "failed-wrongAnswer", "failed-linkLost", "waiting", "ready", "off-route", "phone-ride",
        "data", "no-sensor-found", "sensor-heart", "sensor-vehicles",
      ]
    ),
    (
      .italian, "it",
      [
        "connecting", "refused", "departure", "finish-now", "unpairing-500", "report-failed",
        "wrong-settings", "no-store", "no-radio-long", "forgetting-sensors", "sensor-clear",
      ]
    ),
    (
      .dutch, "nl",
      [
        "failed-insecure", "phone-paired", "phone-nameless", "unpaired", "unpair-failed",
        "report-saved", "sensors-four", "sensor-search", "sensor-still-speed",
      ]
    ),
  ]
}
