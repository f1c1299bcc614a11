import ATT
import Bytes
import HCI
import TestSupport
import VirtualAir

@testable import Exploring

/// An explorer with a clock that only a test moves, at a controller with one device.
final class Expedition: HCIReceiver {
  let controller = VirtualController()
  let device: VirtualSensor
  private var explorer: Explorer
  private(set) var now = Instant(milliseconds: 0)
  private(set) var told: [String] = []
  private var isDraining = false
  /// Whether the transport takes nothing.
  var isTransportFull = false

  init(
    _ wish: Explorer.Wish, device: VirtualSensor = Expedition.strap(),
    prepare: (VirtualController) -> Void = { _ in }
  ) {
    self.device = device
    explorer = Explorer(wish, boardAddress: nil)
    controller.sensors = [device]
    prepare(controller)
    explorer.step(.start, at: now)
    drain()
  }

  static func strap() -> VirtualSensor {
    let strap = VirtualSensor(.heart)
    strap.battery = nil
    return strap
  }

  /// The address of all devices here.
  static let address: UInt64 = VirtualSensor(.heart).deviceAddress.value

  var isOver: Bool { explorer.isOver }
  /// How many milliseconds it may still wait.
  var timeLeft: Int64? { explorer.deadline.map { $0 - now } }

  func receive(_ packet: [UInt8]) {
    explorer.step(.packet(packet.span), at: now)
    drain()
  }

  func advertise() { controller.advertise(self, device) }

  func leave() {
    explorer.step(.leave, at: now)
    drain()
  }

  func pass(_ milliseconds: Int64) {
    let end = now + milliseconds
    while let due = explorer.deadline, due <= end {
      now = max(now, due)
      explorer.step(.time, at: now)
      drain()
      if let next = explorer.deadline, next <= now { giveUp("a deadline stays behind, at \(now)") }
    }
    now = end
  }

  private func drain() {
    tell()
    guard !isDraining else { return }
    isDraining = true
    defer { isDraining = false }
    while true {
      let packet = array(explorer.output)
      guard !packet.isEmpty, !isTransportFull else { return }
      explorer.step(.sent, at: now)
      controller.take(packet, self)
      tell()
    }
  }

  private func tell() {
    while let event = explorer.takeEvent() {
      switch event {
      case .service(let uuid, let range):
        told.append("service \(text(uuid)) \(range.start)-\(range.end)")
      case .characteristic(let handle, let declaration):
        told.append(
          "characteristic \(text(declaration.uuid)) \(handle) \(declaration.valueHandle) "
            + "\(declaration.properties)")
      case .descriptor(let handle, let uuid): told.append("descriptor \(text(uuid)) \(handle)")
      case .value(let handle): told.append("value \(handle) \(hex(array(explorer.value)))")
      case .valueRefused(let handle, let code): told.append("refused \(handle) \(code.rawValue)")
      case .refused(let code): told.append("refused \(code.rawValue)")
      case .noLink(let reason): told.append("noLink \(reason.rawValue)")
      case .lost(let reason): told.append("lost \(reason.rawValue)")
      case .connecting, .connected: told.append("\(event)".prefix { $0 != "(" }.description)
      default: told.append("\(event)")
      }
    }
  }

  private func text(_ uuid: UUID) -> String {
    var text = FixedBuffer<36>()
    text.append(shortestText: uuid)
    return string(text.bytes)
  }
}
