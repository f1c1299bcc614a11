import BoardFile
import Testing

/// The defaults of Boards/reference.md, which a file that says nothing has.
private let defaults = [
  "device 0", "i2c /dev/i2c-1 60", "ssd1306x128x64", "noTurn", "207", "none", "none", "none",
  "none",
  "/var/lib/lenker/bond", "preferred", "metric", "Lenker", "none", "none", "none", "none",
  "changes", "by panel", "english", "none", "learned", "2105", "none", "none",
  "navigation sensors radio device",
]

private let garage = "e20a39f4-73f5-4bc4-a12f-17d1ad07a961"
private let garageWords = "e20a39f473f54bc4 a12f17d1ad07a961"

/// One line of a board file, and what becomes of which setting.
struct Setting: Sendable, CustomTestStringConvertible {
  var line: String
  var index: Int
  var value: String
  var testDescription: String { line }
  init(_ line: String, _ index: Int, _ value: String) {
    (self.line, self.index, self.value) = (line, index, value)
  }
}

@Suite struct BoardFileTests {
  @Test(arguments: ["", "\n\n", "# nothing\n  # at all\n", "\u{FEFF}", " \t \r\n", "\u{FEFF}# x"])
  func aFileThatSaysNothingHasTheDefaults(_ file: String) {
    let (board, complaint) = read(file)
    #expect(complaint == nil)
    #expect(settings(board) == defaults)
  }

