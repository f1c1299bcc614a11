import BoardFile
import Bytes
import Expecting
import TestSupport

/// What a command line asks for, or what is wrong with it.
private func parse(_ line: [String]) -> (asked: String, complaint: String?) {
  var arguments = Arguments()
  var last: [UInt8] = []
  do throws(UsageError) {
    for (index, argument) in line.enumerated() {
      last = Array(argument.utf8)
      try arguments.read(last.span, position: index + 1)
    }
    try arguments.finish()
  } catch {
    var text = FixedBuffer<1024>()
    error.write(about: last.span, to: &text)
    return ("", string(text.bytes))
  }
  var asked = "\(arguments.task)"
  if let file = arguments.boardFile { asked += " \(string(file.bytes))" }
  for position in -1...70 where arguments.isOverride(position) { asked += " \(position)" }
  return (asked, nil)
}

struct ArgumentsTests {
  @Test(
    arguments: [
      ([], "run"), (["--board", "a.conf"], "run a.conf"), (["--board=a=b"], "run a=b"),
      (["--board", "--check"], "run --check"), (["--check"], "check"), (["--version"], "version"),
      (["--help", "--check"], "help"), (["--check", "--help"], "help"),
      (["units=metric", "--check", "alert="], "check 1 3"), (["=5"], "run 1"),
      (["--board", "units=metric", "units=imperial"], "run units=metric 3"),
      (
        [String](repeating: "a=b", count: 64),
        "run " + (1...64).map { "\($0)" }.joined(separator: " ")
      ),
    ] as [([String], String)])
  func goodArgumentsSayWhatToDo(_ line: [String], _ asked: String) {
    let parsed = parse(line)
    expect(parsed.complaint, nil)
    expect(parsed.asked, asked)
  }

  @Test(
    arguments: [
      (["--checks"], #"unknown option "--checks""#), (["-h"], #"unknown option "-h""#),
      ([""], #"unknown option """#), (["--x\u{1B}"], #"unknown option "--x?""#),
      (["ride"], #"neither an option nor KEY=VALUE: "ride""#),
      (["--board"], "the path of a board file must follow --board"),
      (["--board="], #"a path of 1 to 255 bytes must follow --board, not """#),
      (["--board", "a", "--board", "b"], #"a second board file: "b""#),
      (["--board=a", "--board=b"], #"a second board file: "b""#),
      ([String](repeating: "a=b", count: 65), #"more than 64 arguments, from here on: "a=b""#),
    ] as [([String], String)])
  func badArgumentsAreNamed(_ line: [String], _ complaint: String) {
    expect(parse(line).complaint, complaint)
  }

  @Test func theUsageNamesEveryOption() {
    for option in ["--board FILE", "--check", "--version", "--help", "KEY=VALUE"] {
      #expect(Arguments.usage.contains(option))
    }
  }

  @Test func theHelpNamesEachKeyWithItsValuesAndItsDefault() throws {
    let lines = help().split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("keys, ") })
    let keys = lines[(start + 1)...].map { $0.prefix { $0 != "[" }.split(separator: " ")[0] }
    expect(
      keys,
      [
        "hci", "display", "panel", "panel-reset", "updates", "rotation", "column-offset",
        "contrast", "buttons", "button-a", "button-b", "alert", "store", "pairing", "units",
        "name", "language", "sensors", "wheel", "extra", "notifications", "music", "advertise",
        "battery",
        "alert-sides", "keep-awake",
        "home", "report", "topics", "events", "i2c-trace", "btsnoop",
      ])
    #expect(lines.contains("  rotation      0, 90, 180, 270 [0]"))
    #expect(lines.contains("  wheel         500 to 4000, auto [2105]"))
    #expect(lines.contains("  home          none, UUID[/MAJOR[/MINOR]][@RSSI] [none]"))
    #expect(lines.contains("  pairing       required, preferred, off [preferred]"))
    #expect(lines.contains("  button-b      a GPIO line offset from 0 to 65535, none [none]"))
  }

  @Test func theDefaultsInTheHelpAreThoseOfTheBoard() throws {
    for line in help().split(separator: "\n").drop(while: { !$0.hasPrefix("keys, ") }).dropFirst() {
      let key = line.split(separator: " ")[0]
      let standard = try #require(line.split(separator: "[").last).dropLast()
      // One default is decided by another key, and cannot be said.
      let (board, complaint) = read(standard == "by panel" ? "" : "\(key) = \(standard)")
      expect(complaint, nil)
      expect(settings(board), settings(Board()), "\(key)")
    }
  }

  @Test func theKeysAreCounted() {
    #expect(Key(rawValue: Key.count - 1) != nil)
    expect(Key(rawValue: Key.count), nil)
  }

  private func help() -> String {
    var help = FixedBuffer<4096>()
    Arguments.writeHelp(to: &help)
    return string(help.bytes)
  }
}
