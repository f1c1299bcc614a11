import BoardFile
import Expecting

private let known =
  "known are hci, display, panel, panel-reset, updates, rotation, column-offset, contrast, buttons, "
  + "button-a, button-b, alert, store, pairing, units, name, language, sensors, wheel, extra, notifications, music, advertise, battery, alert-sides, keep-awake, home, report, "
  + "topics, events, i2c-trace, btsnoop"
private let hci =
  "hci0, tcp:HOST:PORT, unix:PATH, serial:PATH@BAUD "
  + "(HOST an IPv4 address, an IPv6 address in brackets, or localhost; "
  + "PATH of a socket 107 bytes at most; BAUD a rate such as 115200 or 3000000)"
private let apps =
  "off, calls, all, or a list with commas of APP (APP as the phone says it, such as net.whatsapp.WhatsApp or "
  + "WhatsApp; with a list calls show, too)"
private let garage = "e20a39f4-73f5-4bc4-a12f-17d1ad07a961"
private let name = "1 to 20 bytes of UTF-8 without control characters"

private let good = Array(
  """
  \u{FEFF}# a board\r
  hci = tcp:[fe80::1:2:192.0.2.1]:6402 # the bench
  display = i2c:/dev/i2c-1@0x3c
  panel = sh1106-128x64
  rotation = 180
  contrast = 100
  buttons = gpio:/dev/gpiochip0
  button-a = 17
  button-b = 27
  alert = none
  store = /tmp/a#b
  pairing = off
  units = imperial
  name = Grün
  language = de
  sensors = off
  wheel = auto
  extra = heart
  home = e20a39f4-73f5-4bc4-a12f-17d1ad07a961/7/515@-70
  topics = navigation, device
  events = file:/tmp/e
  i2c-trace = none
  btsnoop = none
  """.utf8)

