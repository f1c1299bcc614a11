import Bytes
import Expecting
import TestSupport
import VirtualDevice

@testable import Device
@testable import DeviceState
@testable import Replaying

extension World {
  /// A world whose gauge, a PiSugar 3, has a cell of this charge; its panel has shown a picture.
  static func withGauge(_ percent: UInt8 = 80, _ settings: [String] = []) throws -> World {
    let world = try World(["battery=pisugar3"] + settings, boots: false)
    world.setGauge(percent)
    world.pass(200)
    return world
  }

  /// Percent, and a voltage that goes with them.
  func setGauge(_ percent: UInt8, millivolts: Int? = nil, isCharging: Bool = false) {
    gauge = [UInt8](repeating: 0, count: 256)
    let millivolts = millivolts ?? 3_200 + 9 * Int(percent)
    gauge[0x02] = isCharging ? 0xC4 : 0x44
    (gauge[0x22], gauge[0x23]) = (UInt8(millivolts >> 8), UInt8(millivolts & 0xFF))
    gauge[0x2A] = percent
  }

  /// The times at which a round began.
  var rounds: [Int64] { gaugeReads.filter { $0.register == 0x02 }.map(\.time) }

  var ownBattery: UInt8? { device.battery.charge?.percent }
}

/// Lenker's own battery, in virtual time.
struct OwnBatteryTests {
  @Test func itsChargeIsAnEventAndOnThePageOfTheRide() throws {
    let world = try World.withGauge(80)
    let event = try #require(world.events("battery").first)
    expect(event[number: "percent"], 80)
    #expect(event.line.contains(#""voltage":3.920"#))
    expect(event[flag: "charging"], false)
    world.press("a")
    guard case .ride(let ride) = world.device.showing else {
      Issue.record("\(world.device.showing)")
      return
    }
    expect(ride.ownBattery, 80)
  }

  @Test func withoutAGaugeNothingIsReadAndNothingWakesForIt() throws {
    let (with, without) = (try World.withGauge(80), try World(boots: false))
    without.pass(200)
    let (before, beforeWithout) = (with.timerWakeUps, without.timerWakeUps)
    with.pass(600_000)
    without.pass(600_000)
    expect(without.gaugeReads.isEmpty && without.events("battery").isEmpty)
    let more = with.timerWakeUps - before - (without.timerWakeUps - beforeWithout)
    // Some rounds come when something else is due as well.
    #expect((8...10).contains(more))
  }

  @Test func itIsReadOnceAMinuteFromTheFirstPictureOn() throws {
    let world = try World.withGauge(80)
    let order = world.takeOrder()
    #expect(order.firstIndex(of: "picture")! < order.firstIndex(of: "gauge")!)
    world.pass(180_000)
    let gaps = zip(world.rounds, world.rounds.dropFirst()).map { $1 - $0 }
    expect(gaps, [60_000, 60_000, 60_000])
    // The same again is no event.
    expect(world.events("battery").count, 1)
    world.setGauge(79)
    world.pass(60_000)
    expect(world.events("battery").last?[number: "percent"], 79)
    world.setGauge(79, isCharging: true)
    world.pass(60_000)
    expect(world.events("battery").last?[flag: "charging"], true)
    expect(world.events("battery").count, 3)
  }

  @Test func itIsReadOnlyWhenThePictureIsOnTheBus() throws {
    let world = try World.withGauge(80)
    world.tell(8, 350, "Lennéstraße")
    world.pass(59_000)
    // Turns come while the gauge is due.
    for metres: UInt32 in stride(from: 340, to: 40, by: -10) {
      _ = world.takeOrder()
      world.pass(100)
      world.tell(8, metres, "Lennéstraße")
      let order = world.takeOrder()
      if let gauge = order.firstIndex(of: "gauge"), order.contains("picture") {
        #expect(order.lastIndex(of: "picture")! < gauge)
      }
    }
    expect(world.rounds.count, 2)
  }

  @Test func aPanelThatFailsIsNotHeldUpByTheGauge() throws {
    let world = try World.withGauge(80)
    let count = world.gaugeReads.count
    world.faults[.panel] = .timedOut
    world.press("a")
    world.pass(200_000)
    expect(world.gaugeReads.count, count)
    world.faults[.panel] = nil
    world.pass(1_000)
    #expect(world.gaugeReads.count > count)
  }

