import BoardFile
import Expecting

private let known =
  "known are hci, display, panel, panel-reset, updates, rotation, column-offset, contrast, buttons, "
  + "button-a, button-b, alert, store, pairing, units, name, language, sensors, wheel, extra, notifications, music, advertise, battery, alert-sides, keep-awake, home, report, "
  + "topics, events, i2c-trace, btsnoop"
private let hci =
  "allowed: hci0, tcp:HOST:PORT, unix:PATH, serial:PATH@BAUD "
  + "(HOST an IPv4 address, an IPv6 address in brackets, or localhost; "
  + "PATH of a socket 107 bytes at most; BAUD a rate such as 115200 or 3000000)"
private let apps =
  "or a list with commas of APP (APP as the phone says it, such as net.whatsapp.WhatsApp or "
  + "WhatsApp; with a list calls show, too)"
private let garage = "e20a39f4-73f5-4bc4-a12f-17d1ad07a961"
private let name = "allowed: 1 to 20 bytes of UTF-8 without control characters"

@Suite struct ComplaintTests {
  @Test(
    arguments: [
      ("contrst = 5", #"ride.conf:1: unknown key "contrst" (did you mean "contrast"?); \#(known)"#),
      ("\n# x\nnames = 5", #"ride.conf:3: unknown key "names" (did you mean "name"?); \#(known)"#),
      ("colour = 5", #"ride.conf:1: unknown key "colour"; \#(known)"#),
      (
        "Contrast = 5",
        #"ride.conf:1: unknown key "Contrast" (did you mean "contrast"?); \#(known)"#
      ),
      ("hx = 5", #"ride.conf:1: unknown key "hx"; \#(known)"#),
      (" = 5", #"ride.conf:1: unknown key ""; \#(known)"#),
      ("a\u{1B}[2J\u{85}b = 5", #"ride.conf:1: unknown key "a?[2J?b"; \#(known)"#),
      (
        "units = metric\nunits = metric",
        "ride.conf:2: units is set twice, first in line 1; each key is allowed once"
      ),
      (
        "contrast 5",
        #"ride.conf:1: no "=" in "contrast 5"; allowed: key = value, # comment, an empty line"#
      ),
      (
        "store = " + String(repeating: "p", count: 256),
        "ride.conf:1: store has a value that is longer than 255 bytes; allowed: a path"
      ),
      (
        "name = " + String(repeating: "é", count: 40),
        "ride.conf:1: \"" + String(repeating: "é", count: 30)
          + "...\" is not a valid value for name; "
          + name
      ),
      (
        "rotation = 45",
        #"ride.conf:1: "45" is not a valid value for rotation; allowed: 0, 90, 180, 270"#
      ),
      (
        "updates = rows",
        #"ride.conf:1: "rows" is not a valid value for updates; allowed: changes, pages, whole"#
      ),
      (
        "column-offset = 9",
        #"ride.conf:1: "9" is not a valid value for column-offset; allowed: 0 to 8, 32, 96"#
      ),
      ("hci = usb", #"ride.conf:1: "usb" is not a valid value for hci; \#(hci)"#),
      (
        "display = i2c:/dev/i2c-1",
        #"ride.conf:1: "i2c:/dev/i2c-1" is not a valid value for display; allowed: "#
          + "i2c:/dev/i2c-1@0x3c, pbm:DIR (an address from 0x03 to 0x77)"
      ),
      (
        "panel = ssd1306",
        #"ride.conf:1: "ssd1306" is not a valid value for panel; allowed: "#
          + "ssd1306-128x64, ssd1306-128x32, ssd1306-64x48, ssd1306-72x40, sh1106-128x64, "
          + "ssd1309-128x64, sh1107-128x128"
      ),
      ("contrast = 0", #"ride.conf:1: "0" is not a valid value for contrast; allowed: 1 to 255"#),
      (
        "buttons = yes",
        #"ride.conf:1: "yes" is not a valid value for buttons; allowed: "#
          + "gpio:/dev/gpiochip0, stdin, fifo:PATH, none"
      ),
      (
        "alert = 65536",
        #"ride.conf:1: "65536" is not a valid value for alert; allowed: "#
          + "a GPIO line offset from 0 to 65535, none"
      ),
      (
        "pairing = on",
        #"ride.conf:1: "on" is not a valid value for pairing; allowed: required, preferred, off"#
      ),
      (
        "units = km",
        #"ride.conf:1: "km" is not a valid value for units; allowed: metric, imperial"#
      ),
      (
        "language = deutsch",
        #"ride.conf:1: "deutsch" is not a valid value for language; "#
          + "allowed: en, de, fr, es, it, nl"
      ),
      (
        "sensors = on",
        #"ride.conf:1: "on" is not a valid value for sensors; allowed: learned, off"#
      ),
      (
        "wheel = 28",
        #"ride.conf:1: "28" is not a valid value for wheel; "#
          + "allowed: 500 to 4000, auto (the way around it in mm)"
      ),
      (
        "extra = pulse",
        #"ride.conf:1: "pulse" is not a valid value for extra; "#
          + "allowed: auto, none, speed, heart, cadence, power, seconds, clock"
      ),
      (
        "notifications = WhatsApp,,Chat",
        #"ride.conf:1: "WhatsApp,,Chat" is not a valid value for notifications; allowed: off, "#
          + "calls, all, \(apps)"
      ),
      (
        "notifications = " + String(repeating: "a.b,", count: 125),
        "ride.conf:1: notifications has a value that is longer than 255 bytes; allowed: off, "
          + "calls, all, \(apps)"
      ),
      (
        "home = garage",
        #"ride.conf:1: "garage" is not a valid value for home; "#
          + "allowed: none, UUID[/MAJOR[/MINOR]][@RSSI] "
          + "(UUID 32 hexadecimal digits as 8-4-4-4-12; MAJOR and MINOR from 0 to 65535; "
          + "RSSI from -100 to -30 dBm, -75 if left out)"
      ),
      (
        "events = stdout",
        #"ride.conf:1: "stdout" is not a valid value for events; allowed: none, stderr, "#
          + "file:PATH, unix:PATH (PATH of a socket 107 bytes at most)"
      ),
      (
        "topics = phone",
        #"ride.conf:1: "phone" is not a valid value for topics; allowed: "#
          + "all, or a list with commas of navigation, sensors, radio, device"
      ),
      (
        "i2c-trace = stderr",
        #"ride.conf:1: "stderr" is not a valid value for i2c-trace; allowed: none, file:PATH"#
      ),
      (
        "btsnoop = stderr",
        #"ride.conf:1: "stderr" is not a valid value for btsnoop; allowed: none, file:PATH"#
      ),
      ("store =", #"ride.conf:1: "" is not a valid value for store; allowed: a path"#),
    ] as [(String, String)])
  func anErrorSaysWhereAndWhatIsWrongAndWhatIsAllowed(_ file: String, _ message: String) {
    expect(read(file).complaint, message)
  }

  @Test func anOverrideIsNamedByItsPosition() {
    expect(
      read("units = metric", ["contrast=5", "units=km"]).complaint,
      #"argument:2: "km" is not a valid value for units; allowed: metric, imperial"#)
    expect(
      read("", ["alert=5", "contrast=5", "alert=6"]).complaint,
      "argument:3: alert is set twice, first in argument 1; each key is allowed once")
  }

  @Test(arguments: [
    "hci = hci", "hci = hci00", "hci = hci65535", "hci = hci-1", "hci = tcp:127.0.0.1",
    "hci = tcp:127.0.0.1:0", "hci = tcp:127.0.0.1:65536", "hci = tcp:127.0.0.1:", "hci = tcp::1",
    "hci = tcp:127.0.1:1", "hci = tcp:127.0.0.256:1", "hci = tcp:127.0.0.01:1",
    "hci = tcp:1.2.3.4.5:1", "hci = tcp:1.2.3.4.:1", "hci = tcp:example.org:1", "hci = tcp:::1:80",
    "hci = tcp:[]:80", "hci = tcp:[:]:80", "hci = tcp:[:::]:80", "hci = tcp:[1::2::3]:80",
    "hci = tcp:[1:2:3:4:5:6:7]:80", "hci = tcp:[1:2:3:4:5:6:7:8:9]:80", "hci = tcp:[1:]:80",
    "hci = tcp:[1:2:3:4::5:6:7:8]:80",
    "hci = tcp:[12345::]:80", "hci = tcp:[g::]:80", "hci = tcp:[::1:80", "hci = tcp:[127.0.0.1]:80",
    "hci = unix:", "hci = serial:/dev/ttyS0", "hci = serial:/dev/ttyS0@", "hci = serial:@9600",
    "hci = serial:/dev/ttyS0@9601", "hci = serial:/dev/ttyS0@4294967296", "display = pbm:",
    "display = i2c:/dev/i2c-1@0x02", "display = i2c:/dev/i2c-1@0x79", "display = i2c:@0x3c",
    "display = i2c:/dev/i2c-1@3c", "display = i2c:/dev/i2c-1@0x", "display = i2c:/dev/i2c-1@0x03c",
    "contrast = 256", "contrast = 05", "contrast = +5", "contrast = 5.0",
    "contrast = 1000000000000",
    "button-a = -1", "button-b = 17 18", "name =", "name = 123456789012345678901",
    "name = a\u{7}b", "name = a\u{85}b", "store = /a\u{7}b", "events = file:", "buttons = fifo:",
    "keep-awake = 4", "keep-awake = 1", "keep-awake = 61", "keep-awake = 05", "keep-awake = on",
    "alert-sides = left", "buttons = gpio:", "wheel = 499", "wheel = 4001", "wheel = 02105",
    "wheel = 2.1",
    "home =", "home = auto", "home = \(garage)/", "home = \(garage)//1", "home = \(garage)/1/",
    "home = \(garage)/1/2/3", "home = \(garage)/65536", "home = \(garage)/1/65536",
    "home = \(garage)/-1", "home = \(garage)/07", "home = \(garage)@", "home = \(garage)@75",
    "home = \(garage)@-29", "home = \(garage)@-101", "home = \(garage)@-7",
    "home = \(garage)@-075", "home = \(garage)@-75@-75", "home = \(garage)@-75/1",
    "home = \(garage)0", "home = \(garage)1/2",
    "home = \(garage.dropLast())", "home = \(garage.dropLast())g", "home = /1/2@-75", "home = @-75",
    "home = \(garage.replacing("-", with: ""))", "home = \(garage.replacing("-", with: ":"))",
    "battery =", "battery = on", "battery = ina219", "battery = ina219@", "battery = ina219@0x3f",
    "battery = ina219@0x50", "battery = ina219@40", "battery = ina219@0x40@0x41",
    "battery = max17048@0x36", "battery = MAX17048", "battery = pisugar",
    "topics =", "topics = none", "topics = all,radio", "topics = radio,", "topics = ,radio",
    "topics = radio,,device", "topics = radio device", "topics = beacons", "topics = Radio",
    "topics = radio,advertisementData", "events = unix:", "report = unix:/run/r",
    "notifications =", "notifications = ,", "notifications = a,", "notifications = ,a",
    "notifications = a, ,b", "notifications = a\u{7}b", "notifications = a,b\tc",
    "notifications = a\u{7F}", "notifications = on", "notifications = none",
    "notifications = Calls", "notifications = ALL", "notifications = off,a",
    "notifications = a, all", "notifications = a,calls", "notifications = a\u{85}b",
    "i2c-trace = unix:/run/i", "btsnoop = unix:/run/b", "report = stderr",
  ])
  func aValueOutOfBoundsIsRefused(_ line: String) throws {
    let complaint = read(line).complaint
    let key = try #require(line.split(separator: " ").first)
    expect(complaint?.contains("is not a valid value for \(key); allowed: "), true)
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
    expect(complaint?.hasSuffix("is not a valid value for name; \(name)"), true)
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
}
