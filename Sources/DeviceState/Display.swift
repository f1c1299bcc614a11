package import BoardFile
package import Bytes
package import Graphics
package import Panel
package import Screens

/// A street that is too long for the panel.
package struct RunningStreet {
  /// That of `Guidance.streetNumber`.
  package let number: UInt32
  /// How many columns of it do not fit.
  package let overflow: Int

  package init(number: UInt32, overflow: Int) {
    (self.number, self.overflow) = (number, overflow)
  }
}

/// The panel and its glass: which picture is there, since when, and what of it changes by itself.
///
/// Only its functions change these values: the panel's output and power, what the glass offers, how far a long street
/// has run, the last picture and its look. A picture is drawn when its `Look` is not the last one, and when the light
/// is to change.
package struct Display: ~Copyable {
  package private(set) var output: PanelOutput
  package private(set) var power: PanelPower
  package private(set) var glass: Glass
  package private(set) var streetScroll = StreetScroll()
  /// The picture that was drawn last.
  package private(set) var picture: Bitmap
  /// What the last picture was drawn from; `nil` while it is unknown what the panel shows.
  package private(set) var look: Look?
  private let port: PanelPort
  /// Whether the panel is looked for, or was found, at the other one of the two addresses.
  private var isAtOtherPort = false
  /// Whether a report says when a picture was seen.
  private var takesConclusionsFromReport = false

  package init(_ board: Board, at now: Instant) {
    output = PanelOutput(board, at: now)
    power = PanelPower(at: now)
    glass = Glass(at: now)
    picture = Bitmap(board.panel.pictureSize(board.rotation))
    port = board.display
  }

  // MARK: - Light

  package var isOn: Bool { power.level != .off }

  /// Makes it as dim or bright as the rider wanted it before a restart.
  package mutating func setDimByHand(_ isDim: Bool) { power.setDimByHand(isDim) }

  /// Notes what the panel is used for.
  package mutating func use(_ use: PanelPower.Use, at now: Instant) { power.use(use, at: now) }

  /// When the panel's power-up or reset goes on, or else it is to be dimmed or switched off, or its pixels spared; `nil`
  /// for never.
  package var deadline: Instant? { output.deadline ?? power.deadline }

  /// Whether the deadline is over.
  package func isDue(at now: Instant) -> Bool {
    guard let deadline else { return false }
    return now >= deadline
  }

  // MARK: - Pictures

  /// Scrolls a long street.
  package mutating func advance(to now: Instant) { _ = streetScroll.advance(to: now) }

  /// Whether the panel takes a picture now: it has its power, and earlier messages are sent.
  package func takesPicture(at now: Instant) -> Bool {
    output.batch.bytes.isEmpty && !output.isPoweringUp(at: now)
  }

  /// Whether the glass is lit, and has the last picture as a whole.
  package var isSeen: Bool { isOn && look != nil && output.batch.bytes.isEmpty }

  /// Whether a picture of that look is to be drawn once the panel has its power.
  package func isPictureDue(_ look: Look, at now: Instant) -> Bool {
    !output.isPoweringUp(at: now) && (look != self.look || isOn && output.isRefreshDue(at: now))
  }

  /// Scrolls a long street from its beginning, if it is not running already; `nil` for none.
  package mutating func run(_ street: RunningStreet?, at now: Instant) {
    if let street {
      streetScroll.show(street.number, overflow: street.overflow, at: now)
    } else {
      streetScroll.hide()
    }
  }

  /// Prepares the messages that show a picture of that look; returns whether the glass has it already.
  package mutating func show(
    _ picture: consuming Bitmap, of look: Look, offering offer: Offer, at now: Instant
  ) -> Bool {
    self.picture = picture
    glass.pictureLeaves(offering: offer)
    output.show(
      self.picture, isWorthLight: look.isWorthLight(after: self.look), in: &power, at: now)
    self.look = look.with(light: power.level)
    return output.batch.bytes.isEmpty && !takesConclusionsFromReport
  }

  // MARK: - The bus

  /// Notes that the messages have arrived; returns what went over the bus once the picture is whole.
  package mutating func messagesWereSent(frame: Int64?) -> Arrival? {
    let isFirst = !output.hasWorked
    guard let flush = output.messagesWereSent(frame: frame) else { return nil }
    return Arrival(
      flush: flush, isToBeNoted: !takesConclusionsFromReport,
      isAtOtherAddress: isFirst && isAtOtherPort)
  }

  /// What arrived with a whole picture.
  package struct Arrival {
    package let flush: Flush
    /// Whether to note that the picture is on the glass; in a replay the report says so.
    package let isToBeNoted: Bool
    /// Whether the panel has just been found at another address than the board's.
    package let isAtOtherAddress: Bool
  }

  /// Where to open the panel: where the board says, or at the other address of its bus.
  ///
  /// The other address is tried when nothing answers and no picture has ever arrived; after a picture it stays.
  package var panelPort: PanelPort { isAtOtherPort ? port.atOtherAddress ?? port : port }

  /// The bus was opened.
  package mutating func busWasOpened(at now: Instant) {
    output.busWasOpened(at: now)
    look = nil
  }

  /// The reset line went high.
  package mutating func resetWasEnded(at now: Instant) { output.resetWasEnded(at: now) }

  /// The bus failed; returns the error to report, or `nil` if another way is tried at once.
  package mutating func busFailed(_ reason: Errno) -> Errno? {
    guard !becameUnknown(after: reason) else { return nil }
    if output.hasWorked { return reason }
    if isAtOtherPort {
      isAtOtherPort = false
      // The other address was tried only because of this error.
      return .remoteIO
    }
    isAtOtherPort = reason.kindOnBus == .remoteIO && port.atOtherAddress != nil
    return isAtOtherPort ? nil : reason
  }

  /// What the panel shows is unknown from now on; returns whether fewer messages a call may cure the bus.
  @discardableResult
  package mutating func becameUnknown(after reason: Errno) -> Bool {
    glass.forgetPicture()
    look = nil
    return output.invalidate(after: reason)
  }

  /// Prepares the messages that leave a dark panel behind.
  package mutating func shutDown() { output.shutDown() }

  /// Notes no seen picture itself from now on.
  package mutating func takeConclusionsFromReport() { takesConclusionsFromReport = true }

  /// Notes that the last picture is on the glass; returns whether it offers something new.
  package mutating func pictureArrived(at now: Instant) -> Bool { glass.pictureArrived(at: now) }
}

/// What the glass offers, and since when: no press agrees to anything else.
package struct Glass {
  /// A press sooner than this after something appeared was meant for something else.
  private static var readingTime: Int64 { 1_000 }

  private var offer = Offer.nothing
  private var since: Instant
  /// What the picture on its way offers.
  private var coming = Offer.nothing

  /// A glass whose picture is unknown.
  package init(at now: Instant) { since = now }

  /// A picture is on its way.
  mutating func pictureLeaves(offering offer: Offer) { coming = offer }

  /// The picture has arrived; returns whether it offers something new.
  package mutating func pictureArrived(at now: Instant) -> Bool {
    guard coming != offer else { return false }
    (offer, since) = (coming, now)
    return offer != .nothing
  }

  /// What the glass shows is unknown from now on.
  mutating func forgetPicture() { offer = .nothing }

  /// Whether the offer was on the glass when the contact closed.
  package func hadShown(_ offer: Offer, at closing: Instant) -> Bool {
    self.offer == offer && closing >= since
  }

  /// Whether the rider could have read the offer when the contact closed.
  package func couldBeRead(_ offer: Offer, at closing: Instant) -> Bool {
    hadShown(offer, at: closing + -Self.readingTime)
  }
}
