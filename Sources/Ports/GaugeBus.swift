package import Battery
package import BoardFile
package import Bytes
import Linux

/// The panel's bus as a check uses it for a gauge alone: a real one, or the files beside the mock's pictures.
public struct GaugeBus: ~Copyable {
  private var bus: I2CBus?
  private let folder: Text

  /// Opens the bus of the panel; writes nothing to it.
  package init(_ port: PanelPort) throws(Errno) {
    switch port {
    case .i2c(let path, let address):
      bus = try I2CBus(path: path.bytes, address: address)
      folder = Text("")
    case .pbm(let folder):
      bus = nil
      self.folder = folder
    }
  }

  package mutating func read(_ read: GaugeRead, into bytes: inout FixedBuffer<2>) throws(Errno) {
    guard bus == nil else {
      return try bus?.read(read.register, of: read.address, count: read.count, into: &bytes) ?? ()
    }
    try RegisterFile.read(
      read.register, of: read.address, in: folder.bytes, count: read.count, into: &bytes)
  }
}
