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
///
/// Whatever fails, a whole picture is there within a second of the panel's return. Attempts are 500 ms
/// apart. One on a bus that is stuck takes 110 ms, as it begins with the initialisation alone; one that
/// succeeds takes some 100 ms at 100 kHz. So the others in the loop have their turn meanwhile: a bus that
/// gets stuck keeps them waiting for 0.5 s once, and then for 110 ms in each 500 ms.
struct PanelOutput<Bus: PanelBus & ~Copyable>: ~Copyable {
  /// From the beginning of an attempt to the next.
  private static var retryTime: Int64 { 500 }
  private static var refreshTime: Int64 { 60_000 }

  private let kind: PanelKind
  private var bus: Bus?
  private var mock: MockPanel?
  private var display: Display
  private var batch = MessageBatch()
  private var trace: BusTrace
  private var pictureCount: Int64 = 0
  private var outage = PanelOutage()
  private var nextRefresh: Instant
  private var power: PanelPower
  /// When to open the bus; `nil` while it is open.
  private var nextOpening: Instant?

  init(
    _ kind: PanelKind, rotation: Rotation, contrast: UInt8, trace: consuming BusTrace,
    opening now: Instant
  ) {
    self.kind = kind
    self.trace = trace
    display = Display(kind, rotation: rotation, contrast: contrast)
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
  /// Throws once for each kind of trouble in an outage.
  mutating func open(_ port: PanelPort, at now: Instant) throws(Errno) -> Bool {
    guard let due = nextOpening, now >= due else { return false }
    do throws(Errno) {
      switch port {
      case .i2c(let path, let address): bus = try Bus(path: path.bytes, address: address)
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
  /// A panel that is off keeps the picture that it has, and gets the newest before it is switched on;
  /// one that failed is made dark.
  mutating func show(_ picture: borrowing Bitmap, at now: Instant) throws(Errno) -> Flush? {
    if power.advance(to: now) { display.shiftPicture() }
    guard isOn || display.isOn || outage.isOn else { return nil }
    display.setOn(isOn)
    if now >= nextRefresh {
      // Heals a panel whose supply dipped; no timer wakes the processor for it.
      nextRefresh = now + Self.refreshTime
      display.refresh()
    }
    if isOn {
      if display.show(picture) { power.pictureChanged(at: now) }
    } else if outage.isOn {
      display.show(Bitmap(size))
    }
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
    guard isOpen else { return nil }
    do throws(Errno) {
      while !display.message.isEmpty {
        // A bus that is still stuck is found out by a short message, whose time is short as well.
        let isTrial = outage.isOn && flush.messages == 0 && !batch.isEmpty
        if isTrial || !batch.hasRoom(for: display.message) { try sendBatch(&flush, at: now) }
        batch.append(display.message)
        display.messageWasSent()
      }
      try sendBatch(&flush, at: now)
      try mock?.flush()
    } catch {
      try close(error, at: now)
      return nil
    }
    guard flush.messages > 0 else { return nil }
    outage.end()
    pictureCount = mock?.frameCount ?? pictureCount + 1
    flush.number = pictureCount
    return flush
  }

  private mutating func sendBatch(_ flush: inout Flush, at now: Instant) throws(Errno) {
    guard !batch.isEmpty else { return }
    try bus?.send(batch.bytes, lengths: batch.lengths)
    var start = 0
    for index in 0..<batch.count {
      let end = start + Int(batch.lengths[index])
      let message = batch.bytes.extracting(start..<end)
      mock?.receive(message)
      trace.write(message, at: now)
      start = end
    }
    flush.bytes += batch.count + batch.bytes.count
    flush.messages += batch.count
    batch.removeAll()
  }

  /// After an error nothing is known of the panel any more.
  private mutating func close(_ reason: Errno, at now: Instant) throws(Errno) {
    bus = nil
    mock = nil
    batch.removeAll()
    display.invalidate()
    nextOpening = now + Self.retryTime
    if outage.take(reason) { throw reason }
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
