import ATT
package import Bond
package import Bytes

/// One link's side of our server: what the phone has set, and what is still to be sent to it.
///
/// Only the remembered phone can set anything: for a stranger, `served` is `nil`. The role of the link makes no
/// difference.
///
/// | indication of Service Changed | means | what happens | next |
/// |---|---|---|---|
/// | `none` | none to send | the bond's key encrypts the link of a subscriber that knows another table | `due` |
/// | `due` | it waits for room | the phone unsubscribes | `none` |
/// | | | it is sent | `awaited` |
/// | `awaited` | its confirmation is awaited | it comes | `none`; the phone knows the table |
/// | | | 30 s pass | as if it had come, or every link would end this way; the bearer has ended |
///
/// A link that ends before the confirmation leaves the table unknown: the next one indicates it again.
package struct ServerSession: ~Copyable {
  /// What follows for the link's owner.
  package enum Outcome: Equatable {
    case nothing
    /// The phone has set something, or knows another table: `served`.
    case changed
    /// The phone has written to the UART.
    case received
  }

  private enum Indication: Equatable {
    case none
    case due
    case awaited(until: Instant)
  }

  /// The longest notification: whatever its MTU, a phone can take it.
  private static var longestPart: Int { 20 }

  /// What the remembered phone has set; `nil` for any other one.
  package private(set) var served: Bond.Served?
  private var indication = Indication.none
  /// What is still to be notified by the UART.
  private var waiting = FixedBuffer<256>()

  /// `served` is `nil` for a phone that is not the remembered one.
  package init(_ served: Bond.Served?) { self.served = served }

  // MARK: - Whose it is

  /// The phone was paired with on this link, and is to be remembered: it knows the table as it is.
  package mutating func becomeBonded() { served = .ofNewBond }

  /// The phone is remembered from now on, with `kept`, unless the link knows newer.
  package mutating func becomeRemembered(_ kept: Bond.Served) { served = served ?? kept }

  /// The link is encrypted with the key of the bond.
  mutating func becomeSecure() {
    guard let served, served[.serviceChanged], served.table != ServerTable.number else { return }
    indication = .due
  }

  // MARK: - From the phone

  /// Carries out what follows from a request that was answered.
  mutating func receive(_ outcome: GATTServer.Outcome) -> Outcome {
    switch outcome {
    case .nothing: return .nothing
    case .received: return .received
    case .subscribed(let subscription, let isOn):
      served?[subscription] = isOn
      if !isOn { unsubscribed(from: subscription) }
      return .changed
    case .confirmed:
      guard case .awaited = indication else { return .nothing }
      endIndication()
      return .changed
    }
  }

  private mutating func unsubscribed(from subscription: Bond.Served.Subscription) {
    switch subscription {
    case .serviceChanged: if indication == .due { indication = .none }
    case .uart: waiting.removeAll()
    }
  }

  private mutating func endIndication() {
    indication = .none
    served?.table = ServerTable.number
  }

  // MARK: - To the phone

  /// Queues these bytes for the UART, if the phone has subscribed; drops all of them if there is no room.
  mutating func notify(_ bytes: Span<UInt8>) {
    guard let served, served[.uart] else { return }
    waiting.append(bytes)
  }

  /// Writes the indication of Service Changed, if it is due; it is given once.
  mutating func takeIndication<let capacity: Int>(
    into pdu: inout FixedBuffer<capacity>, at now: Instant
  ) {
    guard indication == .due else { return }
    indication = .awaited(until: now + Transaction.timeout)
    ServerPDU.writeServiceChanged(handle: ServerTable.serviceChanged, .all, into: &pdu)
  }

  /// Writes the next notification of the UART, if there is one; it is given once.
  mutating func takeNotification<let capacity: Int>(into pdu: inout FixedBuffer<capacity>) {
    guard !waiting.isEmpty else { return }
    let count = min(waiting.count, Self.longestPart)
    ServerPDU.writeNotification(
      handle: ServerTable.uartTX, value: waiting.bytes.extracting(first: count), into: &pdu)
    waiting.removeFirst(count)
  }

  /// When the confirmation must be there.
  package var deadline: Instant? {
    if case .awaited(let end) = indication { end } else { nil }
  }

  /// Advances to `now`; returns whether the bearer has ended, as the confirmation did not come (Vol 3, Part F, 3.3.3).
  mutating func advance(to now: Instant) -> Bool {
    guard let due = deadline, now >= due else { return false }
    endIndication()
    return true
  }
}

extension Bond.Served {
  /// What a newly paired phone has set: nothing; it knows the table as it is.
  package static var ofNewBond: Self { Self(table: ServerTable.number) }
}
