internal import Bond
import Bytes
import Sensors
import VirtualAir

/// Somebody recorded addresses of the phone and sends them by turns, each 20 ms one, beside the phone itself.
package struct Replay: Sendable {
  /// What becomes of a link to one of them.
  package enum Manner: String, CaseIterable, Sendable {
    /// None comes about.
    case silent
    /// It comes about, and the key is refused.
    case refusing
  }

  private static let interval: Int64 = 20

  package let addresses: Int
  package let manner: Manner
  package let isInRide: Bool

  package init(addresses: Int, manner: Manner, isInRide: Bool) {
    (self.addresses, self.manner, self.isInRide) = (addresses, manner, isInRide)
  }

  /// How long the phone takes to be back, over several phases of its advertising to the stranger's.
  package func measure(phases: Int) throws -> Measured {
    Measured(try (0..<phases).map { try time(phase: $0, of: phases) })
  }

  private func time(phase: Int, of phases: Int) throws -> Int64 {
    let air = try Air(isInRide: isInRide)
    let strangers = (0..<addresses).map { stranger(UInt8($0), air) }
    air.controller.others = strangers
    // Windows of a slow search are elsewhere in each phase, too.
    air.world.pass(Int64(phase * 137 % 640))
    let start = air.world.now
    var next = start
    var phone = Beats(
      from: start + Air.foreground * Int64(phase) / Int64(phases), each: Air.foreground)
    var number = 0
    while !air.isBack, air.world.now - start < Air.patience {
      if addresses > 0, next <= phone.next {
        air.pass(to: next)
        let address = strangers[number % addresses].address
        if !air.isBack { air.advertise(address, answers: manner == .refusing) }
        next = next + Self.interval
        number += 1
      } else {
        air.pass(to: phone.next)
        if !air.isBack { air.advertisePhone(air.own) }
        phone.beat()
      }
    }
    return air.time(since: start)
  }

  /// A device with an address of the phone's, and without its key.
  private func stranger(_ number: UInt8, _ air: Air) -> VirtualPhone {
    let stranger = VirtualPhone()
    stranger.address = air.world.security.privateAddress(number + 2)
    stranger.security = VirtualSecurity(number: 9)
    return stranger
  }
}

/// How long the phone was away in each of many phases, in milliseconds.
package struct Measured: Sendable {
  /// From the shortest to the longest.
  package let times: [Int64]

  package init(_ times: [Int64]) { self.times = times.sorted() }

  package var median: Int64 { times[times.count / 2] }
  /// Of a hundred times ninety-five are no longer.
  package var late: Int64 { times[min(times.count - 1, times.count * 95 / 100)] }
  package var longest: Int64 { times[times.count - 1] }
}

/// Remembered sensors are heard that cannot be connected to, while an iPhone in the background is searched for.
package struct OutOfReach: Sendable {
  /// What most sensors advertise with, in milliseconds.
  private static let interval: Int64 = 250
  private static let kinds: [(VirtualSensor.Kind, SensorKind)] = [
    (.heart, .heart), (.speed, .speed), (.power, .power), (.radar, .radar),
  ]

  package let sensors: Int

  package init(sensors: Int) { self.sensors = sensors }

  /// How long the phone takes to be back, over several phases of its advertising to the sensors'.
  package func measure(phases: Int) throws -> Measured {
    Measured(try (0..<phases).map { try time(phase: $0, of: phases) })
  }

  private func time(phase: Int, of phases: Int) throws -> Int64 {
    let all = Self.kinds.prefix(sensors).enumerated().map {
      VirtualSensor($0.element.0, number: UInt8($0.offset + 1))
    }
    for sensor in all { sensor.isNear = false }
    let air = try Air(isInRide: true) { world in
      world.controller.sensors = all
      for (sensor, kind) in zip(all, Self.kinds.map(\.1)) {
        if let known = remembered(sensor, kind) { world.remember(known) }
      }
    }
    let start = air.world.now
    var heard = all.indices.map {
      Beats(from: start + Int64($0) * Self.interval / 4, each: Self.interval)
    }
    var phone = Beats(
      from: start + Air.background * Int64(phase) / Int64(phases), each: Air.background)
    let address = air.world.phone.address
    while !air.isBack, air.world.now - start < Air.patience {
      if let index = heard.indices.min(by: { heard[$0].next < heard[$1].next }),
        heard[index].next <= phone.next
      {
        air.pass(to: heard[index].next)
        if !air.isBack, air.controller.isScanning {
          air.controller.report(all[index].address, all[index].advertisement, air.world)
        }
        heard[index].beat()
      } else {
        air.pass(to: phone.next)
        if !air.isBack { air.advertisePhone(address) }
        phone.beat()
      }
    }
    return air.time(since: start)
  }

  private func remembered(_ sensor: VirtualSensor, _ kind: SensorKind) -> RememberedSensor? {
    RememberedSensor(
      kind, address: sensor.deviceAddress, name: Array(sensor.name.utf8).span)
  }
}

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
