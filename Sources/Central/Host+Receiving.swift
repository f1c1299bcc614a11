import Bytes
import Controller
import HCI
import Link
import Search
import SensorLinks

/// The events of the controller.
extension Host {
  mutating func start(at now: Instant) {
    updateSearch(.restarted)
    bringUp(at: now)
  }

  private mutating func controllerIsUp(at now: Instant) {
    report(
      .controller(
        address: controller.information.address, version: controller.information.version,
        manufacturer: controller.information.manufacturer))
    updateSearch(.controllerIsUp(at: now))
    prepareAdvertising(at: now)
    scan(at: now)
  }

  mutating func receive(_ event: Event, at now: Instant) throws(ParseError) {
    if case .vendor = event { return receiveVendorEvent(at: now) }
    // Reset comes next: events from before it do not count.
    guard !phase.isDown else { return }
    let wasAwaited = control { $0.spoke() }
    switch event {
    case .commandComplete, .commandStatus, .hardwareError:
      receive(control { $0.receive(event) }, at: now)
    case .numberOfCompletedPackets(let packets): complete(packets, at: now)
    case .disconnectionComplete(let status, let handle, let reason):
      if status == .success { linkEnded(handle, reason, at: now) }
    case .leConnectionComplete(let complete): connectionCompleted(complete, at: now)
    case .leAdvertisingReport(let reports), .leExtendedAdvertisingReport(let reports):
      setWasNews(try receive(reports, at: now) || wasAwaited)
    case .leRemoteConnectionParameterRequest(let handle, let wanted):
      answerParameterRequest(handle, wanted)
    case .encryptionChange(let status, let handle, let isEncrypted):
      encryptionChanged(status, handle, isEncrypted: isEncrypted, at: now)
    case .encryptionKeyRefreshComplete(let status, let handle):
      encryptionChanged(status, handle, isEncrypted: true, at: now)
    case .leLongTermKeyRequest(let handle, let isForSecureConnections):
      longTermKeyRequested(handle, isForSecureConnections: isForSecureConnections, at: now)
    // Nothing follows from a connection update.
    case .leConnectionUpdateComplete, .vendor, .other:
      setWasNews(wasAwaited)
    }
  }

  /// Answers the link layer's own request for other parameters (Vol 4, Part E, 7.7.65.6).
  private mutating func answerParameterRequest(_ handle: UInt16, _ wanted: ConnectionParameters) {
    guard controller.takesParameterReply else { return }
    if phase == .connected, handle == link.channels.handle { return answerPhone(wanted) }
    withSensors { sensors, controller in
      guard !sensors.answer(wanted, on: handle, by: &controller) else { return }
      controller.answerParameterRequest(handle, wanted, isTaken: false)
    }
  }

  /// Receives a vendor event; only the first of several is news, or a chip that babbles would fill the record.
  private mutating func receiveVendorEvent(at now: Instant) {
    setWasNews(false)
    guard !phase.isDown else { return }
    let areBuffersInUse = countBuffersInUse() > 0
    let longest = longestSilence
    let outcome = control {
      $0.sentVendorEvent(areBuffersInUse: areBuffersInUse, longest: longest, at: now)
    }
    switch outcome {
    case .nothing: break
    case .noted: setWasNews(true)
    case .dead:
      setWasNews(true)
      fail(.vendorEventsOnly, at: now)
    }
  }

  /// How long a peer that is gone may keep a buffer in use: 5 s, or longer where a peer may have chosen the timeout.
  private var longestSilence: Int64 {
    if lingering.inFlight > 0 { return Controller.longestTimeoutOfAll }
    let own = max(Controller.vendorEventsTime, link.longestSilence)
    let isPeers = link.channels.hasPeersParameters || sensors.places.havePeersParameters
    return isPeers ? max(own, Controller.longestTimeout) : own
  }

  private mutating func receive(_ answer: Controller.Answer, at now: Instant) {
    switch answer {
    case .nothing, .done, .begun: break
    case .isUp: controllerIsUp(at: now)
    case .refused(let opcode, let status): refused(opcode, status, at: now)
    case .over(let opcode, let status): alreadyEnded(opcode, status, at: now)
    case .failed(let failure): fail(failure, at: now)
    }
    if answer == .begun(.disconnect) { endBegan(at: now) }
    if answer == .done(.leLongTermKeyRequestNegativeReply) { phoneWasDeniedKey(at: now) }
  }

  /// What a command was to end is over already.
  private mutating func alreadyEnded(_ opcode: Opcode, _ status: ErrorCode, at now: Instant) {
    switch opcode {
    case .disconnect where status == .unknownConnectionIdentifier:
      // The controller does not know the link: the event of its end was lost.
      if let handle = controller.answeredHandle { linkEnded(handle, .connectionTimeout, at: now) }
    case .disconnect: endBegan(at: now)
    // LE Connection Complete is about to report how an attempt ended. If that event was lost, there may be a link
    // that only Reset ends: the host does not know it, and the phone no longer advertises.
    default: break
    }
  }

  /// A command was refused; where a link can go on without it, the refusal is harmless.
  private mutating func refused(_ opcode: Opcode, _ status: ErrorCode, at now: Instant) {
    let phone = phoneSide()
    let isSensors = withSensors {
      $0.receiveRefusal(of: opcode, status, beside: phone, by: &$1, at: now)
    }
    if isSensors {
      if opcode == .leCreateConnection { _ = failForWantOfLinks(status, at: now) }
      return
    }
    switch (phase, opcode) {
    case (.scanning, .leSetScanEnable), (.scanning, .leSetScanParameters):
      fail(.commandFailed(opcode, status), at: now)
    case (.connecting, .leCreateConnection), (.cancelling, .leCreateConnection):
      // Some controllers refuse at once what others report as a failed connection: nothing is left to cancel.
      control { $0.dropCancel() }
      attemptFailed(status, at: now)
    case (_, .leEnableEncryption):
      guard let handle = controller.answeredHandle else { return }
      encryptionChanged(status, handle, isEncrypted: false, at: now)
    case (_, .leSetAdvertisingParameters), (_, .leSetAdvertisingData),
      (_, .leSetScanResponseData), (_, .leSetAdvertisingEnable):
      advertisingRefused(opcode, status, at: now)
    default: break
    }
  }

  mutating func advance(to now: Instant) {
    if let failure = control({ $0.advance(to: now) }) { fail(failure, at: now) }
    if let due = lingering.deadline, now >= due { fail(.linkStuck, at: now) }
    if let due = phase.deadline, now >= due { phaseTimedOut(at: now) }
    switch phase {
    case .scanning(let mode): advanceScan(mode, to: now)
    case .idle where search.mode != .off: scan(at: now)  // a phone was remembered meanwhile
    case .connected: advanceLink(to: now)
    default: break
    }
  }

  /// Does what is due when the phase has lasted too long.
  private mutating func phaseTimedOut(at now: Instant) {
    switch phase {
    case .recovering: start(at: now)
    case .connecting: cancel(isUnwanted: false, at: now)
    case .cancelling: fail(.attemptStuck, at: now)
    case .disconnecting: fail(.linkStuck, at: now)
    default: break
    }
  }
}