  @Test(arguments: [Errno.remoteIO, .timedOut, .busy])
  func centralBehaviour127_aGaugeThatFailsIsToldOnceEachTimeAndCostsThePanelNothing(
    _ reason: Errno
  ) throws {
    let (world, calm) = (try World.withGauge(80), try World(boots: false))
    calm.pass(200)
    world.onGauge = { _ in reason }
    for world in [world, calm] {
      world.pass(130_000)  // until the charge is unknown
      world.press("a")
      world.pass(300_000)
      world.press("a")
      world.pass(10)
    }
    expect(world.ownBattery, nil)
    let errors = world.events("error")
    expect(errors.count == 1 && errors.first?["source"] == "i2c")
    expect(world.rounds.count, 8)
    expect(picture(world.device.picture), picture(calm.device.picture))
    expect(world.events("frame").count, calm.events("frame").count)
    world.onGauge = { _ in nil }
    world.pass(60_000)
    expect(world.ownBattery, 80)
    world.onGauge = { _ in reason }
    world.pass(120_000)
    expect(world.events("error").count, 1)
    world.pass(60_000)
    expect(world.events("error").count, 2)
  }

  /// Both bytes of the voltage are 0 for a moment, or nobody answers.
  @Test(arguments: [false, true])
  func centralBehaviour127_oneImpossibleRoundLeavesTheChargeAsItWas(_ isUnread: Bool) throws {
    let world = try World.withGauge(80)
    for round in 0..<5 {
      world.setGauge(80, millivolts: isUnread ? nil : 0)
      world.onGauge = { _ in isUnread ? .remoteIO : nil }
      world.pass(60_000)
      expect(world.ownBattery, 80, "round \(round)")
      world.setGauge(80)
      world.onGauge = { _ in nil }
      world.pass(60_000)
    }
    world.onGauge = { _ in .remoteIO }
    world.pass(120_000)
    expect(world.ownBattery == nil && world.events("error").isEmpty)
  }

  // MARK: - Notices

  /// The percent of the notices that show, one for each time that one appears.
  private func notices(
    _ percents: [UInt8], isCharging: Bool = false, _ settings: [String] = []
  ) throws -> [UInt8] {
    let world = try World.withGauge(percents[0], settings)
    var seen: [UInt8] = []
    var isThere = false
    for percent in percents {
      world.setGauge(percent, isCharging: isCharging)
      world.press("a")  // so that the panel is lit
      for _ in 0..<600 {
        world.pass(100)
        if case .notice(.ownBattery(let percent)) = world.device.showing {
          if !isThere { seen.append(percent) }
          isThere = true
        } else {
          isThere = false
        }
      }
    }
    return seen
  }

  @Test func theRiderIsToldAt15AndAt5Percent() throws {
    expect(try notices([18, 17, 16, 15, 15, 14, 12, 9, 6, 5, 5, 4, 3]), [15, 5])
    expect(try notices([16, 16, 16]), [])
    expect(try notices([12, 12, 12, 12]), [12])
    expect(try notices([4, 4, 4, 4]), [4], "nearly empty at the start")
    expect(try notices([30, 14, 30, 4, 30]), [], "a dip")
    expect(try notices([16, 15, 15, 16, 15, 15, 17, 15, 15]), [15], "it wavers")
    expect(try notices([15, 15, 15, 60, 15, 15, 15]), [15, 15], "another ride")
    expect(try notices([12, 12, 12], isCharging: true), [])
  }

  @Test func aTurnComesBeforeTheNotice() throws {
    let world = try World.withGauge(15)
    world.advertise()
    world.pass(2_000)
    world.tell(8, 300, "Lennéstraße")
    world.pass(60_000)
    for metres: UInt32 in [290, 280, 270, 260] {
      world.tell(8, metres, "Lennéstraße")
      world.pass(5_000)
      expect(world.device.scene.notice, nil)
    }
    world.tell(8, 2_000, "Lennéstraße")
    world.pass(100)
    expect(world.device.scene.notice, .ownBattery(percent: 15))
  }

  // MARK: - Other gauges, the record

