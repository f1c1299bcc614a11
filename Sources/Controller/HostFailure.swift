package import HCI

/// What went wrong between host and controller.
package enum HostFailure: Equatable, Sendable {
  /// A command had no answer for 2 s.
  case commandTimeout(Opcode)
  /// A command without which nothing works was refused.
  case commandFailed(Opcode, ErrorCode)
  /// The controller reported a failure of its own (Vol 4, Part E, 7.7.16).
  case hardwareError(UInt8)
  /// The controller owed an answer, and for 5 s it sent nothing but its maker's own events.
  case vendorEventsOnly
  /// A link did not end, though the controller was asked to.
  case linkStuck
  /// An attempt to connect did not end, though the controller was asked to.
  case attemptStuck
  /// The controller has a link to the phone that this host does not know.
  case linkUnknown
  /// The controller makes no links: how the last attempt ended, and how often in a row this was found.
  case noLinks(ErrorCode, times: UInt8)
  /// The controller has heard nothing for minutes.
  case deaf
}
