import ATT
import Battery
import Beacons
package import BoardFile
import Bond
import BondFile
import Buttons
package import Bytes
package import Central
package import DeviceState
package import Events
import Graphics
import Link
import Navigation
import Panel
import PhoneServices
package import Recording
package import SMP
import Screens
import SensorLinks
import Sensors

/// The whole device without its ports: its output depends on its input alone.
///
/// Its input is HCI packets, presses, the contents of the store, the state of each port, and the time. Its output is
/// HCI packets, I²C messages, new contents of the store, the level of the alert line, events, and one deadline. It
/// reads no clock and opens nothing; its owner does: the loop of the program, a test in virtual time, or a replay.
///
///     while !isStopping {
///       openPorts()                  // those that `isDue`, and reports the results
///       device.advance(to: now)
///       send()                       // `packet`, `storeOutput`, `alertChange`, `messages`, `events`
///       wait(until: device.deadline)
///       receive()
///     }
///
/// It has the board and the values below, each with private state and verbs; most are of `DeviceState`. The files in
/// the subfolders pass each input to its value, and the consequences to the others. No other file replaces one of these
/// values. What is on the panel is not stored: `showing` computes it from all of them.
package struct Device<Cryptography: Crypto>: ~Copyable {
  /// What the board file and the arguments say.
  package let board: Board
  package private(set) var host: Host<Cryptography>
  var home: Home
  var phone: PhoneSession
  var plan = ReadingPlan()
  var guidance: Guidance
  var alert: AlertPattern
  var progressLog = ProgressLog()
  var wayWatch = WayWatch()
  var desk = SensorDesk()
  var scene: Scene
  package internal(set) var display: Display
  var presses: PressRecognizer
  package internal(set) var store: StoreKeeper
  package internal(set) var upkeep: Upkeep
  var battery: OwnBattery
  var keepAwake: KeepAwake
  var log: EventLog
  var record: Record
  package internal(set) var recorder: Recorder

  /// A device that is switched on now.
  ///
  /// `boardAddress` is for a Bluetooth chip that has no address of its own; `mistake` says what is wrong in a board
  /// file that was replaced by other settings, if anything is. With `radioOnly`, for a check, every other port is
  /// absent, the store too. `means` are further ways to bring back a controller of this machine.
  package init(
    _ board: Board, version: Span<UInt8>, boardAddress: DeviceAddress?, mistake: Span<UInt8>,
    cryptography: consuming Cryptography, radioOnly: Bool = false,
    recoveredBy means: RecoveryMeans = .none, at now: Instant
  ) {
    self.board = board
    host = Host(
      service: NavigationService.uuid,
      profile: Wanted.forRide(
        NavigationService.characteristic, of: NavigationService.uuid, music: board.hasMusic,
        notifications: board.notifications != .off),
      name: board.name.bytes, pairing: board.pairing, sensors: board.sensors == .learned,
      advertises: board.advertises, boardAddress: boardAddress, cryptography: cryptography)
    home = Home(board.home)
    phone = PhoneSession(board)
    guidance = Guidance(units: board.units)
    guidance.areSecondsShown = board.extra == .seconds
    alert = AlertPattern(hasSides: board.hasAlertSides)
    scene = Scene(mistake: mistake)
    display = Display(board, at: now)
    presses = PressRecognizer(at: now)
    store = StoreKeeper(
      isPhoneAwaited: board.pairing != .off && !radioOnly, by: ToldVersion(version))
    upkeep = Upkeep(board, version: version, means, radioOnly: radioOnly, at: now)
    battery = OwnBattery(radioOnly ? nil : board.battery, at: now)
    keepAwake = KeepAwake(board, at: now)
    log = EventLog(board.hasEvents ? board.topics : Topics(), start: now)
    record = Record(isOn: board.hasReport, start: now)
    recorder = Recorder(board)
    record.noteStart(
      boardAddress: boardAddress, mistake: mistake, upkeep.recovery.means, at: now)
    beginCalibration()
  }

  // MARK: - Time

  /// When `advance` must be called at the latest, if nothing comes in before then.
  package var deadline: Instant? {
    if upkeep.isLeaving { return turnDeadline }
    return recorder.isPieceDue ? upkeep.now : earlier(turnDeadline, keepAwake.deadline)
  }

  /// Whether the owner is to poll instead of sleeping until the deadline: `keep-awake`.
  package var isLoading: Bool { keepAwake.isLoading && !upkeep.isLeaving }

  /// The deadline without a report and a load, for which nothing advances.
  private var turnDeadline: Instant? {
    guard !upkeep.isLeaving else { return mayEnd ? upkeep.now : host.deadline }
    if upkeep.isRebindRequested || isUpdateDue { return upkeep.now }
    if upkeep.ports[.panel].isOpen, display.isPictureDue(look(of: showing), at: upkeep.now) {
      return upkeep.now
    }
    let phone = earlier(
      earlier(host.deadline, homeDeadline), earlier(plan.deadline, phone.deadline))
    let shown = earlier(scene.deadline, display.streetScroll.deadline)
    let announced = earlier(guidance.deadline, upkeep.ports[.alert].isOpen ? alert.deadline : nil)
    let pressed = upkeep.ports[.buttons].isOpen ? presses.deadline : nil
    let light = upkeep.ports[.panel].isOpen ? display.deadline : nil
    let kept = earlier(
      earlier(earlier(brightnessDeadline, changesDeadline), light),
      earlier(earlier(desk.deadline, clockDeadline), gaugeDeadline))
    return earlier(
      earlier(upkeep.deadline, earlier(phone, shown)), earlier(announced, earlier(pressed, kept)))
  }

  /// Advances to `now`, and prepares the picture that is due.
  package mutating func advance(to now: Instant) {
    while let state = home.conclusion(at: now) { concludeHome(isHere: state == .here, at: now) }
    while let conclusion = host.takeConclusion(at: now) { conclude(conclusion, at: now) }
    if isUpdateDue { showUpdate(at: now) }
    record.noteAdvance(isDue: turnDeadline.map { $0 <= now } ?? false, at: now)
    upkeep.advance(to: now)
    keepAwake.advance(to: now)
    step(.time, at: now)
    guard !upkeep.isLeaving else { return }
    climb(at: now)
    if plan.takeDueRead(at: now) { step(.ask(.value), at: now) }
    // The page stays while a sensor is searched for or offered.
    if host.sensors.stage != .off { scene.touchPage(at: now) }
    scene.leaveEmptyPage(
      hasPairing: isPhoneInDoubt, hasMusic: phone.hasMusic, hasData: !desk.remembered.isEmpty)
    scene.advance(to: now)
    display.advance(to: now)
    scene.countDown(to: countdownEnd, at: now)
    advanceMeasurements(to: now)
    advancePhone(to: now)
    if guidance.advance(to: now) { guidanceChanged(at: now) }
    leaveFinish()
    advanceAlerts(to: now)
    warnOfOwnBattery(at: now)
    warnOfBatteries(at: now)
    reportProgress(at: now)
    saveBrightness(at: now)
    saveCircumference()
    saveVersion()
    saveChanges(at: now)
    redraw(at: now)
  }

  /// Leaves politely: the panel dark, the alert line low, the link closed.
  ///
  /// From now on nothing is opened or drawn. Keep the loop going until it `mayEnd`, or as long as
  /// there is time.
  package mutating func leave(at now: Instant) {
    note(.leave, at: now)
    saveChanges(isLast: true, at: now)
    upkeep.leave()
    alert.end()
    if upkeep.ports[.panel].isOpen { display.shutDown() }
    step(.leave, at: now)
  }

  /// Whether there is no link, none in the making, and nothing left to send to the controller.
  package var mayEnd: Bool { host.mayEnd || !upkeep.ports[.hci].isOpen }

  /// Expects presses from now on, with the buttons as they are.
  ///
  /// A button that was held before, or has a short circuit, must not make us forget the phone.
  mutating func expectPresses(
    isAPressed: Bool = false, isBPressed: Bool = false, at now: Instant
  ) {
    presses = PressRecognizer(
      isAPressed: isAPressed, isBPressed: isBPressed, at: now)
  }

  /// Notes an input in the record, and the time.
  mutating func note(_ note: Note, at now: Instant) {
    upkeep.advance(to: now)
    record.note(note, at: now)
  }

  // MARK: - The host

  /// Passes an input to the host, and does what follows from it.
  mutating func step(_ input: borrowing HostInput, at now: Instant) {
    host.step(input, at: now)
    handleHostEvents(at: now)
  }

  /// Makes the host do something, and does what follows from it.
  ///
  /// Other files change the host by this and `step` alone.
  @discardableResult
  mutating func withHost<Answer>(
    at now: Instant, _ act: (inout Host<Cryptography>) -> Answer
  ) -> Answer {
    let answer = act(&host)
    handleHostEvents(at: now)
    return answer
  }

  /// Makes the host remember a phone, such as the stored one at the start, or none.
  mutating func setBond(_ bond: consuming Bond?, at now: Instant) {
    host.setBond(bond, at: now)
    handleHostEvents(at: now)
  }

  /// Handles the host's events in their order, while the bytes that they refer to are still there.
  private mutating func handleHostEvents(at now: Instant) {
    guard !host.isOwnerBusy else { return }
    host.setOwnerBusy(true)
    while let event = host.takeEvent() { handle(event, at: now) }
    host.setOwnerBusy(false)
    tendHome(at: now)
    tendConnection(at: now)
  }

  // MARK: - Packets

  /// The next HCI packet to send, its H4 indicator first; empty when there is none.
  package var packet: Span<UInt8> { host.output }

  /// Notes that `packet` was sent; the next one takes its place.
  package mutating func packetWasSent(at now: Instant) {
    record.add(host.output, isReceived: false, at: now)
    step(.sent, at: now)
  }

  /// Handles one whole HCI packet, its H4 indicator first; a malformed one is counted and dropped.
  package mutating func receive(_ packet: Span<UInt8>, at now: Instant) {
    upkeep.advance(to: now)
    let discretion = discretion(for: packet)  // before the packet changes it
    if host.listening == .on { home.receive(packet, at: now) }
    host.step(.packet(packet), at: now)
    guard host.wasNews else { return }
    record.add(packet, isReceived: true, with: discretion, at: now)
    handleHostEvents(at: now)
  }

  /// Acts on a conclusion from many advertisements; `advance` does so, unless they come from a report.
  package mutating func conclude(_ conclusion: Conclusion, at now: Instant) {
    note(.conclusion(conclusion), at: now)
    step(.conclusion(conclusion), at: now)
  }

  /// Draws no conclusions itself from now on: in a replay they come from the report, like the times at which a picture
  /// was seen and the new version shown.
  package mutating func takeConclusionsFromReport() {
    display.takeConclusionsFromReport()
    store.takeConclusionsFromReport()
    host.takeConclusionsFromReport()
    home.takeConclusionsFromReport()
  }

  /// How much of the next received packet a capture may show.
  package func discretion(for packet: Span<UInt8>) -> Discretion {
    Discretion(visibility: host.visibility(of: packet), answer: phone.notifications.answer)
  }

  // MARK: - Events

  /// Lines of JSON, one for each event, each with its newline; empty when there are none.
  package var events: Span<UInt8> { log.lines }

  /// The topic of each of these lines.
  package var eventTopics: Span<Topic> { log.lineTopics }

  /// Says which topics are read at the moment; those that the board leaves out stay out.
  package mutating func readEvents(about topics: Topics) { log.want(topics & board.topics) }

  /// Notes that `events` were written, and empties them.
  package mutating func eventsWereWritten() { log.removeAll() }

  /// Reports the start of the program; the board is named by its file.
  package mutating func started(board: Span<UInt8>) {
    log.started(version: upkeep.version.bytes, board: board, at: upkeep.now)
  }
}
