import BoardFile
import Bytes
import Graphics
import Linux
import Panel

/// What one flush of a picture put on the bus.
struct Flush {
  /// The number of the newest picture; on the mock that of its file.
  var number: Int64 = 0
  /// Bytes on the wire, address bytes included.
  var bytes = 0
  /// I²C messages.
  var messages = 0
}

/// The panel on its bus, real or mock, reopened for as long as it fails.
struct PanelOutput: ~Copyable {
  /// Short enough for a complete picture within a second of the panel's return.
  private static var retryTime: Int64 { 500 }
  private static var refreshTime: Int64 { 60_000 }

  private let kind: Panel.PanelKind
  private var bus: I2CBus?
  private var mock: MockPanel?
  private var display: Panel.Display
  private var trace: BusTrace
  private var pictureCount: Int64 = 0
  private var lastError: Errno?
  private var nextRefresh: Instant
  private var power: PanelPower
  /// When to open the bus; `nil` while it is open.
  private var nextOpening: Instant?

  init(
    _ kind: Panel.PanelKind, rotation: Rotation, contrast: UInt8, trace: consuming BusTrace,
    opening now: Instant
  ) {
    self.kind = kind
    self.trace = trace
    display = Panel.Display(kind, rotation: rotation, contrast: contrast)
    nextRefresh = now + Self.refreshTime
    power = PanelPower(at: now)
    nextOpening = now
  }

  var size: Size { display.size }
  var isOn: Bool { power.level != .off }
  var isOpen: Bool { nextOpening == nil }

  /// When something must be done though nothing happens.
  var deadline: Instant? { isOpen ? power.deadline : nextOpening }

  /// Whether it is time to dim the panel, to switch it off or to spare its pixels.
  func isDue(at now: Instant) -> Bool {
    guard let deadline = power.deadline else { return false }
    return now >= deadline
  }

  /// Opens the bus if it is time to; returns whether it did, so that a picture is wanted.
  ///
  /// Throws once for each new reason.
  mutating func open(_ port: BoardFile.Display, at now: Instant) throws(Errno) -> Bool {
    guard let due = nextOpening, now >= due else { return false }
    do throws(Errno) {
      switch port {
      case .i2c(let path, let address): bus = try I2CBus(path: path.bytes, address: address)
      case .pbm(let folder):
        mock = try MockPanel(kind, folder: folder.bytes, after: pictureCount)
      }
    } catch {
      try close(error, at: now)
      return false
    }
    nextOpening = nil
    return true
  }

  /// Takes what the panel is used for; returns whether a picture is wanted, as its light changes.
  mutating func follow(_ use: PanelPower.Use, at now: Instant) -> Bool {
    let level = power.level
    power.follow(use, at: now)
    return power.level != level
  }

  /// Shows a picture; returns what went over the bus, `nil` if nothing had to.
  ///
  /// A panel that is off keeps the picture that it has, and gets the newest before it is switched on.
  mutating func show(_ picture: borrowing Bitmap, at now: Instant) throws(Errno) -> Flush? {
    if power.advance(to: now) { display.shiftPicture() }
    guard isOn || display.isOn else { return nil }
    display.setOn(isOn)
    if now >= nextRefresh {
      // Heals a panel whose supply dipped; no timer wakes the processor for it.
      nextRefresh = now + Self.refreshTime
      display.refresh()
    }
    if isOn, display.show(picture) { power.pictureChanged(at: now) }
    display.setDim(power.level == .dim)
    return try flush(at: now)
  }

  /// Leaves a dark panel behind.
  mutating func shutDown(at now: Instant) throws(Errno) -> Flush? {
    display.shutDown()
    return try flush(at: now)
  }

  private mutating func flush(at now: Instant) throws(Errno) -> Flush? {
    var flush = Flush()
    do throws(Errno) {
      while isOpen, !display.message.isEmpty {
        try bus?.send(display.message)
        mock?.receive(display.message)
        trace.write(display.message, at: now)
        flush.bytes += 1 + display.message.count
        flush.messages += 1
        display.messageWasSent()
      }
      try mock?.flush()
    } catch {
      try close(error, at: now)
      return nil
    }
    guard flush.messages > 0 else { return nil }
    lastError = nil
    pictureCount = mock?.frameCount ?? pictureCount + 1
    flush.number = pictureCount
    return flush
  }

  /// After an error nothing is known of the panel any more.
  private mutating func close(_ reason: Errno, at now: Instant) throws(Errno) {
    bus = nil
    mock = nil
    display.invalidate()
    nextOpening = now + Self.retryTime
    guard reason != lastError else { return }
    lastError = reason
    throw reason
  }
}

/// The messages on the bus, one line each.
struct BusTrace: ~Copyable {
  private var file: LineFile
  private let address: UInt8
  private let start: Instant

  init(_ file: consuming LineFile, address: UInt8, start: Instant) {
    self.file = file
    self.address = address
    self.start = start
  }

  mutating func write(_ message: Span<UInt8>, at now: Instant) {
    guard !file.isNone else { return }
    var line = FixedBuffer<3328>()
    line.append(traceOf: message, to: address, atMilliseconds: now - start)
    file.write(line: line.bytes)
  }
}
