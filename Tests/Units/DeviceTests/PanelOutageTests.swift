import Bytes
import Testing

@testable import Device

/// What becomes of the panel when its bus fails, in virtual time.
@Suite struct PanelOutageTests {
  /// All that a call can end with.
  ///
  /// Linux, Documentation/i2c/fault-codes.rst.
  static let errors: [Errno] = [
    .noSuchAddress, .remoteIO, .inputOutput, .wouldBlock, .timedOut, .noSuchDevice, .notSupported,
    .invalid, .notPermitted, .busy, .networkDown,
  ]

  @Test func withoutFaultsEachPictureComesInOneCall() {
    var loop = VirtualLoop()
    loop.show(1, at: 0)
    loop.show(2, at: 100)
    let isWhole = loop.isWhole
    // The initialisation, the window, the picture and the switching on; tests of Panel have them.
    #expect(loop.bus.calls.first?.count == 26 + 7 + 1_025 + 2)
    #expect(loop.bus.calls.count == loop.frames.count)
    #expect(isWhole)
  }

  @Test(arguments: errors)
  func aFaultIsToldOnceHoweverLongItLasts(_ reason: Errno) {
    var loop = VirtualLoop()
    loop.show(1, at: 0)
    loop.bus.fault = .init(time: 2_000..<60_000, errors: [reason])
    for second in 2..<60 { loop.show(second, at: Int64(second) * 1_000) }
    let during = loop.frames.count
    loop.run(to: 61_000)
    let (told, isWhole) = (loop.errors.map(\.reason), loop.isWhole)
    #expect(told == [reason])
    #expect(loop.frames.count == during + 1)
    #expect(isWhole)
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
      #expect(isWhole, "back at \(end)")
      #expect(isAway || !takesPower, "it failed at all")
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
      #expect(isWhole, "\(arrived) bytes")
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
      #expect(isWhole, "\(arrived) bytes")
      #expect(loop.errors.map(\.reason) == [.remoteIO])
    }
  }

  /// A panel without power fails to acknowledge now this and now that.
  @Test func errorsThatAlternateAreToldOnceEach() {
    var loop = VirtualLoop()
    loop.show(1, at: 0)
    loop.bus.fault = .init(
      time: 1_000..<30_000,
      errors: [.noSuchAddress, .remoteIO, .inputOutput, .timedOut, .noSuchAddress, .wouldBlock])
    loop.show(2, at: 1_000)
    loop.run(to: 31_000)
    let isWhole = loop.isWhole
    #expect(loop.errors.map(\.reason) == [.noSuchAddress, .timedOut, .wouldBlock])
    #expect(isWhole)
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
    #expect(loop.errors.map(\.reason) == [.noSuchDevice])
    #expect(isWhole)
  }

  @Test func aBusThatIsMissingFromTheStartIsToldOnce() {
    var loop = VirtualLoop()
    loop.bus.fault = .init(time: 0..<30_000, errors: [.noSuchDevice], opening: .noSuchFile)
    loop.show(1, at: 0)
    loop.run(to: 30_700)
    let isWhole = loop.isWhole
    #expect(loop.errors.map(\.reason) == [.noSuchFile])
    #expect(isWhole)
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
    #expect(loop.errors.map(\.time) == [10_000, 20_000, 30_000, 40_000, 50_000].map { $0 + 1 })
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
    #expect(failed.first.map { $0.duration <= 400 } == true)
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
    #expect(isLit && isDark && isWhole)
    #expect(loop.errors.map(\.reason) == [.remoteIO])
  }
}
