import ATT
package import BoardFile
import Bond
import Buttons
package import Bytes
package import Central
package import Controller
package import Events
package import Graphics
import Link
import Navigation
import Panel
import PhoneServices
package import SMP
import Screens
import SensorLinks
import Sensors

/// The whole device without its ports: what comes in decides what goes out, and nothing else does.
///
/// In come HCI packets, presses, the contents of the store, what became of each port, and the time.
/// Out go HCI packets, I²C messages, what the store is to hold, the level of the alert line, events,
/// and one deadline. It reads no clock and opens nothing; its owner does: the loop of the program,
/// a test in virtual time, or a replay.
///
///     while !isStopping {
///       openPorts()                  // those that `isDue`, and tells what became of them
///       device.advance(to: now)
///       send()                       // `packet`, `storeOutput`, `alertChange`, `messages`, `events`
///       wait(until: device.deadline)
///       receive()
///     }
package struct Device<Cryptography: Crypto>: ~Copyable {
  /// What the board file and the arguments say.
  package let board: Board
  /// Our own version, as the panel and the events show it.
  let version: FixedBuffer<16>
  var host: Host<Cryptography>
  var plan = ReadingPlan()
  var guidance: Guidance
  /// The phone's number for the instruction that it said last.
  var identifier: UInt32 = 0
  var progressLog = ProgressLog()
  var stumbles = Stumbles()
  /// Why the phone refuses to be read, once that was reported on this link.
  var refusal: AttributeError?
  var wayWatch = WayWatch()
  /// Whether the events say that it is at home.
  var wasAtHome = false
  var scene: Scene
  var desk = SensorDesk()
  var dayClock = DayClock()
  /// The phone's zone, if it told one on this link.
  var zone: Zone?
  var player = MusicPlayer()
  var session: NotificationSession
  /// Whether it was told on this link that the phone does not let its music be seen.
  var isMusicRefusalTold = false
  /// What the strip of the radar shows, or showed last.
  var lastRadar: ShownRadar?
  /// The figures that the page of the ride shows, or showed last.
  var shownTrip: TripFigures
  var streetScroll = StreetScroll()
  /// The picture that was drawn last.
  package internal(set) var picture: Bitmap
  var panel: PanelOutput
  var glass: Glass
  /// Whether it is told what its owner or the air brought about: `onlyIsTold`.
  var isOnlyTold = false
  /// Whether the panel is looked for, or was found, at the other one of the two addresses.
  var isPanelElsewhere = false
  var presses: PressRecognizer
  var alert = AlertPattern()
  var bondKeeper = BondKeeper()
  var brightness = BrightnessKeeper()
  /// Whether it is not known yet who is remembered: until then nobody is searched for.
  var isStoreAwaited: Bool
  var log: EventLog
  var record: Record
  var report = ReportKeeper()
  var ports: PortKeepers
  /// What is wrong with the radio, while something is.
  package internal(set) var radioTrouble: RadioTrouble?
  var recovery: Recovery
  /// Whether the controller's driver is to be unbound and bound again; `rebindWasAsked` ends it.
  package internal(set) var isRebindWished = false
  /// Whether the machine does nothing but this, so that nobody has a command line on it.
  let isMachineOurs: Bool
  /// Whether a controller has come up since the start.
  var hasRadioWorked = false
  /// How far the connection had come after the last events, so that a change is drawn.
  var lastConnection = Connection.starting
  /// The progress of the unpair button that the panel shows.
  var shownUnpairProgress: Int?
  /// The time, as the device was last told it.
  var clock: Instant
  private(set) var isLeaving = false

  /// The keepers of all ports.
  struct PortKeepers {
    var hci: PortKeeper
    var panel: PortKeeper
    var buttons: PortKeeper
    var alert: PortKeeper
    var store: PortKeeper
  }

  /// A device that is switched on now.
  ///
  /// `boardAddress` is for a Bluetooth chip that has no address of its own; `mistake` says what is
  /// wrong in a board file that was replaced by other settings, if anything is. For one
  /// that is `radioOnly` every other port is absent, the store too: it is for a check. A controller
  /// of this machine is brought back by `means`, too. Its `counters` begin with `first`.
  package init(
    _ board: Board, version: Span<UInt8>, boardAddress: DeviceAddress?, mistake: Span<UInt8>,
    cryptography: consuming Cryptography, radioOnly: Bool = false,
    recoveredBy means: RecoveryMeans = .none, countingFrom first: UInt32 = 0, at now: Instant
  ) {
    self.board = board
    var ownVersion = FixedBuffer<16>()
    ownVersion.assign(version)
    self.version = ownVersion
    clock = now
    host = Host(
      service: NavigationService.uuid, characteristic: NavigationService.characteristic,
      name: board.name.bytes, pairing: board.pairing, sensors: board.sensors == .learned,
      music: board.hasMusic, notifications: board.notifications != .off, home: board.home,
      boardAddress: boardAddress,
      cryptography: cryptography, countingFrom: first)
    guidance = Guidance(units: board.units, countingFrom: first)
    guidance.areSecondsShown = board.extra == .seconds
    session = NotificationSession(board.notifications == .all ? .all : .calls)
    scene = Scene(mistake: mistake)
    shownTrip = guidance.tripFigures
    panel = PanelOutput(board, at: now)
    glass = Glass(at: now)
    picture = Bitmap(board.panel.pictureSize(board.rotation))
    presses = PressRecognizer(at: now)
    log = EventLog(board.hasEvents ? board.topics : Topics(), start: now)
    record = Record(isOn: board.hasReport, start: now, countingFrom: first)
    isMachineOurs = means.rebootTime != nil
    recovery = Recovery(board.hci.isDevice ? means : .none)
    record.noteStart(
      boardAddress: boardAddress, mistake: mistake, recovery.means, at: now)
    ports = PortKeepers(board, radioOnly: radioOnly, at: now)
    isStoreAwaited = board.pairing != .off && !radioOnly
    startEnd = now + Self.startTime
    beginCalibration()
  }

  /// A radio that is missing at the start may still come for so long: its driver may be loading.
  private static var startTime: Int64 { 5_000 }
  /// When that time is over.
  let startEnd: Instant

  // MARK: - Time

  /// When `advance` must be called at the latest, if nothing comes in before then.
  package var deadline: Instant? { isReportDue && !isLeaving ? clock : turnDeadline }

  /// The same but for a report, for which nothing advances.
  private var turnDeadline: Instant? {
    guard !isLeaving else { return mayEnd ? clock : host.deadline }
    if isRebindWished { return clock }
    if scene.isChanged || scene.hasTicked, ports.panel.isOpen, !panel.isPoweringUp(at: clock) {
      return clock
    }
    let phone = earlier(earlier(host.deadline, session.deadline), plan.deadline)
    let shown = earlier(scene.deadline, streetScroll.deadline)
    let told = earlier(guidance.deadline, ports.alert.isOpen ? alert.deadline : nil)
    let pressed = ports.buttons.isOpen ? presses.deadline : nil
    let light = ports.panel.isOpen ? panel.deadline : nil
    let opened = earlier(ports.deadline, recovery.deadline)
    let kept = earlier(
      earlier(brightnessDeadline, light),
      earlier(desk.deadline, clockDeadline))
    return earlier(
      earlier(opened, earlier(phone, shown)), earlier(told, earlier(pressed, kept)))
  }

  /// Advances to `now`, and prepares the picture that is due.
  package mutating func advance(to now: Instant) {
    while let conclusion = host.takeConclusion(at: now) { conclude(conclusion, at: now) }
    record.advances(isDue: turnDeadline.map { $0 <= now } ?? false, at: now)
    clock = now
    host.step(.time, at: now)
    handleHostEvents(at: now)
    guard !isLeaving else { return }
    climb(at: now)
    if plan.takeDueRead(at: now) { host.step(.ask(.value), at: now) }
    // Who is looked for, or asked about, keeps the page.
    if host.sensorSearch != .off { scene.touchPage(at: now) }
    scene.leaveEmptyPage(hasMusic: player.state == .there, hasData: !desk.remembered.isEmpty)
    scene.advance(to: now)
    if streetScroll.advance(to: now) { scene.isChanged = true }
    scene.countDown(to: countdownEnd, at: now)
    advanceMeasurements(to: now)
    advanceClock(to: now)
    advanceNotifications(to: now)
    if guidance.advance(to: now) { guidanceChanged(at: now) }
    leaveFinish()
    advanceAlerts(to: now)
    tellOfBatteries(at: now)
    tellProgress(at: now)
    saveBrightness(at: now)
    saveCircumference()
    redraw(at: now)
  }

  /// Leaves politely: the panel dark, the alert line low, the link closed.
  ///
  /// From now on nothing is opened or drawn. Keep the loop going until it `mayEnd`, or as long as
  /// there is time.
  package mutating func leave(at now: Instant) {
    clock = now
    record.note(.leave, at: now)
    isLeaving = true
    alert.end()
    if ports.panel.isOpen { panel.shutDown() }
    host.step(.leave, at: now)
    handleHostEvents(at: now)
  }

  /// Whether there is no link, none in the making, and nothing left to send to the controller.
  package var mayEnd: Bool { host.mayEnd || !ports.hci.isOpen }

  // MARK: - Packets

  /// The next HCI packet to send, its H4 indicator first; empty when there is none.
  package var packet: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { host.output }
  }

  /// Notes that `packet` was sent; the next one takes its place.
  package mutating func packetWasSent(at now: Instant) {
    record.add(host.output, isReceived: false, at: now)
    host.step(.sent, at: now)
  }

  /// Handles one whole HCI packet, its H4 indicator first; a malformed one is counted and dropped.
  package mutating func receive(_ packet: Span<UInt8>, at now: Instant) {
    clock = now
    let discretion = discretion(for: packet)  // it may end that
    host.step(.packet(packet), at: now)
    guard host.wasNews else { return }
    record.add(packet, isReceived: true, with: discretion, at: now)
    handleHostEvents(at: now)
  }

  /// Acts on what many advertisements say together; `advance` does so, unless it `onlyIsTold`.
  package mutating func conclude(_ conclusion: Conclusion, at now: Instant) {
    clock = now
    record.note(.conclusion(conclusion), at: now)
    host.step(.conclusion(conclusion), at: now)
    handleHostEvents(at: now)
  }

  /// Concludes nothing itself from now on, as a report tells what was concluded and when a picture was seen.
  package mutating func onlyIsTold() {
    isOnlyTold = true
    host.onlyIsTold()
  }

  /// What the controller says about itself; `nil` while none is up.
  package var controller: ControllerFacts? { host.controllerFacts }

  /// What of the next packet that is received a capture may show.
  package func discretion(for packet: Span<UInt8>) -> Discretion {
    Discretion(visibility: host.visibility(of: packet), answer: session.answer)
  }

  // MARK: - Events

  /// Lines of JSON, one for each event, each with its newline; empty when there are none.
  package var events: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { log.lines }
  }

  /// The topic of each of these lines.
  package var eventTopics: Span<Topic> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { log.lineTopics }
  }

  /// Says which topics anybody reads who comes and goes; those that the board leaves out stay out.
  package mutating func readEvents(about topics: Topics) { log.wanted = topics & board.topics }

  /// Notes that `events` were written, and empties them.
  package mutating func eventsWereWritten() { log.removeAll() }

  /// Reports the start of the program; the board is named by its file.
  package mutating func started(board: Span<UInt8>) {
    log.started(version: version.bytes, board: board, at: clock)
  }
}
