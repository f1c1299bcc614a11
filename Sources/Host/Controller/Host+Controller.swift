import Bytes
import HCI

/// Bring-up, command answers and failures.
extension Host {
  static var retryTime: Int64 { 1_000 }

  /// Enters a step of the bring-up, passing over those that the controller does not need.
  mutating func enter(_ step: BringUpStep?, at now: Instant) {
    var step = step
    while let candidate = step {
      if let command = candidate.command(for: controller) {
        phase = .bringUp(candidate)
        commands.append(command)
        return
      }
      step = candidate.next
    }
    report(
      .controller(
        address: controller.address, version: controller.version,
        manufacturer: controller.manufacturer))
    // A search that was under way goes on, and the first one begins now.
    if !isIdle, !isSameSearch { fastScanEnd = now + Self.fastScanTime }
    scan(at: now)
  }

  mutating func receive(_ event: Event, at now: Instant) throws(ParseError) {
    switch event {
    case .commandComplete(let credits, let opcode, let parameters):
      guard commands.takeAnswer(to: opcode, credits: credits) else { return }
      var reader = ByteReader(parameters)
      let status = ErrorCode(rawValue: try reader.u8())
      try answered(opcode, status, reader.rest(), at: now)
    case .commandStatus(let status, let credits, let opcode):
      guard commands.takeAnswer(to: opcode, credits: credits) else { return }
      if status != .success { refused(opcode, status, at: now) }
    case .hardwareError(let code): fail(.hardwareError(code), at: now)
    case .numberOfCompletedPackets(let packets):
      link.sender.complete(packets.count(for: link.handle), at: now)
    case .disconnectionComplete(let status, let handle, let reason):
      guard status == .success, handle == link.handle else { return }
      disconnected(reason, at: now)
    case .leConnectionComplete(let complete): connectionCompleted(complete, at: now)
    case .leAdvertisingReport(let reports), .leExtendedAdvertisingReport(let reports):
      try receive(reports, at: now)
    case .leConnectionUpdateComplete: break  // the link goes on with what it has
    case .leRemoteConnectionParameterRequest(let handle, let wanted):
      answerParameterRequest(handle, wanted)
    case .encryptionChange(let status, let handle, let isEncrypted):
      encryptionChanged(status, handle, isEncrypted: isEncrypted, at: now)
    case .encryptionKeyRefreshComplete(let status, let handle):
      encryptionChanged(status, handle, isEncrypted: true, at: now)
    case .other: break
    }
  }

  /// Takes the answer of a command that was carried out.
  private mutating func answered(
    _ opcode: Opcode, _ status: ErrorCode, _ parameters: Span<UInt8>, at now: Instant
  ) throws(ParseError) {
    guard status == .success else { return refused(opcode, status, at: now) }
    guard case .bringUp(let step) = phase else { return }
    do throws(ParseError) {
      try controller.take(parameters, of: step)
    } catch {
      guard step.isOptional else { return fail(.commandFailed(opcode, .success), at: now) }
    }
    if step == .writeAddress {
      // From Reset on it has the new address; one that does not take it is not asked again.
      controller.boardAddress = nil
      return enter(.reset, at: now)
    }
    enter(step.next, at: now)
  }

  /// Takes the refusal of a command.
  private mutating func refused(_ opcode: Opcode, _ status: ErrorCode, at now: Instant) {
    switch phase {
    case .bringUp(let step) where step.isOptional: enter(step.next, at: now)
    case .bringUp: fail(.commandFailed(opcode, status), at: now)
    case .scanning where opcode == .leSetScanEnable || opcode == .leSetScanParameters:
      fail(.commandFailed(opcode, status), at: now)
    case .connecting where opcode == .leCreateConnection:
      // Some controllers refuse at once what others report as a failed connection.
      attemptFailed(status, at: now)
    case .connected where opcode == .leEnableEncryption:
      encryptionChanged(status, link.handle, isEncrypted: false, at: now)
    default: break  // a refused wish is harmless: the link goes on without
    }
  }

  /// Reports a failure, drops everything, and begins again with Reset in a second.
  mutating func fail(_ failure: HostFailure, at now: Instant) {
    report(.failed(failure))
    abandonLink(.connectionTimeout)
    commands.removeAll()
    phase = .recovering
    phaseDeadline = now + Self.retryTime
  }

  /// Does what is due when the phase has lasted too long.
  mutating func phaseTimedOut(at now: Instant) {
    phaseDeadline = nil
    switch phase {
    case .recovering: start(at: now)
    case .connecting: cancel(at: now)
    case .connected: linkTimedOut(at: now)
    case .cancelling, .disconnecting: fail(.linkStuck, at: now)
    default: break
    }
  }
}
