import BoardFile
import Bytes
import Central
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
    guard ports.panel.isOpen, panel.isOn else { return false }
    return switch scene.page {
    case .turn: board.extra == .clock && guidance.hasTurn
    case .ride: true
    case .music, .data, .sensors: false
    }
  }

  mutating func advanceClock(to now: Instant) {
    if dayClock.advance(to: now), isClockShown { scene.hasTicked = true }
    if dayClock.takeDueReading(at: now) { host.step(.ask(.clock), at: now) }
  }
}
