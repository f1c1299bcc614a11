import Battery
import Beacons
import BoardFile
import Bytes
import Events
import Panel
import TestSupport

/// The board of a file `ride.conf` and the overrides from position 1 on, or what is wrong with them.
func read(_ file: [UInt8], _ overrides: [String] = []) -> (board: Board?, complaint: String?) {
  do throws(BoardError) {
    var parser = BoardParser()
    try parser.read(file: file.span)
    for (index, override) in overrides.enumerated() {
      let bytes = Array(override.utf8)
      try parser.override(bytes.span, position: index + 1)
    }
    return (try parser.finish(), nil)
  } catch {
    var line = FixedBuffer<2048>()
    let name = Array("ride.conf".utf8)
    error.write(file: name.span, to: &line)
    return (nil, string(line.bytes))
  }
}

/// As above, of text.
func read(_ file: String, _ overrides: [String] = []) -> (board: Board?, complaint: String?) {
  read(Array(file.utf8), overrides)
}

/// Every setting of a board by its key, as a person would write it, independent of how it is parsed.
func settings(_ board: Board?) -> [String: String] {
  guard let board else { return [:] }
  return [
    "hci": describe(board.hci), "display": describe(board.display), "panel": "\(board.panel)",
    "panel-reset": describe(board.panelReset), "updates": "\(board.updates)",
    "rotation": "\(board.rotation)",
    "column-offset": board.columnOffset.map { "\($0)" } ?? "by panel",
    "contrast": "\(board.contrast)", "buttons": describe(board.buttons),
    "button-a": describe(board.buttonA), "button-b": describe(board.buttonB),
    "alert": describe(board.alert), "store": string(board.store.bytes),
    "pairing": "\(board.pairing)", "units": "\(board.units)", "name": string(board.name.bytes),
    "language": "\(board.language)", "sensors": "\(board.sensors)",
    "wheel": board.wheel.map { "\($0)" } ?? "auto", "extra": "\(board.extra)",
    "notifications": describe(board.notifications), "music": board.hasMusic ? "on" : "off",
    "advertise": board.advertises ? "on" : "off",
    "battery": gauge(board.battery),
    "alert-sides": board.hasAlertSides ? "on" : "off",
    "keep-awake": board.keepAwake.map { "\($0)" } ?? "off",
    "home": describe(board.home), "report": describe(board.report),
    "topics": describe(board.topics), "events": describe(board.events),
    "i2c-trace": describe(board.i2cTrace), "btsnoop": describe(board.btsnoop),
  ]
}

/// Each key that has a value, as the board itself tells it.
func written(_ board: Board) -> [String: String] {
  var values: [String: String] = [:]
  for key in keys {
    var value = FixedBuffer<300>()
    board.write(key, to: &value)
    if !value.isEmpty { values["\(key.name)"] = string(value.bytes) }
  }
  return values
}

let keys = nonEmpty((0..<Key.count).compactMap(Key.init))

private func describe(_ hci: ControllerPort) -> String {
  switch hci {
  case .device(let number): "device \(number)"
  case .tcp(let host, let port): "tcp \(string(host.bytes)) \(port)"
  case .unix(let path): "unix \(string(path.bytes))"
  case .serial(let path, let baud): "serial \(string(path.bytes)) \(baud)"
  }
}

private func describe(_ display: PanelPort) -> String {
  switch display {
  case .i2c(let path, let address): "i2c \(string(path.bytes)) \(address)"
  case .pbm(let folder): "pbm \(string(folder.bytes))"
  }
}

private func describe(_ buttons: ButtonPort) -> String {
  switch buttons {
  case .none: "none"
  case .gpio(let path): "gpio \(string(path.bytes))"
  case .standardInput: "stdin"
  case .fifo(let path): "fifo \(string(path.bytes))"
  }
}

private func describe(_ output: Output) -> String {
  switch output {
  case .none: "none"
  case .standardError: "stderr"
  case .file(let path): "file \(string(path.bytes))"
  case .unix(let path): "unix \(string(path.bytes))"
  }
}

private func describe(_ home: HomeBeacon?) -> String {
  guard let home else { return "none" }
  let words = [
    String(home.uuid.high, radix: 16), String(home.uuid.low, radix: 16),
    home.major.map { "\($0)" } ?? "any", home.minor.map { "\($0)" } ?? "any", "\(home.rssi) dBm",
  ]
  return words.joined(separator: " ")
}

private func describe(_ topics: Topics) -> String {
  (0..<UInt8(Topic.count)).compactMap(Topic.init).filter(topics.contains).map { "\($0)" }
    .joined(separator: " ")
}

private func describe(_ notifications: NotificationPolicy) -> String {
  if case .apps(let list) = notifications { return "apps " + text(of: list) }
  return "\(notifications)"
}

private func text(of list: AppList) -> String { string(list.bytes) }

private func describe(_ line: UInt32?) -> String { line.map { "\($0)" } ?? "none" }

private func gauge(_ gauge: GaugeKind?) -> String {
  switch gauge {
  case nil: "none"
  case .max17048: "max17048"
  case .ina219(let address): "ina219 at \(address)"
  case .piSugar3: "pisugar3"
  }
}
