import Bytes
import HCI

/// From a connection to its loss.
extension Host {
  private static var disconnectTime: Int64 { 2_000 }
  /// How long a stranger may take from the link to a subscription.
  private static var discoveryTime: Int64 { 20_000 }
  /// How long a phone that had the service is waited for, before others have their turn.
  private static var waitingTime: Int64 { 300_000 }
  /// How long after the start of a ride the link stays quick.
  private static var relaxTime: Int64 { 10_000 }

  /// 100 to 125 ms: an instruction may come that late, and both sides save power.
  private static var relaxedParameters: ConnectionParameters {
    ConnectionParameters(
      intervalMin: 80, intervalMax: 100, latency: 0, supervisionTimeout: 400)
  }

  mutating func connectionCompleted(_ complete: LEConnectionComplete, at now: Instant) {
    switch phase {
    case .connecting, .cancelling: break
    default:
      // A link that nobody asked for, as after a race: nobody would serve it.
      if complete.status == .success {
        commands.append(
          .disconnect(handle: complete.handle, reason: .remoteUserTerminatedConnection))
      }
      return
    }
    guard complete.status == .success, complete.isCentral else {
      return attemptFailed(complete.status, at: now)
    }
    phase = .connected
    phaseDeadline =
      now + (scanner.isKnown(complete.peer) ? Self.waitingTime : Self.discoveryTime)
    link = Link(
      handle: complete.handle, peer: complete.peer,
      client: GATTClient(
        service: service, characteristic: characteristic,
        isServiceExpected: scanner.isKnown(complete.peer)))
    report(.connected(complete.peer))
    if isLeaving { return end(.remoteUserTerminatedConnection, at: now) }
    link.begin(at: now)
  }

  mutating func receive(_ packet: ACLData, at now: Instant) throws(ParseError) {
    guard phase == .connected, packet.handle == link.handle else {
      droppedCount += 1
      return
    }
    switch try link.receive(packet, server: server, at: now) {
    case .client(let outcome): follow(outcome, at: now)
    case .update(let parameters):
      link.hasPeersParameters = true
      commands.append(.leConnectionUpdate(handle: link.handle, parameters))
    }
  }

  private mutating func follow(_ outcome: GATTClient.Outcome, at now: Instant) {
    switch outcome {
    case .nothing: break
    case .ready:
      scanner.remember(link.peer)
      report(.ready(isSubscribed: link.client.isSubscribed))
      if !link.isRiding { askForSpeed() }
      link.isRiding = true
      link.isWaiting = false
      phaseDeadline = now + Self.relaxTime
    case .waiting:
      if !link.isWaiting { phaseDeadline = now + Self.waitingTime }
      link.isWaiting = true
    case .name: report(.name)
    case .notification: report(.notification)
    case .value: report(.value)
    case .readRefused(let code): report(.readRefused(code))
    case .serviceMissing:
      scanner.restLong(link.peer, at: now)
      report(.serviceMissing(link.peer))
      end(.remoteUserTerminatedConnection, at: now)
    }
  }

  /// Longer packets and the faster PHY, where the controller knows them; a refusal is harmless.
  private mutating func askForSpeed() {
    if controller.features.dataPacketLengthExtension, controller.commands.leSetDataLength {
      commands.append(.leSetDataLength(handle: link.handle))
    }
    if controller.features.le2MPHY, controller.commands.leSetPHY {
      commands.append(.leSetPHY(handle: link.handle))
    }
  }

  /// Relaxes a link whose ride is under way, and gives one up that has led to nothing.
  mutating func linkTimedOut(at now: Instant) {
    guard link.client.isReady else {
      scanner.restLong(link.peer, at: now)
      return end(.remoteUserTerminatedConnection, at: now)
    }
    // Discovery is long over: the two sides need not meet so often any more.
    guard !link.hasPeersParameters else { return }
    commands.append(.leConnectionUpdate(handle: link.handle, Self.relaxedParameters))
  }

  /// Answers the link layer's own request for other parameters (Vol 4, Part E, 7.7.65.6).
  mutating func answerParameterRequest(_ handle: UInt16, _ wanted: ConnectionParameters) {
    guard controller.commands.leRemoteConnectionParameterRequestReply else { return }
    if phase == .connected, handle == link.handle, wanted.areAcceptable {
      link.hasPeersParameters = true
      commands.append(.leRemoteConnectionParameterRequestReply(handle: handle, wanted))
    } else {
      commands.append(
        .leRemoteConnectionParameterRequestNegativeReply(
          handle: handle, reason: .unacceptableConnectionParameters))
    }
  }

  /// Ends the link; Disconnection Complete brings the search.
  mutating func end(_ reason: ErrorCode, at now: Instant) {
    phase = .disconnecting
    phaseDeadline = now + Self.disconnectTime
    dropPendingData()
    commands.append(.disconnect(handle: link.handle, reason: reason))
  }

  mutating func disconnected(_ reason: ErrorCode, at now: Instant) {
    if !link.isRiding { scanner.restShort(link.peer, at: now) }
    abandonLink(reason)
    fastScanEnd = now + Self.fastScanTime
    scan(at: now)
  }

  /// Forgets the link with all that belongs to it.
  mutating func abandonLink(_ reason: ErrorCode) {
    guard link.handle != Self.noHandle else { return }
    dropPendingData()
    commands.removeWaiting()  // they were for this link
    link = Link(
      handle: Self.noHandle, peer: DeviceAddress(0, .public),
      client: GATTClient(
        service: service, characteristic: characteristic, isServiceExpected: false))
    report(.disconnected(reason))
  }
}
