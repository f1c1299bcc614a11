import Battery
import Bytes
import DeviceState

/// A gauge that says anything and fails whenever it likes: it is asked once a minute, what it says of the battery
/// can be, and a failure is told once until there is a charge again.
func runGauge(_ feed: inout Feed) {
  let address = 0x40 | feed.u8() & 0x0F
  let kind = feed.pick([GaugeKind.max17048, .ina219(address: address), .piSugar3])
  var (now, tellings) = (Instant(milliseconds: 1_000), 0)
  var battery = OwnBattery(kind, at: now)
  while !feed.isEmpty {
    guard let due = battery.deadline else { finding("a gauge that is never asked again") }
    now = max(now, due)
    playRound(of: kind, &battery, &feed, &tellings, at: now)
    if tellings > 1 { finding("a second failure is told") }
    guard let next = battery.deadline, next - now == 60_000 else {
      finding("a round that is not a minute after the last")
    }
    if battery.read(at: now + 59_999) != nil { finding("a gauge is asked before its time") }
    check(battery.charge)
    if let percent = battery.takeLow() {
      reach("warned")
      if percent > 15 { finding("a warning at \(percent) %") }
      if battery.takeLow() != nil { finding("a warning comes twice") }
    }
  }
}

/// One round; counts how many failures were told since the last charge.
private func playRound(
  of kind: GaugeKind, _ battery: inout OwnBattery, _ feed: inout Feed, _ tellings: inout Int,
  at now: Instant
) {
  var reads = 0
  while let read = battery.read(at: now) {
    reads += 1
    if reads > 8 { finding("a round without an end") }
    if read.address != kind.address { finding("another device is asked") }
    switch feed.u8() % 8 {
    case 0:
      reach("failed")
      if battery.failed(at: now) != nil { tellings += 1 }
    case 1:
      // Bytes that were not asked for change nothing.
      let bytes = feed.take(3)
      if bytes.count != read.count || feed.bool() {
        let other = bytes.count == read.count ? read.register ^ 0x80 : read.register
        let news = battery.receive(bytes.span, of: other, at: now)
        guard case .nothing = news else { finding("bytes of another register count") }
        guard battery.read(at: now) == read else { finding("they end the read") }
      }
      if battery.failed(at: now) != nil { tellings += 1 }
    default:
      let bytes = said(of: read, kind, &feed)
      switch battery.receive(bytes.span, of: read.register, at: now) {
      case .nothing: break
      case .charge(let charge, _):
        reach("charge")
        tellings = 0
        if charge != battery.charge { finding("a charge that is not kept") }
      case .fault(_, let fault):
        reach("\(fault)".prefix { $0 != "(" }.description)
        tellings += 1
        if battery.charge != nil { finding("a charge beside a fault") }
      }
    }
  }
}

/// What the gauge says, often what it could.
private func said(of read: GaugeRead, _ kind: GaugeKind, _ feed: inout Feed) -> [UInt8] {
  let (isAny, high, low) = (feed.u8() % 4 == 0, feed.u8(), feed.u8())
  let any = Array([high, low].prefix(read.count))
  guard !isAny else { return any }
  switch (kind, read.register) {
  case (.max17048, 0x08): return [0x00, 0x10 | low & 0x0F]
  case (.max17048, 0x02): return [0xA0 + high % 0x30, low]
  case (.max17048, _): return [high % 101, low]
  case (.ina219, 0x00): return [0x39, 0x9E | low & 1]
  case (.ina219, _): return [0x17 + high % 0x0A, low]
  case (.piSugar3, 0x22): return [0x0C + high % 5]
  case (.piSugar3, 0x2A): return [high % 101]
  default: return any
  }
}

private func check(_ charge: BatteryCharge?) {
  guard let charge else { return }
  if charge.percent > 100 { finding("\(charge.percent) %") }
  if !(2_500...4_400).contains(charge.millivolts) { finding("a cell of \(charge.millivolts) mV") }
}
