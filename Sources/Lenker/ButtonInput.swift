import BoardFile
import Buttons
import Bytes
import Linux

/// The buttons or what stands in for them, reopened for as long as they fail.
struct ButtonInput: ~Copyable {
  private static var retryTime: Int64 { 1_000 }

  private var standIn: GestureInput?
  private var chip: GPIOButtons?
  private var presses: PressRecognizer
  private var lastError: Errno?
  /// When to open them; `nil` while they are open, or if the board has none.
  private var openingTime: Instant?

  init(opening now: Instant) {
    presses = PressRecognizer(at: now)
    openingTime = now
  }

  /// When to open them, or when a press becomes a gesture.
  var deadline: Instant? { openingTime ?? (chip == nil ? nil : presses.deadline) }

  /// Whether a thumb presses them.
  var areReal: Bool { chip != nil }

  /// How far the unpair button is on its way to a long press, of 1000; else `nil`.
  ///
  /// Changes at `deadline` and with the edges. The bytes of a stand-in are whole gestures: they come
  /// without any progress.
  var unpairProgress: Int? { chip == nil ? nil : presses.unpairProgress }

  /// Opens them if it is time to; throws once for each new reason.
  mutating func open(_ board: Board, at now: Instant) throws(Errno) {
    guard let due = openingTime, now >= due else { return }
    do throws(Errno) {
      standIn = try board.buttons.openStandIn()
      chip = try board.openButtons()
      // One that is held while it is opened, or has a short circuit, must not forget the phone.
      presses = PressRecognizer(
        isPagePressed: try chip?.isPressed(.page) ?? false,
        isUnpairPressed: try chip?.isPressed(.unpair) ?? false, at: now)
    } catch {
      try close(error, at: now)
      return
    }
    openingTime = nil
    lastError = nil
  }

  /// Adds what can wake the program.
  func wait(by poller: inout Poller) {
    poller.add(descriptor(of: .page))
    poller.add(descriptor(of: .unpair))
    poller.add(standInDescriptor)
  }

  /// The next thing that the buttons tell; to be called until it returns `nil`.
  mutating func next(_ poller: borrowing Poller, at now: Instant) throws(Errno) -> ButtonEvent? {
    if chip != nil { return try nextPress(poller, at: now) }
    guard poller.isReadable(standInDescriptor), let gesture = standIn?.next() else { return nil }
    return .gesture(gesture)
  }

  private mutating func nextPress(
    _ poller: borrowing Poller, at now: Instant
  ) throws(Errno) -> ButtonEvent? {
    do throws(Errno) {
      if isDue(at: now) || isReadable(.page, poller) || isReadable(.unpair, poller) {
        while true {
          if let event = presses.takeEvent() { return event }
          guard let edge = try chip?.next() else { break }
          presses.take(edge)
        }
        // Not before: what the edges began may be due already if they are read late.
        if isDue(at: now) { try takeReleases(at: now) }
      }
    } catch {
      try close(error, at: now)
      return nil
    }
    presses.advance(to: now)
    return presses.takeEvent()
  }

  /// Whether time alone changes what the buttons tell.
  private func isDue(at now: Instant) -> Bool { presses.deadline.map { $0 <= now } ?? false }

  /// Looks at the lines themselves, as the kernel may have dropped edges.
  private mutating func takeReleases(at now: Instant) throws(Errno) {
    if try chip?.isPressed(.page) == false { presses.takeReleased(.page, at: now) }
    if try chip?.isPressed(.unpair) == false { presses.takeReleased(.unpair, at: now) }
  }

  private func isReadable(_ button: Button, _ poller: borrowing Poller) -> Bool {
    poller.isReadable(descriptor(of: button))
  }

  private func descriptor(of button: Button) -> Descriptor {
    switch chip {
    case .some(let chip): chip.descriptor(of: button)
    case .none: .none
    }
  }

  private var standInDescriptor: Descriptor {
    switch standIn {
    case .some(let standIn): standIn.descriptor
    case .none: .none
    }
  }

  private mutating func close(_ reason: Errno, at now: Instant) throws(Errno) {
    standIn = nil
    chip = nil
    openingTime = now + Self.retryTime
    guard reason != lastError else { return }
    lastError = reason
    throw reason
  }
}
