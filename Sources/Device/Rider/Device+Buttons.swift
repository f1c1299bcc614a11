import BoardFile
import Bond
public import Buttons
public import Bytes
import Host
import Music
import Navigation
import Notifications
import Panel

/// What the rider does with the buttons.
extension Device {
  /// Handles a whole gesture: a byte from a stand-in for the buttons.
  public mutating func receive(_ gesture: Gesture, at now: Instant) {
    clock = now
    record.note(gesture, at: now)
    // It comes from a program, which knows the number to compare from the events.
    handle(gesture, isByHand: false, at: now)
  }

  /// Handles an edge of either button; call it in the order of their times.
  public mutating func receive(_ edge: Edge, at now: Instant) {
    clock = now
    record.note(edge, at: now)
    presses.receive(edge)
    handlePresses(at: now)
  }

  /// Whether the time that has passed decides what a press is.
  ///
  /// Call `buttonIsReleased` then for each button that is not held, as the kernel drops edges that
  /// are not read in time.
  public func isPressDue(at now: Instant) -> Bool {
    guard ports.buttons.isOpen, let due = presses.deadline else { return false }
    return now >= due
  }

  /// Notes that a button is released, even if no edge said so.
  public mutating func buttonIsReleased(_ button: Button, at now: Instant) {
    record.noteRelease(of: button, at: now)
    presses.noteRelease(of: button, at: now)
  }

  /// Notes that all edges up to now were handled: what is held has been held until now.
  public mutating func edgesWereRead(at now: Instant) {
    clock = now
    if isPressDue(at: now) { record.pressesAdvance() }
    presses.advance(to: now)
    handlePresses(at: now)
  }

  private mutating func handlePresses(at now: Instant) {
    while let event = presses.takeEvent() {
      switch event {
      case .gesture(let gesture): handle(gesture, isByHand: true, at: now)
      case .stuck(let button):
        var message = Explanation()
        button.explainStuck(board, into: &message)
        fail(.gpio, message.bytes, at: now)
      }
    }
    showUnpairProgress(at: now)
  }

  /// Has the panel show how long unpair is still to be held, or no longer.
  mutating func showUnpairProgress(at now: Instant) {
    guard presses.unpairProgress != shownUnpairProgress else { return }
    shownUnpairProgress = presses.unpairProgress
    scene.isChanged = true
    if shownUnpairProgress != nil { usePanel(.press, at: now) }
  }

  /// Does what a press means; one of page that lights a dark panel shows the ride.
  private mutating func handle(_ gesture: Gesture, isByHand: Bool, at now: Instant) {
    log.button(gesture, at: now)
    let wasOn = panel.isOn
    let isAsked = scene.question != nil
    scene.dismissMistake()
    // A long press says itself what it wants, and a number must be seen before it is agreed to.
    if gesture != .pageLong, !isAsked { usePanel(.press, at: now) }
    scene.endBanner()
    if scene.page == .sensors, !isAsked, !isCallShown {
      scene.touchPage(at: now)
      if handleOnSensorsPage(gesture, isLit: wasOn, at: now) { return }
    }
    switch gesture {
    case .pageShort where isAsked: agree(isByHand: isByHand, at: now)
    case .unpairShort where isAsked: answer(isSame: false, at: now)
    case .pageLong where isAsked: break  // the number must be seen
    case .pageShort where isCallShown && wasOn:
      answerCall(.accept, isByHand: isByHand, at: now)
    case .unpairShort where isCallShown && wasOn:
      answerCall(.refuse, isByHand: isByHand, at: now)
    case .pageShort where isSearchWished:
      scene.show(nil, at: now)
      scene.showTurn()
      host.searchFast(at: now)
      handleHostEvents(at: now)
    case .pageShort where !wasOn: scene.showTurn()
    case .pageShort:
      if connection == .searching { host.searchFast(at: now) }
      scene.turnPage(
        hasMusic: player.state == .there, hasData: !sensors.isEmpty,
        hasSensors: board.sensors == .learned, at: now)
      if scene.page == .ride { host.readBattery(at: now) }
    case .pageLong:
      usePanel(.nextLevel, at: now)
      brightnessWasChosen(at: now)
    case .unpairShort where wasOn && scene.page == .music: playNext(at: now)
    case .unpairShort: scene.show(.phone, isAsked: true, at: now)
    case .unpairLong: forget(at: now)
    case .both: makeReport(at: now)
    }
  }

  /// Whether a press of page is for a search: on the page of the turn, where none goes on.
  private var isSearchWished: Bool {
    guard scene.page == .turn else { return false }
    return switch connection {
    case .noPhone: true
    case .searching, .connecting: host.isBondRejected
    default: false
    }
  }
}
