import BoardFile
import Expecting
import TestSupport

private let garage = "e20a39f4-73f5-4bc4-a12f-17d1ad07a961"
private let garageWords = "e20a39f473f54bc4 a12f17d1ad07a961"

/// As long as a value may be.
private let longList = String(repeating: "a,", count: 127) + "b"

/// Values that are told as they are written, one behind the other.
private let plain: KeyValuePairs<String, String> = [
  "panel-reset": "25 none", "contrast": "1 255", "buttons": "stdin none", "button-a": "0 none",
  "button-b": "65535", "alert": "22 none", "store": "bond", "pairing": "required preferred off",
  "units": "metric imperial", "name": "12345678901234567890 \u{FFFD}", "report": "none",
  "events": "none stderr", "i2c-trace": "none", "btsnoop": "none", "updates": "changes pages whole",
  "column-offset": "0 8", "sensors": "learned off", "wheel": "500 4000 auto",
  "extra": "auto none speed heart cadence power seconds clock", "notifications": "off calls all",
  "music": "off on", "advertise": "off on", "battery": "none max17048 pisugar3", "home": "none",
  "topics": "navigation sensors radio device",
]

/// Values beside what becomes of the setting.
private let others: KeyValuePairs<String, KeyValuePairs<String, String>> = [
  "hci": [
    "hci0": "device 0", "hci13": "device 13", "tcp:127.0.0.1:6402": "tcp 127.0.0.1 6402",
    "tcp:localhost:1": "tcp localhost 1", "tcp:[::1]:65535": "tcp ::1 65535",
    "tcp:[fe80::1:2:192.0.2.1]:9": "tcp fe80::1:2:192.0.2.1 9",
    "tcp:[1:2:3:4:5:6:7:8]:9": "tcp 1:2:3:4:5:6:7:8 9", "unix:/run/my radio": "unix /run/my radio",
    "serial:/dev/ttyAMA0@3000000": "serial /dev/ttyAMA0 3000000",
    "serial:/dev/a@b@9600": "serial /dev/a@b 9600",
  ],
  "display": [
    "i2c:/dev/i2c-1@0x3C": "i2c /dev/i2c-1 60", "i2c:/dev/i2c-7@0x03": "i2c /dev/i2c-7 3",
    "i2c:/dev/i2c-7@0x77": "i2c /dev/i2c-7 119", "i2c:/dev/i2c-7@0x7": "i2c /dev/i2c-7 7",
    "pbm:out/frames": "pbm out/frames",
  ],
  "panel": [
    "ssd1306-128x64": "ssd1306x128x64", "ssd1306-128x32": "ssd1306x128x32",
    "ssd1306-64x48": "ssd1306x64x48", "ssd1306-72x40": "ssd1306x72x40",
    "sh1106-128x64": "sh1106x128x64", "ssd1309-128x64": "ssd1309x128x64",
    "sh1107-128x128": "sh1107x128x128",
  ],
  "rotation": [
    "0": "noTurn", "90": "quarterTurn", "180": "halfTurn", "270": "threeQuarterTurn",
  ],
  "buttons": ["gpio:/dev/gpiochip0": "gpio /dev/gpiochip0", "fifo:/tmp/f": "fifo /tmp/f"],
  "name": ["Fahrrad Grün": "Fahrrad Grün"], "report": ["file:/tmp/r": "file /tmp/r"],
  "events": ["file:/tmp/e": "file /tmp/e", "unix:/run/my events": "unix /run/my events"],
  "i2c-trace": ["file:/tmp/i": "file /tmp/i"], "btsnoop": ["file:/tmp/b": "file /tmp/b"],
  "language": [
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian",
    "nl": "dutch",
  ],
  "notifications": [
    "WhatsApp": "apps WhatsApp", "net.whatsapp.WhatsApp": "apps net.whatsapp.WhatsApp",
    "a,Büro Post ,b": "apps a,Büro Post ,b", longList: "apps \(longList)",
  ],
  "battery": ["ina219@0x40": "ina219 at 64", "ina219@0x4F": "ina219 at 79"],
  "home": [
    garage: "\(garageWords) any any -75 dBm",
    "\(garage.uppercased())/7": "\(garageWords) 7 any -75 dBm",
    "\(garage)/7/515": "\(garageWords) 7 515 -75 dBm",
    "\(garage)/0/65535@-100": "\(garageWords) 0 65535 -100 dBm",
    "\(garage)/65535@-99": "\(garageWords) 65535 any -99 dBm",
    "\(garage)@-30": "\(garageWords) any any -30 dBm",
    "00000000-0000-0000-0000-000000000001/0/0": "0 1 0 0 -75 dBm",
  ],
  "topics": [
    "all": "navigation sensors radio device", "device,navigation": "navigation device",
    "radio, sensors ,device": "sensors radio device", "radio,radio": "radio",
    "device,radio,sensors,navigation": "navigation sensors radio device",
  ],
]

/// A key, one of its values, and what becomes of the setting.
private let allSettings: [(String, String, String)] =
  plain.flatMap { key, values in
    values.split(separator: " ").map { (key, String($0), String($0)) }
  } + others.flatMap { key, values in values.map { (key, $0.key, $0.value) } }

struct BoardFileTests {
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

  @Test(arguments: allSettings)
  func eachKeyTakesEachOfItsValues(_ key: String, _ value: String, _ setting: String) throws {
    var expected = settings(read("").board)
    #expect(expected.updateValue(setting, forKey: key) != nil)
    let fromFile = read("\(key) = \(value)")
    expect(fromFile.complaint, nil)
    expect(settings(fromFile.board), expected)
    let fromArgument = read("", ["\(key)=\(value)"])
    expect(fromArgument.complaint, nil)
    expect(settings(fromArgument.board), expected)
    // What a report tells of it is the same setting again.
    let told = written(try #require(fromFile.board))
    // Where the panel's kind decides the offset, it is no setting.
    expect(told.count, (key == "column-offset" ? Key.count : Key.count - 1))
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
