import Bytes
import Expecting
import Messages
import TestSupport

/// What the panel says of a wrong file, in any language: its name, or the line and the word that is wrong there.
struct SettingsMistakeTests {
  /// Without a line neither is.
  @Test(arguments: [
    (#"board.conf:12: unknown key "panl" (did you mean "panel"?)"#, "12", "panl"),
    (#"board.conf:3: "32x" is not a valid value for contrast"#, "3", "32x"),
    ("board.conf:120: contrast is set twice, first in line 9", "120", "contrast"),
    (#"board.conf:4: no "=" in "rotation 90""#, "4", "rotation 90"),
    ("board.conf:5: name has a value that is longer than 100 bytes", "5", "name"),
    ("board.conf:6: button-b names GPIO line 17, as button-a does", "6", "button-b"),
    ("board.conf:7: ", "7", ""), (#"board.conf:8: ""#, "8", #"""#),
    ("board.conf is missing", "", ""), ("board.conf:0: cannot be read: permission denied", "", ""),
    ("", "", ""), (":", "", ""), ("board.conf:12", "", ""), ("board.conf: 12", "", ""),
  ])
  func theLineAndTheWordAreNamed(_ message: String, line: String, word: String) {
    let bytes = Array(message.utf8)
    let mistake = SettingsMistake(bytes.span)
    expect([string(mistake.line), string(mistake.word)], [line, word])
  }

  @Test(arguments: [
    ("board.conf is missing", "board.conf"), ("board.conf:0: cannot be read", "board.conf"),
    ("board.conf:12: no", "board.conf"), ("lenker-update.bin was not started", "lenker-update.bin"),
    ("", ""), (" ", ""),
  ])
  func theFileIsNamed(_ message: String, file: String) {
    let bytes = Array(message.utf8)
    expect(string(SettingsMistake(bytes.span).file), file)
  }

  @Test func noPrefixOfAMessageIsTooShort() {
    let message = Array(#"board.conf:12: no "=" in "a" but "b""#.utf8)
    for count in 0...message.count { _ = SettingsMistake(message.span.extracting(first: count)) }
  }
}
