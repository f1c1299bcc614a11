import Bytes
import Expecting
import Testing

@testable import Central

/// The table in the comment of `Consent`, row by row.
@Suite struct PhoneConsentTests {
  private static let (end, later) = (Instant(milliseconds: 1_000), Instant(milliseconds: 31_000))

  typealias Step = @Sendable (inout Consent) -> Void

  private static let delay: Step = { $0.delay(until: later) }
  private static let due: Step = { $0.attemptIsDue() }
  private static let ask: Step = { $0.ask() }
  private static let askWithoutKey: Step = { $0.ask(until: end) }
  private static let answer: Step = { _ = $0.answered() }
  private static let ride: Step = { _ = $0.beginRide() }
  private static let leave: Step = { $0.endRide() }

  private static func phone(_ steps: [Step]) -> Consent {
    var phone = Consent(mayPair: true)
    for step in steps { step(&phone) }
    return phone
  }

  @Test(
    arguments: [
      ([], .new), ([delay], .delayed(until: later)), ([delay, due], .new), ([ask], .asked),
      ([askWithoutKey], .asking(until: end)), ([ask, askWithoutKey], .asking(until: end)),
      ([askWithoutKey, answer], .asked), ([delay, answer], .delayed(until: later)),
      ([ride], .riding(attempt: nil)), ([delay, ride], .riding(attempt: later)),
      ([ride, delay], .riding(attempt: later)), ([ride, delay, due], .riding(attempt: nil)),
      ([ride, leave], .new), ([ask, leave], .asked), ([ride, ask], .asked),
      ([askWithoutKey, answer, ride], .riding(attempt: nil)),
    ] as [([Step], Consent.State)])
  func whatIsAskedOfTheRiderLeadsFromStateToState(_ steps: [Step], _ state: Consent.State) {
    let phone = Self.phone(steps)
    expect(phone.state, state)
    let (questionEnd, nextAttempt): (Instant?, Instant?) =
      switch state {
      case .asking(let end): (end, nil)
      case .delayed(let end): (nil, end)
      case .riding(let attempt): (nil, attempt)
      case .new, .asked: (nil, nil)
      }
    expect(phone.questionEnd == questionEnd && phone.nextAttempt == nextAttempt)
    expect(phone.deadline, questionEnd ?? nextAttempt)
    expect(phone.wasAsked, state == .asked || questionEnd != nil)
  }

  @Test func aRideBeginsOnceOnALinkAndOnlyAQuestionWithoutAPairingIsAnsweredHere() {
    var (fresh, asking, asked) = (
      Self.phone([]), Self.phone([Self.askWithoutKey]), Self.phone([Self.ask])
    )
    let said = (fresh.answered(), asking.answered(), asked.answered())
    expect(said == (false, true, false))
    expect([fresh.beginRide(), fresh.beginRide()] == [true, false])
    fresh.endRide()
    expect(fresh.beginRide())
  }
}
