package import ATT
package import Bytes
import Controller
import Link
import PhoneServices
import Search
import SensorLinks
package import Sensors

/// What goes into a host.
///
/// A packet is borrowed; the rest is small. What is no input has a function of its own: `setBond` (a bond from the
/// disk), `adoptBond` and `dropNewBond` (what becomes of a new one), `followSensors` and `setGivingWay`, `riderIsThere`
/// (a press), `stop` (the transport was lost), `setOwnerBusy`, and in a replay `takeConclusionsFromReport`.
package enum HostInput: ~Escapable {
  /// The transport was opened: the controller is brought up from Reset on.
  case start
  /// One whole HCI packet, its H4 indicator first; one that does not parse is dropped.
  case packet(Span<UInt8>)
  /// The packet in `output` was sent; the next one takes its place.
  case sent
  /// Time passes; the owner first gives back what `takeConclusion` returns.
  case time
  /// A conclusion from many advertisements, or from their absence.
  case conclusion(Conclusion)

  /// The rider asks for a phone: a stranger may be paired with for 30 s, and so may the remembered phone,
  /// if it has failed to show its key three times before.
  case searchFast
  /// A search that is under way is fast again for 30 s; which phone it may pair with does not change.
  case hurry
  /// Whether nobody uses the device; a search that the rider did not ask for is then slow.
  case rest(isAtRest: Bool)
  /// Somebody uses the device.
  case used
  /// The rider's answer: whether the phone shows the same number, or whether to follow it without one.
  case answer(isYes: Bool)
  /// The phone is forgotten and its link ended; no phone is searched for until the rider asks.
  ///
  /// Where phones are never remembered, the search goes on for another one.
  case forget
  /// The link and the search end for good; once it `mayEnd`, the controller is at rest.
  case leave

  /// The phone is asked for something; without a link nothing happens.
  case ask(PhoneQuestion)
  /// These bytes are notified to the phone by our Nordic UART Service, 20 at a time.
  ///
  /// They are dropped as a whole unless the phone is the remembered one, has subscribed, and the queue has room.
  case notify(Span<UInt8>)

  /// The last `written` was a turn: the link is a ride's.
  case turnWasWritten

  /// Sensors are looked for, for half a minute from now on.
  case searchSensors
  /// The sensor that is offered is left, and another one looked for.
  case searchNextSensor
  /// The search ends; the sensor that is offered and not remembered is left.
  case endSensorSearch
  /// The value of the last sensor event made sense.
  case sensorValueMadeSense
  /// Whether the sensor of this kind, which denies its kept key, may be paired with again.
  case answerSensor(SensorKind, isYes: Bool)
}

/// What the phone is asked for over its link.
package enum PhoneQuestion {
  /// The value that says the way.
  case value
  /// How full its battery is.
  case battery
  /// The value of another characteristic.
  case read(UUID)
  /// To take a value that is written to another characteristic.
  case write(ShortValue, to: UUID)
  /// Another characteristic, which is found and subscribed to once more.
  case renew(UUID)
}

extension Host {
  /// Does what follows from an input, and puts the next packet into `output`.
  package mutating func step(_ input: borrowing HostInput, at now: Instant) {
    switch input {
    case .start: start(at: now)
    case .packet(let packet):
      receive(packet, at: now)
      guard wasNews else { return }
    case .sent: control { $0.dropOutput() }
    case .time: advance(to: now)
    case .conclusion(let conclusion): conclude(conclusion, at: now)
    case .searchFast: searchFast(at: now)
    case .hurry: hurry(at: now)
    case .rest(let isAtRest): rest(isAtRest, at: now)
    // The next step acts on it.
    case .used: return updateAdvertiser { $0.stayAwake(at: now) }
    case .answer(let isYes): confirm(isYes, at: now)
    case .forget: forget(at: now)
    case .leave: leave(at: now)
    case .ask(let question): ask(question, at: now)
    case .notify(let bytes): if phase == .connected { withLink { $0.notify(bytes, at: now) } }
    case .turnWasWritten: turnWasWritten(at: now)
    case .searchSensors: searchSensors(at: now)
    case .searchNextSensor: withSensors { sensors, _ in sensors.searchNext(at: now) }
    case .endSensorSearch: withSensors { sensors, _ in sensors.endSearch() }
    case .sensorValueMadeSense:
      let address = sensorAddress
      withSensors { sensors, _ in sensors.valueMadeSense(of: address, at: now) }
    case .answerSensor(let kind, let isYes):
      withSensors { sensors, _ in sensors.answerPairingWish(kind, isYes) }
    }
    settle(at: now)
  }

  private mutating func ask(_ question: PhoneQuestion, at now: Instant) {
    guard phase == .connected else { return }
    let characteristic = characteristic
    switch question {
    case .value: askPhone { $0.read(characteristic, at: now) }
    case .battery: if isReady { askPhone { $0.read(.batteryLevel, at: now) } }
    case .read(let other): askPhone { $0.read(other, at: now) }
    case .write(let value, let other): askPhone { $0.write(value, to: other, at: now) }
    case .renew(let other): askPhone { $0.renew(other, at: now) }
    }
  }
}
