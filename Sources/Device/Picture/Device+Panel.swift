import BoardFile
package import Bytes
import Central
import DeviceState
package import Graphics
import Link
import Panel
import Recording
import Screens

/// From the state of the device to messages for the bus.
extension Device {
  // MARK: - The bus

  /// I²C messages, one behind the other, to be written in one call; empty when there are none.
  ///
  /// Each is what goes over the bus between the address byte and the stop.
  package var messages: Span<UInt8> { display.output.batch.bytes }

  /// How long each of the messages is, in bytes.
  package var messageLengths: Span<UInt16> { display.output.batch.lengths }

  /// Notes that `messages` have arrived; the next ones take their place.
  ///
  /// `frame` is the number of the picture if the other side counts them, as the mock display does.
  package mutating func messagesWereSent(frame: Int64?, at now: Instant) {
    upkeep.advance(to: now)
    guard let arrival = display.messagesWereSent(frame: frame) else { return }
    upkeep.succeeded(.panel)
    if arrival.isToBeNoted { pictureWasSeen(at: now) }
    log.frame(arrival.flush, at: now)
    if arrival.isAtOtherAddress { reportOtherAddress(at: now) }
  }

  /// Notes that the last picture is on the glass; `messagesWereSent` does so, unless a report says when.
  package mutating func pictureWasSeen(at now: Instant) {
    if display.pictureArrived(at: now) { record.note(.seen, at: now) }
  }

  /// Whether the panel's reset line is to go high now.
  ///
  /// The line is opened low, with the panel and before the bus.
  package var isPanelResetOver: Bool {
    upkeep.ports[.panel].isOpen && display.output.isResetOver(at: upkeep.now)
  }

  /// Notes that the panel's reset line was set high.
  package mutating func panelResetWasEnded(at now: Instant) {
    upkeep.advance(to: now)
    display.resetWasEnded(at: now)
  }

  // MARK: - Pictures

  /// The picture that was drawn last.
  package var picture: Bitmap {
    _read { yield display.picture }
  }

  #if arch(wasm32)
    /// The words of that picture, for a page that reads them out.
    package var words: Span<UInt8> { display.picture.words.bytes }
  #endif

  /// Notes what the panel is used for.
  mutating func usePanel(_ use: PanelPower.Use, at now: Instant) {
    if use.isByRider { noteUse(at: now) }
    if use == .press { withHost(at: now) { $0.riderIsThere() } }
    display.use(use, at: now)
  }

  /// Prepares the messages of a new picture if one is due and the bus is free.
  mutating func redraw(at now: Instant) {
    guard upkeep.ports[.panel].isOpen, display.takesPicture(at: now) else { return }
    let showing = showing
    guard display.isPictureDue(look(of: showing), at: now) || display.isDue(at: now) else { return }
    display.run(runningStreet(of: showing), at: now)
    let picture = picture(of: showing, streetOffset: display.streetScroll.offset)
    let isSeen = display.show(picture, of: look(of: showing), offering: offer, at: now)
    if isSeen { pictureWasSeen(at: now) }
  }
}

extension PanelPower.Use {
  /// Whether somebody uses the device, or rides; a link and its messages alone do not show that.
  fileprivate var isByRider: Bool {
    switch self {
    case .motion, .press, .attention, .nextLevel: true
    case .linked, .alone, .rest, .instruction: false
    }
  }
}
