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

/// Every setting of a board as a person would write it, independent of how it is parsed.
func settings(_ board: Board?) -> [String] {
  guard let board else { return [] }
  return [
    describe(board.hci), describe(board.display), "\(board.panel)", "\(board.rotation)",
    "\(board.contrast)", describe(board.buttons), describe(board.buttonPage),
    describe(board.buttonUnpair), describe(board.alert), string(board.store.bytes),
    "\(board.pairing)", "\(board.units)", string(board.name.bytes), describe(board.report),
    describe(board.events), describe(board.i2cTrace), describe(board.btsnoop), "\(board.updates)",
    board.columnOffset.map { "\($0)" } ?? "by panel", "\(board.language)",
    describe(board.panelReset), "\(board.sensors)", board.wheel.map { "\($0)" } ?? "auto",
    "\(board.extra)", describe(board.home), describe(board.topics),
  ]
}

/// Each key with its value, as the board itself tells them.
func written(_ board: Board) -> [String] {
  (0..<Key.count).compactMap(Key.init).compactMap { key -> String? in
    var value = FixedBuffer<300>()
    board.write(key, to: &value)
    return value.isEmpty ? nil : "\(key.name) = \(string(value.bytes))"
  }
}

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

private func describe(_ line: UInt32?) -> String { line.map { "\($0)" } ?? "none" }
