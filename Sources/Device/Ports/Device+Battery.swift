package import Battery
package import Bytes
import DeviceState
import Navigation
import Panel
import Recording

/// Lenker's own battery: when its gauge is read, and what follows from it.
extension Device {
  /// The register of the battery's gauge that is to be read now; `nil` for none.
  ///
  /// Only a bus that has carried a picture and has no other one to carry is used for it.
  package var gaugeRead: GaugeRead? {
    isBusFree && !upkeep.isLeaving ? upkeep.battery.read(at: upkeep.now) : nil
  }

  /// When there is something to read.
  var gaugeDeadline: Instant? { isBusFree ? upkeep.battery.deadline : nil }

  private var isBusFree: Bool {
    upkeep.isOpen(.panel) && display.output.hasWorked && display.output.batch.bytes.isEmpty
  }

  /// Takes the bytes of the register.
  package mutating func gaugeWasRead(
    _ bytes: Span<UInt8>, of register: UInt8, at now: Instant
  ) {
    upkeep.timeIs(now)
    var value: UInt16 = 0
    for index in bytes.indices { value = value &<< 8 | UInt16(bytes[index]) }
    record.note(.gaugeRead(register: register, value, count: bytes.count), at: now)
    switch upkeep.takeGauge(bytes, of: register, at: now) {
    case .nothing: break
    case .charge(let charge, isOther: let isOther):
      if isOther { log.battery(charge, at: now) }
      tellOfOwnBattery(at: now)
    case .fault(let gauge, let fault):
      var message = Explanation()
      gauge.describe(into: &message)
      fault.explain(gauge, into: &message)
      tellOfGauge(message, at: now)
    }
  }

  /// Notes that the register could not be read: the gauge is asked again in a minute.
  package mutating func gaugeFailed(_ reason: Errno, at now: Instant) {
    note(.gaugeFailed(reason), at: now)
    guard let gauge = upkeep.gaugeFailed(at: now) else { return }
    var message = Explanation()
    gauge.describe(into: &message)
    message.append(reason.explanation(for: .gauge))
    tellOfGauge(message, at: now)
  }

  /// Makes no report, which the panel's own first error of a day may need.
  private mutating func tellOfGauge(_ message: borrowing Explanation, at now: Instant) {
    log.failed(.i2c, message.bytes, at: now)
    record.noteError(of: .i2c, message.bytes, at: now)
  }

  /// Tells the rider of a battery that is nearly empty, at a quiet moment.
  mutating func tellOfOwnBattery(at now: Instant) {
    guard isPanelOn, ride.guidance.isQuiet, scene.notice == nil,
      let percent = upkeep.takeLowBattery()
    else { return }
    scene.show(.ownBattery(percent: percent), at: now)
  }
}