  @Test(arguments: [
    Setting("hci = hci0", 0, "device 0"),
    Setting("hci = hci13", 0, "device 13"),
    Setting("hci = tcp:127.0.0.1:6402", 0, "tcp 127.0.0.1 6402"),
    Setting("hci = tcp:localhost:1", 0, "tcp localhost 1"),
    Setting("hci = tcp:[::1]:65535", 0, "tcp ::1 65535"),
    Setting("hci = tcp:[fe80::1:2:192.0.2.1]:9", 0, "tcp fe80::1:2:192.0.2.1 9"),
    Setting("hci = tcp:[1:2:3:4:5:6:7:8]:9", 0, "tcp 1:2:3:4:5:6:7:8 9"),
    Setting("hci = unix:/run/my radio", 0, "unix /run/my radio"),
    Setting("hci = serial:/dev/ttyAMA0@3000000", 0, "serial /dev/ttyAMA0 3000000"),
    Setting("hci = serial:/dev/a@b@9600", 0, "serial /dev/a@b 9600"),
    Setting("display = i2c:/dev/i2c-1@0x3C", 1, "i2c /dev/i2c-1 60"),
    Setting("display = i2c:/dev/i2c-7@0x03", 1, "i2c /dev/i2c-7 3"),
    Setting("display = i2c:/dev/i2c-7@0x77", 1, "i2c /dev/i2c-7 119"),
    Setting("display = i2c:/dev/i2c-7@0x7", 1, "i2c /dev/i2c-7 7"),
    Setting("display = pbm:out/frames", 1, "pbm out/frames"),
    Setting("panel = ssd1306-128x64", 2, "ssd1306x128x64"),
    Setting("panel = ssd1306-128x32", 2, "ssd1306x128x32"),
    Setting("panel = ssd1306-64x48", 2, "ssd1306x64x48"),
    Setting("panel = ssd1306-72x40", 2, "ssd1306x72x40"),
    Setting("panel = sh1106-128x64", 2, "sh1106x128x64"),
    Setting("panel = ssd1309-128x64", 2, "ssd1309x128x64"),
    Setting("panel-reset = 25", 20, "25"),
    Setting("panel-reset = none", 20, "none"),
    Setting("rotation = 0", 3, "noTurn"),
    Setting("rotation = 90", 3, "quarterTurn"),
    Setting("rotation = 270", 3, "threeQuarterTurn"),
    Setting("rotation = 180", 3, "halfTurn"),
    Setting("contrast = 1", 4, "1"),
    Setting("contrast = 255", 4, "255"),
    Setting("buttons = gpio:/dev/gpiochip0", 5, "gpio /dev/gpiochip0"),
    Setting("buttons = stdin", 5, "stdin"),
    Setting("buttons = fifo:/tmp/f", 5, "fifo /tmp/f"),
    Setting("buttons = none", 5, "none"),
    Setting("button-page = 0", 6, "0"),
    Setting("button-page = none", 6, "none"),
    Setting("button-unpair = 65535", 7, "65535"),
    Setting("alert = 22", 8, "22"),
    Setting("alert = none", 8, "none"),
    Setting("store = bond", 9, "bond"),
    Setting("pairing = required", 10, "required"),
    Setting("pairing = preferred", 10, "preferred"),
    Setting("pairing = off", 10, "off"),
    Setting("units = metric", 11, "metric"),
    Setting("units = imperial", 11, "imperial"),
    Setting("name = Fahrrad Grün", 12, "Fahrrad Grün"),
    Setting("name = 12345678901234567890", 12, "12345678901234567890"),
    Setting("name = \u{FFFD}", 12, "\u{FFFD}"),
    Setting("report = none", 13, "none"),
    Setting("report = file:/tmp/r", 13, "file /tmp/r"),
    Setting("events = none", 14, "none"),
    Setting("events = stderr", 14, "stderr"),
    Setting("events = file:/tmp/e", 14, "file /tmp/e"),
    Setting("events = unix:/run/my events", 14, "unix /run/my events"),
    Setting("i2c-trace = none", 15, "none"),
    Setting("i2c-trace = file:/tmp/i", 15, "file /tmp/i"),
    Setting("btsnoop = none", 16, "none"),
    Setting("btsnoop = file:/tmp/b", 16, "file /tmp/b"),
    Setting("updates = changes", 17, "changes"),
    Setting("updates = pages", 17, "pages"),
    Setting("updates = whole", 17, "whole"),
    Setting("column-offset = 0", 18, "0"),
    Setting("column-offset = 8", 18, "8"),
    Setting("language = en", 19, "english"),
    Setting("language = de", 19, "german"),
    Setting("language = fr", 19, "french"),
    Setting("language = es", 19, "spanish"),
    Setting("language = it", 19, "italian"),
    Setting("language = nl", 19, "dutch"),
    Setting("sensors = learned", 21, "learned"),
    Setting("sensors = off", 21, "off"),
    Setting("wheel = 500", 22, "500"),
    Setting("wheel = 4000", 22, "4000"),
    Setting("wheel = auto", 22, "auto"),
    Setting("extra = none", 23, "none"),
    Setting("extra = speed", 23, "speed"),
    Setting("extra = heart", 23, "heart"),
    Setting("extra = cadence", 23, "cadence"),
    Setting("extra = power", 23, "power"),
    Setting("extra = seconds", 23, "seconds"),
    Setting("extra = clock", 23, "clock"),
    Setting("home = none", 24, "none"),
    Setting("home = \(garage)", 24, "\(garageWords) any any -75 dBm"),
    Setting("home = \(garage.uppercased())/7", 24, "\(garageWords) 7 any -75 dBm"),
    Setting("home = \(garage)/7/515", 24, "\(garageWords) 7 515 -75 dBm"),
    Setting("home = \(garage)/0/65535@-100", 24, "\(garageWords) 0 65535 -100 dBm"),
    Setting("home = \(garage)/65535@-99", 24, "\(garageWords) 65535 any -99 dBm"),
    Setting("home = \(garage)@-30", 24, "\(garageWords) any any -30 dBm"),
    Setting(
      "home = 00000000-0000-0000-0000-000000000001/0/0", 24, "0 1 0 0 -75 dBm"),
    Setting("topics = all", 25, "navigation sensors radio device"),
    Setting("topics = navigation", 25, "navigation"),
    Setting("topics = sensors", 25, "sensors"),
    Setting("topics = radio", 25, "radio"),
    Setting("topics = device", 25, "device"),
    Setting("topics = device,navigation", 25, "navigation device"),
    Setting("topics = radio, sensors ,device", 25, "sensors radio device"),
    Setting("topics = radio,radio", 25, "radio"),
    Setting("topics = device,radio,sensors,navigation", 25, "navigation sensors radio device"),
  ])
  func eachKeyTakesEachOfItsValues(_ setting: Setting) throws {
    var expected = defaults
    expected[setting.index] = setting.value
    let fromFile = read(setting.line)
    #expect(fromFile.complaint == nil)
    #expect(settings(fromFile.board) == expected)
    let override = setting.line.replacing(" = ", with: "=")
    let fromArgument = read("", [override])
    #expect(fromArgument.complaint == nil)
    #expect(settings(fromArgument.board) == expected)
    // What a report tells of it is the same setting again.
    let told = written(try #require(fromFile.board))
    // Where the panel's kind decides the offset, it is no setting.
    #expect(told.count == (setting.line.hasPrefix("column-offset") ? Key.count : Key.count - 1))
    #expect(settings(read(told.joined(separator: "\n")).board) == expected)
  }

  @Test(arguments: [
    ("contrast=5", "5"), ("  contrast\t=  5  ", "5"), ("contrast = 5\r\n", "5"),
    ("contrast = 5 # dim", "5"), ("contrast = 5\t# dim", "5"), ("\u{FEFF}contrast = 5", "5"),
    ("#contrast = 9\ncontrast = 5", "5"),
  ])
  func blanksCommentsAndForeignLineEndsDoNotMatter(_ file: String, _ value: String) {
    let (board, complaint) = read(file)
    #expect(complaint == nil)
    #expect(settings(board)[4] == value)
  }

  @Test func aHashInsideAValueBelongsToIt() {
    #expect(settings(read("store = /tmp/a#b # c").board)[9] == "/tmp/a#b")
    #expect(settings(read("", ["store=/tmp/a #b"]).board)[9] == "/tmp/a #b")
  }

  @Test func aPathMayHave255Bytes() {
    let path = String(repeating: "p", count: 255)
    let (board, complaint) = read("store = \(path)")
    #expect(complaint == nil)
    #expect(settings(board)[9] == path)
  }

  @Test(arguments: [
    ("", false), ("buttons=none", false), ("buttons=stdin", true), ("buttons=fifo:/run/b", true),
    ("buttons=gpio:/dev/gpiochip0", false), ("button-page=17", false),
    ("buttons=gpio:/dev/gpiochip0\nbutton-page=17", true),
    ("buttons=gpio:/dev/gpiochip0\nbutton-unpair=27", true),
  ])
  func thereIsSomethingToPressWhereALineIsNamed(_ file: String, _ hasButtons: Bool) {
    #expect(read(file).board?.hasButtons == hasButtons)
  }

  @Test func anOverrideReplacesWhatTheFileSays() {
    let (board, complaint) = read("units = imperial\ncontrast = 5", ["units=metric", "alert=4"])
    #expect(complaint == nil)
    #expect(settings(board)[11] == "metric")
    #expect(settings(board)[4] == "5")
    #expect(settings(board)[8] == "4")
  }
}
