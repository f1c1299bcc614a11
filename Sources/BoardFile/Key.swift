import Bytes
import Events

/// Something for each key of the board file, by the key's raw value.
typealias PerKey<Value> = InlineArray<32, Value>

/// A key of the board file, in the order of `--help`.
package enum Key: Int, Sendable {
  case hci, display, panel, panelReset, updates, rotation, columnOffset, contrast
  case buttons, buttonA, buttonB, alert
  case store, pairing, units, name, language
  case sensors, wheel, extra, notifications, music, advertise, battery, alertSides, keepAwake, home
  case report, topics, events, i2cTrace, btsnoop

  /// How many keys there are; their raw values are 0..<count.
  package static var count: Int { PerKey<Int>.count }

  /// The key as it is written.
  package var name: String { Self.names[rawValue] }

  /// In the order of the cases.
  private static var names: PerKey<String> {
    [
      "hci", "display", "panel", "panel-reset", "updates", "rotation", "column-offset", "contrast",
      "buttons", "button-a", "button-b", "alert",
      "store", "pairing", "units", "name", "language",
      "sensors", "wheel", "extra", "notifications", "music", "advertise", "battery", "alert-sides",
      "keep-awake", "home",
      "report", "topics", "events", "i2c-trace", "btsnoop",
    ]
  }

  /// Writes the values that the key may have.
  func writeValues(to writer: inout some ByteWriter & ~Copyable) {
    switch self {
    case .hci: writer.append("hci0, tcp:HOST:PORT, unix:PATH, serial:PATH@BAUD")
    case .display: writer.append("i2c:/dev/i2c-1@0x3c, pbm:DIR")
    case .panel: writer.appendPanelNames()
    case .updates: writer.append(ValueWords.updates)
    case .rotation: writer.append(ValueWords.rotation)
    case .columnOffset: writer.append("0 to 8, 32, 96")
    case .contrast: writer.append("1 to 255")
    case .buttons: writer.append("gpio:/dev/gpiochip0, stdin, fifo:PATH, none")
    case .panelReset, .buttonA, .buttonB, .alert:
      writer.append("a GPIO line offset from 0 to 65535, none")
    case .store: writer.append("a path")
    case .pairing: writer.append(ValueWords.pairing)
    case .units: writer.append(ValueWords.units)
    case .name: writer.append("1 to 20 bytes of UTF-8 without control characters")
    case .language: writer.append(ValueWords.language)
    case .sensors: writer.append(ValueWords.sensors)
    case .wheel: writer.append("500 to 4000, auto")
    case .extra: writer.append(ValueWords.extra)
    case .notifications:
      writer.append(ValueWords.notifications)
      writer.append(", or a list with commas of APP")
    case .music, .advertise, .alertSides: writer.append(ValueWords.switches)
    case .battery: writer.append("none, max17048, ina219@ADDRESS, pisugar3")
    case .keepAwake: writer.append("off, 5 to 60")
    case .home: writer.append("none, UUID[/MAJOR[/MINOR]][@RSSI]")
    case .topics:
      writer.append("all, or a list with commas of ")
      writer.append(Topics.ofDevice, separator: ", ")
    case .events: writer.append("none, stderr, file:PATH, unix:PATH")
    case .report, .i2cTrace, .btsnoop: writer.append("none, file:PATH")
    }
  }

  /// What an error adds about the words in capital letters among the values; empty for most keys.
  var limits: String {
    switch self {
    case .hci:
      """
       (HOST an IPv4 address, an IPv6 address in brackets, or localhost; PATH of a socket 107 bytes \
      at most; BAUD a rate such as 115200 or 3000000)
      """
    case .display: " (an address from 0x03 to 0x77)"
    case .wheel: " (the way around it in mm)"
    case .notifications:
      " (APP as the phone says it, such as net.whatsapp.WhatsApp or WhatsApp; with a list calls show, too)"
    case .battery: " (ADDRESS from 0x40 to 0x4f)"
    case .keepAwake: " (seconds from one load to the next)"
    case .home:
      """
       (UUID 32 hexadecimal digits as 8-4-4-4-12; MAJOR and MINOR from 0 to 65535; RSSI from -100 to \
      -30 dBm, -75 if left out)
      """
    case .events: " (PATH of a socket 107 bytes at most)"
    default: ""
    }
  }

  /// The key that is written like this.
  package init?(_ bytes: Span<UInt8>) {
    for number in 0..<Self.count {
      if let key = Self(rawValue: number), isText(bytes, key.name) {
        self = key
        return
      }
    }
    return nil
  }

  /// What a key of 0.2 is called now.
  private static func renamed(_ bytes: Span<UInt8>) -> Key? {
    if isText(bytes, "button-page") { return .buttonA }
    return isText(bytes, "button-unpair") ? .buttonB : nil
  }

  /// The key that was probably meant by this: at most two letters off.
  static func nearest(to bytes: Span<UInt8>) -> Key? {
    if let renamed = renamed(bytes) { return renamed }
    var nearest: Key?
    var least = 3
    for number in 0..<count {
      guard let key = Self(rawValue: number) else { continue }
      let utf8 = key.name.utf8
      let name = utf8.span
      let distance = editDistance(bytes, name)
      // Two letters off a short word is another word.
      if distance < least, distance * 2 < name.count { (nearest, least) = (key, distance) }
    }
    return nearest
  }
}

/// How many letters to insert, remove or replace to make `a` from `b`, Levenshtein's distance.
///
/// More than two letters of difference in length count as 99.
func editDistance(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Int {
  guard b.count < 32, abs(a.count - b.count) <= 2 else { return 99 }
  // Row `i` of the table: the distances between the first `i` letters of `a` and those of `b`.
  var row = InlineArray<32, Int>(repeating: 0)
  for column in 0...b.count { row[column] = column }
  for line in a.indices {
    var diagonal = row[0]
    row[0] = line + 1
    for column in b.indices {
      let replaced = diagonal + (a[line] == b[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, min(row[column], diagonal) + 1)
    }
  }
  return row[b.count]
}