  @Test func aMonitorAndAFuelGaugeAreReadAtTheirAddresses() throws {
    let monitor = try World(["battery=ina219@0x45"], boots: false)
    monitor.gauge = [0x39, 0x9F, 0x1D, 0x12]  // 930 of 4 mV
    monitor.pass(200)
    expect(monitor.ownBattery, 48)
    expect(monitor.events("battery").first?[flag: "charging"], nil)
    let fuel = try World(["battery=max17048"], boots: false)
    fuel.gauge = [0, 0, 0xC3, 0x00, 0x57, 0x00, 0, 0, 0x00, 0x12]
    fuel.pass(200)
    expect(fuel.ownBattery, 87)
  }

  @Test(arguments: [nil, Errno.remoteIO])
  func aReportWithAGaugeReplays(_ reason: Errno?) throws {
    let world = try World.withGauge(16, ["report=file:/tmp/report"])
    for percent: UInt8 in [15, 15, 15, 14] {
      world.setGauge(percent)
      world.press("a")
      world.pass(30_000)
      world.onGauge = { $0.register == 0x23 ? reason : nil }
      world.pass(33_333)
    }
    let player = try world.replay()
    expect(player.comparison.divergences, [])
    let lines = String(decoding: player.events, as: UTF8.self).split(separator: "\n")
    for name in ["battery", "frame"] {
      let then = world.events(name).map { $0.line.split(separator: ",").dropFirst() }
      let now = lines.map { Event(String($0)) }.filter { $0.name == name }
        .map { $0.line.split(separator: ",").dropFirst() }
      // Those of the report itself come behind it.
      expect(then.starts(with: now) && !now.isEmpty, "\(name)")
    }
  }

  /// The panel's own first error in a day makes its report all the same.
  @Test func aGaugeThatFailsMakesNoReport() throws {
    let world = try World.withGauge(80, ["report=file:/tmp/report"])
    world.onGauge = { _ in .remoteIO }
    world.pass(180_000)
    expect(world.events("error").count == 1 && world.events("report").isEmpty)
    world.faults[.panel] = .timedOut
    world.press("a")
    world.pass(2_000)
    expect(world.events("report").count, 1)
  }
}

/// A short load that keeps a power bank on: when the processor is not to sleep.
struct KeepAwakeTests {
  /// When the processor began and ceased to be loaded, in milliseconds since the start, looked at each 10 ms.
  private func loads(_ world: World, for time: Int64) -> [Int64] {
    let start = world.now
    var changes: [Int64] = []
    var last = world.isLoading
    while world.now - start < time {
      world.pass(10)
      if world.isLoading != last { changes.append(world.now - start) }
      last = world.isLoading
    }
    return changes
  }

  @Test func eachIntervalHasThreeTenthsOfASecond() throws {
    for interval: Int64 in [5_000, 60_000] {
      let world = try World(["keep-awake=\(interval / 1_000)"])
      // The panel was switched on for a tenth of a second before.
      let begin = interval - 100
      expect(
        loads(world, for: 2 * interval + 500),
        [begin, begin + 300, begin + interval, begin + interval + 300])
    }
    expect(loads(try World(), for: 70_000), [])
  }

  /// Nothing waits for it, and nothing else is done.
  @Test func aRideIsTheSameWithIt() throws {
    func ride(_ settings: [String]) throws -> World {
      let world = try World(settings)
      world.tell(8, 350, "Hauptstraße")
      world.advertise()
      for second in 0..<40 {
        world.tell(8, UInt32(350 - 8 * second), "Hauptstraße", id: UInt32(2 + second))
        world.pass(1_000)
      }
      world.press("a")
      world.pass(20_000)
      return world
    }
    let (plain, loaded) = (try ride([]), try ride(["keep-awake=5"]))
    expect(plain.messages, loaded.messages)
    // Estimates are told and shown whenever the device wakes.
    for name in ["instruction", "alert", "link", "stale", "button"] {
      expect(plain.events(name).map(\.line), loaded.events(name).map(\.line))
    }
    #expect(loaded.timerWakeUps - plain.timerWakeUps <= 2 * 60 / 5)
  }

  /// A bus that hangs for seconds: the next load has its whole length, and there is only one.
  @Test func aLateOneIsWholeAndTheOnlyOne() throws {
    let world = try World(["keep-awake=5"])
    world.sleep(17_000)
    expect(world.isLoading)
    expect(loads(world, for: 11_000), [300, 5_000, 5_300, 10_000, 10_300])
    world.pass(4_100)
    expect(world.isLoading)
    world.leave()
    expect(!world.isLoading)
  }
}
