package import BoardFile
package import Bytes
import Graphics
package import Panel

/// What one flush of a picture put on the bus.
package struct Flush {
  /// The number of the newest picture; on the mock that of its file.
  package fileprivate(set) var number: Int64 = 0
  /// Bytes on the wire, address bytes included.
  package fileprivate(set) var bytes = 0
  /// I²C messages.
  package fileprivate(set) var messages = 0
}

/// The panel: pictures in, messages for its bus out.
///
/// Whatever fails, a whole picture is there within a second of the panel's return. Attempts are 500 ms apart. An
/// attempt on a stuck bus takes 110 ms, as it begins with the initialisation alone; one that succeeds takes about 100
/// ms at 100 kHz. So the loop goes on meanwhile: a bus that gets stuck blocks it for 0.5 s once, and then for 110 ms in
/// every 500 ms.
package struct PanelOutput: ~Copyable {
  private static var refreshTime: Int64 { 60_000 }
  /// What a panel needs from power-on to its first message, in milliseconds.
  private static var powerUpTime: Int64 { 100 }

  private var display: PanelDriver
  /// The messages to be written in one call; empty when there are none.
  package private(set) var batch = MessageBatch()
  package private(set) var flush = Flush()
  private var pictureCount: Int64 = 0
  /// Whether no whole picture has arrived since the bus last failed.
  private var isPictureLost = false
  /// Whether a whole picture has ever arrived.
  package private(set) var hasWorked = false
  /// Whether several messages go in one call: until the first error, as not every adapter can do that.
  private var joinsMessages = true
  /// Its reset line, if the board has one.
  private var reset: ResetPulse?
  /// Whether the panel may be powered on together with the bus that is opened next.
  private var isBusNew = true
  /// When the panel takes its first message, while it is powering up.
  private var powerUpEnd: Instant?
  private var nextRefresh: Instant

  package init(_ board: Board, at now: Instant) {
    display = PanelDriver(
      board.panel, rotation: board.rotation, columnOffset: board.columnOffset,
      updates: board.updates, contrast: board.contrast)
    reset = board.panelReset == nil ? nil : ResetPulse()
    nextRefresh = now + Self.refreshTime
  }

  /// When its reset ends, or it takes its first message; `nil` while neither is to come.
  var deadline: Instant? { reset?.end ?? powerUpEnd }

  /// The bus was opened: a panel that may have been powered on with it takes nothing for a while.
  ///
  /// The time of power-on is unknown, but the bus was there before.
  package mutating func busWasOpened(at now: Instant) {
    if isBusNew { powerUpEnd = now + Self.powerUpTime }
    isBusNew = false
    reset?.begin(at: now)
  }

  /// Whether its reset line is to go from low to high.
  package func isResetOver(at now: Instant) -> Bool { reset?.end.map { now >= $0 } ?? false }

  /// The reset line went high: after a rest the panel takes its first message.
  package mutating func resetWasEnded(at now: Instant) {
    reset?.lineWentHigh()
    let rest = now + ResetPulse.time
    powerUpEnd = powerUpEnd.map { max($0, rest) } ?? rest
  }

  func isPoweringUp(at now: Instant) -> Bool {
    reset?.end != nil || powerUpEnd.map { now < $0 } ?? false
  }

  // MARK: - Messages

  /// Whether the picture is whole when the messages have arrived.
  package private(set) var endsPicture = false

  /// Whether the panel is to be set up once more at the next opportunity, in case its supply dipped.
  ///
  /// No timer wakes the processor for it.
  func isRefreshDue(at now: Instant) -> Bool { now >= nextRefresh }

  /// Prepares the messages that show a picture in the light of this power.
  ///
  /// A panel that is off keeps its picture, and gets the newest before it is switched on; a panel that failed while off
  /// is blanked. A picture brightens it only if it `isWorthLight`.
  mutating func show(
    _ picture: borrowing Bitmap, isWorthLight: Bool, in power: inout PanelPower, at now: Instant
  ) {
    powerUpEnd = nil
    if power.advance(to: now) { display.shiftPicture() }
    let isOn = power.level != .off
    guard isOn || display.isOn || isPictureLost else { return }
    display.setOn(isOn)
    if now >= nextRefresh {
      nextRefresh = now + Self.refreshTime
      display.refresh()
    }
    if isOn {
      if display.show(picture), isWorthLight { power.pictureChanged(at: now) }
    } else if isPictureLost {
      display.show(Bitmap(display.pictureSize))
    }
    display.setDim(power.level == .dim)
    flush = Flush()
    prepareBatch()
  }

  /// Prepares the messages that leave a dark panel behind.
  package mutating func shutDown() {
    display.shutDown()
    flush = Flush()
    prepareBatch()
  }

  /// Notes that the messages have arrived and prepares the next ones.
  ///
  /// Returns what went over the bus once the picture is whole; `frame` is the picture's number if
  /// the mock counts them.
  package mutating func messagesWereSent(frame: Int64?) -> Flush? {
    flush.bytes += batch.count + batch.bytes.count
    flush.messages += batch.count
    let isWhole = endsPicture
    prepareBatch()
    guard isWhole else { return nil }
    isPictureLost = false
    hasWorked = true
    pictureCount = frame ?? pictureCount + 1
    flush.number = pictureCount
    return flush
  }

  /// The bus failed: what the panel shows is unknown from now on.
  ///
  /// Each message has a call of its own from now on. Returns whether that may be the cure, as several messages in one
  /// call have never arrived.
  package mutating func invalidate(after reason: Errno) -> Bool {
    let mayBeTheJoining = joinsMessages && batch.count > 1 && !hasWorked
    if !batch.isEmpty { joinsMessages = false }
    // A panel with a plug of its own is powered on when it is plugged in.
    if reason.kindOnBus == .noSuchFile { isBusNew = true }
    isPictureLost = true
    batch.removeAll()
    endsPicture = false
    display.invalidate()
    return mayBeTheJoining
  }

  private mutating func prepareBatch() {
    batch.removeAll()
    while !display.message.isEmpty {
      guard batch.isEmpty || joinsMessages, batch.hasRoom(for: display.message) else { break }
      batch.append(display.message)
      display.messageWasSent()
    }
    endsPicture = !batch.isEmpty && display.message.isEmpty
  }
}

/// The pulse on a panel's reset line, which is low from its opening on.
///
/// The SSD1309 needs a pulse of 3 µs, and 3 µs of rest (data sheet, power on sequence); 10 ms are long enough for the
/// capacitor that some modules have on this line.
package struct ResetPulse {
  /// How long the line is low, and how long the panel then rests, in milliseconds.
  package static var time: Int64 { 10 }

  /// When the line is to go high; `nil` while it is.
  package private(set) var end: Instant?

  /// The line was opened, low.
  package mutating func begin(at now: Instant) { end = now + Self.time }

  /// The line went high.
  mutating func lineWentHigh() { end = nil }
}

extension Errno {
  /// One error for all errors that the same fault of a bus may cause.
  ///
  /// A panel without power sometimes does not acknowledge its address, sometimes a byte. A bus that is pulled out first
  /// refuses a write, and later to be opened.
  package var kindOnBus: Errno {
    switch self {
    case .noSuchAddress, .inputOutput: .remoteIO
    case .noSuchDevice: .noSuchFile
    default: self
    }
  }
}
