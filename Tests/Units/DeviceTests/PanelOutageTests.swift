import Bytes
import Expecting
import TestSupport
import VirtualDevice

@testable import Device

/// What becomes of the panel when its bus fails, in virtual time.
struct PanelOutageTests {
  /// All that a call can end with.
  ///
  /// Linux, Documentation/i2c/fault-codes.rst.
  static let errors: [Errno] = [
    .noSuchAddress, .remoteIO, .inputOutput, .wouldBlock, .timedOut, .noSuchDevice, .notSupported,
    .invalid, .notPermitted, .busy, .networkDown,
  ]

  private func sources(_ world: World) -> [String?] { world.events("error").map { $0["source"] } }

  /// Another picture is due.
  private func show(_ metres: UInt32, _ world: World) {
    world.tell(8, metres, "Hauptstraße", id: metres)
  }

  @Test(arguments: errors)
  func aFaultIsToldOnceHoweverLongItLasts(_ reason: Errno) throws {
    let world = try World.following()
    world.busFault = BusFault(reason)
    for second in 1...58 as ClosedRange<UInt32> {
      show(350 - second, world)
      world.pass(1_000)
    }
    world.busFault = nil
    world.pass(1_000)
    expect(sources(world) == ["i2c"] && world.showsItsPicture)
  }

  /// Whatever the panel did last and however much of it arrived, and whenever it is back.
  @Test(arguments: errors, [false, true])
  func aWholePictureIsThereWithinASecondOfTheReturn(_ reason: Errno, _ takesPower: Bool) throws {
    let world = try World.following()
    for (index, away) in stride(from: 1_000, to: 1_600, by: 47).enumerated() {
      world.busFault = BusFault(reason, arrived: (2_000 + away) % 1_067)
      show(340 - 10 * UInt32(index), world)
      if takesPower { world.cutPanelPower() }
      world.pass(Int64(away))
      expect(!world.showsItsPicture || !takesPower, "it failed at all")
      world.busFault = nil
      world.pass(700)
      expect(world.showsItsPicture, "away for \(away) ms, 500 to the next attempt")
    }
  }

  /// First it refuses what is written, and then to be opened.
  @Test func aBusThatIsPulledOutIsToldOnce() throws {
    let world = try World.following()
    world.busFault = BusFault(.noSuchDevice)
    show(340, world)
    world.faults[.panel] = .noSuchFile
    world.cutPanelPower()
    world.pass(29_000)
    (world.busFault, world.faults[.panel]) = (nil, nil)
    world.pass(700)
    expect(sources(world), ["i2c"])
    expect(world.showsItsPicture)
  }

  /// The radio waits meanwhile: how long is what this bounds, as a call of 40 bytes on a stuck bus takes 110 ms.
  @Test func aBusThatIsStuckTakesAFifthOfTheTimeAtMost() throws {
    let world = try World.following()
    world.busFault = BusFault(.timedOut)
    show(340, world)
    world.pass(60_000)
    let later = world.refused.dropFirst()
    expect(later.count > 100 && later.allSatisfy { $0.count <= 40 }, "the initialisation alone")
    expect(zip(later, later.dropFirst()).allSatisfy { $1.time - $0.time >= 500 })
  }

  /// An "off" that did not arrive would leave the last picture on the glass all night.
  @Test func aPanelThatFailsWhileItIsSwitchedOffGetsDarkAllTheSame() throws {
    let world = try World.following()
    world.busFault = BusFault(.remoteIO)
    world.press("AA")
    world.pass(1_000)
    expect(world.glass.contains("#"))
    world.busFault = nil
    world.pass(1_000)
    expect(!world.glass.contains("#"))
    world.press("A")
    expect(world.showsItsPicture && world.glass.contains("#"))
    expect(sources(world), ["i2c"])
  }
}
