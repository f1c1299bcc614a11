package import ATT
package import Bytes

/// What a PDU of the server means to the owner of a `GATTClient`.
package enum ClientOutcome: Equatable {
  case nothing
  /// All that is needed is found, and subscribed to as far as that is possible.
  case ready
  /// What is needed cannot be subscribed to: it is there with its first notification.
  case unsubscribed
  /// This characteristic was notified or indicated.
  case notification(UUID)
  /// This characteristic was read to its end, or its battery was notified: `reading`, `peerName` or `battery`.
  case value(UUID)
  case readRefused(UUID, AttributeError)
  /// This characteristic, which is not needed, is found and subscribed to.
  case found(UUID)
  /// This characteristic was found before, and is lost, or its subscription is.
  case lost(UUID)
  /// The peer has taken the value for this characteristic.
  case written(UUID)
  /// The peer refuses the value for this characteristic, or its subscription.
  case refused(UUID, AttributeError)
  /// The PDU is the answer to the owner's own request.
  case answered
  case serviceMissing
  /// The service is missing and looked for again and again.
  case waiting
  /// All requests wait until the link is secured, or cannot be: `secured` or `insecure` follows.
  case securityNeeded
  /// What is known of these handles does not hold any more: the phone says so, or one of them shows it.
  case handlesChanged(HandleRange)
}

extension ServerPDU {
  /// Why the request is refused, if it is.
  var refusal: AttributeError? { if case .error(_, _, let code) = self { code } else { nil } }

  /// Where the first value of a Read By Type Response is.
  var firstHandle: UInt16? {
    if case .readByType(let values) = self { try? values.handle(at: 0) } else { nil }
  }
}
