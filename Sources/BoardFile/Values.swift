import Battery
import Beacons
import Bytes
import Events
import Link
import Navigation
import Panel
import Screens
import Words

extension Board {
  /// Sets one key; `false`, with nothing changed, if the value is not allowed.
  mutating func set(_ key: Key, to value: Span<UInt8>) -> Bool {
    switch key {
    case .hci: assign(&hci, ControllerPort(value))
    case .display: assign(&display, PanelPort(value))
    case .panel: assign(&panel, PanelKind(name: value))
    case .panelReset: assign(&panelReset, gpioLine(value))
    case .updates: assign(&updates, meaning(of: value, in: ValueWords.updates))
    case .rotation: assign(&rotation, meaning(of: value, in: ValueWords.rotation))
    case .columnOffset: assign(&columnOffset, offset(value))
    case .contrast: assign(&contrast, number(value, in: 1...255))
    case .buttons: assign(&buttons, ButtonPort(value))
    case .buttonA: assign(&buttonA, gpioLine(value))
    case .buttonB: assign(&buttonB, gpioLine(value))
    case .alert: assign(&alert, gpioLine(value))
    case .store: assignStore(path(value))
    case .pairing: assign(&pairing, meaning(of: value, in: ValueWords.pairing))
    case .units: assign(&units, meaning(of: value, in: ValueWords.units))
    case .name: assign(&name, deviceName(value))
    case .language: assign(&language, meaning(of: value, in: ValueWords.language))
    case .sensors: assign(&sensors, meaning(of: value, in: ValueWords.sensors))
    case .wheel: assign(&wheel, optional(value, "auto") { number($0, in: 500...4_000) })
    case .extra: assign(&extra, meaning(of: value, in: ValueWords.extra))
    case .notifications: assign(&notifications, NotificationPolicy(value))
    case .music: assign(&hasMusic, meaning(of: value, in: ValueWords.switches))
    case .advertise: assign(&advertises, meaning(of: value, in: ValueWords.switches))
    case .battery: assign(&battery, optional(value, "none") { GaugeKind($0) })
    case .alertSides: assign(&hasAlertSides, meaning(of: value, in: ValueWords.switches))
    case .keepAwake: assign(&keepAwake, optional(value, "off") { number($0, in: 5...60) })
    case .home: assign(&home, optional(value, "none") { HomeBeacon($0) })
    case .report: assign(&report, Output(value, isForEvents: false))
    case .topics: assign(&topics, Topics(list: value, among: .ofDevice))
    case .events: assign(&events, Output(value, isForEvents: true))
    case .i2cTrace: assign(&i2cTrace, Output(value, isForEvents: false))
    case .btsnoop: assign(&btsnoop, Output(value, isForEvents: false))
    }
  }

  private func assign<Value>(_ target: inout Value, _ value: Value?) -> Bool {
    guard let value else { return false }
    target = value
    return true
  }

  private mutating func assignStore(_ path: Text?) -> Bool {
    isStoreNamed = true
    return assign(&store, path)
  }
}

/// A column from 0 to 8, or one of those at which some modules with an SH1107 begin.
///
/// The outer optional: whether the value is allowed.
private func offset(_ bytes: Span<UInt8>) -> UInt8?? {
  guard let column = decimal(bytes, upTo: 96), column <= 8 || column == 32 || column == 96
  else { return nil }
  return .some(UInt8(column))
}

/// A path, or `nil` for none, for one that is too long, and for control characters.
private func path(_ bytes: Span<UInt8>) -> Text? {
  for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7F { return nil }
  return bytes.isEmpty ? nil : Text(bytes)
}

/// The path after a prefix such as `file:`.
private func path(_ bytes: Span<UInt8>, after prefix: String) -> Text? {
  guard let rest = rest(of: bytes, after: prefix) else { return nil }
  return path(rest)
}

/// The path of a unix socket, which must fit in the kernel's address: unix(7).
private func unixPath(_ bytes: Span<UInt8>) -> Text? {
  guard let path = path(bytes, after: "unix:"), path.count <= 107 else { return nil }
  return path
}

