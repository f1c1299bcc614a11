import Battery
import BoardFile
import Bytes
import Linux
import Ports
import Recording

/// The gauge of Lenker's own battery.
extension Check {
  mutating func checkBattery() {
    guard let kind = board.battery else { return }
    var report = Report("battery")
    report.append(kind.name)
    report.append(" at ")
    report.append(hexByte: kind.address)
    do throws(Errno) {
      try ask(kind, in: &report)
    } catch {
      report.isWell = false
      report.append(": ")
      report.append(error.explanation(for: .gauge))
    }
    say(report)
  }

  private func ask(_ kind: GaugeKind, in report: inout Report) throws(Errno) {
    let now = Clock.now
    var gauge = BatteryGauge(kind, at: now)
    var bus = try GaugeBus(board.display)
    var bytes = FixedBuffer<2>()
    while let read = gauge.read(at: now) {
      try bus.read(read, into: &bytes)
      switch gauge.take(bytes.bytes, of: read.register, at: now) {
      case nil: continue
      case .charge(let charge): describe(charge, in: &report)
      case .fault(let fault):
        report.isWell = false
        report.append(": ")
        fault.explain(kind, into: &report)
      }
    }
  }

  private func describe(_ charge: BatteryCharge, in report: inout Report) {
    report.beginFact()
    report.append(decimal: Int64(widening: Int(charge.percent)))
    report.append("%, ")
    report.append(milliseconds: Int64(widening: Int(charge.millivolts)))
    report.append(" V")
    switch charge.isCharging {
    case nil: break
    case true?: report.append(", charging")
    case false?: report.append(", not charging")
    }
  }
}
