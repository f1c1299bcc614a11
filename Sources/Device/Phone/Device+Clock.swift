import BoardFile
import Bytes
import Central
import DeviceState
import Navigation
import PhoneServices
import Recording
import Screens

/// The time of the day: what the phone tells of it, and when it is asked and shown.
extension Device {
  mutating func hearTime(at now: Instant) {
    guard let time = phone.hear(time: host.value, at: now) else { return }
    log.clock(time, in: phone.zone, at: now)
  }

  /// The phone's clock was set, and the zone may be another one, too; a phone that only ticks is not asked.
  mutating func hearTimeOfNotification(at now: Instant) {
    guard let time = try? LocalTime(parsing: host.value) else { return }
    if !phone.clock.tells(Int64(widening: time.milliseconds), at: now) {
      host.step(.ask(.clock), at: now)
    }
  }

  /// Nobody is woken for a minute that nobody sees.
  var clockDeadline: Instant? {
    earlier(phone.clock.nextReading, isClockShown ? phone.clock.nextMinute(at: upkeep.now) : nil)
  }

  private var isClockShown: Bool {
    upkeep.isOpen(.panel) && display.output.isOn && display.look?.clock != nil
  }

  mutating func advanceClock(to now: Instant) {
    if phone.takeDueClock(at: now) { host.step(.ask(.clock), at: now) }
  }
}
