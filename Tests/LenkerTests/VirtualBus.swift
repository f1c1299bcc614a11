import BoardFile
import Bytes
import Graphics
import Panel
import PanelModel
import Synchronization

@testable import Lenker
@testable import Linux

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

  fileprivate func open() throws(Errno) {
    if let reason = current?.opening { throw reason }
  }

  fileprivate func send(_ bytes: Span<UInt8>, _ lengths: Span<UInt16>) throws(Errno) {
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
      microseconds = start + Int64(I2CBus.timeout(of: bytes.count)) * 1000
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

/// The lit pixels of a bitmap as text, one line for each row.
func picture(_ bitmap: borrowing Bitmap) -> String {
  var text = ""
  for y in 0..<bitmap.size.height {
    for x in 0..<bitmap.size.width { text += bitmap[x, y] ? "#" : "." }
    text += "\n"
  }
  return text
}

/// The buses of all tests that run, by the last byte of their path.
private let buses = Mutex<[UInt8: Shared]>([:])

/// Only one test ever uses it.
private struct Shared: @unchecked Sendable { let bus: VirtualBus }

/// What the panel has of a virtual bus while it is open.
struct VirtualConnection: PanelBus, ~Copyable {
  private let bus: VirtualBus

  init(path: Span<UInt8>, address: UInt8) throws(Errno) {
    let number = path[path.count - 1]
    guard let shared = buses.withLock({ $0[number] }) else { throw .noSuchFile }
    try shared.bus.open()
    bus = shared.bus
  }

  mutating func send(_ bytes: Span<UInt8>, lengths: Span<UInt16>) throws(Errno) {
    try bus.send(bytes, lengths)
  }
}

/// The firmware's panel on a virtual bus, with the part of the loop that it needs.
struct VirtualLoop: ~Copyable {
  let bus = VirtualBus()
  private(set) var output: PanelOutput<VirtualConnection>
  /// What was told, and at which millisecond.
  private(set) var errors: [(time: Int64, reason: Errno)] = []
  /// When a whole picture had arrived.
  private(set) var frames: [Int64] = []
  private var picture: Bitmap
  private let port: BoardFile.Display

  init() {
    let path = [Self.place(bus)]
    port = .i2c(Text(path.span) ?? Text(""), address: 0x3C)
    let start = Instant(milliseconds: 0)
    output = PanelOutput(
      .ssd1306x128x64, rotation: .upright, contrast: 0xCF,
      trace: BusTrace(.none, address: 0x3C, start: start), opening: start)
    picture = Bitmap(output.size)
  }

  deinit {
    guard case .i2c(let path, _) = port else { return }
    let number = path.bytes[0]
    buses.withLock { $0[number] = nil }
  }

  /// Where it is found when it is opened.
  private static func place(_ bus: VirtualBus) -> UInt8 {
    let shared = Shared(bus: bus)
    return buses.withLock { buses in
      let number = (0...UInt8.max).first { buses[$0] == nil } ?? 0
      buses[number] = shared
      return number
    }
  }

  private var instant: Instant { Instant(milliseconds: bus.now) }

  /// Shows a picture from this millisecond on; each has its own pixels.
  mutating func show(_ number: Int, at milliseconds: Int64) {
    run(to: milliseconds)
    picture = Bitmap(output.size)
    picture.fill(Point(3 * (number % 40), number % 50), Size(7, 11))
    picture.fill(Point(0, 63), Size(128, 1))
    redraw()
  }

  /// The rider switches it off, or on.
  mutating func toggle() {
    _ = output.follow(.toggle, at: instant)
    redraw()
  }

  /// Does what is due until then.
  mutating func run(to milliseconds: Int64) {
    while let deadline = output.deadline, deadline.milliseconds <= milliseconds {
      bus.advance(to: deadline.milliseconds)
      do throws(Errno) {
        if try output.open(port, at: instant) { redraw() }
      } catch {
        errors.append((bus.now, error))
      }
      if output.isDue(at: instant) { redraw() }
    }
    bus.advance(to: milliseconds)
  }

  private mutating func redraw() {
    guard output.isOpen else { return }
    do throws(Errno) {
      if try output.show(picture, at: instant) != nil { frames.append(bus.now) }
    } catch {
      errors.append((bus.now, error))
    }
  }

  /// Whether the glass shows the picture that it shall.
  var isWhole: Bool { bus.glass == LenkerTests.picture(picture) }
}
