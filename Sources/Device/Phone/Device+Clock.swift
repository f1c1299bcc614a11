import BoardFile
import Bytes
import Host
import Navigation
import PhoneServices
import Screens

/// The time of the day: what the phone tells of it, and when it is asked and shown.
extension Device {
  mutating func hearZone() { zone = try? Zone(parsing: host.value) }

  mutating func hearTime(at now: Instant) {
    guard let time = try? LocalTime(parsing: host.value) else { return }
    dayClock.set(Int64(widening: time.milliseconds), at: now)
    log.clock(time, in: zone, at: now)
  }

  /// The phone's clock was set, and the zone may be another one, too; a phone that only ticks is not asked.
  mutating func hearTimeOfNotification(at now: Instant) {
    guard let time = try? LocalTime(parsing: host.value) else { return }
    if !dayClock.tells(Int64(widening: time.milliseconds), at: now) {
      host.step(.ask(.clock), at: now)
    }
  }

  /// Nobody is woken for a minute that nobody sees.
  var clockDeadline: Instant? {
    earlier(dayClock.nextReading, isClockShown ? dayClock.nextMinute(at: clock) : nil)
  }

  private var isClockShown: Bool {
    ports.panel.isOpen && display.isOn && display.look?.clock != nil
  }

  mutating func advanceClock(to now: Instant) {
    if dayClock.takeDueReading(at: now) { host.step(.ask(.clock), at: now) }
  }
}
