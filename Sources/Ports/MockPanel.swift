package import Battery
import BoardFile
package import Bytes
import Graphics
import Linux
package import Panel
import PanelModel

/// The mock display: the controller's mirror image, and a folder of what its glass showed.
public struct MockPanel: ~Copyable {
  private var model: PanelModel
  private var glass: Bitmap
  private var writer: PBMWriter
  private let folder: Text

  /// Opens the folder; `frameCount` is the number of the last picture there that is to stay, 0 for none.
  package init(_ kind: PanelKind, folder: Span<UInt8>, after frameCount: Int64) throws(Errno) {
    writer = try PBMWriter(folder: folder, after: frameCount)
    self.folder = Text(folder) ?? Text("")
    model = PanelModel(kind)
    glass = Bitmap(kind.size)
  }

  package var frameCount: Int64 { writer.frameCount }

  /// Receives a message as the bus would carry it.
  package mutating func receive(_ message: Span<UInt8>) { model.receive(message) }

  /// Reads registers of a gauge beside the panel.
  package func read(_ read: GaugeRead, into bytes: inout FixedBuffer<2>) throws(Errno) {
    try RegisterFile.read(
      read.register, of: read.address, in: folder.bytes, count: read.count, into: &bytes)
  }

  /// Writes a picture if the glass shows another one than before.
  package mutating func flush() throws(Errno) {
    guard model.updateGlass(&glass) else { return }
    var picture = FixedBuffer<2059>()
    PBM.append(glass, to: &picture)
    try writer.write(picture.bytes)
  }
}
