package import ATT
package import Bytes
package import Controller
package import HCI
import Link

/// Handles the answers of the controller and of the device.
extension Explorer {
  mutating func receive(_ answer: Controller.Answer, at now: Instant) {
    switch answer {
    case .nothing, .begun: break
    case .done(let opcode): if phase == .listening, opcode == .leSetScanEnable { scanBegan() }
    case .isUp: listen(at: now)
    case .refused(let opcode, let status): refused(opcode, status, at: now)
    case .over(.disconnect, .unknownConnectionIdentifier): if phase == .disconnecting { finish() }
    case .over: break
    case .failed(let failure): fail(failure, at: now)
    }
  }

  private mutating func refused(_ opcode: Opcode, _ status: ErrorCode, at now: Instant) {
    switch (phase, opcode) {
    case (.listening, .leSetScanParameters), (.listening, .leSetScanEnable):
      fail(.commandFailed(opcode, status), at: now)
    case (.connecting, .leCreateConnection): giveUp(.noLink(status), at: now)
    // The attempt was to be cancelled, and is over already.
    case (.cancelling, .leCreateConnection):
      dropCancel()
      giveUp(.noLink(status), at: now)
    default: break  // any other refusal is harmless
    }
  }

  // MARK: - The device

  mutating func receive(
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

  mutating func connectionCompleted(_ complete: LEConnectionComplete, at now: Instant) {
    guard complete.status == .success, complete.isCentral, complete.peer.isSame(as: peer),
      phase == .connecting
    else { return linkFailed(complete, at: now) }
    begin(complete, at: now)
  }

  /// There is no link, or it is to another device, or it comes too late.
  private mutating func linkFailed(_ complete: LEConnectionComplete, at now: Instant) {
    switch phase {
    case .connecting, .cancelling:
      if complete.status == .success {
        send(.disconnect(handle: complete.handle, reason: .remoteUserTerminatedConnection))
      }
      giveUp(.noLink(complete.status), at: now)
    default: break
    }
  }

  mutating func receive(
    _ outcome: ClientOutcome, _ bytes: Span<UInt8>, at now: Instant
  ) throws(ParseError) {
    switch outcome {
    case .ready: write(at: now)
    case .serviceMissing: giveUp(.characteristicMissing, at: now)
    case .answered:
      let answer = try ServerPDU(parsing: bytes)
      if case .write = wish { wrote(answer, at: now) } else { inspect(answer, at: now) }
    default: break
    }
  }

  private mutating func wrote(_ answer: ServerPDU, at now: Instant) {
    if case .error(_, _, let code) = answer { return giveUp(.writeRefused(code), at: now) }
    report(.written)
    disconnect(at: now)
  }

  private mutating func inspect(_ answer: ServerPDU, at now: Instant) {
    switch inspected(answer) {
    case .nothing: break
    case .service(let uuid, let range): report(.service(uuid, range))
    case .characteristic(let handle, let declaration):
      report(.characteristic(handle: handle, declaration))
    case .descriptor(let handle, let uuid): report(.descriptor(handle: handle, uuid))
    case .value(let handle): report(.value(handle: handle))
    case .valueRefused(let handle, let code): report(.valueRefused(handle: handle, code))
    case .refused(let code): return giveUp(.refused(code), at: now)
    }
    askOn(at: now)
  }

  mutating func disconnected(_ reason: ErrorCode, at now: Instant) {
    switch phase {
    case .connected:
      enter(.disconnecting)
      giveUp(.lost(reason), at: now)
    case .disconnecting: finish()
    default: break
    }
  }
}

/// An event that the explorer reports to its owner.
package enum ExplorerEvent: Equatable, Sendable {
  /// The controller is up, and it listens.
  case listening
  /// The controller failed; if it listened to everybody, it begins again with Reset.
  case failed(HostFailure)
  /// A link to the device is being made.
  case connecting(DeviceAddress)
  /// The link is up.
  case connected(DeviceAddress)
  /// A service of the device.
  case service(UUID, HandleRange)
  /// A characteristic of the last service; its declaration has the handle.
  case characteristic(handle: UInt16, CharacteristicDeclaration)
  /// A descriptor of the last characteristic.
  case descriptor(handle: UInt16, UUID)
  /// An attribute was read to its end: `Explorer.value`.
  case value(handle: UInt16)
  /// The device refuses to let an attribute be read.
  case valueRefused(handle: UInt16, AttributeError)
  /// The device refuses to list its services, or the rest of them.
  case refused(AttributeError)
  /// The byte is written.
  case written
  /// The device refuses the byte.
  case writeRefused(AttributeError)
  /// The device does not have the characteristic that is to be written.
  case characteristicMissing
  /// Nobody with the address was heard in 5 s.
  case notHeard
  /// The link did not come up in 3 s, or the controller refused to make it.
  case noLink(ErrorCode)
  /// The device left a request without an answer.
  case unanswered
  /// It was not done after 120 s.
  case endless
  /// The link was lost before all was done.
  case lost(ErrorCode)
  /// All is done, and the link is over.
  case finished
}
