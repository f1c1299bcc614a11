import ATT
import Bytes
import HCI

/// What the controller and the device say to the explorer.
extension Explorer {
  mutating func receive(_ event: Event, at now: Instant) throws(ParseError) {
    guard phase != .off, phase != .recovering else { return }
    switch event {
    case .commandComplete(let credits, let opcode, let parameters):
      guard controller.commands.settle(opcode, credits: credits) else { return }
      var reader = ByteReader(parameters)
      guard let status = try? reader.u8() else {
        return fail(.commandFailed(opcode, .success), at: now)
      }
      guard status == 0 else { return refused(opcode, ErrorCode(rawValue: status), at: now) }
      if phase == .listening, opcode == .leSetScanEnable { hasListened() }
      advanceBringUp(controller.carriedOut(opcode, reader.rest()), at: now)
    case .commandStatus(let status, let credits, let opcode):
      guard controller.commands.settle(opcode, credits: credits) else { return }
      if status != .success || controller.isSteps(opcode) { refused(opcode, status, at: now) }
    case .hardwareError(let code): fail(.hardwareError(code), at: now)
    case .numberOfCompletedPackets(let packets):
      link.sender.complete(packets.count(for: link.handle), at: now)
    case .disconnectionComplete(let status, let handle, let reason):
      if status == .success, handle == link.handle { disconnected(reason, at: now) }
    case .leConnectionComplete(let complete): connectionCompleted(complete, at: now)
    case .leAdvertisingReport(let reports), .leExtendedAdvertisingReport(let reports):
      try receive(reports, at: now)
    case .leRemoteConnectionParameterRequest(let handle, let wanted):
      answerParameterRequest(handle, wanted)
    default: break
    }
  }

  private mutating func advanceBringUp(_ progress: Controller.Progress, at now: Instant) {
    switch progress {
    case .none, .goesOn: break
    case .isUp: listen(at: now)
    case .failed(let failure): fail(failure, at: now)
    }
  }

  private mutating func refused(_ opcode: Opcode, _ status: ErrorCode, at now: Instant) {
    switch (phase, opcode) {
    case (.bringUp, _): advanceBringUp(controller.refused(opcode, status), at: now)
    case (.listening, .leSetScanParameters), (.listening, .leSetScanEnable):
      fail(.commandFailed(opcode, status), at: now)
    case (.connecting, .leCreateConnection): giveUp(.noLink(status), at: now)
    // It was to be called back, and there is nothing to call back any more.
    case (.cancelling, .leCreateConnection):
      controller.commands.removeWaiting(.leCreateConnectionCancel)
      giveUp(.noLink(status), at: now)
    case (.disconnecting, .disconnect): finish()  // it is gone already
    default: break  // a refused wish is harmless
    }
  }

  // MARK: - The device

  private mutating func receive(
    _ reports: AdvertisingReports, at now: Instant
  ) throws(ParseError) {
    guard phase == .listening, let wanted = wish.address else { return }
    var reports = reports
    while let report = try reports.next() {
      if report.address.value == wanted, report.isConnectable {
        return connect(to: report.address, at: now)
      }
    }
  }

  private mutating func connectionCompleted(_ complete: LEConnectionComplete, at now: Instant) {
    guard complete.status == .success, complete.isCentral, complete.peer.isSame(as: peer),
      phase == .connecting
    else { return linkFailed(complete, at: now) }
    let client =
      if case .write(let value, let characteristic, let service, _) = wish {
        ExplorerClient(.init(service: service, characteristic: characteristic, value: value))
      } else {
        ExplorerClient(inspecting: reads)
      }
    link = ClientLink(client, handle: complete.handle, peer: complete.peer)
    enter(.connected, until: now + Self.connectedTime)
    report(.connected(complete.peer))
    link.begin(at: now)
  }

  private var reads: Bool { if case .inspect(_, let reads) = wish { reads } else { false } }

  /// No link, one to somebody else, or one that comes too late.
  private mutating func linkFailed(_ complete: LEConnectionComplete, at now: Instant) {
    switch phase {
    case .connecting, .cancelling:
      if complete.status == .success {
        controller.send(
          .disconnect(handle: complete.handle, reason: .remoteUserTerminatedConnection))
      }
      giveUp(.noLink(complete.status), at: now)
    default: break
    }
  }

  mutating func receive(_ packet: ACLData, at now: Instant) throws(ParseError) {
    guard phase == .connected, packet.handle == link.handle else { return }
    switch try link.receive(
      packet, takesUpdates: controller.takesUpdates, into: &scratch, at: now)
    {
    case .nothing: break
    case .client(let outcome): act(on: outcome, at: now)
    case .update(let parameters):
      controller.send(.leConnectionUpdate(handle: link.handle, parameters))
    case .security: try link.declineSecurity(scratch.bytes)
    }
  }

  private mutating func act(on outcome: ExplorerClient.Outcome, at now: Instant) {
    switch outcome {
    case .nothing, .found(.nothing): break
    case .found(.service(let uuid, let range)): report(.service(uuid, range))
    case .found(.characteristic(let handle, let declaration)):
      report(.characteristic(handle: handle, declaration))
    case .found(.descriptor(let handle, let uuid)): report(.descriptor(handle: handle, uuid))
    case .found(.value(let handle)): report(.value(handle: handle))
    case .found(.valueRefused(let handle, let code)):
      report(.valueRefused(handle: handle, code))
    case .found(.refused(let code)): return giveUp(.refused(code), at: now)
    case .written: report(.written)
    case .writeRefused(let code): return giveUp(.writeRefused(code), at: now)
    case .characteristicMissing: return giveUp(.characteristicMissing, at: now)
    }
    if link.client.isDone { disconnect(at: now) }
  }

  private mutating func answerParameterRequest(_ handle: UInt16, _ wanted: ConnectionParameters) {
    guard controller.takesParameterReply else { return }
    controller.send(
      handle == link.handle && wanted.areAcceptable
        ? .leRemoteConnectionParameterRequestReply(handle: handle, wanted)
        : .leRemoteConnectionParameterRequestNegativeReply(
          handle: handle, reason: .unacceptableConnectionParameters))
  }

  private mutating func disconnected(_ reason: ErrorCode, at now: Instant) {
    switch phase {
    case .connected:
      enter(.disconnecting)
      giveUp(.lost(reason), at: now)
    case .disconnecting: finish()
    default: break
    }
  }
}
