import Bytes
import Controller
import Foundation
import HCI
import Link

/// Prints the pulse of the first strap that is heard, by the controller behind a serial port: `Strap PORT`.
@main struct Strap: ~Copyable {
  private static let service = Bytes.UUID(short: 0x180D)
  private static let pulse = Wanted(
    .init(short: 0x2A37), by: .discovery(in: service, .notifications), need: .notified)

  private var controller = Controller(boardAddress: nil)
  private var link = Link<1, 128, 69>.none([pulse])

  private mutating func receive(_ packet: ReceivedPacket, at now: Instant) throws {
    switch packet {
    case .aclData(let data):
      var frame = FixedBuffer<69>()
      guard link.receive(data, into: &frame, at: now) else { return }
      let outcome = try link.receive(frame.bytes, takesUpdates: false, at: now)
      if case .client(.notification, let value) = outcome, value.count > 1 { print(value[1]) }
    case .event(.leAdvertisingReport(var reports)):
      guard let report = try reports.next(), !link.channels.isThere,
        AdvertisingData.contains(Self.service, in: report.data)
      else { return }
      controller.stopScan()
      controller.send(.leCreateConnection(peer: report.address, .quick))
    case .event(.leConnectionComplete(let complete)):
      link = Link(
        complete, local: controller.information.address, client: GATTClient([Self.pulse]))
      link.ask { $0.begin(at: now) }
    case .event(.numberOfCompletedPackets(let packets)): link.complete(packets, at: now)
    case .event(let event):
      guard controller.receive(event) == .isUp else { return }
      controller.scan(isActive: true, interval: 0x60, window: 0x60)
    }
  }

  static func main() throws {
    guard let port = FileHandle(forUpdatingAtPath: CommandLine.arguments[1]) else { return }
    var strap = Strap()
    var framer = H4Framer()
    strap.controller.bringUp()
    while true {
      let now = Instant(milliseconds: Int64(ProcessInfo.processInfo.systemUptime * 1_000))
      strap.link.prepareData(for: &strap.controller, at: now)
      strap.controller.prepareCommand(at: now)
      guard strap.controller.output.isEmpty else {
        port.write(Data(strap.controller.output.indices.map { strap.controller.output[$0] }))
        strap.controller.dropOutput()
        continue
      }
      for byte in port.availableData where try framer.receive([byte].span) > 0 && framer.isComplete
      {
        try strap.receive(ReceivedPacket(parsing: framer.packet), at: now)
      }
    }
  }
}
