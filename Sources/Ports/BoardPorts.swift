package import BoardFile
package import Bytes
import Controller
package import DeviceState
package import Linux
import Recording

/// How each device that the board names is opened.
extension ControllerPort {
  func open() throws(Errno) -> HCITransport {
    switch self {
    case .device(let number): try HCITransport(device: number)
    case .tcp(let host, let port): try HCITransport(host: host.bytes, port: port)
    case .unix(let path): try HCITransport(socket: path.bytes)
    case .serial(let path, let baud): try HCITransport(serial: path.bytes, baud: baud)
    }
  }
}

extension Output {
  /// Opens what lines go to.
  ///
  /// Complains if a file cannot be opened, and drops the lines. It drops lines for a socket, too: these go to
  /// an `EventServer`.
  func openLines() -> LineFile {
    do throws(Errno) {
      switch self {
      case .none, .unix: return LineFile.none
      case .standardError: return LineFile.standardError
      case .file(let path): return try LineFile(path: path.bytes)
      }
    } catch {
      complain(of: error)
      return .none
    }
  }

  /// Opens what records go to, likewise.
  func openRecords() -> RecordFile {
    guard case .file(let path) = self else { return .none }
    do throws(Errno) {
      return try RecordFile(path: path.bytes)
    } catch {
      complain(of: error)
      return .none
    }
  }

  private func complain(of reason: Errno) {
    guard case .file(let path) = self else { return }
    Ports.complain(of: reason.explanation(for: .file), at: path)
  }
}

/// Says on standard error what is wrong with a place where something is to be written; waits at most a moment.
func complain(of trouble: String, at path: Text) {
  var message = FixedBuffer<512>()
  message.append("lenker: ")
  message.append(path.bytes)
  message.append(": ")
  message.append(trouble)
  var complaints = LineFile.standardError
  complaints.write(line: message.bytes)
}

extension Board {
  /// Opens the line that a key names, to drive it, low at first.
  ///
  /// Throws `noSuchFile` too if the board names no chip.
  package func openOutput(of key: Key) throws(Errno) -> GPIOLine {
    guard let line = line(of: key), let chip else { throw .noSuchFile }
    return try GPIOLine(outputOf: chip.bytes, offset: line)
  }
}

extension BondFile {
  /// What the device must know about its store.
  package func facts() throws(Errno) -> StoreFacts {
    StoreFacts(
      isDevice: isDevice, isFree: isDevice ? try isFree() : true,
      isOpenToOthers: protection == .open)
  }
}

/// The address of this board, if it is a Raspberry Pi.
///
/// Not read from /proc, where the service sees nothing but processes.
package func readBoardAddress() -> DeviceAddress? {
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
