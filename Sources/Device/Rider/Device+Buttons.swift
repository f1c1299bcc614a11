import BoardFile
import Bond
package import Buttons
package import Bytes
import Central
import DeviceState
import Navigation
import Panel
import PhoneServices
import Recording
import Sensors

/// What the rider does with the buttons.
extension Device {
  /// Handles a byte from a stand-in for the buttons: a whole gesture, or an error.
  package mutating func receive(_ byte: UInt8, at now: Instant) {
    if let gesture = presses.gesture(of: byte) { return receive(gesture, at: now) }
    upkeep.advance(to: now)
    guard presses.receiveStrangeByte() else { return }
    var message = Explanation()
    message.append("byte ")
    message.append(hexByte: byte)
    message.append(" is no gesture: send a, A, b, B or r")
    fail(.gpio, message, at: now)
  }

  /// Handles a whole gesture.
  package mutating func receive(_ gesture: Gesture, at now: Instant) {
    note(.gesture(gesture), at: now)
    handle(gesture, by: nil, at: now)
  }

  /// Handles an edge of either button; call it in the order of their times.
  package mutating func receive(_ edge: Edge, at now: Instant) {
    note(.edge(edge.button, isPressed: edge.isPressed, age: now - edge.time), at: now)
    (presses.hold, presses.isPanelOn) = (hold, display.isOn)
    presses.receive(edge)
    handlePresses(at: now)
  }

  /// Whether the time that has passed decides what a press is.
  ///
  /// If so, call `buttonIsReleased` for each button that is not held, as the kernel drops edges that are not read in
  /// time.
  package func isPressDue(at now: Instant) -> Bool {
    guard upkeep.ports[.buttons].isOpen, let due = presses.deadline else { return false }
    return now >= due
  }

  /// Notes that a button is released, even if no edge said so.
  package mutating func buttonIsReleased(_ button: Button, at now: Instant) {
    record.note(.release(button), at: now)
    presses.receiveRelease(of: button, at: now)
  }

  /// Notes that all edges up to now were handled: a button that is held was held until now.
  package mutating func edgesWereRead(at now: Instant) {
    upkeep.advance(to: now)
    if isPressDue(at: now) { record.notePressesAdvance() }
    presses.advance(to: now)
    handlePresses(at: now)
  }

  private mutating func handlePresses(at now: Instant) {
    while let outcome = presses.takeOutcome() {
      switch outcome {
      case .gesture(let gesture, let press): handle(gesture, by: press, at: now)
      case .stuck(let button):
        fail(.gpio, Explanation { button.explainStuck(board, into: &$0) }, at: now)
      }
    }
    // The panel shows how long B is still to be held, and what for: the page stays.
    if presses.holdProgress != nil {
      usePanel(.press, at: now)
      scene.touchPage(at: now)
    }
  }

  /// Does what a gesture means; `press` is how it began, `nil` if a program sent the gesture.
  private mutating func handle(
    _ gesture: Gesture, by press: PressRecognizer.Beginning?, at now: Instant
  ) {
    log.button(gesture, at: now)
    let isAsked = scene.question != nil
    switch gesture {
    case .aShort: return handle(.a, by: press, at: now)
    case .bShort: return handle(.b, by: press, at: now)
    // A number must be seen before it is agreed to.
    case .aLong where isAsked: break
    case .aLong:
      usePanel(.nextLevel, at: now)
      store.brightnessWasChosen(at: now)
    case .bLong: handleHold(press?.hold ?? hold, at: now)
    case .both:
      if !isAsked { usePanel(.press, at: now) }
      makeReport(at: now)
    }
    scene.dismissMistake()
  }

