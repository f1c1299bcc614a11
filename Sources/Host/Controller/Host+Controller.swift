import Bytes
import HCI

/// Bring-up, command answers and failures.
extension Host {
  /// From a failure to Reset, in milliseconds: a burst of Hardware Errors is over by then.
  private static var retryTime: Int64 { 1_000 }
  /// The same after a time-out, which was long enough to wait.
  private static var timeoutRetryTime: Int64 { 250 }

  /// Drops the link and brings the controller up from Reset on; the search then goes on.
  mutating func bringUp(at now: Instant) {
    abandonLinks(.connectionTerminatedByLocalHost, at: now)
    dropPending()
    enter(.bringUp)
    controller.bringUp()
  }

  private mutating func isUp(at now: Instant) {
    report(
      .controller(
        address: controller.information.address, version: controller.information.version,
        manufacturer: controller.information.manufacturer))
    search.note(.controllerIsUp(at: now))
    scan(at: now)
  }

  mutating func receive(_ event: Event, at now: Instant) throws(ParseError) {
    if case .vendor = event { return receiveVendorEvent(at: now) }
    // Reset comes next, whatever is told of the time before it.
    guard phase != .off, phase != .recovering else { return }
    let wasAwaited = controller.spoke()
    switch event {
    case .commandComplete(let credits, let opcode, let parameters):
      guard controller.commands.settle(opcode, credits: credits) else { return }
      var reader = ByteReader(parameters)
      guard let status = try? reader.u8() else {
        // It answers nothing, and no other answer will come.
        return fail(.commandFailed(opcode, .success), at: now)
      }
      answered(opcode, ErrorCode(rawValue: status), reader.rest(), at: now)
    case .commandStatus(let status, let credits, let opcode):
      guard controller.commands.settle(opcode, credits: credits) else { return }
      // Each step ends with Command Complete; nobody waits for one that is put off.
      if status != .success || controller.isSteps(opcode) {
        refused(opcode, status, at: now)
      } else if opcode == .disconnect {
        endBegan(at: now)
      }
    case .hardwareError(let code): fail(.hardwareError(code), at: now)
    case .numberOfCompletedPackets(let packets):
      complete(packets, at: now)
    case .disconnectionComplete(let status, let handle, let reason):
      guard status == .success else { return }
      if let place = sensors.place(ofLink: handle) {
        sensorDisconnected(at: place, reason, at: now)
      } else if link.isThere, handle == link.handle {
        disconnected(reason, at: now)
      } else {
        _ = leaving.remove(handle)
      }
    case .leConnectionComplete(let complete): connectionCompleted(complete, at: now)
    case .leAdvertisingReport(let reports), .leExtendedAdvertisingReport(let reports):
      wasNews = try receive(reports, at: now) || wasAwaited
    case .leConnectionUpdateComplete: wasNews = wasAwaited  // the link goes on with what it has
    case .leRemoteConnectionParameterRequest(let handle, let wanted):
      answerParameterRequest(handle, wanted)
    case .encryptionChange(let status, let handle, let isEncrypted):
      encryptionChanged(status, handle, isEncrypted: isEncrypted, at: now)
    case .encryptionKeyRefreshComplete(let status, let handle):
      encryptionChanged(status, handle, isEncrypted: true, at: now)
    case .vendor, .other: wasNews = wasAwaited
    }
  }

  /// Only the first of several is news: else a chip that babbles would push all else out of a record.
  private mutating func receiveVendorEvent(at now: Instant) {
    wasNews = false
    guard phase != .off, phase != .recovering else { return }
    let owesAnswer = controller.commands.awaited != nil || countBuffersInUse() > 0
    // A peer that is gone keeps a buffer until its supervision timeout, which it may have asked for.
    let mayTakeLonger = link.hasPeersParameters || sensors.havePeersParameters
    let longest = mayTakeLonger ? Self.longestTimeout : Controller.vendorEventsTime
    switch controller.sentVendorEvent(owesAnswer: owesAnswer, longest: longest, at: now) {
    case .nothing: break
    case .noted: wasNews = true
    case .dead:
      wasNews = true
      fail(.vendorEventsOnly, at: now)
    }
  }

  /// A command was carried out, or refused in the same way.
  private mutating func answered(
    _ opcode: Opcode, _ status: ErrorCode, _ parameters: Span<UInt8>, at now: Instant
  ) {
    guard status == .success else { return refused(opcode, status, at: now) }
    advanceBringUp(controller.carriedOut(opcode, parameters), at: now)
  }

  private mutating func advanceBringUp(_ progress: Controller.Progress, at now: Instant) {
    switch progress {
    case .none, .goesOn: break
    case .isUp: isUp(at: now)
    case .failed(let failure): fail(failure, at: now)
    }
  }

  /// A command was refused.
  private mutating func refused(_ opcode: Opcode, _ status: ErrorCode, at now: Instant) {
    switch phase {
    case .bringUp: advanceBringUp(controller.refused(opcode, status), at: now)
    case _ where opcode == .leCreateConnection && sensors.isInitiating:
      let activity = sensors.activity
      sensors.activity = .none
      // There is nothing to call back any more.
      controller.commands.removeWaiting(.leCreateConnectionCancel)
      sensorAttemptEnded(activity, status, at: now)
      sensorsLeaveRadio(at: now)
    case .scanning where opcode == .leSetScanEnable || opcode == .leSetScanParameters:
      fail(.commandFailed(opcode, status), at: now)
    case _ where opcode == .disconnect && status == .unknownConnectionIdentifier:
      sensorWasGone(at: now)
    case _ where opcode == .leSetScanEnable && sensors.activity == .listening:
      // It does not listen beside a link.
      sensors.search.stop()
      sensors.activity = .none
      report(.sensorSearch)
    case .connecting where opcode == .leCreateConnection,
      .cancelling where opcode == .leCreateConnection:
      // Some controllers refuse at once what others report as a failed connection; it is too late then to
      // call it back.
      controller.commands.removeWaiting(.leCreateConnectionCancel)
      attemptFailed(status, at: now)
    case _ where opcode == .leEnableEncryption:
      guard let handle = controller.commands.handle else { return }
      encryptionChanged(status, handle, isEncrypted: false, at: now)
    default: break  // a refused wish is harmless: the link goes on without
    }
  }

  /// Reports a failure, drops everything, and begins again with Reset within a second.
  mutating func fail(_ failure: HostFailure, at now: Instant) {
    report(.failed(failure))
    abandonLinks(.connectionTimeout, at: now)
    controller.abandonCommands()
    dropPending()
    let pause = if case .commandTimeout = failure { Self.timeoutRetryTime } else { Self.retryTime }
    enter(.recovering, until: now + pause)
  }

  /// The controller left a command without an answer, or gave no credit for one.
  mutating func commandTimedOut(at now: Instant) {
    let opcode = controller.commands.overdue
    controller.leftUnanswered(opcode)
    fail(.commandTimeout(opcode), at: now)
  }

  /// Does what is due when the phase has lasted too long.
  mutating func phaseTimedOut(at now: Instant) {
    stay(until: nil)
    switch phase {
    case .recovering: start(at: now)
    case .connecting: cancel(isUnwanted: false, at: now)
    case .connected: linkTimedOut(at: now)
    case .cancelling, .disconnecting: fail(.linkStuck, at: now)
    default: break
    }
  }
}
