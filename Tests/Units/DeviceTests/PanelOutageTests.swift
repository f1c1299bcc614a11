import BoardFile
import Bytes
import Expecting
import Graphics
import Panel
import PanelModel
import TestSupport

@testable import Device
@testable import DeviceState

/// What becomes of the panel when its bus fails, in virtual time.
@Suite struct PanelOutageTests {
  /// All that a call can end with.
  ///
  /// Linux, Documentation/i2c/fault-codes.rst.
  static let errors: [Errno] = [
    .noSuchAddress, .remoteIO, .inputOutput, .wouldBlock, .timedOut, .noSuchDevice, .notSupported,
    .invalid, .notPermitted, .busy, .networkDown,
  ]

  @Test(arguments: errors)
  func aFaultIsToldOnceHoweverLongItLasts(_ reason: Errno) {
    var loop = VirtualLoop()
    loop.show(1, at: 0)
    loop.bus.fault = .init(time: 2_000..<60_000, errors: [reason])
    for second in 2..<60 { loop.show(second, at: Int64(second) * 1_000) }
    let during = loop.frames.count
    loop.run(to: 61_000)
    let (told, isWhole) = (loop.errors.map(\.reason), loop.isWhole)
    expect(told, [reason])
    expect(loop.frames.count, during + 1)
    expect(isWhole)
  }

  /// Whatever the panel did last and however much of it arrived, and whenever it is back.
  @Test(arguments: errors, [false, true])
  func aWholePictureIsThereWithinASecondOfTheReturn(_ reason: Errno, _ takesPower: Bool) {
    for end in stride(from: Int64(3_000), to: 3_600, by: 47) {
      var loop = VirtualLoop()
      loop.show(1, at: 0)
      let arrived = Int(end) % 1_067
      loop.bus.fault = .init(
        time: 2_000..<end, errors: [reason], arrived: arrived, takesPower: takesPower)
      loop.show(2, at: 2_000)
      loop.run(to: 2_600)
      let isAway = !loop.isWhole
      loop.run(to: end + 1_000)
      let isWhole = loop.isWhole
      expect(isWhole, "back at \(end)")
      expect(isAway || !takesPower, "it failed at all")
      #expect((loop.frames.last ?? 0) - end <= 700, "500 ms to the next attempt, and its own time")
    }
  }

  @Test(arguments: [false, true])
  func anyPartOfAPictureMayHaveArrived(_ takesPower: Bool) {
    // The initialisation and the window byte by byte, then the picture, and its end.
    for arrived in Array(0..<40) + Array(stride(from: 41, to: 1_050, by: 97)) + Array(1_050...1_060)
    {
      var loop = VirtualLoop()
      loop.bus.fault = .init(
        time: 0..<400, errors: [.wouldBlock], arrived: arrived, takesPower: takesPower)
      loop.show(1, at: 0)
      loop.run(to: 700)
      let isWhole = loop.isWhole
      expect(isWhole, "\(arrived) bytes")
    }
  }

  /// The second picture differs in two areas, each with a window and its bytes.
  @Test func anyPartOfAChangeMayHaveArrived() {
    for arrived in 0..<80 {
      var loop = VirtualLoop()
      loop.show(1, at: 0)
      loop.bus.fault = .init(time: 1_000..<1_400, errors: [.remoteIO], arrived: arrived)
      loop.show(2, at: 1_000)
      loop.run(to: 1_700)
      let isWhole = loop.isWhole
      expect(isWhole, "\(arrived) bytes")
      expect(loop.errors.map(\.reason), [.remoteIO])
    }
  }

  /// First it refuses what is written, and then to be opened.
  @Test func aBusThatIsPulledOutIsToldOnce() {
    var loop = VirtualLoop()
    loop.show(1, at: 0)
    loop.bus.fault = .init(
      time: 1_000..<30_000, errors: [.noSuchDevice], opening: .noSuchFile, takesPower: true)
    loop.show(2, at: 1_000)
    loop.run(to: 30_700)
    let isWhole = loop.isWhole
    expect(loop.errors.map(\.reason), [.noSuchDevice])
    expect(isWhole)
  }

  @Test func theSameFaultIsToldAgainOnceThePictureWasWhole() {
    var loop = VirtualLoop()
    loop.show(1, at: 0)
    for outage in 1...5 as ClosedRange<Int64> {
      let start = outage * 10_000
      loop.bus.fault = .init(time: start..<start + 3_000, errors: [.noSuchAddress])
      loop.show(Int(outage) + 1, at: start)
      loop.run(to: start + 4_000)
    }
    expect(loop.errors.map(\.time), [10_000, 20_000, 30_000, 40_000, 50_000].map { $0 + 1 })
  }

  /// The radio waits meanwhile: how long is what this bounds.
  @Test func aBusThatIsStuckTakesAFifthOfTheTimeAtMost() {
    var loop = VirtualLoop()
    loop.show(1, at: 0)
    loop.bus.fault = .init(time: 1_000..<61_000, errors: [.timedOut])
    loop.show(2, at: 1_000)
    loop.run(to: 61_000)
    let failed = loop.bus.calls.filter { !$0.isGood }
    let later = failed.dropFirst()
    #expect(later.allSatisfy { $0.duration <= 110 }, "the initialisation alone")
    #expect(zip(later, later.dropFirst()).allSatisfy { $1.start - $0.start >= 500 })
    expect(failed.first.map { $0.duration <= 400 }, true)
    #expect(failed.count > 100)
  }

  /// An "off" that did not arrive would leave the last picture on the glass all night.
  @Test func aPanelThatFailsWhileItIsSwitchedOffGetsDarkAllTheSame() {
    var loop = VirtualLoop()
    loop.show(1, at: 0)
    loop.bus.fault = .init(time: 1_000..<3_000, errors: [.remoteIO])
    loop.run(to: 1_000)
    loop.pressLong(times: 2)
    loop.run(to: 2_000)
    let isLit = loop.bus.glass.contains("#")
    loop.run(to: 4_000)
    let isDark = !loop.bus.glass.contains("#")
    loop.pressLong(times: 1)
    let isWhole = loop.isWhole
    expect(isLit && isDark && isWhole)
    expect(loop.errors.map(\.reason), [.remoteIO])
  }
}

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
      while !driver.batch.bytes.isEmpty {
        try bus.send(driver.batch.bytes, driver.batch.lengths)
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
