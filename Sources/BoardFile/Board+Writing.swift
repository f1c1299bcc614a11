import Battery
import Beacons
package import Bytes
import Events
import Navigation
import Panel
import Screens

extension Board {
  /// Writes the value of a key as a board file has it; nothing where another key decides.
  package func write(_ key: Key, to writer: inout some ByteWriter & ~Copyable) {
    switch key {
    case .hci: writer.append(hci)
    case .display: write(display, to: &writer)
    case .panel: writer.append(panel.name)
    case .panelReset: write(panelReset, to: &writer)
    case .updates: writer.append(word(for: updates, in: ValueWords.updates))
    case .rotation: writer.append(word(for: rotation, in: ValueWords.rotation))
    case .columnOffset:
      if let columnOffset { writer.append(decimal: Int64(widening: Int(columnOffset))) }
    case .contrast: writer.append(decimal: Int64(widening: Int(contrast)))
    case .buttons: write(buttons, to: &writer)
    case .buttonA: write(buttonA, to: &writer)
    case .buttonB: write(buttonB, to: &writer)
    case .alert: write(alert, to: &writer)
    case .store: writer.append(store.bytes)
    case .pairing: writer.append(word(for: pairing, in: ValueWords.pairing))
    case .units: writer.append(word(for: units, in: ValueWords.units))
    case .name: writer.append(name.bytes)
    case .language: writer.append(word(for: language, in: ValueWords.language))
    case .sensors: writer.append(word(for: sensors, in: ValueWords.sensors))
    case .wheel:
      guard let wheel else { return writer.append("auto") }
      writer.append(decimal: Int64(widening: Int(wheel)))
    case .extra: writer.append(word(for: extra, in: ValueWords.extra))
    case .notifications: write(notifications, to: &writer)
    case .music: writer.append(word(for: hasMusic, in: ValueWords.music))
    case .advertise: writer.append(word(for: advertises, in: ValueWords.advertise))
    case .battery: write(battery, to: &writer)
    case .alertSides: writer.append(word(for: hasAlertSides, in: ValueWords.alertSides))
    case .keepAwake:
      guard let keepAwake else { return writer.append("off") }
      writer.append(decimal: Int64(widening: Int(keepAwake)))
    case .home: write(home, to: &writer)
    case .report: write(report, to: &writer)
    case .topics:
      guard topics != .ofDevice else { return writer.append("all") }
      writer.append(topics, separator: ",")
    case .events: write(events, to: &writer)
    case .i2cTrace: write(i2cTrace, to: &writer)
    case .btsnoop: write(btsnoop, to: &writer)
    }
  }

  private func write(_ display: PanelPort, to writer: inout some ByteWriter & ~Copyable) {
    switch display {
    case .i2c(let path, let address):
      writer.append("i2c:", path)
      writer.append("@0x")
      writer.append(hex: UInt64(widening: UInt32(address)), atLeast: 2)
    case .pbm(let folder): writer.append("pbm:", folder)
    }
  }

  private func write(_ buttons: ButtonPort, to writer: inout some ByteWriter & ~Copyable) {
    switch buttons {
    case .none: writer.append("none")
    case .gpio(let chip): writer.append("gpio:", chip)
    case .standardInput: writer.append("stdin")
    case .fifo(let path): writer.append("fifo:", path)
    }
  }

  private func write(_ line: UInt32?, to writer: inout some ByteWriter & ~Copyable) {
    guard let line else { return writer.append("none") }
    writer.append(decimal: Int64(widening: line))
  }

  private func write(_ gauge: GaugeKind?, to writer: inout some ByteWriter & ~Copyable) {
    guard let gauge else { return writer.append("none") }
    writer.append(gauge.name)
    guard case .ina219(let address) = gauge else { return }
    writer.append("@")
    writer.append(hexByte: address)
  }

  private func write(_ home: HomeBeacon?, to writer: inout some ByteWriter & ~Copyable) {
    guard let home else { return writer.append("none") }
    writer.append(text: home.uuid)
    if let major = home.major { writer.append("/", Int(major)) }
    if let minor = home.minor { writer.append("/", Int(minor)) }
    writer.append("@", Int(home.rssi))
  }

  private func write(
    _ notifications: NotificationPolicy, to writer: inout some ByteWriter & ~Copyable
  ) {
    switch notifications {
    case .off, .calls, .all:
      writer.append(word(for: notifications, in: ValueWords.notifications))
    case .apps(let list): writer.append(list.bytes)
    }
  }

  private func write(_ output: Output, to writer: inout some ByteWriter & ~Copyable) {
    switch output {
    case .none: writer.append("none")
    case .standardError: writer.append("stderr")
    case .file(let path): writer.append("file:", path)
    case .unix(let path): writer.append("unix:", path)
    }
  }
}

private func word<let count: Int, Meaning: Equatable>(
  for meaning: Meaning, in words: InlineArray<count, (String, Meaning)>
) -> String {
  for index in words.indices where words[index].1 == meaning { return words[index].0 }
  return ""
}

extension ByteWriter where Self: ~Copyable {
  /// The port as the board file names it.
  package mutating func append(_ port: ControllerPort) {
    switch port {
    case .device(let number): append("hci", Int(number))
    case .tcp(let host, let number):
      append("tcp:")
      append(host: host.bytes)
      append(":", Int(number))
    case .unix(let path): append("unix:", path)
    case .serial(let path, let baud):
      append("serial:", path)
      append("@")
      append(decimal: Int64(widening: baud))
    }
  }

  fileprivate mutating func append(_ prefix: String, _ path: Text) {
    append(prefix)
    append(path.bytes)
  }

  /// A number behind a text.
  package mutating func append(_ prefix: String, _ number: Int) {
    append(prefix)
    append(decimal: Int64(widening: number))
  }

  /// An IPv6 address has brackets.
  private mutating func append(host: Span<UInt8>) {
    guard firstIndex(of: 0x3A, in: host) != nil else { return append(host) }
    append("[")
    append(host)
    append("]")
  }
}