/// A decimal number within a range.
private func number<Value: FixedWidthInteger>(
  _ bytes: Span<UInt8>, in range: ClosedRange<UInt32>
) -> Value? {
  guard let value = decimal(bytes, upTo: range.upperBound), range.contains(value)
  else { return nil }
  return Value(truncatingIfNeeded: value)
}

/// The outer optional is `nil` if the value is not allowed, the inner one if it is the word.
private func optional<Value>(
  _ bytes: Span<UInt8>, _ word: String, else parse: (Span<UInt8>) -> Value?
) -> Value?? {
  isText(bytes, word) ? .some(nil) : parse(bytes).map { .some($0) }
}

private func gpioLine(_ bytes: Span<UInt8>) -> UInt32?? {
  optional(bytes, "none") { number($0, in: 0...65535) }
}

extension GaugeKind {
  init?(_ bytes: Span<UInt8>) {
    if isText(bytes, Self.max17048.name) {
      self = .max17048
    } else if isText(bytes, Self.piSugar3.name) {
      self = .piSugar3
    } else {
      guard let rest = rest(of: bytes, after: "ina219@"), let address = busAddress(rest),
        (0x40...0x4F).contains(address)
      else { return nil }
      self = .ina219(address: address)
    }
  }
}

private func deviceName(_ bytes: Span<UInt8>) -> Text? {
  guard (1...20).contains(bytes.count), isPlainText(bytes) else { return nil }
  return Text(bytes)
}

extension HomeBeacon {
  /// `UUID[/MAJOR[/MINOR]][@RSSI]`.
  init?(_ bytes: Span<UInt8>) {
    let at = firstIndex(of: 0x40, in: bytes) ?? bytes.count
    let numbers = bytes.extracting(first: at)
    guard let uuid = UUID(text: numbers.extracting(first: min(36, at))) else { return nil }
    self.init(uuid)
    if at > 36 {
      guard numbers[36] == 0x2F else { return nil }
      let rest = numbers.extracting(droppingFirst: 37)
      let slash = firstIndex(of: 0x2F, in: rest) ?? rest.count
      guard let major: UInt16 = number(rest.extracting(first: slash), in: 0...65535) else {
        return nil
      }
      self.major = major
      if slash < rest.count {
        guard let minor: UInt16 = number(rest.extracting(droppingFirst: slash + 1), in: 0...65535)
        else { return nil }
        self.minor = minor
      }
    }
    if at < bytes.count {
      guard let rssi = Self.power(bytes.extracting(droppingFirst: at + 1)) else { return nil }
      self.rssi = rssi
    }
  }

  private static func power(_ bytes: Span<UInt8>) -> Int8? {
    guard let digits = rest(of: bytes, after: "-"), let value = decimal(digits, upTo: 100) else {
      return nil
    }
    let power = Int8(truncatingIfNeeded: -Int(value))
    return (weakestRSSI...strongestRSSI).contains(power) ? power : nil
  }
}

extension ControllerPort {
  init?(_ bytes: Span<UInt8>) {
    if let number = rest(of: bytes, after: "hci"), let device = decimal(number, upTo: 65534) {
      self = .device(UInt16(truncatingIfNeeded: device))
    } else if let rest = rest(of: bytes, after: "tcp:") {
      self.init(tcp: rest)
    } else if let path = unixPath(bytes) {
      self = .unix(path)
    } else if let rest = rest(of: bytes, after: "serial:") {
      self.init(serial: rest)
    } else {
      return nil
    }
  }

  private init?(tcp bytes: Span<UInt8>) {
    guard let colon = lastIndex(of: 0x3A, in: bytes) else { return nil }
    guard let port = decimal(bytes.extracting(droppingFirst: colon + 1), upTo: 65535), port > 0
    else { return nil }
    var host = bytes.extracting(first: colon)
    if host.count > 2, host[0] == 0x5B, host[colon - 1] == 0x5D {
      host = host.extracting(1..<colon - 1)
      guard isIPv6(host) else { return nil }
    } else {
      guard isIPv4(host) || isText(host, "localhost") else { return nil }
    }
    guard let host = Text(host) else { return nil }
    self = .tcp(host: host, port: UInt16(truncatingIfNeeded: port))
  }

