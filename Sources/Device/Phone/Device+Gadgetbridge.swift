import Battery
import BoardFile
import Bytes
import Central
import DeviceState
import Navigation
import PhoneServices
import Recording
import Turns

/// What Gadgetbridge writes: turns, the time, calls, notices and music; and the answers to it.
extension Device {
  /// Handles a value that the remembered phone wrote, which may have parts of several lines.
  mutating func receiveWritten(at now: Instant) {
    var index = 0
    while index < host.value.count {
      if let line = phone.receive(host.value[index], at: now) { receive(line, at: now) }
      index += 1
    }
  }

  private mutating func receive(_ line: GadgetbridgeSession.Line, at now: Instant) {
    // Gadgetbridge subscribes before it writes.
    if line == .first { sayWhoWeAre(at: now) }
    do throws(ParseError) {
      receive(try phone.gadgetbridge.read(), at: now)
    } catch {
      // The next line may be whole.
    }
  }

  private mutating func receive(_ message: borrowing Gadgetbridge.Message, at now: Instant) {
    switch message {
    case .nextTurn(let turn): receive(turn, at: now)
    case .navigationOver: navigationIsOver(at: now)
    case .clock(let clock):
      if let time = phone.receive(clock, at: now) { log.clock(time, in: clock.zone, at: now) }
    case .call:
      phone.receive(message, at: now)
      tendNotifications(at: now)
    case .notice(let notice):
      phone.receive(message, at: now)
      keepApp(of: notice)
      tendNotifications(at: now)
    default: phone.receive(message, at: now)
    }
  }

  private mutating func receive(_ news: borrowing Gadgetbridge.NextTurn, at now: Instant) {
    guard !news.isEmpty else { return }
    guard let distance = news.distance else { return receiveText(of: news, at: now) }
    let hasTurn = guidance.hasTurn && guidance.source == .gadgetbridge
    let street = phone.readStreet(news.text.bytes, hasTurn: hasTurn)
    let isSame = hasTurn && guidance.turn.maneuver == news.maneuver
    // An aside without an action announces no turn.
    guard street.kind != .aside || news.hasAction || isSame else { return }
    let wasStale = guidance.isStale
    let outcome =
      if street.kind == .aside {
        guidance.receive(news.maneuver, distance: distance, at: now)
      } else {
        guidance.receive(
          Turn(news.maneuver, distance: distance, street: street.shown.bytes),
          from: .gadgetbridge, at: now)
      }
    turnWasWritten(news, outcome, wasStale: wasStale, at: now)
  }

  /// Handles a turn without a distance.
  private mutating func receiveText(of news: borrowing Gadgetbridge.NextTurn, at now: Instant) {
    let street = Gadgetbridge.SpokenStreet(news.text.bytes)
    var outcome = Guidance.Outcome.nothing
    if street.kind == .aside || news.hasStrangeDistance {
      guard guidance.receiveAgain(news.maneuver) else { return }
    } else {
      outcome = guidance.receive(text: street.shown.bytes, of: news.maneuver)
    }
    turnWasWritten(news, outcome, wasStale: guidance.isStale, at: now)
  }

  private mutating func turnWasWritten(
    _ news: borrowing Gadgetbridge.NextTurn, _ outcome: Guidance.Outcome, wasStale: Bool,
    at now: Instant
  ) {
    step(.turnWasWritten, at: now)
    if outcome != .nothing { log.instruction(guidance.turn, saidAs: news.text.bytes, at: now) }
    turnWasReceived(outcome, wasStale: wasStale, at: now)
  }

  private mutating func keepApp(of notice: borrowing Gadgetbridge.Notice) {
    if board.notifications.hasOthers { store.see(notice.app.bytes) }
  }

  /// As with komoot, the finish is kept as long as the arrival shows.
  private mutating func navigationIsOver(at now: Instant) {
    _ = guidance.receive(Turn(), from: .gadgetbridge, at: now)
    leaveFinish()
  }

  private mutating func sayWhoWeAre(at now: Instant) {
    let version = Gadgetbridge.Answer.version(
      firmware: ShortBytes { $0.append("Lenker") }, board: ShortBytes { $0.append("Pi") })
    say(version, at: now)
    sayCharge(at: now)
  }

  /// Sends our charge to Gadgetbridge, once it has written; without a charge it would show 50 %.
  mutating func sayCharge(at now: Instant) {
    guard phone.gadgetbridge.hasWritten, let charge = battery.charge else { return }
    say(.charge(charge.percent), at: now)
  }

  /// Sends an answer to Gadgetbridge, if it has subscribed.
  mutating func say(_ answer: Gadgetbridge.Answer, at now: Instant) {
    var line = FixedBuffer<256>()
    answer.write(into: &line)
    step(.notify(line.bytes), at: now)
  }
}
