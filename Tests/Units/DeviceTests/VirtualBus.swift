import BoardFile
import Bytes
import Graphics
import Panel
import PanelModel
import TestSupport

@testable import Device
@testable import DeviceState

/// A bus with a panel in virtual time, which fails as a test wants it to.
final class VirtualBus {
  /// What goes wrong for a while.
  struct Fault {
    /// Milliseconds.
    var time: Range<Int64>
    /// What calls end with, in turn.
    var errors: [Errno]
    /// How many bytes of a call arrive before that.
    var arrived = 0
    /// Why the bus cannot be opened meanwhile; `nil` if it can.
    var opening: Errno?
    /// Whether the panel has lost its power, and all that it knew.
    var takesPower = false
  }

  /// One call: its first millisecond, how many it took, and how many bytes it had.
  struct Call {
    var start: Int64
    var duration: Int64
    var count: Int
    var isGood: Bool
  }

  /// 9 bits at 100 kHz.
  static let microsecondsPerByte: Int64 = 90

  /// After how many milliseconds a call of so many bytes on a stuck bus has failed: see `I2CBus`.
  static func timeout(of count: Int) -> Int64 { 100 + Int64((count + 39) / 40 * 10) }

  private(set) var microseconds: Int64 = 0
  private(set) var calls: [Call] = []
  private(set) var model = PanelModel(.ssd1306x128x64)
  var fault: Fault?
  private var failures = 0

  var now: Int64 { (microseconds + 999) / 1000 }

  func advance(to milliseconds: Int64) { microseconds = max(microseconds, milliseconds * 1000) }

  /// What a person sees on the glass, as text.
  var glass: String {
    var bitmap = Bitmap(model.kind.size)
    model.updateGlass(&bitmap)
    return picture(bitmap)
  }

  private var current: Fault? {
    guard let fault, fault.time.contains(microseconds / 1000) else { return nil }
    return fault
  }

  func open() throws(Errno) {
    if let reason = current?.opening { throw reason }
  }

  func send(_ bytes: Span<UInt8>, _ lengths: Span<UInt16>) throws(Errno) {
    let start = microseconds
    var good = bytes.count
    var reason: Errno?
    if let fault = current {
      reason = fault.errors[failures % fault.errors.count]
      failures += 1
      good = min(fault.arrived, good)
      if fault.takesPower { model = PanelModel(.ssd1306x128x64) }
    }
    deliver(bytes, lengths, upTo: good)
    microseconds += Int64(good + lengths.count) * Self.microsecondsPerByte
    if reason == .timedOut {
      microseconds = start + Self.timeout(of: bytes.count) * 1000
    }
    calls.append(
      Call(
        start: start / 1000, duration: (microseconds - start) / 1000, count: bytes.count,
        isGood: reason == nil))
    if let reason { throw reason }
  }

  private func deliver(_ bytes: Span<UInt8>, _ lengths: Span<UInt16>, upTo count: Int) {
    var start = 0
    for index in lengths.indices where start < count {
      let end = start + Int(lengths[index])
      model.receive(bytes.extracting(start..<min(end, count)))
      start = end
    }
  }
}

/// The firmware's panel on a virtual bus, with the part of the loop that it needs.
struct VirtualLoop: ~Copyable {
  let bus = VirtualBus()
  private var driver: PanelOutput
  private var port: PortKeeper
  /// What was told, and at which millisecond.
  private(set) var errors: [(time: Int64, reason: Errno)] = []
  /// When a whole picture had arrived.
  private(set) var frames: [Int64] = []
  private var picture = Bitmap(PanelKind.ssd1306x128x64.size)

  init() {
    let start = Instant(milliseconds: 0)
    driver = PanelOutput(Board(), at: start)
    port = PortKeeper(opening: start, pause: 500)
  }

  private var instant: Instant { Instant(milliseconds: bus.now) }

  /// Shows a picture from this millisecond on; each has its own pixels.
  mutating func show(_ number: Int, at milliseconds: Int64) {
    run(to: milliseconds)
    picture = Bitmap(picture.size)
    picture.fill(Point(3 * (number % 40), number % 50), Size(7, 11))
    picture.fill(Point(0, 63), Size(128, 1))
    redraw()
  }

  /// The rider presses page for long, so often.
  mutating func pressLong(times: Int) {
    for _ in 0..<times { driver.use(.nextLevel, at: instant) }
    redraw()
  }

  /// Does what is due until then.
  mutating func run(to milliseconds: Int64) {
    while let due = port.isOpen ? driver.deadline : port.deadline,
      due.milliseconds <= milliseconds
    {
      bus.advance(to: due.milliseconds)
      if port.isDue(at: instant) { open() }
      if port.isOpen, driver.isDue(at: instant) { redraw() }
    }
    bus.advance(to: milliseconds)
  }

  private mutating func open() {
    let start = instant
    do throws(Errno) {
      try bus.open()
    } catch {
      return fail(error, at: start)
    }
    port.wasOpened()
    redraw()
  }

  private mutating func redraw() {
    guard port.isOpen else { return }
    let start = instant
    driver.show(picture, at: start)
    do throws(Errno) {
      while !driver.messages.isEmpty {
        try bus.send(driver.messages, driver.lengths)
        if driver.messagesWereSent(frame: nil) != nil {
          port.succeeded()
          frames.append(bus.now)
        }
      }
    } catch {
      fail(error, at: start)
    }
  }

  private mutating func fail(_ reason: Errno, at start: Instant) {
    _ = driver.invalidate(after: reason)
    if port.failed(reason.kindOnBus.rawValue, at: start) { errors.append((bus.now, reason)) }
  }

  /// Whether the glass shows the picture that it shall.
  var isWhole: Bool { bus.glass == TestSupport.picture(picture) }
}
