import Bytes
package import HCI

/// What a frame asks of the owner of a link; its bytes are those of the frame.
package enum LinkOutcome: ~Escapable {
  case nothing
  /// A PDU of the peer's server; the bytes are the value that was notified or indicated, else the whole PDU.
  case client(ClientOutcome, Span<UInt8>)
  /// A request to our server, or a command: `serve` or `refuse` follows.
  case request(Span<UInt8>)
  /// A command of the Security Manager: the pairing takes it, or `declineSecurity` follows.
  case security(Span<UInt8>)
  /// The peer asked for these parameters, and they were accepted: the controller needs the command for that.
  case update(ConnectionParameters)
}
