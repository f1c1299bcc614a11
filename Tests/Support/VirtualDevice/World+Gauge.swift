internal import Battery
import Bytes
import TestSupport

/// The power: a battery's gauge on the bus, and loads of the processor.
extension World {
  func readGauge() {
    while let read = device.gaugeRead {
      gaugeReads.append((now.milliseconds, read.register))
      order.append("gauge")
      deeds += 1
      let end = Int(read.register) + read.count
      if let fault = onGauge(read) ?? (gauge.count < end ? .remoteIO : nil) {
        device.gaugeFailed(fault, at: now)
      } else {
        let bytes = Array(gauge[Int(read.register)..<end])
        device.gaugeWasRead(bytes.span, of: read.register, at: now)
      }
    }
  }

  /// Lets the time pass without a turn, as a call that hangs does.
  package func sleep(_ milliseconds: Int64) {
    now = now + milliseconds
    turn()
  }

  /// Whether the loop is not to sleep.
  package var isLoading: Bool { device.isLoading }
}
