import Bytes
import VirtualAir
import VirtualDevice

/// A phone that is remembered and was lost, and all who advertise while it is searched for.
///
/// Links take the time that they take on the air: an attempt ends with an advertisement of who is connected
/// to, and an encryption, good or bad, some connection events later.
final class Air {
  /// What an iPhone in the foreground advertises with, in milliseconds, before the delay.
  static let foreground: Int64 = 152
  /// The slowest of an iPhone in the background.
  static let background: Int64 = 1_285
  /// From a link to the end of its encryption: five connection events.
  private static let encryptionTime: Int64 = 75
  /// What is given up on.
  static let patience: Int64 = 60_000

  let world: World
  /// Whom the phone pretends to be next: its own address, which opened no link so far.
  let own: [UInt8]
  private var encryptionEnd: Instant?
  /// When the phone was back.
  private(set) var backAt: Instant?

  /// The rider has paired and ridden, and the phone is away; in a ride, or when that is over.
  init(isInRide: Bool, prepare: (World) -> Void = { _ in }) throws {
    world = try World(["pairing=preferred"], pairs: true)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
    prepare(world)
    world.pass(1_000)
    own = world.security.privateAddress(250)
    world.controller.connects = false
    world.controller.encrypts = false
    world.loseLink()
    if !isInRide { world.pass(620_000) }
  }

  var controller: VirtualController { world.controller }
  var isBack: Bool { backAt != nil }

  /// Lets the time pass, with the ends of encryptions.
  func pass(to time: Instant) {
    while let end = encryptionEnd, end <= time {
      world.pass(max(0, end - world.now))
      encryptionEnd = nil
      controller.encryptionEnds(world)
      world.pass(0)
      if world.phone.isEncrypted, backAt == nil { backAt = world.now }
    }
    world.pass(max(0, time - world.now))
  }

  /// How long the phone has been searched for since then, until it was back.
  func time(since start: Instant) -> Int64 { (backAt ?? world.now) - start }

  /// Somebody advertises with this address; a link to it comes about if that is wanted, and it `answers`.
  func advertise(_ address: [UInt8], answers: Bool) {
    if answers, controller.initiating?.peer == address {
      controller.connect(world, to: address)
      encryptionEnd = world.now + Self.encryptionTime
    } else if controller.isWindowOpen(atMilliseconds: world.now.milliseconds) {
      controller.report(address, world.phone.advertisement, world)
    }
    world.pass(0)
  }

  /// The same of the phone.
  func advertisePhone(_ address: [UInt8]) {
    world.phone.address = address
    advertise(address, answers: true)
  }
}

/// Advertising events: each is an interval and a delay of up to 10 ms behind the one before.
struct Beats {
  private(set) var next: Instant
  private let interval: Int64
  private var number: Int64 = 0

  init(from start: Instant, each interval: Int64) {
    (next, self.interval) = (start, interval)
  }

  mutating func beat() {
    number += 1
    next = next + interval + number * 7 % 11
  }
}
