import BoardFile
import Bytes
import Crypto
import HCI
import Host
import Komoot
import Linux

/// The radio: whether it can be had, and what its controller can do.
extension Check {
  /// How long the controller has for its bring-up.
  private static var patience: Int64 { 6_000 }

  /// What a controller that came up says of itself.
  private struct Controller {
    var address: DeviceAddress
    var version: UInt8
    var abilities: ControllerAbilities
  }

  mutating func checkRadio() {
    var report = Report("hci")
    if let controller = bringUp(explaining: &report) {
      report.append(board.hci)
      report.append(": controller ")
      report.append(text: controller.address)
      report.append(", HCI version ")
      report.append(decimal: Int64(widening: Int(controller.version)))
      report.append(bluetoothVersion: controller.version)
      describe(controller.abilities, in: &report)
    } else {
      report.isWell = false
    }
    say(report)
  }

  private func describe(_ abilities: ControllerAbilities, in report: inout Report) {
    if case .device = board.hci {
      report.beginFact()
      report.append("user channel: no other program has it")
    }
    report.beginFact()
    report.append("ACL buffers: ")
    report.append(decimal: Int64(widening: abilities.aclPacketCount))
    report.append(" of ")
    report.append(decimal: Int64(widening: abilities.aclPacketLength))
    report.append(" bytes")
    report.beginFact()
    report.append(abilities.features.encryption ? "LE encryption" : "no LE encryption")
    if abilities.features.encryption { report.append(", LE Secure Connections by lenker itself") }
    if abilities.features.dataPacketLengthExtension { report.append(", long packets") }
    if abilities.features.le2MPHY { report.append(", LE 2M") }
    guard !abilities.features.encryption, board.pairing != .off else { return }
    report.beginHint()
    report.append(
      "no phone can be paired without encryption: use another controller, or pairing = off")
  }

  /// How to get what is missing, if it is the right to open the controller.
  private func adviseRights(after failure: Radio.Failure, in report: inout Report) {
    let isForbidden = failure == .errno(.accessDenied)
    switch board.hci {
    case .device where failure == .errno(.notPermitted):
      report.beginHint()
      report.append(
        "a service gets it by AmbientCapabilities=CAP_NET_ADMIN, a file by setcap cap_net_admin+ep")
    case .device where failure == .errno(.busy):
      report.beginHint()
      report.append(
        isAnotherRunning()
          ? "another lenker runs: stop that one first"
          : "bluetoothd lets go of it with systemctl disable --now bluetooth")
    case .unix(let path) where isForbidden: report.append(rightsTo: path.bytes)
    case .serial(let path, _) where isForbidden: report.append(rightsTo: path.bytes)
    default: break
    }
  }

  /// Brings the controller up as the device itself does; `nil` and a reason if that fails.
  private func bringUp(
    explaining report: inout Report
  ) -> Controller? {
    var radio = Radio(opening: Clock.now)
    var host = Host(
      service: NavigationService.uuid, characteristic: NavigationService.characteristic,
      name: board.name.bytes, pairing: board.pairing, boardAddress: readBoardAddress(),
      cryptography: SoftwareCrypto())
    let end = Clock.now + Self.patience
    do throws(Radio.Failure) {
      while Clock.now < end {
        try turn(&radio, &host, until: end)
        while let event = host.takeEvent() {
          switch event {
          case .controller(let address, let version, _):
            return Controller(address: address, version: version, abilities: host.abilities)
          case .failed(let reason):
            report.append(board.hci)
            report.append(": ")
            reason.explainCause(into: &report)
            if reason.isOfNoAnswer {
              report.beginHint()
              report.append("see in dmesg whether its firmware was loaded, and cut its power once")
            }
            return nil
          default: continue
          }
        }
      }
      throw radio.close(.unanswered, at: Clock.now)
    } catch {
      error.explain(board.hci, into: &report)
      adviseRights(after: error, in: &report)
      return nil
    }
  }

  /// One turn of a loop that has only a radio.
  private func turn(
    _ radio: inout Radio, _ host: inout Host<SoftwareCrypto>, until end: Instant
  ) throws(Radio.Failure) {
    if try radio.advance(board.hci, to: Clock.now) == .opened { host.start(at: Clock.now) }
    while radio.takesOutput, !host.output.isEmpty {
      try radio.send(host.output, at: Clock.now)
      host.outputWasSent(at: Clock.now)
    }
    var poller = Poller()
    poller.add(radio.descriptor, radio.interest)
    poller.wait(
      until: earlier(end, earlier(radio.deadline, host.deadline)), now: Clock.now)
    let now = Clock.now
    if poller.isWritable(radio.descriptor), try radio.becameWritable(at: now) == .opened {
      host.start(at: now)
    }
    if poller.isReadable(radio.descriptor) {
      while try radio.receive(at: now) { host.receive(radio.packet, at: now) }
    }
    host.advance(to: now)
  }
}

extension HostFailure {
  /// Whether the controller is not itself, rather than of the wrong kind.
  fileprivate var isOfNoAnswer: Bool {
    switch self {
    case .commandTimeout, .hardwareError: true
    default: false
    }
  }
}

extension ByteWriter where Self: ~Copyable {
  /// The release of Bluetooth behind an HCI version number.
  ///
  /// Assigned Numbers, 2.1.
  fileprivate mutating func append(bluetoothVersion number: UInt8) {
    let release =
      switch number {
      case 6: "4.0"
      case 7: "4.1"
      case 8: "4.2"
      case 9: "5.0"
      case 10: "5.1"
      case 11: "5.2"
      case 12: "5.3"
      case 13: "5.4"
      case 14: "6.0"
      default: ""
      }
    guard !release.utf8.isEmpty else { return }
    append(" (Bluetooth ")
    append(release)
    append(")")
  }
}
