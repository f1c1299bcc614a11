package import Bytes
import Graphics

/// Decides when the panel is bright, dim or off.
///
/// The panel dims 60 s after the last change of the picture; any change brings the light back. It
/// goes off after ten minutes without a phone or a press. A press, a new instruction or a moving
/// wheel switches it on. Every third minute the picture may move by a pixel.
///
/// At rest it goes off at once. The next phone that connects switches it on, as somebody may be about
/// to ride. That happens once and for ten minutes, as a phone may come and go all night.
///
/// By hand it goes from bright to dim to off to bright. Dim by hand lasts until the next step, also
/// over a restart. After off by hand only a press or a question to the rider switches it on, and it
/// is bright then.
package struct PanelPower: Sendable {
  /// How much light there is.
  package enum Level: Equatable, Sendable {
    /// As bright as the user wants it.
    case bright
    /// Can just be read.
    case dim
    /// Dark.
    case off
  }

  /// A use of the panel, or its end.
  package enum Use: Equatable, Sendable {
    /// A phone that is trusted is connected.
    case linked
    /// No such phone is connected any more.
    case alone
    /// The device is at home, and nobody uses it.
    case rest
    /// There is a new instruction.
    case instruction
    /// The wheel turns.
    case motion
    /// A button was pressed.
    case press
    /// A question or message must be seen.
    case attention
    /// The rider wants the next level: bright, dim, off, bright.
    case nextLevel
  }

  /// After how many milliseconds without a change it dims.
  package static var dimTime: Int64 { 60_000 }
  /// After how many milliseconds without a phone it goes off.
  package static var offTime: Int64 { 600_000 }
  /// After how many milliseconds the picture may move.
  package static var shiftTime: Int64 { 180_000 }

  /// How much light there is now.
  package private(set) var level = Level.bright
  /// Whether the rider wants it dim rather than bright, while it is on.
  package private(set) var isDimByHand = false
  private var isOffByHand = false
  /// Whether the next link switches it on.
  private var isLinkAwaited = false
  /// Whether only a link has switched it on.
  private var isOnByLink = false
  private var isLinked = false
  private var lastChange: Instant
  /// When the panel was last woken, or the link ended.
  private var lastUse: Instant
  private var nextShift: Instant

  /// Bright, and without a phone.
  package init(at now: Instant) {
    lastChange = now
    lastUse = now
    nextShift = now + Self.shiftTime
  }

  /// When `advance` has something to do; `nil` for never.
  package var deadline: Instant? {
    switch level {
    case .off: nil
    case .dim: earlier(nextShift, offEnd)
    case .bright: earlier(earlier(nextShift, offEnd), lastChange + Self.dimTime)
    }
  }

  private var offEnd: Instant? { isLinked && !isOnByLink ? nil : lastUse + Self.offTime }

  /// Notes that the picture has changed.
  package mutating func pictureChanged(at now: Instant) {
    lastChange = now
    if level == .dim { level = wanted }
  }

  /// How much light the rider wants of a panel that is on.
  private var wanted: Level { isDimByHand ? .dim : .bright }

  /// Notes how bright the rider wanted it before a restart; a panel that is off stays off.
  package mutating func setDimByHand(_ isDim: Bool) {
    guard isDim != isDimByHand else { return }
    isDimByHand = isDim
    if level != .off { level = wanted }
  }

  /// Notes what the panel is used for.
  package mutating func use(_ use: Use, at now: Instant) {
    switch use {
    case .linked:
      isLinked = true
      if isLinkAwaited {
        wake(at: now)
        isOnByLink = true
      }
    case .alone:
      if isLinked { lastUse = now }
      isLinked = false
    case .rest: rest()
    case .instruction, .motion: if !isOffByHand { wake(at: now) }
    case .press, .attention: wake(at: now)
    case .nextLevel: step(at: now)
    }
  }

  private mutating func step(at now: Instant) {
    isDimByHand = level == .bright
    if level == .dim {
      level = .off
      isOffByHand = true
    } else {
      wake(at: now)
    }
  }

  private mutating func rest() {
    guard level != .off else { return }
    level = .off
    isLinkAwaited = !isOnByLink
  }

  private mutating func wake(at now: Instant) {
    level = wanted
    (isOffByHand, isLinkAwaited, isOnByLink) = (false, false, false)
    lastChange = now
    lastUse = now
  }

  /// Advances to `now`; returns whether the picture may move.
  package mutating func advance(to now: Instant) -> Bool {
    if level != .off, let offEnd, now >= offEnd { level = .off }
    if level == .bright, now - lastChange >= Self.dimTime { level = .dim }
    guard level != .off, now >= nextShift else { return false }
    nextShift = now + Self.shiftTime
    return true
  }
}

/// Moves the picture by a row now and then, so that no pixel is lit for ever.
///
/// The controller's start line says which row of the RAM is shown first: SSD1306 data sheet, section
/// 10.1.6. The RAM is a ring of 64 rows, so a move costs three bytes on the wire. The row that
/// leaves must be dark, so that nothing is cut off. The SH1107's RAM is a ring of 128 columns.
struct PixelShift {
  private let size: Size
  private let isSideways: Bool
  /// The line that the glass begins with, as its module is wired.
  private let offset: Int
  /// 0, 1 for a picture that is moved up or to the left, or -1.
  private var move = 0
  private var movesUp = true

  /// A picture in the middle of a glass.
  init(_ panel: PanelFacts, offset: Int) {
    (size, isSideways, self.offset) = (panel.size, panel.isSideways, offset)
  }

  /// Which row of the RAM, or column if it is sideways, is shown first.
  var startLine: Int { (move - offset) & (isSideways ? 127 : 63) }

  /// Moves from the middle to one side, to each by turns, or back to the middle.
  mutating func advance(_ bytes: Span<UInt8>) {
    guard move == 0 else {
      move = 0
      return
    }
    let next = movesUp ? 1 : -1
    movesUp.toggle()
    if hasRoom(for: next, bytes) {
      move = next
    } else if hasRoom(for: -next, bytes) {
      move = -next
    }
  }

  /// The start line for another picture, which returns to the middle if it has no room to be moved.
  mutating func startLine(for bytes: Span<UInt8>) -> Int {
    if move != 0, !hasRoom(for: move, bytes) { move = 0 }
    return startLine
  }

  /// Whether the row, or column, that a move takes away is dark.
  private func hasRoom(for move: Int, _ bytes: Span<UInt8>) -> Bool {
    var lit: UInt8 = 0
    if isSideways {
      let column = move == 1 ? 0 : size.width - 1
      for page in 0..<size.height / 8 { lit |= bytes[page &* Bitmap.maxWidth &+ column] }
      return lit == 0
    }
    let start = move == 1 ? 0 : (size.height / 8 - 1) * Bitmap.maxWidth
    let row: UInt8 = move == 1 ? 0x01 : 0x80
    for column in 0..<Bitmap.maxWidth { lit |= bytes[start &+ column] }
    return lit & row == 0
  }
}
