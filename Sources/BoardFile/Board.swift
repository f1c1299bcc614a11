public import Beacons
public import Events
public import Host
public import Navigation
public import Panel
public import Screens
public import Words

/// What a board file says: where the hardware is and how the device behaves.
public struct Board: Sendable {
  /// `hci`: the way to the Bluetooth controller.
  public var hci = ControllerPort.device(0)
  /// `display`: the way to the panel.
  public var display = PanelPort.i2c(Text("/dev/i2c-1"), address: 0x3C)
  /// `panel`: which controller chip and how many pixels.
  public var panel = PanelKind.ssd1306x128x64
  /// `panel-reset`: the line of the panel's reset on the GPIO chip.
  public var panelReset: UInt32?
  /// `updates`: how a picture gets into the panel's RAM.
  public var updates = Updates.changes
  /// `rotation`: how the panel is mounted.
  public var rotation = Rotation.noTurn
  /// `column-offset`: the RAM column of the glass's first, 0–8; `nil` for that of the kind.
  public var columnOffset: UInt8?
  /// `contrast`: 1–255.
  public var contrast: UInt8 = 207
  /// `buttons`: where presses come from.
  public var buttons = ButtonPort.none
  /// `button-page`: the page button's line on the GPIO chip.
  public var buttonPage: UInt32?
  /// `button-unpair`: the unpair button's line on the GPIO chip.
  public var buttonUnpair: UInt32?
  /// `alert`: the line of a buzzer or LED on the GPIO chip.
  public var alert: UInt32?
  /// `store`: the file of the bond.
  public var store = Text("/var/lib/lenker/bond")
  /// Whether the board itself says where the store is.
  public var isStoreNamed = false
  /// `pairing`: whether phones are remembered.
  public var pairing = PairingPolicy.preferred
  /// `units`: how distances are shown.
  public var units = Units.metric
  /// `name`: what phones see, 1–20 bytes of UTF-8.
  public var name = Text("Lenker")
  /// `language`: the panel's words.
  public var language = Language.english
  /// `sensors`: whether sensors are used, and new ones learned.
  public var sensors = SensorPolicy.learned
  /// `wheel`: the way around the wheel in millimetres, 500–4000; `nil` where it is to be learned.
  public var wheel: UInt16? = 2_105
  /// `extra`: what the turn's spare line shows.
  public var extra = ExtraFigure.none
  /// `notifications`: what of a phone's notifications shows.
  public var notifications = NotificationPolicy.off
  /// `music`: whether there is a page of what the phone plays.
  public var hasMusic = false
  /// `home`: the beacon by which the device knows that it is at home; `nil` without one.
  public var home: HomeBeacon?
  /// `report`: where the rider's report goes; a file if anywhere.
  public var report = Output.none
  /// `topics`: which events there are; never none, nor others than the firmware has.
  public var topics = Topics.ofDevice
  /// `events`: where the JSON lines go.
  public var events = Output.none
  /// `i2c-trace`: where the bus trace goes; likewise.
  public var i2cTrace = Output.none
  /// `btsnoop`: where the capture of HCI packets goes; likewise.
  public var btsnoop = Output.none

  /// The board that an empty file describes.
  public init() {}

  /// The chip of the buttons, which is that of all other lines too; `nil` if none is named.
  public var chip: Text? {
    if case .gpio(let chip) = buttons { chip } else { nil }
  }

  /// The line of the GPIO chip that a key names; `nil` for none, and for any other key.
  public func line(of key: Key) -> UInt32? {
    switch key {
    case .panelReset: panelReset
    case .buttonPage: buttonPage
    case .buttonUnpair: buttonUnpair
    case .alert: alert
    default: nil
    }
  }

  /// Whether there is anything to press.
  public var hasButtons: Bool {
    switch buttons {
    case .none: false
    case .gpio: buttonPage != nil || buttonUnpair != nil
    case .standardInput, .fifo: true
    }
  }
}

/// The way to the Bluetooth controller.
public enum ControllerPort: Sendable {
  /// A controller of this machine, by its user channel: `hci0` is number 0.
  case device(UInt16)
  /// H4 over TCP; the host is an IPv4 address, an IPv6 address without its brackets, or `localhost`.
  case tcp(host: Text, port: UInt16)
  /// H4 over a unix stream socket; the path has at most 107 bytes.
  case unix(Text)
  /// H4 over a serial port; the baud rate is one that Linux has.
  case serial(Text, baud: UInt32)

  /// Whether it is one of this machine, whose driver may be loaded later than we are.
  public var isDevice: Bool {
    if case .device = self { true } else { false }
  }
}

/// The way to the panel.
public enum PanelPort: Sendable {
  /// A device of the I²C bus with this path; the address is 0x03–0x77.
  case i2c(Text, address: UInt8)
  /// The mock display: a folder of pictures.
  case pbm(Text)

  /// The panel's 7-bit address on the bus; the mock display has the usual one.
  public var address: UInt8 {
    switch self {
    case .i2c(_, let address): address
    case .pbm: 0x3C
    }
  }

  /// The same bus with the other one of the two addresses that panels have; `nil` if this is neither.
  ///
  /// SSD1306 data sheet, 8.1.5.2: the pin SA0 decides.
  public var atOtherAddress: PanelPort? {
    guard case .i2c(let path, let address) = self, address & 0xFE == 0x3C else { return nil }
    return .i2c(path, address: address ^ 1)
  }
}

/// Where presses come from.
public enum ButtonPort: Sendable {
  /// Nowhere.
  case none
  /// Real buttons on a GPIO chip with this path.
  case gpio(Text)
  /// Bytes on standard input.
  case standardInput
  /// Bytes from a fifo with this path.
  case fifo(Text)
}

/// What of a phone's notifications shows.
public enum NotificationPolicy: Sendable {
  /// Nothing: the phone is not asked.
  case off
  /// Who calls.
  case calls
  /// That, and whatever else the phone does not keep quiet about.
  case all
}

/// Whether sensors are used.
public enum SensorPolicy: Sendable {
  /// Those that the rider has added, who may add others.
  case learned
  /// None; those that are remembered stay so, for when they are used again.
  case off
}

/// Where lines or captures go.
public enum Output: Sendable {
  /// Nowhere.
  case none
  /// Standard error.
  case standardError
  /// The file with this path.
  case file(Text)
  /// Whoever asks for them at the unix socket with this path, which has at most 107 bytes.
  case unix(Text)

  /// The path of the socket, if it is one.
  public var socketPath: Text? {
    if case .unix(let path) = self { path } else { nil }
  }
}
