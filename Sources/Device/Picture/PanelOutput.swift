import Bytes
import Graphics
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

/// The panel: pictures in, messages for its bus out, as bright as its use requires.
///
/// Whatever fails, a whole picture is there within a second of the panel's return. Attempts are 500 ms
/// apart. One on a stuck bus takes 110 ms, as it begins with the initialisation alone; one that
/// succeeds takes some 100 ms at 100 kHz. So everything else in the loop goes on meanwhile: a bus that
/// gets stuck keeps it waiting for 0.5 s once, and then for 110 ms in each 500 ms.
struct PanelOutput: ~Copyable {
  private static var refreshTime: Int64 { 60_000 }

  private var display: PanelDriver
  private var batch = MessageBatch()
  private var flush = Flush()
  private var pictureCount: Int64 = 0
  /// Whether no whole picture has arrived since the bus last failed.
  private var isAway = false
  private var nextRefresh: Instant
  private var power: PanelPower

  init(_ kind: PanelKind, rotation: Rotation, contrast: UInt8, at now: Instant) {
    display = PanelDriver(kind, rotation: rotation, contrast: contrast)
    nextRefresh = now + Self.refreshTime
    power = PanelPower(at: now)
  }

  var isOn: Bool { power.level != .off }

  /// When to dim the panel, to switch it off or to spare its pixels; `nil` for never.
  var deadline: Instant? { power.deadline }

  /// Whether it is time to dim the panel, to switch it off or to spare its pixels.
  func isDue(at now: Instant) -> Bool {
    guard let deadline else { return false }
    return now >= deadline
  }

  /// Notes what the panel is used for; returns whether to draw, as its brightness changes.
  mutating func use(_ use: PanelPower.Use, at now: Instant) -> Bool {
    let level = power.level
    power.use(use, at: now)
    return power.level != level
  }

  /// How many messages of the picture that is being sent have arrived.
  var sentCount: Int { flush.messages }

  // MARK: - Messages

  /// Messages, one behind the other, to be written in one call; empty when there are none.
  var messages: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { batch.bytes }
  }

  /// How long each of the messages is.
  var lengths: Span<UInt16> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { batch.lengths }
  }

  /// Whether the picture is whole when the messages have arrived.
  private(set) var endsPicture = false

  /// Prepares the messages that show a picture.
  ///
  /// A panel that is off keeps the picture that it has, and gets the newest before it is switched on;
  /// one that failed is made dark.
  mutating func show(_ picture: borrowing Bitmap, at now: Instant) {
    if power.advance(to: now) { display.shiftPicture() }
    guard isOn || display.isOn || isAway else { return }
    display.setOn(isOn)
    if now >= nextRefresh {
      // Heals a panel whose supply dipped; no timer wakes the processor for it.
      nextRefresh = now + Self.refreshTime
      display.refresh()
    }
    if isOn {
      if display.show(picture) { power.pictureChanged(at: now) }
    } else if isAway {
      display.show(Bitmap(display.size))
    }
    display.setDim(power.level == .dim)
    flush = Flush()
    prepareBatch()
  }

  /// Prepares the messages that leave a dark panel behind.
  mutating func shutDown() {
    display.shutDown()
    flush = Flush()
    prepareBatch()
  }

  /// Notes that the messages have arrived and prepares the next ones.
  ///
  /// Returns what went over the bus once the picture is whole; `frame` is the picture's number if
  /// the mock counts them.
  mutating func messagesWereSent(frame: Int64?) -> Flush? {
    flush.bytes += batch.count + batch.bytes.count
    flush.messages += batch.count
    let isWhole = endsPicture
    prepareBatch()
    guard isWhole else { return nil }
    isAway = false
    pictureCount = frame ?? pictureCount + 1
    flush.number = pictureCount
    return flush
  }

  /// The bus failed: nothing is known of what the panel shows any more.
  mutating func invalidate() {
    isAway = true
    batch.removeAll()
    endsPicture = false
    display.invalidate()
  }

  private mutating func prepareBatch() {
    batch.removeAll()
    while !display.message.isEmpty {
      // After a failure a short message goes alone: on a bus that is still stuck it fails sooner.
      let isTrial = isAway && flush.messages == 0 && !batch.isEmpty
      guard !isTrial, batch.hasRoom(for: display.message) else { break }
      batch.append(display.message)
      display.messageWasSent()
    }
    endsPicture = !batch.isEmpty && display.message.isEmpty
  }
}
