import BoardFile
import Bytes
import Crypto
import Device
import DeviceState
import Linux
import Ports

/// The loop: everything that happens between two waits.
///
/// It owns the device, its ports and the time, and decides nothing but when to end.
struct Loop: ~Copyable {
  /// How long to wait at the end for the phone to hear that the link is over, in milliseconds.
  private static var farewellTime: Int64 { 500 }

  private(set) var device: Device<SoftwareCrypto>
  private var outside: Outside
  private let signals: Signals?
  private let radioSwitch: RadioSwitch
  private var isStopping = false
  /// The time, which stands still within a turn, so that a recording of the input plays the same again.
  private var now: Instant

  /// A loop for a whole device, in which nothing has happened yet.
  ///
  /// From now on the two stop signals no longer end the process.
  init(_ board: Board, named boardFile: Text?, at start: Instant) {
    now = start
    // The script that starts the program with other settings, after the board file was refused, sets this.
    var mistake = FixedBuffer<200>()
    Process.environment("LENKER_MISTAKE", into: &mistake)
    let version = Start.version.utf8
    radioSwitch = RadioSwitch.ours
    device = Device(
      board, version: version.span, boardAddress: readBoardAddress(), mistake: mistake.bytes,
      cryptography: SoftwareCrypto(),
      recoveredBy: RecoveryMeans(
        canRebind: radioSwitch.exists, rebootTime: radioSwitch.rebootTime), at: start)
    outside = Outside(board, at: start)
    // The kernel never refuses them.
    signals = try? Signals()
    device.started(board: (boardFile ?? Text("")).bytes)
  }

  /// A loop for the controller alone, for a check; signals end the process as usual.
  init(checkingRadioOf board: Board, at start: Instant) {
    now = start
    var mute = board
    (mute.events, mute.report) = (.none, .none)
    (mute.i2cTrace, mute.btsnoop) = (.none, .none)
    device = Device(
      mute, version: Span(), boardAddress: readBoardAddress(), mistake: Span(),
      cryptography: SoftwareCrypto(), radioOnly: true, at: start)
    outside = Outside(mute, at: start)
    signals = nil
    radioSwitch = .none
  }

  /// Runs until a signal asks it to stop.
  mutating func run() {
    var manager = ServiceManager.ours
    while !isStopping {
      if device.upkeep.recovery.isRebootRequested != manager.isStarving { starve(&manager) }
      manager.advance(to: now)
      runOnce(until: manager.deadline)
    }
    manager.stop()
    shutDown()
  }

  /// One turn: ends no later than at `deadline`.
  @inline(never)  // one copy
  mutating func runOnce(until deadline: Instant?) {
    outside.open(for: &device, at: now)
    // The transport is closed by now.
    if device.upkeep.isRebindRequested {
      radioSwitch.rebind()
      device.rebindRequestWasSent()
    }
    device.advance(to: now)
    outside.send(from: &device, at: now)
    wait(until: device.isLoading ? now : earlier(deadline, device.deadline))
    now = Clock.now
    outside.receive(into: &device, at: now)
  }

  /// Lets the watchdog run out, which reboots the board, or feeds it after all.
  private func starve(_ manager: inout ServiceManager) {
    manager.isStarving = device.upkeep.recovery.isRebootRequested
    if manager.isStarving { radioSwitch.announceReboot() }
  }

  private mutating func wait(until deadline: Instant?) {
    outside.wait(until: deadline, or: signals.withValue { $0.descriptor } ?? .none)
    isStopping = signals.withValue { $0.takeStop() } ?? false
  }

  /// Leaves politely: the panel dark, the link closed, within a bounded time.
  private mutating func shutDown() {
    device.leave(at: now)
    let end = now + Self.farewellTime
    repeat { runOnce(until: end) } while !device.mayEnd && now < end
  }
}
