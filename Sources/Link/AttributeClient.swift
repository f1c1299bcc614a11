package import ATT
package import Bytes

/// Our side as a client of an attribute server, one request at a time.
package protocol AttributeClient: ~Copyable {
  /// What a response, a notification or an indication means.
  associatedtype Outcome: Equatable

  /// When `advance` must be called at the latest.
  var deadline: Instant? { get }

  /// Begins to ask: there is a link.
  mutating func begin(at now: Instant)

  /// The request to send now; it is given once.
  mutating func takeRequest() -> Request?

  /// Takes a PDU of the server; a response to no request of ours changes nothing.
  mutating func receive(_ pdu: ServerPDU, at now: Instant) -> Outcome

  /// Lets the time pass; returns whether the bearer has ended, as an answer did not come.
  mutating func advance(to now: Instant) -> Bool
}
