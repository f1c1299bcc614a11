package import Battery
package import Beacons
package import Bytes
package import Events
package import Link
package import Navigation
package import Panel
package import Screens
package import Words

/// What a board file says: where the hardware is and how the device behaves.
///
/// Only `BoardParser` sets a key; after that nothing changes.
package struct Board: Sendable {
  /// `hci`: the way to the Bluetooth controller.
  package var hci = ControllerPort.device(0)
  /// `display`: the way to the panel.
  package var display = PanelPort.i2c(Text("/dev/i2c-1"), address: 0x3C)
  /// `panel`: which controller chip and how many pixels.
  package var panel = PanelKind.ssd1306x128x64
  /// `panel-reset`: the line of the panel's reset on the GPIO chip.
  package var panelReset: UInt32?
  /// `updates`: how a picture gets into the panel's RAM.
  package var updates = Updates.changes
  /// `rotation`: how the panel is mounted.
  package var rotation = Rotation.noTurn
  /// `column-offset`: the RAM column of the glass's left edge, 0–8, 32 or 96; `nil` for the usual one of its kind.
  package var columnOffset: UInt8?
  /// `contrast`: 1–255.
  package var contrast: UInt8 = 207
  /// `buttons`: where presses come from.
  package var buttons = ButtonPort.none
  /// `button-a`: button A's line on the GPIO chip.
  package var buttonA: UInt32?
  /// `button-b`: button B's line on the GPIO chip.
  package var buttonB: UInt32?
  /// `alert`: the line of a buzzer or LED on the GPIO chip.
  package var alert: UInt32?
  /// `store`: the file of the bond.
  package var store = Text("/var/lib/lenker/bond")
  /// Whether the board file or an argument names the store.
  package var isStoreNamed = false
  /// `pairing`: whether phones are remembered.
  package var pairing = PairingPolicy.preferred
  /// `units`: how distances are shown.
  package var units = Units.metric
  /// `name`: what phones see, 1–20 bytes of UTF-8.
  package var name = Text("Lenker")
  /// `language`: the panel's words.
  package var language = Language.english
  /// `sensors`: whether sensors are used, and new ones learned.
  package var sensors = SensorPolicy.learned
  /// `wheel`: the way around the wheel in millimetres, 500–4000; `nil` if it is to be learned.
  package var wheel: UInt16? = 2_105
  /// `extra`: what the turn's spare line shows.
  package var extra = ExtraFigure.auto
  /// `notifications`: which of a phone's notifications show.
  package var notifications = NotificationPolicy.off
  /// `music`: whether there is a page of what the phone plays.
  package var hasMusic = false
  /// `advertise`: whether a phone may connect by itself.
  package var advertises = false
  /// `battery`: what measures Lenker's own battery; `nil` without a gauge.
  package var battery: GaugeKind?
  /// `alert-sides`: whether the alert line distinguishes left from right.
  package var hasAlertSides = false
  /// `keep-awake`: the seconds from one short load to the next, 5–60; `nil` for none.
  package var keepAwake: UInt8?
  /// `home`: the beacon by which the device knows that it is at home; `nil` without one.
  package var home: HomeBeacon?
  /// `report`: where the rider's report goes; a file if anywhere.
  package var report = Output.none
  /// `topics`: which events are written; at least one, and only those that the firmware has.
  package var topics = Topics.ofDevice
  /// `events`: where the JSON lines go.
  package var events = Output.none
  /// `i2c-trace`: where the bus trace goes; likewise.
  package var i2cTrace = Output.none
  /// `btsnoop`: where the capture of HCI packets goes; likewise.
  package var btsnoop = Output.none

  /// The board that an empty file describes.
  package init() {}

  /// The GPIO chip of the buttons and of all other lines; `nil` if none is named.
  package var chip: Text? {
    if case .gpio(let chip) = buttons { chip } else { nil }
  }

  /// The line of the GPIO chip that a key names; `nil` for none, and for any other key.
  package func line(of key: Key) -> UInt32? {
    switch key {
    case .panelReset: panelReset
    case .buttonA: buttonA
    case .buttonB: buttonB
    case .alert: alert
    default: nil
    }
  }

  /// Whether there is anything to press.
  package var hasButtons: Bool {
    switch buttons {
    case .none: false
    case .gpio: buttonA != nil || buttonB != nil
    case .standardInput, .fifo: true
    }
  }
}

