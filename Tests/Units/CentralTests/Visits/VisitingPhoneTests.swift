import Central
import Expecting
import TestSupport

/// What becomes of the link of a phone that came by itself.
struct VisitingPhoneTests {
  /// V10 with this identifier.
  private func wish(_ identifier: Int) -> String {
    "12 0\(identifier) 08 00 18 00 24 00 03 00 58 02"
  }

  /// Answers each request of ours with "attribute not found", or as `answers` says; returns the requests.
  private func answerAll(_ visit: Visit, _ answers: [String: String] = [:]) -> [String] {
    var asked: [String] = []
    for _ in 0..<40 {
      let requests = visit.takeAnswers()
      if requests.isEmpty { break }
      for request in requests {
        asked.append(request)
        if let answer = answers[request] { visit.says(answer); continue }
        switch request.prefix(2) {
        case "02": visit.says("03 05 02")
        case "04", "06", "08", "0a", "10", "12": visit.says("01 \(request.prefix(8)) 0a")
        default: break
        }
      }
    }
    return asked
  }

  /// Lets seconds pass, in which the phone answers.
  private func pass(_ seconds: Int, on visit: Visit) {
    for _ in 0..<seconds {
      visit.central.pass(1_000)
      _ = answerAll(visit)
    }
  }

  @Test func peripheralBehaviour25_withoutKomootTheRestIsAskedForAndTheLinkStays() {
    let visit = Visit.linked()
    let asked = answerAll(visit)
    // Local Time Information, which comes behind komoot's line.
    #expect(asked.contains("08 01 00 ff ff 0f 2a"))
    #expect(visit.central.takeEvents().contains(.waiting))
    expect(visit.central.stage, .ready)
    _ = visit.takeCommands()
    pass(3_600, on: visit)
    expect(visit.takeCommands(0x0406), [], "an hour later")
  }

  /// 2, 4, 8, 16, 30 s and so on, and not any more after ten minutes: the phone says when it is there.
  ///
  /// Gadgetbridge's turns keep the link, and keep nobody looking for komoot for longer.
  @Test(arguments: [false, true])
  func komootIsLookedForEveryHalfAMinuteForTenMinutes(_ isGuided: Bool) {
    let visit = Visit.linked()
    _ = answerAll(visit)
    var times: [Int64] = []
    for second in 1...1_500 as ClosedRange<Int64> {
      visit.central.pass(1_000)
      if isGuided { visit.central.change { host, now in host.step(.turnWasWritten, at: now) } }
      let asked = answerAll(visit)
      guard !asked.isEmpty else { continue }
      times.append(second)
      expect(asked.count, 1, "what is there is left alone")
    }
    expect(times.prefix(5), [2, 6, 14, 30, 60])
    expect(times.last.map { (60...630).contains($0) }, true)
    expect(visit.takeCommands(0x0406), [])
  }

  @Test func peripheralBehaviour28_komootOnTheAirIsLookedForOnTheLinkThatStands() {
    let visit = Visit.linked()
    _ = answerAll(visit)
    pass(640, on: visit)
    visit.central.change { host, now in host.step(.searchSensors, at: now) }
    _ = visit.takeCommands()
    visit.isHeard()
    expect(answerAll(visit).count, 1)
    expect(visit.takeCommands(0x200D), [], "there is no second connection")
    visit.isHeard()
    visit.central.pass(5_000 - 2 * 80 - 1)
    for isDue in [false, true] {
      visit.controller.advertise(visit.central)
      expect(visit.central.ask { $0.wasNews }, isDue)
      expect(answerAll(visit).count, isDue ? 1 : 0, "at most every five seconds")
      visit.central.pass(1)
    }
  }

  /// The phone is heard beside the link, or its services have changed.
  @Test(arguments: [false, true])
  func afterTheTenMinutesEachOccasionIsWorthOneLookForKomoot(_ isChanged: Bool) {
    let visit = Visit.linked()
    _ = answerAll(
      visit,
      [
        "06 01 00 ff ff 00 28 01 18": "07 06 00 09 00",
        "08 06 00 09 00 03 28": "09 07 07 00 20 08 00 05 2a",
        "04 09 00 09 00": "05 01 09 00 02 29", "12 09 00 02 00": "13",
      ])
    pass(640, on: visit)
    for _ in 0..<2 {
      if isChanged {
        visit.says("1d 08 00 01 00 ff ff")
      } else {
        visit.central.change { host, now in host.step(.searchSensors, at: now) }
        visit.isHeard()
      }
      #expect(answerAll(visit).contains { $0.hasPrefix("06 01 00 ff ff 00 28 6c 43") })
      for _ in 0..<90 {
        visit.central.pass(1_000)
        expect(answerAll(visit), [])
      }
    }
  }

