import BoardFile
import Bytes
import HCI
import Host
import Linux
import Navigation
import Panel

/// How each device that the board names is opened.
extension BoardFile.Controller {
  /// Whether it is one of this machine, whose driver may be loaded later than we are.
  var isDevice: Bool {
    if case .device = self { true } else { false }
  }

  func open() throws(Errno) -> HCITransport {
    switch self {
    case .device(let number): HCITransport(try HCISocket(device: number))
    case .tcp(let host, let port): HCITransport(try H4Stream(host: host.bytes, port: port))
    case .unix(let path): HCITransport(try H4Stream(socket: path.bytes))
    case .serial(let path, let baud):
      HCITransport(try H4Stream(serial: path.bytes, baud: baud))
    }
  }
}

/// The address of this board, if it is a Raspberry Pi.
///
/// Not by way of /proc, of which the service sees processes only.
func readBoardAddress() -> DeviceAddress? {
  let compatiblePath = "/sys/firmware/devicetree/base/compatible".utf8
  let serialNumberPath = "/sys/firmware/devicetree/base/serial-number".utf8
  var compatible = FixedBuffer<256>()
  var serialNumber = FixedBuffer<32>()
  do throws(Errno) {
    try readFile(compatiblePath.span, into: &compatible)
    try readFile(serialNumberPath.span, into: &serialNumber)
  } catch {
    return nil
  }
  return boardAddress(compatible: compatible.bytes, serialNumber: serialNumber.bytes)
}

extension BoardFile.Output {
  func open() throws(Errno) -> LineFile {
    switch self {
    case .none: LineFile.none
    case .standardError: LineFile.standardError
    case .file(let path): try LineFile(path: path.bytes)
    }
  }
}

extension BoardFile.Buttons {
  /// Opens what is there in place of real buttons; `nil` for those.
  func openStandIn() throws(Errno) -> GestureInput? {
    switch self {
    case .none, .gpio: nil
    case .standardInput: GestureInput.standardInput
    case .fifo(let path): try GestureInput(fifo: path.bytes)
    }
  }
}

extension Board {
  /// Opens the real buttons; `nil` if the board has none.
  func openButtons() throws(Errno) -> GPIOButtons? {
    guard case .gpio(let chip) = buttons, buttonPage != nil || buttonUnpair != nil else {
      return nil
    }
    return try GPIOButtons(chip: chip.bytes, page: buttonPage, unpair: buttonUnpair)
  }

  /// The chip of the buttons, which is that of the alert line too; `nil` if none is named.
  var chip: Text? {
    if case .gpio(let chip) = buttons { chip } else { nil }
  }

  /// Opens the alert line; `nil` if the board has none.
  ///
  /// Throws `noSuchFile` too if the board names a line but no chip, and `busy` for a button's line.
  func openAlert() throws(Errno) -> GPIOLine? {
    guard let alert else { return nil }
    guard let chip else { throw .noSuchFile }
    if alert == buttonPage || alert == buttonUnpair { throw .busy }
    return try GPIOLine(outputOf: chip.bytes, offset: alert)
  }
}

/// What the board says, in the words of the modules that do it.
extension Board {
  var panelKind: Panel.PanelKind {
    switch panel {
    case .ssd1306x128x64: .ssd1306x128x64
    case .ssd1306x128x32: .ssd1306x128x32
    case .ssd1306x64x48: .ssd1306x64x48
    case .ssd1306x72x40: .ssd1306x72x40
    case .sh1106x128x64: .sh1106x128x64
    }
  }

  var panelRotation: Rotation { isUpsideDown ? .halfTurn : .upright }

  var pairingPolicy: PairingPolicy {
    switch pairing {
    case .required: .required
    case .preferred: .preferred
    case .off: .off
    }
  }

  var navigationUnits: Navigation.Units {
    switch units {
    case .metric: .metric
    case .imperial: .imperial
    }
  }

  /// The panel's 7-bit address; the mock has the usual one.
  var panelAddress: UInt8 {
    switch display {
    case .i2c(_, let address): address
    case .pbm: 0x3C
    }
  }
}