/// The way to the Bluetooth controller.
package enum ControllerPort: Sendable {
  /// A controller of this machine, by its user channel: `hci0` is number 0.
  case device(UInt16)
  /// H4 over TCP; the host is an IPv4 address, an IPv6 address without its brackets, or `localhost`.
  case tcp(host: Text, port: UInt16)
  /// H4 over a unix stream socket; the path has at most 107 bytes.
  case unix(Text)
  /// H4 over a serial port; the baud rate is one that Linux has.
  case serial(Text, baud: UInt32)

  /// Whether it is a controller of this machine, whose driver may be loaded after this program.
  package var isDevice: Bool {
    if case .device = self { true } else { false }
  }
}

/// The way to the panel.
package enum PanelPort: Sendable {
  /// A device of the I²C bus with this path; the address is 0x03–0x77.
  case i2c(Text, address: UInt8)
  /// The mock display: a folder of pictures.
  case pbm(Text)

  /// The panel's 7-bit address on the bus; the mock display has the usual one.
  package var address: UInt8 {
    switch self {
    case .i2c(_, let address): address
    case .pbm: 0x3C
    }
  }

  /// The same bus with the other of the two addresses that panels have; `nil` if the address is neither.
  ///
  /// SSD1306 data sheet, 8.1.5.2: the pin SA0 decides.
  package var atOtherAddress: PanelPort? {
    guard case .i2c(let path, let address) = self, address & 0xFE == 0x3C else { return nil }
    return .i2c(path, address: address ^ 1)
  }
}

/// Where presses come from.
package enum ButtonPort: Sendable {
  case none
  /// Real buttons on a GPIO chip with this path.
  case gpio(Text)
  case standardInput
  /// Bytes from a fifo with this path.
  case fifo(Text)
}

/// Which of a phone's notifications show.
package enum NotificationPolicy: Equatable, Sendable {
  /// Nothing: the phone is not asked.
  case off
  /// Who calls.
  case calls
  /// Who calls, and everything else that the phone does not mark as silent.
  case all
  /// Who calls, and the notifications of these apps.
  case apps(AppList)

  /// Whether notifications that are no calls show at all.
  package var hasOthers: Bool {
    switch self {
    case .off, .calls: false
    case .all, .apps: true
    }
  }

  /// Whether a notification that is no call shows if it is of this app.
  package func shows(_ app: Span<UInt8>) -> Bool {
    switch self {
    case .off, .calls: false
    case .all: true
    case .apps(let list): list.contains(app)
    }
  }
}

/// Whether sensors are used.
package enum SensorPolicy: Sendable {
  /// Those that the rider has added; the rider may add others.
  case learned
  /// None; remembered sensors stay remembered, for when sensors are used again.
  case off
}

/// Where lines or captures go.
package enum Output: Sendable {
  case none
  case standardError
  case file(Text)
  /// Programs that ask for them at the unix socket with this path, which has at most 107 bytes.
  case unix(Text)

  /// The path of the socket, if it is one.
  package var socketPath: Text? {
    if case .unix(let path) = self { path } else { nil }
  }
}

extension Board {
  /// Writes the value of a key as a board file has it; nothing where another key decides.
  package func write(_ key: Key, to writer: inout some ByteWriter & ~Copyable) {
    switch key {
    case .hci: writer.append(hci)
    case .display: write(display, to: &writer)
    case .panel: writer.append(panel.name)
    case .panelReset, .buttonA, .buttonB, .alert: write(line(of: key), to: &writer)
    case .updates: writer.append(word(for: updates, in: ValueWords.updates))
    case .rotation: writer.append(word(for: rotation, in: ValueWords.rotation))
    case .columnOffset:
      if let columnOffset { writer.append(decimal: Int64(widening: Int(columnOffset))) }
    case .contrast: writer.append(decimal: Int64(widening: Int(contrast)))
    case .buttons: write(buttons, to: &writer)
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
    case .music: writer.append(word(for: hasMusic, in: ValueWords.switches))
    case .advertise: writer.append(word(for: advertises, in: ValueWords.switches))
    case .battery: write(battery, to: &writer)
    case .alertSides: writer.append(word(for: hasAlertSides, in: ValueWords.switches))
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

  /// Appends a host, with brackets around an IPv6 address.
  private mutating func append(host: Span<UInt8>) {
    guard firstIndex(of: 0x3A, in: host) != nil else { return append(host) }
    append("[")
    append(host)
    append("]")
  }
}