struct ComplaintTests {
  @Test(
    arguments: [
      ("contrst = 5", #"1: unknown key "contrst" (did you mean "contrast"?); \#(known)"#),
      ("\n# x\nnames = 5", #"3: unknown key "names" (did you mean "name"?); \#(known)"#),
      ("colour = 5", #"1: unknown key "colour"; \#(known)"#),
      ("Contrast = 5", #"1: unknown key "Contrast" (did you mean "contrast"?); \#(known)"#),
      ("hx = 5", #"1: unknown key "hx"; \#(known)"#), (" = 5", #"1: unknown key ""; \#(known)"#),
      ("a\u{1B}[2J\u{85}b = 5", #"1: unknown key "a?[2J?b"; \#(known)"#),
      (
        "units = metric\nunits = metric",
        "2: units is set twice, first in line 1; each key is allowed once"
      ),
      ("contrast 5", #"1: no "=" in "contrast 5"; allowed: key = value, # comment, an empty line"#),
      (
        "store = " + String(repeating: "p", count: 256),
        "1: store has a value that is longer than 255 bytes; allowed: a path"
      ),
      (
        "name = " + String(repeating: "é", count: 40),
        "1: \"" + String(repeating: "é", count: 30)
          + "...\" is not a valid value for name; allowed: \(name)"
      ),
      (
        "notifications = " + String(repeating: "a.b,", count: 125),
        "1: notifications has a value that is longer than 255 bytes; allowed: \(apps)"
      ),
    ] as [(String, String)])
  func anErrorSaysWhereAndWhatIsWrongAndWhatIsAllowed(_ file: String, _ message: String) {
    expect(read(file).complaint, "ride.conf:" + message)
  }

  private static let panels =
    "ssd1306-128x64, ssd1306-128x32, ssd1306-64x48, ssd1306-72x40, sh1106-128x64, "
    + "ssd1309-128x64, sh1107-128x128"
  private static let home =
    "none, UUID[/MAJOR[/MINOR]][@RSSI] "
    + "(UUID 32 hexadecimal digits as 8-4-4-4-12; MAJOR and MINOR from 0 to 65535; "
    + "RSSI from -100 to -30 dBm, -75 if left out)"

  @Test(
    arguments: [
      ("rotation", "45", "0, 90, 180, 270"), ("updates", "rows", "changes, pages, whole"),
      ("column-offset", "9", "0 to 8, 32, 96"), ("hci", "usb", hci), ("panel", "ssd1306", panels),
      ("display", "i2c:/dev/i2c-1", "i2c:/dev/i2c-1@0x3c, pbm:DIR (an address from 0x03 to 0x77)"),
      ("contrast", "0", "1 to 255"),
      ("buttons", "yes", "gpio:/dev/gpiochip0, stdin, fifo:PATH, none"),
      ("alert", "65536", "a GPIO line offset from 0 to 65535, none"),
      ("pairing", "on", "required, preferred, off"), ("units", "km", "metric, imperial"),
      ("language", "deutsch", "en, de, fr, es, it, nl"), ("sensors", "on", "learned, off"),
      ("wheel", "28", "500 to 4000, auto (the way around it in mm)"),
      ("extra", "pulse", "auto, none, speed, heart, cadence, power, seconds, clock"),
      ("notifications", "WhatsApp,,Chat", apps), ("home", "garage", home),
      (
        "events", "stdout",
        "none, stderr, file:PATH, unix:PATH (PATH of a socket 107 bytes at most)"
      ),
      ("topics", "phone", "all, or a list with commas of navigation, sensors, radio, device"),
      ("i2c-trace", "stderr", "none, file:PATH"), ("btsnoop", "stderr", "none, file:PATH"),
      ("store", "", "a path"),
    ])
  func aWrongValueIsNamedWithWhatIsAllowed(_ key: String, _ value: String, _ allowed: String) {
    expect(
      read("\(key) = \(value)").complaint,
      #"ride.conf:1: "\#(value)" is not a valid value for \#(key); allowed: \#(allowed)"#)
  }

  @Test func anOverrideIsNamedByItsPosition() {
    expect(
      read("units = metric", ["contrast=5", "units=km"]).complaint,
      #"argument:2: "km" is not a valid value for units; allowed: metric, imperial"#)
    expect(
      read("", ["alert=5", "contrast=5", "alert=6"]).complaint,
      "argument:3: alert is set twice, first in argument 1; each key is allowed once")
  }

  private static let refused: KeyValuePairs<String, [String]> = [
    "hci": [
      "hci", "hci00", "hci65535", "hci-1", "tcp:127.0.0.1", "tcp:127.0.0.1:0",
      "tcp:127.0.0.1:65536", "tcp:127.0.0.1:", "tcp::1", "tcp:127.0.1:1", "tcp:127.0.0.256:1",
      "tcp:127.0.0.01:1", "tcp:1.2.3.4.5:1", "tcp:1.2.3.4.:1", "tcp:example.org:1", "tcp:::1:80",
      "tcp:[]:80", "tcp:[:]:80", "tcp:[:::]:80", "tcp:[1::2::3]:80", "tcp:[1:2:3:4:5:6:7]:80",
      "tcp:[1:2:3:4:5:6:7:8:9]:80", "tcp:[1:]:80", "tcp:[1:2:3:4::5:6:7:8]:80", "tcp:[12345::]:80",
      "tcp:[g::]:80", "tcp:[::1:80", "tcp:[127.0.0.1]:80", "unix:", "serial:/dev/ttyS0",
      "serial:/dev/ttyS0@", "serial:@9600", "serial:/dev/ttyS0@9601",
      "serial:/dev/ttyS0@4294967296",
    ],
    "display": [
      "pbm:", "i2c:/dev/i2c-1@0x02", "i2c:/dev/i2c-1@0x79", "i2c:@0x3c", "i2c:/dev/i2c-1@3c",
      "i2c:/dev/i2c-1@0x", "i2c:/dev/i2c-1@0x03c",
    ],
    "contrast": ["256", "05", "+5", "5.0", "1000000000000"],
    "button-a": ["-1"],
    "button-b": ["17 18"],
    "name": ["", "123456789012345678901", "a\u{7}b", "a\u{85}b"],
    "store": ["/a\u{7}b"],
    "events": ["file:", "unix:"],
    "buttons": ["fifo:", "gpio:"],
    "keep-awake": ["4", "1", "61", "05", "on"],
    "alert-sides": ["left"],
    "wheel": ["499", "4001", "02105", "2.1"],
    "home": [
      "", "auto", "\(garage)/", "\(garage)//1", "\(garage)/1/", "\(garage)/1/2/3",
      "\(garage)/65536", "\(garage)/1/65536", "\(garage)/-1", "\(garage)/07", "\(garage)@",
      "\(garage)@75", "\(garage)@-29", "\(garage)@-101", "\(garage)@-7", "\(garage)@-075",
      "\(garage)@-75@-75", "\(garage)@-75/1", "\(garage)0", "\(garage)1/2", "\(garage.dropLast())",
      "\(garage.dropLast())g", "/1/2@-75", "@-75", "\(garage.replacing("-", with: ""))",
      "\(garage.replacing("-", with: ":"))",
    ],
    "battery": [
      "", "on", "ina219", "ina219@", "ina219@0x3f", "ina219@0x50", "ina219@40", "ina219@0x40@0x41",
      "max17048@0x36", "MAX17048", "pisugar",
    ],
    "topics": [
      "", "none", "all,radio", "radio,", ",radio", "radio,,device", "radio device", "beacons",
      "Radio", "radio,advertisementData",
    ],
    "report": ["unix:/run/r", "stderr"],
    "notifications": [
      "", ",", "a,", ",a", "a, ,b", "a\u{7}b", "a,b\tc", "a\u{7F}", "on", "none", "Calls", "ALL",
      "off,a", "a, all", "a,calls", "a\u{85}b",
    ],
    "i2c-trace": ["unix:/run/i"],
    "btsnoop": ["unix:/run/b"],
  ]

  @Test(arguments: refused)
  func aValueOutOfBoundsIsRefused(_ key: String, _ values: [String]) {
    for value in values {
      let complaint = read("\(key) = \(value)").complaint
      expect(complaint?.contains("is not a valid value for \(key); allowed: "), true, "\(value)")
    }
  }

  @Test func aUnixPathIsBoundByTheKernelsAddress() {
    for key in ["hci", "events"] {
      expect(read("\(key) = unix:" + String(repeating: "p", count: 107)).complaint, nil)
      #expect(read("\(key) = unix:" + String(repeating: "p", count: 108)).complaint != nil)
    }
  }

  @Test(arguments: [[0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80]] as [[UInt8]])
  func aNameThatIsNotUTF8IsRefused(_ bytes: [UInt8]) {
    let complaint = read(Array("name = ".utf8) + bytes).complaint
    expect(complaint?.hasSuffix("is not a valid value for name; allowed: \(name)"), true)
    expect(complaint?.contains("\u{FFFD}"), false)
  }

  @Test(
    arguments: [
      ("button-a = 17\nbutton-b = 17", [], "ride.conf:2: button-b", 17, "button-a"),
      ("button-b = 4\n\nbutton-a = 4", [], "ride.conf:3: button-a", 4, "button-b"),
      ("button-a = 0\nalert = 0", [], "ride.conf:2: alert", 0, "button-a"),
      ("alert = 22\nbutton-b = 22", [], "ride.conf:2: button-b", 22, "alert"),
      ("button-a = 17", ["alert=17"], "argument:1: alert", 17, "button-a"),
      ("alert = 5", ["units=metric", "button-a=5"], "argument:2: button-a", 5, "alert"),
      ("", ["button-b=9", "alert=9"], "argument:2: alert", 9, "button-b"),
      ("button-a = 17\npanel-reset = 17", [], "ride.conf:2: panel-reset", 17, "button-a"),
      ("panel-reset = 27\nbutton-b = 27", [], "ride.conf:2: button-b", 27, "panel-reset"),
      ("alert = 25", ["panel-reset=25"], "argument:1: panel-reset", 25, "alert"),
    ] as [(String, [String], String, Int, String)])
  func aLineOfTheChipHasOneUse(
    _ file: String, _ overrides: [String], _ start: String, _ line: Int, _ other: String
  ) {
    expect(
      read(file, overrides).complaint,
      "\(start) names GPIO line \(line), as \(other) does; each of them needs a line of its own"
    )
  }

  @Test func anOverrideMayFreeALineOfTheChip() {
    let (board, complaint) = read(
      "button-a = 17\nbutton-b = 27\nalert = 17", ["button-a=22"])
    expect(complaint, nil)
    expect(board?.buttonA, 22)
    expect(read("button-a = none\nbutton-b = none\nalert = none").complaint, nil)
  }

  // MARK: - Hostile files

  @Test func theGoodFileIsGood() { expect(read(good).complaint, nil) }

  @Test func everyPrefixIsReadOrRefusedInOneLine() {
    for count in 0..<good.count { expectOneLine(Array(good.prefix(count))) }
  }

  @Test func everyChangedBitIsReadOrRefusedInOneLine() {
    for index in good.indices {
      for bit in 0..<8 {
        var bytes = good
        bytes[index] ^= 1 << UInt8(bit)
        expectOneLine(bytes)
      }
    }
  }

  @Test func everyByteAloneIsReadOrRefusedInOneLine() {
    for byte in 0...255 as ClosedRange<UInt8> {
      expectOneLine([byte])
      expectOneLine([byte, 0x3D, byte])
      expectOneLine([UInt8](repeating: byte, count: 20_000))
    }
  }

  /// A complaint never carries control characters to the terminal that shows it.
  private func expectOneLine(_ file: [UInt8]) {
    guard let complaint = read(file).complaint else { return }
    let isPlain = complaint.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
    }
    expect(isPlain && complaint.hasPrefix("ride.conf:"), "\(file): \(complaint)")
  }
}
