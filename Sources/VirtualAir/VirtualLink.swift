/// What is at the other end of a link.
package protocol VirtualPeer: AnyObject {
  /// Address type, then the address, as commands and reports hold them.
  var address: [UInt8] { get }
  /// Its Security Manager, if it pairs at all.
  var security: VirtualSecurity? { get }
  var isEncrypted: Bool { get set }
  /// The reason with which it ends the link after its answers, if it does.
  var leavingReason: UInt8? { get }

  func linkWasMade(_ send: (UInt8, [UInt8]) -> Void)
  func linkWasLost()
  func take(channel: UInt8, _ payload: [UInt8], _ send: (UInt8, [UInt8]) -> Void)
}

/// A phone: it stays, and says nothing first.
extension VirtualPeer {
  package var leavingReason: UInt8? { nil }
  package func linkWasMade(_ send: (UInt8, [UInt8]) -> Void) {}
}

extension VirtualPhone: VirtualPeer {}

/// One connection as the controller keeps it.
package final class VirtualLink {
  /// The host's role (Vol 4, Part E, 7.7.65.1).
  package enum Role: UInt8, Sendable { case central, peripheral }

  package let handle: UInt16
  package let role: Role
  /// Address type and address of LE Connection Complete.
  package let address: [UInt8]
  /// What is at the other end; `nil` stands for the controller's `phone`.
  package let peer: (any VirtualPeer)?
  /// The interval in units of 1.25 ms, the latency, the timeout in units of 10 ms.
  package internal(set) var parameters: (interval: UInt16, latency: UInt16, timeout: UInt16)
  /// How many packets of the host wait for being sent.
  package internal(set) var inFlight: UInt16 = 0
  var frame: [UInt8] = []
  /// The key of the last LE Enable Encryption, or of the last LE Long Term Key Request Reply.
  var key: [UInt8] = []
  /// Whether the host was asked for a key, and has not answered.
  package internal(set) var isKeyAwaited = false
  /// LE Connection Complete, while it has not been sent to the host.
  var unreported: [UInt8]?

  init(
    _ handle: UInt16, _ address: [UInt8], _ peer: (any VirtualPeer)?,
    _ parameters: (interval: UInt16, latency: UInt16, timeout: UInt16), role: Role = .central
  ) {
    (self.handle, self.role, self.address, self.peer) = (handle, role, address, peer)
    self.parameters = parameters
  }

  /// Role, peer and parameters, as LE Connection Complete has them.
  var facts: [UInt8] {
    [role.rawValue] + address + little(parameters.interval) + little(parameters.latency)
      + little(parameters.timeout)
  }
}

/// What LE Create Connection asked for (Vol 4, Part E, 7.8.12).
package struct Initiation: Sendable {
  /// In units of 0.625 ms.
  package let scanInterval, scanWindow: UInt16
  /// Whether it connects to the first device of the accept list that is heard, instead of the peer.
  package let usesAcceptList: Bool
  package let peer: [UInt8]
  /// In units of 1.25 ms.
  package let intervalMin, intervalMax: UInt16
  package let latency: UInt16
  /// In units of 10 ms.
  package let timeout: UInt16

  init(_ parameters: [UInt8]) {
    scanInterval = u16(parameters, 0)
    scanWindow = u16(parameters, 2)
    usesAcceptList = parameters[4] == 1
    peer = Array(parameters[5..<12])
    intervalMin = u16(parameters, 13)
    intervalMax = u16(parameters, 15)
    latency = u16(parameters, 17)
    timeout = u16(parameters, 19)
  }
}

/// How a controller refuses a link: because it holds no further link (Vol 1, Part F, 2.9 and 2.13),
/// or because it has one to that device (2.11).
package enum LimitRefusal: Sendable {
  /// In Command Status; for too many links, Connection Rejected Due To Limited Resources.
  case commandStatus
  /// In LE Connection Complete; for too many links, Connection Limit Exceeded.
  case connectionComplete
}

/// What happens when the host cancels an attempt to connect.
package enum CancelRace {
  /// Nothing but that.
  case none
  /// A phone that comes by itself is linked just before.
  case comes(VirtualCentral)
  /// The attempt has just ended: the link is there, and nothing can be cancelled.
  case connects
}
