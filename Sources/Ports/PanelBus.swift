package import Battery
package import BoardFile
package import Bytes
import Device
import Linux
import Panel

/// The panel's bus, a real one or the mock, and the trace of what went over it.
struct PanelBus: ~Copyable {
  private var bus: I2CBus?
  private var mock: MockPanel?
  private var trace: BusTrace
  /// The number of the newest picture of the mock.
  private var frame: Int64 = 0

  init(tracing trace: consuming BusTrace) { self.trace = trace }

  /// Opens the bus; the mock goes on counting after the pictures that this run has written.
  mutating func open(_ port: PanelPort, _ kind: PanelKind) throws(Errno) {
    close()
    trace.address = port.address
    switch port {
    case .i2c(let path, let address): bus = try I2CBus(path: path.bytes, address: address)
    case .pbm(let folder): mock = try MockPanel(kind, folder: folder.bytes, after: frame)
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
      trace.write(message, at: now)
      start = end
    }
    if endsPicture { try mock?.flush() }
    guard let count = mock?.frameCount else { return nil }
    frame = count
    return count
  }

  /// Reads registers of a battery's gauge on the same bus; the mock's gauges are files.
  mutating func read(_ read: GaugeRead, into bytes: inout FixedBuffer<2>) throws(Errno) {
    if bus != nil {
      try bus?.read(read.register, of: read.address, count: read.count, into: &bytes)
    } else if mock != nil {
      try mock?.read(read, into: &bytes)
    } else {
      throw .noSuchDevice
    }
  }

  mutating func close() {
    bus = nil
    mock = nil
  }
}

/// The messages on the bus, one line each.
struct BusTrace: ~Copyable {
  private var file: LineFile
  private let start: Instant
  /// The address that the messages go to.
  var address: UInt8 = 0

  /// Lines timed from `start` on.
  init(_ file: consuming LineFile, start: Instant) {
    self.file = file
    self.start = start
  }

  mutating func write(_ message: Span<UInt8>, at now: Instant) {
    guard !file.isNone else { return }
    var line = FixedBuffer<3328>()
    line.append(traceOf: message, to: address, atMilliseconds: now - start)
    file.write(line: line.bytes)
  }
}

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