  // MARK: - Parameters

  /// Or once, if that was taken.
  @Test(arguments: [false, true])
  func peripheralBehaviour29_aShortTimeoutIsAskedToBeLongerThreeTimes(_ isTaken: Bool) {
    let visit = Visit()
    visit.comes(timeout: 72)
    visit.central.pass(1_000)
    expect(visit.takeAnswers(channel: "05"), [wish(1)])
    visit.says("13 01 02 00 0\(isTaken ? 0 : 1) 00", channel: 0x05)
    for number in 2...3 {
      visit.central.pass(4_999)
      expect(visit.takeAnswers(channel: "05"), [])
      visit.central.pass(1)
      expect(visit.takeAnswers(channel: "05"), isTaken ? [] : [wish(number)])
    }
    visit.central.pass(15_000)
    expect(visit.takeAnswers(channel: "05"), [])
    expect(visit.takeCommands(0x0406, 0x2013), [])
  }

  /// Two seconds are long enough; at a shorter one it is asked a second after the encryption.
  @Test(arguments: [
    (200, 60_000, false), (500, 60_000, false), (199, 999, false), (199, 1_000, true),
  ])
  func whoChoseALongTimeoutIsNotAsked(_ timeout: UInt16, _ time: Int64, _ isAsked: Bool) {
    let visit = Visit()
    visit.comes(timeout: timeout)
    visit.central.pass(time)
    expect(visit.takeAnswers(channel: "05"), (isAsked ? [wish(1)] : []))
  }

  /// Only a peripheral may ask for parameters by L2CAP.
  @Test func aCentralThatAsksForParametersIsRejected() {
    let visit = Visit.linked()
    visit.says("12 07 08 00 18 00 24 00 03 00 58 02", channel: 0x05)
    expect(visit.takeAnswers(channel: "05"), ["01 07 02 00 00 00"])
  }

  // MARK: - The server

  @Test func peripheralBehaviour31_theServerAnswersOnALinkThatThePhoneMade() {
    let visit = Visit()
    visit.connects(from: visit.phonesAddress())
    // Before encryption the remembered phone is told to encrypt.
    visit.says("12 0f 00 01 00")
    expect(visit.takeAnswers(), ["01 12 0f 00 0f"])
    visit.says("10 01 00 ff ff 00 28")
    expect(visit.takeAnswers(), ["11 06 01 00 05 00 00 18 06 00 09 00 01 18"])
    visit.encrypts()
    _ = visit.takeAnswers()
    visit.says("12 0f 00 01 00")
    #expect(visit.takeAnswers().contains("13"))
    visit.says("12 0c 00 41 42")
    #expect(visit.takeAnswers().contains("13"))
    expect(visit.central.written, [[0x41, 0x42]])
    visit.central.change { host, now in host.step(.notify(bytes("43 44").span), at: now) }
    #expect(visit.takeAnswers().contains("1b 0e 00 43 44"))
  }

  // MARK: - The ride

  /// The radio listens all the time for ten minutes.
  @Test(arguments: [true, false])
  func aLinkThatHasBroughtTurnsIsSearchedForAsARide(_ isRide: Bool) {
    let visit = Visit.linked()
    _ = answerAll(visit)
    if isRide { visit.central.change { host, now in host.step(.turnWasWritten, at: now) } }
    visit.end(reason: isRide ? 0x08 : 0x13)
    _ = visit.central.takeEvents()
    let time: Int64 = isRide ? 590_000 : 29_000
    visit.central.pass(time)
    #expect(!visit.central.takeEvents().contains(.scan(.slow)))
    visit.central.pass(20_000)
    #expect(visit.central.takeEvents().contains(.scan(.slow)))
  }

  /// The phone has chosen how long its silence may last: that does not reset the controller.
  @Test func aPhoneThatFallsSilentIsLeftBehind() {
    let visit = Visit.linked()
    visit.endsAtOnce = false
    visit.central.disconnect()
    visit.central.pass(1)
    _ = visit.central.takeEvents()
    visit.central.pass(31_000)
    expect(visit.central.takeEvents().failures, [])
    visit.end(reason: 0x08)
    visit.comes()
    #expect(visit.central.takeEvents().contains(.encrypted))
  }
}
