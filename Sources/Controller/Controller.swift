package import Bytes
package import HCI

/// The controller: what it reports of itself, the commands that wait, and the next packet for it.
///
/// It owns the commands with their credits, the steps of the bring-up, what is kept of commands without an
/// answer, and `output`. The owners of links and searches give it commands, and data by `prepareData`; nobody
/// else writes a packet.
package struct Controller: ~Copyable {
  package private(set) var information = ControllerInformation()
  private var commands = CommandQueue()
  private var pending = FixedBuffer<1026>()
  /// The step of the bring-up that is under way.
  private var step: BringUpStep?
  /// The address for a chip that has none.
  private let boardAddress: DeviceAddress?
  /// Optional commands that had no answer.
  private var silences = InlineArray<19, Silence>(repeating: Silence())
  private var silenceCount = 0
  /// Since when it has sent nothing but vendor events though it owes an answer.
  private var vendorEventsStart: Instant?
  /// Whether it was asked to advertise, and nothing has ended that since.
  package private(set) var isAdvertising = false
  /// Whether the last command that was sent has it listen, or advertise; commands that wait do not count.
  private var (isScanOn, isAdvertisingOn) = (false, false)

  /// How often a command had no answer.
  private struct Silence {
    var opcode = Opcode.none
    var times = 0
  }

  /// The first silence may be the wire's, or an accident: a command is left out after the second.
  private static var chances: Int { 2 }
  /// Longer than any supervision timeout: a peer that does not acknowledge the end of a link delays it that long.
  ///
  /// Core Specification, Vol 6, Part B, 5.1.6; `ConnectionParameters.areAcceptable`.
  package static var longestTimeout: Int64 { 7_000 }
  /// Longer than that of any link that a phone makes: 32 s (Vol 4, Part E, 7.8.12).
  package static var longestTimeoutOfAll: Int64 { 33_000 }
  /// How long a link may last that was ended: its central, we or the phone, has chosen the timeout.
  package static func longestTimeout(isCentral: Bool) -> Int64 {
    isCentral ? longestTimeout : longestTimeoutOfAll
  }
  /// After 5 s of vendor events alone it is dead.
  package static var vendorEventsTime: Int64 { 5_000 }

  package init(boardAddress: DeviceAddress?) { self.boardAddress = boardAddress }

  // MARK: - Out

  /// The next packet to send, its H4 indicator first; empty when there is none.
  package var output: Span<UInt8> { pending.bytes }

  /// Drops what was prepared to be sent, as it was sent or is of no use any more; a command may have a key.
  package mutating func dropOutput() {
    if !pending.isEmpty, pending[0] == PacketIndicator.command { pending.wipe() }
    pending.removeAll()
  }

  /// Whether nothing is left to send, and no answer to come.
  package var isIdle: Bool { pending.isEmpty && commands.isIdle }

  /// When a command has waited too long for its answer, or for leave to be sent.
  package var deadline: Instant? { commands.deadline }

  /// Queues a command, unless the controller no longer answers this kind.
  ///
  /// It does not advertise while it connects to a device: not every controller can do both.
  package mutating func send(_ command: Command) {
    if command.opcode == .leCreateConnection { stopAdvertising() }
    if mayBeSent(command.opcode) { commands.append(command) }
  }

  /// Begins to listen; both times are in units of 0.625 ms, and `isActive` asks advertisers for scan responses.
  package mutating func scan(isActive: Bool, interval: UInt16, window: UInt16) {
    send(.leSetScanParameters(isActive: isActive, interval: interval, window: window))
    send(.leSetScanEnable(true))
  }

  /// Stops listening, if it listens; earlier changes of this that still wait are dropped.
  ///
  /// Not every controller accepts a command to do what it does already.
  package mutating func stopScan() {
    commands.removeWaiting(.leSetScanParameters)
    commands.removeWaiting(.leSetScanEnable)
    if isScanOn { send(.leSetScanEnable(false)) }
  }

  /// Advertises this from now on, with `interval` × 0.625 ms between two advertising events.
  package mutating func advertise(_ content: AdvertisingContent, interval: UInt16) {
    stopAdvertising()
    send(.leSetAdvertisingParameters(interval: interval))
    send(.leSetAdvertisingData(content.advertisement))
    send(.leSetScanResponseData(content.scanResponse))
    send(.leSetAdvertisingEnable(true))
    isAdvertising = true
  }

  /// Stops advertising; commands for it that still wait are dropped.
  package mutating func stopAdvertising() {
    guard isAdvertising else { return }
    dropAdvertising()
    if isAdvertisingOn { send(.leSetAdvertisingEnable(false)) }
  }

  /// Advertising has ended: by a link, or because the controller refuses it (Vol 4, Part E, 7.8.9).
  package mutating func advertisingEnded() {
    dropAdvertising()
    isAdvertisingOn = false
  }

  private mutating func dropAdvertising() {
    commands.removeWaiting(.leSetAdvertisingParameters)
    commands.removeWaiting(.leSetAdvertisingData)
    commands.removeWaiting(.leSetScanResponseData)
    commands.removeWaiting(.leSetAdvertisingEnable)
    isAdvertising = false
  }

  /// Whether the command to connect still waits.
  package var isAttemptWaiting: Bool { commands.isWaiting(.leCreateConnection) }

  /// Drops the command to connect, if it still waits; returns whether it did.
  package mutating func dropAttempt() -> Bool { commands.removeWaiting(.leCreateConnection) }

  /// There is no attempt to cancel any more.
  package mutating func dropCancel() { commands.removeWaiting(.leCreateConnectionCancel) }

  /// Drops everything that waits for a link that is ending, or is gone; returns whether a packet of data was prepared.
  @discardableResult
  package mutating func dropAll(of handle: UInt16) -> Bool {
    commands.removeWaiting(for: handle)
    guard !pending.isEmpty else { return false }
    let isData = pending[0] == PacketIndicator.aclData
    let owner = isData ? UInt16(pending[1]) | UInt16(pending[2] & 0x0F) << 8 : commands.sent.handle
    guard owner == handle else { return false }
    dropOutput()
    if !isData { commands.takeBack() }
    return isData
  }

  /// Makes the next packet of data of a link the one to send; the controller must have a buffer for it.
  package mutating func prepareData<let capacity: Int>(
    of sender: inout ACLSender<capacity>, handle: UInt16, at now: Instant
  ) {
    sender.next(
      handle: handle, length: information.aclPacketLength, at: now, into: &pending)
  }

  /// Makes the next command the packet to send, if none is prepared.
  package mutating func prepareCommand(at now: Instant) {
    guard pending.isEmpty, let command = commands.next(at: now) else { return }
    switch command {
    case .leSetScanEnable(let isOn): isScanOn = isOn
    case .leSetAdvertisingEnable(let isOn): isAdvertisingOn = isOn
    default: break
    }
    command.write(into: &pending)
  }

  // MARK: - Answers

  /// What it has answered.
  package enum Answer: Equatable {
    /// Nothing that anybody waits for.
    case nothing
    /// It can scan: the bring-up is over.
    case isUp
    /// It has done what this command says.
    case done(Opcode)
    /// It has begun to do what this command says.
    case begun(Opcode)
    /// It refuses this command.
    case refused(Opcode, ErrorCode)
    /// What it was asked to end is over, or is just ending by itself.
    case over(Opcode, ErrorCode)
    case failed(HostFailure)
  }

  /// Receives an event; one that is no answer means `nothing` here.
  package mutating func receive(_ event: Event) -> Answer {
    switch event {
    case .commandComplete(let credits, let opcode, let parameters):
      completed(opcode, credits: credits, parameters)
    case .commandStatus(let status, let credits, let opcode):
      began(opcode, status, credits: credits)
    case .hardwareError(let code): .failed(.hardwareError(code))
    default: .nothing
    }
  }

  /// Receives a Command Complete, whose return parameters begin with the status.
  private mutating func completed(
    _ opcode: Opcode, credits: UInt8, _ parameters: Span<UInt8>
  ) -> Answer {
    guard commands.settle(opcode, credits: credits) else { return .nothing }
    var reader = ByteReader(parameters)
    // Without a status it answers nothing, and no other answer will come.
    guard let status = try? reader.u8() else { return .failed(.commandFailed(opcode, .success)) }
    guard status == 0 else { return refused(opcode, ErrorCode(rawValue: status)) }
    guard let step else { return .done(opcode) }
    return isCurrentStep(opcode) ? carriedOut(step, opcode, reader.rest()) : .nothing
  }

  /// Receives a Command Status: the beginning of a command, or its refusal.
  private mutating func began(
    _ opcode: Opcode, _ status: ErrorCode, credits: UInt8
  ) -> Answer {
    guard commands.settle(opcode, credits: credits) else { return .nothing }
    // Each step ends with Command Complete; a step that only begins counts as refused.
    return status != .success || isCurrentStep(opcode) ? refused(opcode, status) : .begun(opcode)
  }

  /// The link of the command that was answered last, if it is about one.
  package var answeredHandle: UInt16? { commands.sent.handle }

  /// Advances to `now`; returns the failure if a command had no answer, or no credit, in time.
  package mutating func advance(to now: Instant) -> HostFailure? {
    guard let due = commands.deadline, now >= due else { return nil }
    noteUnanswered(commands.overdue)
    return .commandTimeout(commands.overdue)
  }

  /// The command that it holds up.
  package var overdue: Opcode { commands.overdue }

  // MARK: - Bring-up

  /// Begins with Reset, and forgets everything that it makes untrue.
  package mutating func bringUp() {
    dropCommands()
    information = ControllerInformation(boardAddress: boardAddress)
    _ = bringUp(from: .reset)
  }

  /// Drops all that was to be sent, and expects no answer any more.
  package mutating func abandon() {
    dropCommands()
    dropOutput()
  }

  private mutating func dropCommands() {
    commands.removeAll()
    vendorEventsStart = nil
    isAdvertising = false
    (isScanOn, isAdvertisingOn) = (false, false)
    step = nil
  }

  private mutating func carriedOut(
    _ step: BringUpStep, _ opcode: Opcode, _ parameters: Span<UInt8>
  ) -> Answer {
    do throws(ParseError) {
      try information.learn(parameters, of: step)
    } catch {
      guard step.isOptional else { return .failed(.commandFailed(opcode, .success)) }
    }
    guard step == .writeAddress else { return bringUp(from: step.next) }
    // From Reset on the chip has the new address; a chip that does not take it is not asked again.
    information.forgetBoardAddress()
    return bringUp(from: .reset)
  }

  private mutating func refused(_ opcode: Opcode, _ status: ErrorCode) -> Answer {
    guard let step else {
      let isNothingThere = status == .commandDisallowed || status == .unknownConnectionIdentifier
      if commands.sent.onlyEnds, isNothingThere { return .over(opcode, status) }
      if opcode == .leSetScanEnable { isScanOn = false }
      return .refused(opcode, status)
    }
    guard isCurrentStep(opcode) else { return .nothing }
    return step.isOptional ? bringUp(from: step.next) : .failed(.commandFailed(opcode, status))
  }

  /// Whether the current step sends this command: a peer's request may be answered between two steps.
  private func isCurrentStep(_ opcode: Opcode) -> Bool {
    step?.command(for: self)?.opcode == opcode
  }

  /// Does a step of the bring-up, passing over those that the controller does not need.
  private mutating func bringUp(from first: BringUpStep?) -> Answer {
    step = first
    while let candidate = step {
      if let command = candidate.command(for: self), mayBeSent(command.opcode) {
        commands.append(command)
        return .nothing
      }
      step = candidate.next
    }
    return .isUp
  }

  /// Sends the event masks again: a controller that has reset itself has lost them, and a dead one does not answer.
  package mutating func renewEvents() {
    var next: BringUpStep? = .setEventMask
    while let step = next {
      if let command = step.command(for: self) { send(command) }
      next = step.next
    }
  }

  // MARK: - Signs of life

  /// A packet came that is no vendor event; returns whether one was waited for.
  @discardableResult
  package mutating func spoke() -> Bool {
    defer { vendorEventsStart = nil }
    return vendorEventsStart != nil
  }

  /// What follows from a vendor event.
  package enum VendorEventOutcome {
    case nothing
    /// It may be dead: the time counts from this event on.
    case noted
    /// It has said nothing else for too long.
    case dead
  }

  /// A vendor event came: a controller that owes an answer is dead once it has sent nothing else for `longest` ms.
  ///
  /// A peer that is gone keeps a buffer in use until its supervision timeout.
  package mutating func sentVendorEvent(
    areBuffersInUse: Bool, longest: Int64, at now: Instant
  ) -> VendorEventOutcome {
    guard commands.awaited != nil || areBuffersInUse else { return .nothing }
    guard let start = vendorEventsStart else {
      vendorEventsStart = now
      return .noted
    }
    return now - start >= longest ? .dead : .nothing
  }

  /// An optional command had no answer: the controller may still be of use without it.
  private mutating func noteUnanswered(_ opcode: Opcode) {
    guard opcode.isOptional else { return }
    for index in 0..<silenceCount where silences[index].opcode == opcode {
      silences[index].times += 1
      return
    }
    guard silenceCount < silences.count else { return }
    silences[silenceCount] = Silence(opcode: opcode, times: 1)
    silenceCount += 1
  }

  /// Answers the link layer's own request for other parameters, if the controller takes the answer.
  ///
  /// Else the controller refuses by itself, and the peer then asks by L2CAP. Vol 4, Part E, 7.7.65.6.
  package mutating func answerParameterRequest(
    _ handle: UInt16, _ wanted: ConnectionParameters, isTaken: Bool
  ) {
    send(
      isTaken
        ? .leRemoteConnectionParameterRequestReply(handle: handle, wanted)
        : .leRemoteConnectionParameterRequestNegativeReply(
          handle: handle, reason: .unacceptableConnectionParameters))
  }

  /// Whether it takes our answer to the parameters that a peer asks for.
  package var takesParameterReply: Bool {
    information.features.connectionParametersRequest
      && information.commands.leRemoteConnectionParameterRequestReplies
      && mayBeSent(.leRemoteConnectionParameterRequestReply)
      && mayBeSent(.leRemoteConnectionParameterRequestNegativeReply)
  }

  /// Whether it takes the command to change the parameters of a link, as a peer may want.
  package var takesUpdates: Bool { mayBeSent(.leConnectionUpdate) }

  /// Whether a phone can connect to it, and it still answers all commands of advertising: with only some of them it
  /// would advertise something else, or nothing.
  package var takesAdvertising: Bool {
    information.commands.peripheralRole && mayBeSent(.leSetAdvertisingParameters)
      && mayBeSent(.leSetAdvertisingData) && mayBeSent(.leSetScanResponseData)
      && mayBeSent(.leSetAdvertisingEnable)
  }

  /// Whether the controller still answers this command.
  package func mayBeSent(_ opcode: Opcode) -> Bool {
    for index in 0..<silenceCount where silences[index].opcode == opcode {
      return silences[index].times < Self.chances
    }
    return true
  }
}
