import Bytes
import Graphics
import Linux
import Panel

/// The mock display: the controller's mirror image, and a folder of what its glass showed.
struct MockPanel: ~Copyable {
  private var model: PanelModel
  private var glass: Bitmap
  private var writer: PBMWriter

  init(_ kind: PanelKind, folder: Span<UInt8>) throws(Errno) {
    writer = try PBMWriter(folder: folder)
    model = PanelModel(kind)
    glass = Bitmap(kind.size)
  }

  /// The number of the newest picture.
  var frameCount: Int64 { writer.frameCount }

  /// Takes the bytes that the bus would carry.
  mutating func receive(_ message: Span<UInt8>) { model.receive(message) }

  /// Writes a picture if the glass shows another one than before.
  mutating func flush() throws(Errno) {
    guard model.updateGlass(&glass) else { return }
    var picture = FixedBuffer<1034>()
    PBM.append(glass, to: &picture)
    try writer.write(picture.bytes)
  }
}
