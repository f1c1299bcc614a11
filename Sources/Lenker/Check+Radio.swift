import BoardFile
import Bytes
import Central
import Controller
import Device
import DeviceState
import HCI
import Link
import Linux
import Recording

/// The radio: whether it can be opened, and what its controller can do.
extension Check {
  /// How long the controller may take to come up, in milliseconds.
  private static var patience: Int64 { 6_000 }

  mutating func checkRadio() {
    var report = Report("hci")
    if let controller = bringUp(explaining: &report) {
      report.append(board.hci)
      report.append(": controller ")
      report.append(text: controller.address)
      report.append(", HCI version ", Int(controller.version))
      report.append(bluetoothVersion: controller.version)
      describe(controller, in: &report)
    } else {
      report.isWell = false
    }
    say(report)
  }

  private func describe(_ controller: ControllerFacts, in report: inout Report) {
    if board.hci.isDevice {
      report.fact("user channel: no other program has it")
    }
    describeChip(of: controller, in: &report)
    report.fact("ACL buffers: ")
    report.append(decimal: Int64(widening: controller.aclPacketCount))
    report.append(" of ", Int(controller.aclPacketLength))
    report.append(" bytes")
    report.fact(controller.features.encryption ? "LE encryption" : "no LE encryption")
    if controller.features.encryption { report.append(", LE Secure Connections by lenker itself") }
    if controller.features.dataPacketLengthExtension { report.append(", long packets") }
    if controller.features.le2MPHY { report.append(", LE 2M") }
    describeSensors(of: controller, in: &report)
    describeAdvertising(of: controller, in: &report)
    describePhonesNews(in: &report)
    guard !controller.features.encryption, board.pairing != .off else { return }
    report.hint(
      "no phone can be paired without encryption: use another controller, or pairing = off")
  }

  /// Says which of a Raspberry Pi's chips the controller is, and which patch its driver did not load.
  private func describeChip(of controller: ControllerFacts, in report: inout Report) {
    guard let chip = controller.chip else { return }
    report.fact("chip ")
    report.append(chip.name)
    report.append(" (", Int(chip.identifier))
    guard controller.patch == 0 else {
      return report.append("), patch ", Int(controller.patch))
    }
    report.append("), no patch")
    // A controller that another machine has set up has no driver here.
    guard board.hci.isDevice else { return }
    report.hint()
    var path = FixedBuffer<64>()
    path.append("/lib/firmware/")
    path.append(chip.patchFile)
    report.append(path.bytes)
    report.append(
      isThere(path.bytes)
        ? " was not loaded: see dmesg"
        : " is missing: install bluez-firmware, and start the Pi again")
  }

  /// Says whether the controller can have links to sensors beside the link to the phone.
  private func describeSensors(of controller: ControllerFacts, in report: inout Report) {
    guard board.sensors != .off else { return }
    report.fact()
    guard let states = controller.states else {
      return report.append("does not say whether it can have sensors beside the phone")
    }
    guard states.allowsSensors else {
      report.append("no sensors: it cannot search or connect beside a link")
      return report.hint("use another controller, or sensors = off")
    }
    report.append("sensors beside the phone")
  }

  /// Says whether a phone can connect by itself, and beside what, by the states of the chip.
  private func describeAdvertising(of controller: ControllerFacts, in report: inout Report) {
    guard board.advertises else { return }
    guard controller.hasPeripheralRole else {
      report.fact("no phone can connect by itself: the chip does not advertise")
      return report.hint("use another controller, or advertise = off")
    }
    report.fact("a phone can connect by itself")
    guard let states = controller.states else {
      return report.append("; the chip does not say beside what")
    }
    report.append(": advertising ")
    report.append(states.advertisingWhileScanning ? "while listening" : "in turn with listening")
    report.append(states.advertisingAsCentral ? ", beside sensors" : ", not beside sensors")
    report.append(" (LE states ")
    report.append(hex: states.rawValue, atLeast: 1)
    report.append(")")
    guard board.pairing == .off else { return }
    report.hint("no phone is let in with pairing = off: take that out of the board file")
  }

  /// Says what a phone is asked for besides the way, if the board wants any of it.
  private func describePhonesNews(in report: inout Report) {
    let hasNotifications = board.notifications != .off
    guard hasNotifications || board.hasMusic else { return }
    report.fact()
    if hasNotifications { report.append(board.notifications == .calls ? "calls" : "notifications") }
    if hasNotifications, board.hasMusic { report.append(" and ") }
    if board.hasMusic { report.append("music") }
    report.append(" of a paired iPhone")
    if board.advertises { report.append(", or of Gadgetbridge") }
    if case .apps(let list) = board.notifications {
      report.append("; calls, and the apps ")
      report.append(list.bytes)
    }
    guard board.pairing == .off else { return }
    report.hint("no phone is paired with pairing = off: take that out of the board file")
  }

  /// Says how to get the right to open the controller, or which program has it.
  private func adviseRights(after failure: RadioFailure, in report: inout Report) {
    let isForbidden = failure == .errno(.accessDenied)
    switch board.hci {
    case .device where failure == .errno(.notPermitted):
      report.hint(
        "a service gets it by AmbientCapabilities=CAP_NET_ADMIN, a file by setcap cap_net_admin+ep")
    case .device where failure == .errno(.busy):
      report.hint(
        isAnotherRunning()
          ? "another lenker runs: stop that one first"
          : "bluetoothd lets go of it with systemctl disable --now bluetooth")
    case .device where failure == .errno(.inProgress):
      report.hint(
        "wait for some seconds; if it stays so, see dmesg, and switch its power off and on")
    case .unix(let path) where isForbidden: report.append(rightsTo: path.bytes)
    case .serial(let path, _) where isForbidden: report.append(rightsTo: path.bytes)
    default: break
    }
  }

  /// Brings the controller up as the device itself does; `nil` and a reason if that fails.
  private func bringUp(explaining report: inout Report) -> ControllerFacts? {
    var loop = Loop(checkingRadioOf: board, at: Clock.now)
    let end = Clock.now + Self.patience
    while Clock.now < end, loop.device.host.controllerFacts == nil,
      loop.device.upkeep.radioTrouble == nil
    {
      loop.runOnce(until: end)
    }
    if let controller = loop.device.host.controllerFacts { return controller }
    switch loop.device.upkeep.radioTrouble ?? .transport(.unanswered) {
    case .controller(let failure):
      report.append(board.hci)
      report.append(": ")
      failure.explainCause(into: &report)
      if failure.isOfNoAnswer {
        report.hint("see in dmesg whether its firmware was loaded, and cut its power once")
      }
    case .transport(let failure):
      failure.explain(board.hci, into: &report)
      adviseRights(after: failure, in: &report)
    }
    return nil
  }
}

extension HostFailure {
  /// Whether the controller fails, rather than being of the wrong kind.
  fileprivate var isOfNoAnswer: Bool {
    switch self {
    case .commandTimeout, .hardwareError, .vendorEventsOnly: true
    default: false
    }
  }
}

extension ByteWriter where Self: ~Copyable {
  /// The release of Bluetooth behind an HCI version number.
  ///
  /// Assigned Numbers, 2.1.
  fileprivate mutating func append(bluetoothVersion number: UInt8) {
    let first: UInt8 = 6
    let releases: InlineArray<9, String> = [
      "4.0", "4.1", "4.2", "5.0", "5.1", "5.2", "5.3", "5.4", "6.0",
    ]
    guard number >= first, Int(number - first) < releases.count else { return }
    append(" (Bluetooth ")
    append(releases[Int(number - first)])
    append(")")
  }
}
