import ATT
package import Bond
package import Bytes
import Controller
import HCI
package import Link
package import SMP
import Search
package import SensorLinks

/// The Bluetooth host of a central: HCI packets in, HCI packets and events out.
///
/// Does no input or output and reads no clock. Its owner feeds it packets and the time by `step`, takes its events
/// after each packet, sends what it leaves in `output`, and gives it the time no later than `deadline`.
///
/// It brings the controller up, finds the phone that has a service, connects, subscribes to what its `profile` wants,
/// and searches again whenever the link is lost. If a phone is remembered, the host connects to no other.
///
/// This file has all its values. The phase, the bond to be saved, the events with their bytes, and what has no type are
/// its own; each other value changes by its own verbs. The functions here pass to one of them what happened. The
/// extensions decide what follows from what, and change a value by these functions only.
package struct Host<Cryptography: Crypto>: ~Copyable {
  /// The time from a failure to Reset: a burst of Hardware Errors is over by then.
  private static var retryTime: Int64 { 1_000 }
  /// The same after a command timeout, which is itself a long wait.
  private static var timeoutRetryTime: Int64 { 250 }

  /// What the phone is asked for; the first line says the way.
  let profile: PhoneLink.Table
  let server: GATTServer
  private(set) var cryptography: Cryptography
  private(set) var phase = Phase.off
  private(set) var controller: Controller
  private(set) var search: Search
  private(set) var scanner: Scanner
  private(set) var peer = Peer()
  private(set) var link: PhoneLink
  private(set) var consent = Consent()
  private(set) var lingering = LingeringLinks()
  package private(set) var security: Security
  private(set) var pace = Pace()
  private var watch = ChipWatch()
  private(set) var longFrames = LongFrames()
  package private(set) var sensors: SensorSide
  private(set) var advertiser: Advertiser
  /// When an attempt must have ended that was cancelled because the phone has connected by itself.
  private(set) var overtakenAttemptEnd: Instant?
  /// The bond that its owner is to adopt: a new phone's once it is on disk, a known phone's at once.
  package private(set) var newBond: Bond?
  private var events = FixedList<24, QueuedEvent>(filler: QueuedEvent(event: .name))
  /// The sensor that the last `sensor` event was about, of those that were taken.
  package private(set) var sensorAddress = DeviceAddress(0, .public)
  /// The bytes of the last event that has some; no packet leads to two of these.
  private(set) var bytes = FixedBuffer<512>()
  /// Whether they are only the beginning of the phone's value.
  package private(set) var isValueCut = false
  /// The place of the link that sent data last: `prepareData`.
  private(set) var lastSender = 0

  /// How many packets were dropped because they did not parse or belonged to no link.
  package private(set) var droppedCount: Int64 = 0
  /// Whether the last packet may have changed anything, apart from what `takeConclusion` concludes later.
  ///
  /// Packets that change nothing need not be recorded.
  package private(set) var wasNews = true
  /// Whether conclusions are drawn here; in a replay they come from the report.
  private(set) var drawsConclusions = true

  /// A host that looks for `service`, asks for what is in `profile`, and calls itself `name` (20 bytes at most).
  ///
  /// `boardAddress` is for a controller that has no address of its own. Where it `advertises`, a phone may connect by
  /// itself.
  package init(
    service: UUID, profile: PhoneLink.Table, name: Span<UInt8>, pairing: PairingPolicy,
    sensors: Bool = true, advertises: Bool = false, boardAddress: DeviceAddress?,
    cryptography: Cryptography
  ) {
    self.profile = profile
    self.cryptography = cryptography
    server = GATTServer(name: name)
    controller = Controller(boardAddress: boardAddress)
    search = Search(
      pairing == .off ? .anybody : .stranger, demandsPairing: pairing == .required)
    scanner = Scanner(service: service)
    link = PhoneLink.none(profile)
    security = Security(pairing)
    self.sensors = SensorSide(isOn: sensors)
    advertiser = Advertiser(isOn: advertises)
  }

  /// The characteristic that says the way.
  var characteristic: UUID { profile[0].characteristic }

  // MARK: - For its owner

  /// Whether its owner is dealing with an event: those that this one causes come after the others.
  package private(set) var isOwnerBusy = false
  package mutating func setOwnerBusy(_ isBusy: Bool) { isOwnerBusy = isBusy }

  /// The next event, in the order of their happening.
  package mutating func takeEvent() -> HostEvent? {
    guard let next = events.takeFirst() else { return nil }
    if let sensor = next.sensor { sensorAddress = sensor }
    return next.event
  }

  /// Drops all links, and what is known of the controller: the transport was lost.
  package mutating func stop(at now: Instant) {
    if case .scanning = phase { report(.scan(.off)) }
    abandonLinks(.connectionTimeout, at: now)
    abandonController()
    enter(.off)
  }

  /// Draws no conclusions from now on: in a replay they come from the report.
  package mutating func takeConclusionsFromReport() { drawsConclusions = false }

  // MARK: - Steps

  mutating func receive(_ packet: Span<UInt8>, at now: Instant) {
    wasNews = true
    do throws(ParseError) {
      switch try ReceivedPacket(parsing: packet) {
      case .event(let event): try receive(event, at: now)
      case .aclData(let data): try receive(data, at: now)
      }
    } catch {
      droppedCount += 1
    }
  }

  private mutating func receive(_ packet: ACLData, at now: Instant) throws(ParseError) {
    controller.spoke()
    watch.linkHolds()
    if sensors.hasLink(packet.handle) {
      search.receive(.heard(at: now))  // a controller with a link was not reset by itself
      defer { takeSensorOutcomes() }
      return try sensors.receive(packet, by: &controller, with: &cryptography, at: now)
    }
    guard phase == .connected, packet.handle == link.channels.handle else {
      droppedCount += 1
      return
    }
    var frame = PhoneLink.Frame()
    guard link.receive(packet, into: &frame, at: now) else { return }
    try receive(
      try link.receive(frame.bytes, takesUpdates: controller.takesUpdates, at: now), at: now)
  }

  mutating func setWasNews(_ isNews: Bool) { wasNews = isNews }

  /// Ends a step: the sensors have their turn, and `output` is filled, with data before commands.
  ///
  /// The start of encryption holds up the data behind it: Core Specification, Vol 6, Part B, 5.1.3.1. There is never
  /// more data than the controller has buffers for.
  mutating func settle(at now: Instant) {
    tendSensors(at: now)
    tendAdvertising(at: now)
    guard controller.output.isEmpty else { return }
    endAfterFarewell(at: now)
    prepareData(at: now)
    controller.prepareCommand(at: now)
  }

  // MARK: - Data

  /// Takes back buffers that the controller has emptied; those of a link that is gone came back with it.
  mutating func complete(_ packets: CompletedPackets, at now: Instant) {
    link.complete(packets, at: now)
    lingering.complete(packets)
    sensors.complete(packets, at: now)
  }

  /// Writes the next packet of data of a link: 0 is the phone's, then come those of sensors.
  mutating func prepareData(of place: Int, at now: Instant) {
    lastSender = place
    if place == 0 {
      link.prepareData(for: &controller, at: now)
    } else {
      sensors.prepareData(of: place - 1, for: &controller, at: now)
    }
  }

  // MARK: - Wires

  mutating func report(_ event: HostEvent) { events.append(QueuedEvent(event: event)) }

  /// Reports an event with its bytes.
  mutating func report(_ event: HostEvent, _ bytes: Span<UInt8>) {
    report(event)
    self.bytes.assign(bytes)
    isValueCut = false
  }

  /// Reports an event of the value that was read last.
  mutating func reportValue(_ event: HostEvent) {
    report(event)
    bytes.assign(link.client.reading.value.bytes)
    isValueCut = link.client.reading.isCut
  }

  /// Answers a request of the phone.
  mutating func serve(
    _ request: Span<UInt8>, at now: Instant
  ) throws(ParseError) -> ServerSession.Outcome {
    try link.serve(request, by: server, at: now)
  }

  /// Enters another phase.
  mutating func enter(_ phase: Phase) { self.phase = phase }

  /// Queues a command, unless the controller no longer answers this kind.
  mutating func send(_ command: Command) { controller.send(command) }

  /// Has the controller do something.
  @discardableResult
  mutating func control<Answer>(_ act: (inout Controller) -> Answer) -> Answer {
    act(&controller)
  }

  /// Drops the link and brings the controller up from Reset on; the search then goes on.
  mutating func bringUp(at now: Instant) {
    abandonLinks(.connectionTerminatedByLocalHost, at: now)
    abandonController()
    enter(.bringUp)
    controller.bringUp()
  }

  /// Reports a failure, drops everything, and begins again with Reset within a second.
  mutating func fail(_ failure: HostFailure, at now: Instant) {
    report(.failed(failure))
    abandonLinks(.connectionTimeout, at: now)
    abandonController()
    let pause = if case .commandTimeout = failure { Self.timeoutRetryTime } else { Self.retryTime }
    enter(.recovering(until: now + pause))
  }

  private mutating func abandonController() {
    controller.abandon()
    advertiser.forgetController()
    overtakenAttemptEnd = nil
  }

  mutating func updateSearch(_ input: Search.Input) { search.receive(input) }

  mutating func updateScanner(_ input: Reputation.Input, at now: Instant) {
    scanner.receive(input, at: now)
  }

  /// Looks for candidates again: see `Scanner`.
  mutating func beginScan(_ mode: ScanMode, sharedTime: Int64, at now: Instant) {
    scanner.begin(
      isInHurry: mode == .fast && search.isRideGoingOn(at: now), isSlow: mode == .slow,
      sharedTime: sharedTime, at: now)
  }

  /// Advances the scanner to `now`; returns the phone to connect to now.
  mutating func choose(at now: Instant) -> Candidate? {
    scanner.advance(to: now)
    return isListening ? scanner.choose(at: now) : nil
  }

  mutating func receive(
    _ report: borrowing AdvertisingReport, as wanted: Scanner.Wanted, isOther: Bool,
    at now: Instant
  ) -> Scanner.Outcome {
    scanner.receive(report, as: wanted, isOther: isOther, at: now)
  }

  /// Makes `candidate`, which is connected to or has connected by itself, the peer.
  mutating func choose(_ candidate: Candidate, at now: Instant) {
    peer.choose(candidate, advertisedName: scanner.name(of: candidate.address), at: now)
  }

  /// Forgets the phone; the peer counts as a stranger from now on.
  mutating func forgetPhone() {
    security.replaceBond(by: nil)
    newBond.wipe()
    peer.forget()
  }

  /// Changes how far the link has come.
  @discardableResult
  mutating func updateProgress<Answer>(_ change: (inout LinkProgress) -> Answer) -> Answer {
    link.updateProgress(change)
  }

  /// Changes what the rider was asked about the phone.
  @discardableResult
  mutating func updateConsent<Answer>(_ change: (inout Consent) -> Answer) -> Answer {
    change(&consent)
  }

  mutating func updateSecurity(_ input: Security.Input) { security.receive(input) }

  /// Has the link do something.
  mutating func withLink<Answer>(_ act: (inout PhoneLink) -> Answer) -> Answer { act(&link) }

  /// Has the pairing do something for which it needs cryptography, and sends its commands.
  mutating func pair(
    _ act: (inout Pairing, inout Cryptography) -> PairingOutcome
  ) -> PairingOutcome {
    link.pair(with: &cryptography, act)
  }

  /// Drops the pairing, which is over, with its keys.
  mutating func dropPairing() { link.dropPairing(local: controller.information.address) }

  /// Answers the phone's request for parameters by the link layer.
  mutating func answerPhone(_ wanted: ConnectionParameters) {
    link.answer(wanted, by: &controller)
  }

  /// Has the controller end the phone's link.
  mutating func endLink(_ reason: ErrorCode) { link.end(reason, by: &controller) }

  /// Replaces the link by one to a phone that was just met, or by none.
  mutating func replaceLink(by link: consuming PhoneLink, mayPair: Bool = false) {
    self.link = link
    consent = Consent(mayPair: mayPair)
  }

  /// Keeps a bond until the owner adopts or drops it.
  mutating func keep(_ bond: consuming Bond) { newBond = consume bond }

  /// Drops `newBond`, as it could not be written or is not wanted any more.
  package mutating func dropNewBond() { newBond.wipe() }

  mutating func replaceBond(by bond: consuming Bond?) { security.replaceBond(by: bond) }

  /// Makes `newBond` the remembered phone: a new one is on disk now, a change of a known one is written later.
  package mutating func adoptBond() {
    switch newBond.take() {
    case .some(let bond):
      let isInDoubt = security.isKeyInDoubt && !link.progress.isEncrypted
      security.replaceBond(by: bond)
      search.receive(.remembered)
      // Writing may have taken so long that there is another link now.
      if link.progress.isDecided {
        peer.remember()
        security.receive(.found(link.client.lines.handles))
        let served = security.served
        link.updateServing { $0.becomeRemembered(served) }
      }
      if !isInDoubt { security.receive(.keyHolds) }
    case .none: break
    }
  }

  /// Has the sensors' side do something, with commands to the controller, and takes its outcomes.
  mutating func withSensors<Answer>(
    _ act: (inout SensorSide, inout Controller) -> Answer
  ) -> Answer {
    let answer = act(&sensors, &controller)
    takeSensorOutcomes()
    return answer
  }

  private mutating func takeSensorOutcomes() {
    while let outcome = sensors.takeOutcome() { events.append(QueuedEvent(outcome)) }
  }

  /// Receives an advertisement, as a sensor's; returns whether that changed anything.
  mutating func receiveForSensors(_ report: borrowing AdvertisingReport, at now: Instant) -> Bool {
    defer { takeSensorOutcomes() }
    return sensors.receive(report, isPhoneSearched: isListening, at: now)
  }

  /// An attempt is being cancelled, as the phone has connected by itself.
  mutating func overtakeAttempt(until end: Instant) { overtakenAttemptEnd = end }

  /// The attempt that was cancelled has ended, or its time has.
  mutating func forgetOvertakenAttempt() { overtakenAttemptEnd = nil }

  // Each of these changes one part.

  mutating func updateAdvertiser<Answer>(_ change: (inout Advertiser) -> Answer) -> Answer {
    change(&advertiser)
  }

  mutating func updateLingering<Answer>(_ change: (inout LingeringLinks) -> Answer) -> Answer {
    change(&lingering)
  }

  mutating func updateLongFrames<Answer>(_ change: (inout LongFrames) -> Answer) -> Answer {
    change(&longFrames)
  }

  mutating func updatePace(_ change: (inout Pace) -> Void) { change(&pace) }

  mutating func updateWatch<Answer>(_ change: (inout ChipWatch) -> Answer) -> Answer {
    change(&watch)
  }
}
