package import HCI

/// What went wrong between host and controller.
package enum HostFailure: Equatable, Sendable {
  /// A command had no answer for 2 s.
  case commandTimeout(Opcode)
  /// A command without which nothing works was refused.
  case commandFailed(Opcode, ErrorCode)
  /// The controller reported a failure of its own.
  ///
  /// Core Specification, Vol 4, Part E, 7.7.16.
  case hardwareError(UInt8)
  /// The controller owed an answer, and for 5 s it sent nothing but its maker's own events.
  case vendorEventsOnly
  /// A link did not end, or an attempt at one, though the controller was told to.
  case linkStuck
  /// The controller has a link to the phone that this host knows nothing of.
  case linkUnknown
}
