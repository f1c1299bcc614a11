package import ATT
package import Bytes

/// Our side as a client of an attribute server, one request at a time.
package protocol AttributeClient: ~Copyable {
  /// What an answer, or something told without being asked for, means.
  associatedtype Outcome: Equatable

  /// When `advance` must be called at the latest.
  var deadline: Instant? { get }

  /// Begins to ask: there is a link.
  mutating func begin(at now: Instant)

  /// The request to send now; it is given once.
  mutating func takeRequest() -> Request?

  /// Takes what the server sends; what answers no request of ours changes nothing.
  mutating func receive(_ pdu: ServerPDU, at now: Instant) -> Outcome

  /// Lets the time pass; returns whether the bearer has ended, as an answer did not come.
  mutating func advance(to now: Instant) -> Bool
}
