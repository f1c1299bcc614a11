package import Battery
package import BoardFile
package import Bytes
import Graphics
import Linux
package import Panel
import PanelModel

/// The panel's bus, a real one or the mock, and the trace of what went over it.
public struct PanelBus: ~Copyable {
  private var bus: I2CBus?
  private var mock: MockPanel?
  /// The folder of the mock, where its gauges are files.
  private var folder: Text?
  /// The messages on the bus, one line each, timed from `start` on.
  private var trace: LineFile
  private let start: Instant
  /// The address that the messages go to.
  private var address: UInt8 = 0
  /// The number of the newest picture of the mock.
  private var frame: Int64 = 0

  package init(tracing output: Output, start: Instant) {
    trace = output.openLines()
    self.start = start
  }

  /// Opens the bus; the mock goes on counting after the pictures that this run has written.
  package mutating func open(_ port: PanelPort, _ kind: PanelKind) throws(Errno) {
    try openForGauges(port)
    address = port.address
    if let folder { mock = try MockPanel(kind, folder: folder.bytes, after: frame) }
  }

  /// Opens the bus to read registers of a gauge alone; writes nothing to it.
  package mutating func openForGauges(_ port: PanelPort) throws(Errno) {
    close()
    switch port {
    case .i2c(let path, let address): bus = try I2CBus(path: path.bytes, address: address)
    case .pbm(let folder): self.folder = folder
    }
  }

  /// Writes messages in one call; returns the number of the mock's picture, if there is a mock.
  ///
  /// The mock writes a picture if the messages end one. After an error it is unknown what has arrived.
  mutating func send(
    _ bytes: Span<UInt8>, lengths: Span<UInt16>, endsPicture: Bool, at now: Instant
  ) throws(Errno) -> Int64? {
    try bus?.send(bytes, lengths: lengths)
    var start = 0
    for index in lengths.indices {
      let end = start + Int(lengths[index])
      let message = bytes.extracting(start..<end)
      mock?.receive(message)
      write(message, at: now)
      start = end
    }
    if endsPicture { try mock?.flush() }
    guard let count = mock?.frameCount else { return nil }
    frame = count
    return count
  }

  private mutating func write(_ message: Span<UInt8>, at now: Instant) {
    guard !trace.isNone else { return }
    var line = FixedBuffer<3328>()
    line.append(traceOf: message, to: address, atMilliseconds: now - start)
    trace.write(line: line.bytes)
  }

  /// Reads registers of a battery's gauge on the same bus; the mock's gauges are files.
  package mutating func read(_ read: GaugeRead, into bytes: inout FixedBuffer<2>) throws(Errno) {
    if bus != nil {
      try bus?.read(read.register, of: read.address, count: read.count, into: &bytes)
    } else if let folder {
      try RegisterFile.read(
        read.register, of: read.address, in: folder.bytes, count: read.count, into: &bytes)
    } else {
      throw .noSuchDevice
    }
  }

  mutating func close() {
    bus = nil
    mock = nil
    folder = nil
  }
}

/// The mock display: a model of the controller, and a folder of what its glass showed.
public struct MockPanel: ~Copyable {
  private var model: PanelModel
  private var glass: Bitmap
  private var writer: PBMWriter

  /// Opens the folder; `frameCount` is the number of the last picture there that stays, 0 for none.
  package init(_ kind: PanelKind, folder: Span<UInt8>, after frameCount: Int64) throws(Errno) {
    writer = try PBMWriter(folder: folder, after: frameCount)
    model = PanelModel(kind)
    glass = Bitmap(kind.size)
  }

  package var frameCount: Int64 { writer.frameCount }

  /// Receives a message as the bus would carry it.
  package mutating func receive(_ message: Span<UInt8>) { model.receive(message) }

  /// Writes a picture if the glass shows another one than before.
  package mutating func flush() throws(Errno) {
    guard model.updateGlass(&glass) else { return }
    var picture = FixedBuffer<2059>()
    PBM.append(glass, to: &picture)
    try writer.write(picture.bytes)
  }
}
