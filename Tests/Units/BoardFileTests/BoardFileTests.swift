import BoardFile
import Expecting
import TestSupport

private let garage = "e20a39f4-73f5-4bc4-a12f-17d1ad07a961"
private let garageWords = "e20a39f473f54bc4 a12f17d1ad07a961"

/// One line of a board file, and what becomes of the setting that it names.
struct Setting: Sendable, CustomTestStringConvertible {
  var line: String
  var value: String
  var key: String { String(line.prefix { $0 != " " }) }
  var testDescription: String { line }
  init(_ line: String, _ value: String) { (self.line, self.value) = (line, value) }
}

/// As long as a value may be.
private let longList = String(repeating: "a,", count: 127) + "b"

@Suite struct BoardFileTests {
  @Test(arguments: ["", "\n\n", "# nothing\n  # at all\n", "\u{FEFF}", " \t \r\n", "\u{FEFF}# x"])
  func aFileThatSaysNothingHasTheDefaultsOfTheReference(_ file: String) throws {
    let (board, complaint) = read(file)
    expect(complaint, nil)
    var defaults = try Reference.rows(below: "Board file").mapValues { $0[2] }
    // Where the panel's kind decides the offset, it is no setting.
    expect(defaults.removeValue(forKey: "column-offset"), "by panel")
    expect(written(try #require(board)), defaults)
  }

  @Test func everyKeyHasASettingHere() {
    expect(Set(settings(Board()).keys), Set(keys.map { "\($0.name)" }))
  }

  @Test(arguments: [
    Setting("hci = hci0", "device 0"),
    Setting("hci = hci13", "device 13"),
    Setting("hci = tcp:127.0.0.1:6402", "tcp 127.0.0.1 6402"),
    Setting("hci = tcp:localhost:1", "tcp localhost 1"),
    Setting("hci = tcp:[::1]:65535", "tcp ::1 65535"),
    Setting("hci = tcp:[fe80::1:2:192.0.2.1]:9", "tcp fe80::1:2:192.0.2.1 9"),
    Setting("hci = tcp:[1:2:3:4:5:6:7:8]:9", "tcp 1:2:3:4:5:6:7:8 9"),
    Setting("hci = unix:/run/my radio", "unix /run/my radio"),
    Setting("hci = serial:/dev/ttyAMA0@3000000", "serial /dev/ttyAMA0 3000000"),
    Setting("hci = serial:/dev/a@b@9600", "serial /dev/a@b 9600"),
    Setting("display = i2c:/dev/i2c-1@0x3C", "i2c /dev/i2c-1 60"),
    Setting("display = i2c:/dev/i2c-7@0x03", "i2c /dev/i2c-7 3"),
    Setting("display = i2c:/dev/i2c-7@0x77", "i2c /dev/i2c-7 119"),
    Setting("display = i2c:/dev/i2c-7@0x7", "i2c /dev/i2c-7 7"),
    Setting("display = pbm:out/frames", "pbm out/frames"),
    Setting("panel = ssd1306-128x64", "ssd1306x128x64"),
    Setting("panel = ssd1306-128x32", "ssd1306x128x32"),
    Setting("panel = ssd1306-64x48", "ssd1306x64x48"),
    Setting("panel = ssd1306-72x40", "ssd1306x72x40"),
    Setting("panel = sh1106-128x64", "sh1106x128x64"),
    Setting("panel = ssd1309-128x64", "ssd1309x128x64"),
    Setting("panel = sh1107-128x128", "sh1107x128x128"),
    Setting("panel-reset = 25", "25"),
    Setting("panel-reset = none", "none"),
    Setting("rotation = 0", "noTurn"),
    Setting("rotation = 90", "quarterTurn"),
    Setting("rotation = 270", "threeQuarterTurn"),
    Setting("rotation = 180", "halfTurn"),
    Setting("contrast = 1", "1"),
    Setting("contrast = 255", "255"),
    Setting("buttons = gpio:/dev/gpiochip0", "gpio /dev/gpiochip0"),
    Setting("buttons = stdin", "stdin"),
    Setting("buttons = fifo:/tmp/f", "fifo /tmp/f"),
    Setting("buttons = none", "none"),
    Setting("button-a = 0", "0"),
    Setting("button-a = none", "none"),
    Setting("button-b = 65535", "65535"),
    Setting("alert = 22", "22"),
    Setting("alert = none", "none"),
    Setting("store = bond", "bond"),
    Setting("pairing = required", "required"),
    Setting("pairing = preferred", "preferred"),
    Setting("pairing = off", "off"),
    Setting("units = metric", "metric"),
    Setting("units = imperial", "imperial"),
    Setting("name = Fahrrad Grün", "Fahrrad Grün"),
    Setting("name = 12345678901234567890", "12345678901234567890"),
    Setting("name = \u{FFFD}", "\u{FFFD}"),
    Setting("report = none", "none"),
    Setting("report = file:/tmp/r", "file /tmp/r"),
    Setting("events = none", "none"),
    Setting("events = stderr", "stderr"),
    Setting("events = file:/tmp/e", "file /tmp/e"),
    Setting("events = unix:/run/my events", "unix /run/my events"),
    Setting("i2c-trace = none", "none"),
    Setting("i2c-trace = file:/tmp/i", "file /tmp/i"),
    Setting("btsnoop = none", "none"),
    Setting("btsnoop = file:/tmp/b", "file /tmp/b"),
    Setting("updates = changes", "changes"),
    Setting("updates = pages", "pages"),
    Setting("updates = whole", "whole"),
    Setting("column-offset = 0", "0"),
    Setting("column-offset = 8", "8"),
    Setting("language = en", "english"),
    Setting("language = de", "german"),
    Setting("language = fr", "french"),
    Setting("language = es", "spanish"),
    Setting("language = it", "italian"),
    Setting("language = nl", "dutch"),
    Setting("sensors = learned", "learned"),
    Setting("sensors = off", "off"),
    Setting("wheel = 500", "500"),
    Setting("wheel = 4000", "4000"),
    Setting("wheel = auto", "auto"),
    Setting("extra = auto", "auto"),
    Setting("extra = none", "none"),
    Setting("extra = speed", "speed"),
    Setting("extra = heart", "heart"),
    Setting("extra = cadence", "cadence"),
    Setting("extra = power", "power"),
    Setting("extra = seconds", "seconds"),
    Setting("extra = clock", "clock"),
    Setting("notifications = off", "off"),
    Setting("notifications = calls", "calls"),
    Setting("notifications = all", "all"),
    Setting("notifications = WhatsApp", "apps WhatsApp"),
    Setting("notifications = net.whatsapp.WhatsApp", "apps net.whatsapp.WhatsApp"),
    Setting("notifications = a,Büro Post ,b", "apps a,Büro Post ,b"),
    Setting("notifications = " + longList, "apps " + longList),
    Setting("music = off", "off"),
    Setting("music = on", "on"),
    Setting("advertise = off", "off"),
    Setting("advertise = on", "on"),
    Setting("battery = none", "none"),
    Setting("battery = max17048", "max17048"),
    Setting("battery = ina219@0x40", "ina219 at 64"),
    Setting("battery = ina219@0x4F", "ina219 at 79"),
    Setting("battery = pisugar3", "pisugar3"),
    Setting("home = none", "none"),
    Setting("home = \(garage)", "\(garageWords) any any -75 dBm"),
    Setting("home = \(garage.uppercased())/7", "\(garageWords) 7 any -75 dBm"),
    Setting("home = \(garage)/7/515", "\(garageWords) 7 515 -75 dBm"),
    Setting("home = \(garage)/0/65535@-100", "\(garageWords) 0 65535 -100 dBm"),
    Setting("home = \(garage)/65535@-99", "\(garageWords) 65535 any -99 dBm"),
    Setting("home = \(garage)@-30", "\(garageWords) any any -30 dBm"),
    Setting(
      "home = 00000000-0000-0000-0000-000000000001/0/0", "0 1 0 0 -75 dBm"),
    Setting("topics = all", "navigation sensors radio device"),
    Setting("topics = navigation", "navigation"),
    Setting("topics = sensors", "sensors"),
    Setting("topics = radio", "radio"),
    Setting("topics = device", "device"),
    Setting("topics = device,navigation", "navigation device"),
    Setting("topics = radio, sensors ,device", "sensors radio device"),
    Setting("topics = radio,radio", "radio"),
    Setting("topics = device,radio,sensors,navigation", "navigation sensors radio device"),
  ])
  func eachKeyTakesEachOfItsValues(_ setting: Setting) throws {
    var expected = settings(read("").board)
    #expect(expected.updateValue(setting.value, forKey: setting.key) != nil)
    let fromFile = read(setting.line)
    expect(fromFile.complaint, nil)
    expect(settings(fromFile.board), expected)
    let override = setting.line.replacing(" = ", with: "=")
    let fromArgument = read("", [override])
    expect(fromArgument.complaint, nil)
    expect(settings(fromArgument.board), expected)
    // What a report tells of it is the same setting again.
    let told = written(try #require(fromFile.board))
    // Where the panel's kind decides the offset, it is no setting.
    expect(told.count, (setting.line.hasPrefix("column-offset") ? Key.count : Key.count - 1))
    let again = told.map { "\($0.key) = \($0.value)" }.joined(separator: "\n")
    expect(settings(read(again).board), expected)
  }

  /// Behind the address is the bit for a write.
  @Test(arguments: [("0x78", "0x3c"), ("0x7A", "0x3d")])
  func centralBehaviour158_theNumberThatIsPrintedOnAPanelIsItsAddress(
    _ printed: String, _ address: String
  ) {
    let (board, complaint) = read("display = i2c:/dev/i2c-1@\(printed)")
    expect(complaint, nil)
    expect(settings(board), settings(read("display = i2c:/dev/i2c-1@\(address)").board))
  }

  @Test(arguments: [
    ("contrast=5", "5"), ("  contrast\t=  5  ", "5"), ("contrast = 5\r\n", "5"),
    ("contrast = 5 # dim", "5"), ("contrast = 5\t# dim", "5"), ("\u{FEFF}contrast = 5", "5"),
    ("#contrast = 9\ncontrast = 5", "5"),
  ])
  func blanksCommentsAndForeignLineEndsDoNotMatter(_ file: String, _ value: String) {
    let (board, complaint) = read(file)
    expect(complaint, nil)
    expect(settings(board)["contrast"], value)
  }

  @Test func aHashInsideAValueBelongsToIt() {
    expect(settings(read("store = /tmp/a#b # c").board)["store"], "/tmp/a#b")
    expect(settings(read("", ["store=/tmp/a #b"]).board)["store"], "/tmp/a #b")
  }

  @Test func aPathMayHave255Bytes() {
    let path = String(repeating: "p", count: 255)
    let (board, complaint) = read("store = \(path)")
    expect(complaint, nil)
    expect(settings(board)["store"], path)
  }

  @Test(arguments: [
    ("", false), ("buttons=none", false), ("buttons=stdin", true), ("buttons=fifo:/run/b", true),
    ("buttons=gpio:/dev/gpiochip0", false), ("button-a=17", false),
    ("buttons=gpio:/dev/gpiochip0\nbutton-a=17", true),
    ("buttons=gpio:/dev/gpiochip0\nbutton-b=27", true),
  ])
  func thereIsSomethingToPressWhereALineIsNamed(_ file: String, _ hasButtons: Bool) {
    expect(read(file).board?.hasButtons, hasButtons)
  }

  @Test func anOverrideReplacesWhatTheFileSays() {
    let (board, complaint) = read("units = imperial\ncontrast = 5", ["units=metric", "alert=4"])
    expect(complaint, nil)
    expect(settings(board)["units"], "metric")
    expect(settings(board)["contrast"], "5")
    expect(settings(board)["alert"], "4")
  }

  /// What shows of an app is decided by its whole name; in ASCII, capitals do not matter.
  @Test(arguments: [
    ("WhatsApp", "WhatsApp", true), ("WhatsApp", "whatsapp", true), ("whatsapp", "WHATSAPP", true),
    ("a, WhatsApp\t,b", "WhatsApp", true), ("a,b,c", "c", true), ("a,b,c", "d", false),
    ("a,b,c", "a,b", false), ("a,b,c", "", false), ("WhatsApp", "WhatsApp2", false),
    ("WhatsApp", "WhatsAp", false), ("WhatsApp", " WhatsApp", false), ("É", "é", false),
    ("a[", "A{", false), ("@", "`", false), ("all my apps", "all my apps", true),
  ])
  func aListShowsTheAppsInIt(_ list: String, _ app: String, _ isShown: Bool) throws {
    let board = try #require(read("notifications = " + list).board)
    expect(board.notifications.shows(Array(app.utf8).span), isShown)
  }

  @Test(arguments: [("off", false), ("calls", false), ("all", true)])
  func aWordShowsNoAppOrAll(_ word: String, _ isShown: Bool) throws {
    let board = try #require(read("notifications = " + word).board)
    for app in ["", "calls", "net.whatsapp.WhatsApp"] {
      expect(board.notifications.shows(Array(app.utf8).span), isShown)
    }
  }
}