  private init?(serial bytes: Span<UInt8>) {
    guard let at = lastIndex(of: 0x40, in: bytes), let path = path(bytes.extracting(first: at)),
      let baud = decimal(bytes.extracting(droppingFirst: at + 1), upTo: 4_000_000), isRate(baud)
    else { return nil }
    self = .serial(path, baud: baud)
  }
}

/// The rates from 9600 on that Linux has on every architecture, termios(3).
///
/// The C library knows each one by its number, so that this is the only list of them.
private func isRate(_ baud: UInt32) -> Bool {
  switch baud {
  case 9600, 19200, 38400, 57600, 115_200, 230_400, 460_800, 500_000, 576_000, 921_600: true
  case 1_000_000, 1_152_000, 1_500_000, 2_000_000, 2_500_000: true
  case 3_000_000, 3_500_000, 4_000_000: true
  default: false
  }
}

extension PanelPort {
  init?(_ bytes: Span<UInt8>) {
    if let folder = path(bytes, after: "pbm:") {
      self = .pbm(folder)
      return
    }
    guard let rest = rest(of: bytes, after: "i2c:"), let at = lastIndex(of: 0x40, in: rest),
      let bus = path(rest.extracting(first: at)),
      let address = busAddress(rest.extracting(droppingFirst: at + 1))
    else { return nil }
    self = .i2c(bus, address: address)
  }
}

/// A 7-bit address from `0x03` to `0x77`.
///
/// As i2cdetect(8) scans them; the I²C specification, UM10204, 3.1.12, reserves the others. Modules with a panel have
/// their address printed with the write bit behind it.
private func busAddress(_ bytes: Span<UInt8>) -> UInt8? {
  guard let digits = rest(of: bytes, after: "0x"), digits.count <= 2,
    let value = hexadecimal(digits)
  else { return nil }
  switch value {
  case 0x78, 0x7A: return UInt8(truncatingIfNeeded: value / 2)
  case 0x03...0x77: return UInt8(truncatingIfNeeded: value)
  default: return nil
  }
}

extension ButtonPort {
  init?(_ bytes: Span<UInt8>) {
    if isText(bytes, "none") {
      self = .none
    } else if isText(bytes, "stdin") {
      self = .standardInput
    } else if let chip = path(bytes, after: "gpio:") {
      self = .gpio(chip)
    } else if let fifo = path(bytes, after: "fifo:") {
      self = .fifo(fifo)
    } else {
      return nil
    }
  }
}

extension NotificationPolicy {
  /// One of its words, else a list of apps.
  init?(_ bytes: Span<UInt8>) {
    if let word = meaning(of: bytes, in: ValueWords.notifications) {
      self = word
    } else if let list = AppList(bytes) {
      self = .apps(list)
    } else {
      return nil
    }
  }
}

extension Output {
  init?(_ bytes: Span<UInt8>, isForEvents: Bool) {
    if isText(bytes, "none") {
      self = .none
    } else if isForEvents, isText(bytes, "stderr") {
      self = .standardError
    } else if isForEvents, let path = unixPath(bytes) {
      self = .unix(path)
    } else if let file = path(bytes, after: "file:") {
      self = .file(file)
    } else {
      return nil
    }
  }
}

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

  static var extra: InlineArray<8, (String, ExtraFigure)> {
    [
      ("auto", .auto), ("none", .none), ("speed", .speed), ("heart", .heart), ("cadence", .cadence),
      ("power", .power), ("seconds", .seconds), ("clock", .clock),
    ]
  }

  static var notifications: InlineArray<3, (String, NotificationPolicy)> {
    [("off", .off), ("calls", .calls), ("all", .all)]
  }

  static var switches: InlineArray<2, (String, Bool)> { [("off", false), ("on", true)] }
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