  /// Does what a long press of B began as; nothing if its page was left meanwhile.
  private mutating func handleHold(_ began: PressRecognizer.Hold, at now: Instant) {
    switch (began, hold) {
    case (.player, .player):
      usePanel(.press, at: now)
      scene.touchPage(at: now)
      sendToPlayer(.toggle, at: now)
    case (.sensors, .sensors):
      usePanel(.press, at: now)
      scene.touchPage(at: now)
      endSensors(at: now)
    // The bar has said that the phone is to be forgotten, also where the page of the music came.
    case (.phone, .phone), (.phone, .player):
      if scene.question == nil { usePanel(.press, at: now) }
      scene.touchPage(at: now)
      forget(at: now)
    default: break
    }
  }

  /// Does what a short press means: it agrees only to what was on the glass when the contact closed.
  ///
  /// Its other effects depend on what is shown now. A press that lights a dark panel answers nothing, as nothing could
  /// be read: it shows the turn, and makes a search hurry.
  private mutating func handle(
    _ button: Button, by press: PressRecognizer.Beginning?, at now: Instant
  ) {
    let (showing, offer) = (showing, offer)
    // The bar of a hold may have lit the panel meanwhile.
    let wasOn = display.isOn && (press?.isPanelOn ?? true)
    scene.dismissMistake()
    usePanel(.press, at: now)
    guard wasOn else { return lightUp(at: now) }
    let isYes = button == .a
    switch offer {
    case .question: if isRead(offer, press) { answer(isSame: isYes, at: now) }
    case .call: if isRead(offer, press) { answerCall(isYes ? .accept : .refuse, at: now) }
    case .sensor(let kind, _):
      scene.touchPage(at: now)
      if isRead(offer, press) { answer(isYes, toSensor: kind, at: now) }
    // This question is one of the pages: a press may still be meant for the page before it.
    case .sensorPairing(let kind) where isRead(offer, press):
      scene.touchPage(at: now)
      answer(isYes, toPairingOf: kind, at: now)
    case .pairing where isYes && isSeen(offer, press): searchForPhone(at: now)
    case .pairing, .sensorPairing, .nothing: answer(button, on: showing, at: now)
    }
  }

  /// Whether the offer could be read; a program needs only an open panel, as it knows the number from the events.
  private func isRead(_ offer: Offer, _ press: PressRecognizer.Beginning?) -> Bool {
    press.map { display.glass.couldBeRead(offer, at: $0.time) } ?? upkeep.ports[.panel].isOpen
  }

  private func isSeen(_ offer: Offer, _ press: PressRecognizer.Beginning?) -> Bool {
    press.map { display.glass.hadShown(offer, at: $0.time) } ?? true
  }

  private mutating func lightUp(at now: Instant) {
    scene.showTurn()
    step(.hurry, at: now)
  }

  private mutating func searchForPhone(at now: Instant) {
    scene.show(nil, at: now)
    scene.showTurn()
    step(.searchFast, at: now)
  }

  /// Does what a press without an offer means: it first removes what covers the rest.
  private mutating func answer(_ button: Button, on showing: Showing, at now: Instant) {
    switch (showing, button) {
    case (.notice, _), (.whichPhone, _), (.whichPhoneIsNone, _): scene.show(nil, at: now)
    case (.banner, _): scene.endBanner()
    case (.updated, _): scene.endUpdate()
    case (.wrongSettings, _), (.phoneAsked, _): break
    case (.music, .b): sendToPlayer(.next, at: now)
    case (.sensors, .b), (.sensorPairing, .b), (.sensorSearch, .b), (.sensorTried, .b),
      (.sensorOffered, .b):
      searchNextSensor(at: now)
    case (_, .b) where scene.page == .pairing: turnPage(at: now)
    case (_, .b): scene.show(.phone, isRequested: true, at: now)
    case (_, .a): turnPage(at: now)
    }
  }

  private mutating func turnPage(at now: Instant) {
    if scene.page == .sensors { step(.endSensorSearch, at: now) }
    step(.hurry, at: now)
    scene.turnPage(
      hasPairing: isPhoneInDoubt, hasMusic: phone.hasMusic, hasData: !desk.remembered.isEmpty,
      hasSensors: board.sensors == .learned, at: now)
    if scene.page == .ride { step(.ask(.battery), at: now) }
  }
}
