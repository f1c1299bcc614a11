import BoardFile
import Bytes
import HCI
import Host
import Linux

/// How each device that the board names is opened.
extension ControllerPort {
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

extension Output {
  func open() throws(Errno) -> LineFile {
    switch self {
    case .none: LineFile.none
    case .standardError: LineFile.standardError
    case .file(let path): try LineFile(path: path.bytes)
    }
  }
}

extension ButtonPort {
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

  /// Opens the alert line; `nil` if the board has none.
  ///
  /// Throws `noSuchFile` too if the board names a line but no chip.
  func openAlert() throws(Errno) -> GPIOLine? {
    guard let alert else { return nil }
    guard let chip else { throw .noSuchFile }
    return try GPIOLine(outputOf: chip.bytes, offset: alert)
  }
}
