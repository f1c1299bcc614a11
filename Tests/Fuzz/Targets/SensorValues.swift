import Bytes
import Sensors

/// What sensors say, over hours: whatever that is, nobody rides faster than a bicycle, nor backwards.
func runSensors(_ feed: inout Feed) {
  var wheel = Wheel(circumference: 4_000, timeResolution: 1_024 << Int64(feed.u8() & 1))
  var (crank, radar, now) = (Crank(), Radar(), Instant(milliseconds: 0))
  while !feed.isEmpty {
    now = now + Int64(feed.u16()) * (feed.bool() ? 1_000 : 1)
    let kind = feed.u8()
    let value = feed.take(Int(feed.u8() % 40))
    let distance = wheel.distance
    do {
      switch kind % 5 {
      case 0: try parseHeartRate(value)
      case 1:
        let measurement = try CSCMeasurement(parsing: value.span)
        if let news = measurement.wheel { wheel.hear(news, at: now) }
        if let news = measurement.crank { crank.hear(news, at: now) }
      case 2:
        let measurement = try CyclingPowerMeasurement(parsing: value.span)
        if let news = measurement.wheel { wheel.hear(news, at: now) }
        if let news = measurement.crank { crank.hear(news, at: now) }
      case 3: radar.hear(value.span, at: now)
      default:
        wheel.linkWasLost()
        crank.linkWasLost()
      }
      reach("a sensor's value \(kind % 5)")
    } catch {
      reach("no sensor's value \(kind % 5)")
    }
    if wheel.distance < distance { finding("the way became shorter") }
    if let speed = wheel.speed(at: now), !(0...30_000 ~= speed) { finding("\(speed) mm/s") }
    if let cadence = crank.cadence(at: now), !(0...200 ~= cadence) { finding("cadence \(cadence)") }
    judge(&radar, at: now)
  }
}

private func parseHeartRate(_ bytes: [UInt8]) throws {
  let measurement = try HeartRateMeasurement(parsing: bytes.span)
  if measurement.rate == 0 { finding("a heart that stands") }
}

private func judge(_ radar: inout Radar, at now: Instant) {
  radar.advance(to: now)
  if let deadline = radar.deadline, deadline <= now { finding("a deadline that is never met") }
  if radar.isSilent(at: now), radar.count > 0 { finding("a silent radar that sees") }
  for index in 0..<max(0, radar.count - 1) where radar[index].distance > radar[index + 1].distance {
    finding("the nearest is not the first")
  }
}
