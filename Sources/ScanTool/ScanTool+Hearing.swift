import Beacons
import Bytes
import Events
import HCI
import Places

/// Handles the advertisements that are heard.
extension ScanTool {
  mutating func receiveAdvertisements(in packet: Span<UInt8>, at now: Instant) {
    guard var reports = AdvertisingReports(inPacket: packet) else { return }
    while let heard = try? reports.next() {
      let advertisement = Advertisement(heard.data)
      switch arguments.command {
      case .scan: report(heard, advertisement, at: now)
      case .train, .locate:
        guard let beacon = advertisement.beacon else { continue }
        receive(beacon, rssi: heard.rssi, at: now)
      case .inspect, .switch, .help, .version: return
      }
    }
  }

  private mutating func report(
    _ heard: borrowing AdvertisingReport, _ advertisement: borrowing Advertisement,
    at now: Instant
  ) {
    guard arguments.filter.contains(advertisement) else { return }
    if let beacon = advertisement.beacon, arguments.filter.isForBeacons {
      survey.receive(beacon, rssi: heard.rssi, at: now)
    }
    if isForPeople { return table.receive(heard, advertisement, at: now) }
    var line = begin("advertisement", at: now)
    line.field("handle", address: heard.address)
    line.field("type", literal: heard.address.typeName)
    line.field("kind", literal: heard.kind.name)
    if let rssi = heard.rssi {
      line.field("rssi", number: Int64(widening: Int(rssi)))
    } else {
      line.fieldOfNothing("rssi")
    }
    advertisement.write(to: &line)
    line.field("raw", hex: heard.data)
    end(&line, .advertisementData)
  }
}

extension DeviceAddress {
  fileprivate var typeName: String {
    switch type {
    case .public, .publicIdentity: "public"
    case .random, .randomIdentity: isResolvable ? "resolvable" : "random"
    }
  }
}

extension AdvertisingReport.Kind {
  fileprivate var name: String {
    switch self {
    case .connectable: "connectable"
    case .directed: "directed"
    case .scannable: "scannable"
    case .nonconnectable: "nonconnectable"
    case .scanResponse: "scan-response"
    }
  }
}

extension JSONLine {
  mutating func field(_ key: String, address: DeviceAddress) {
    var text = FixedBuffer<17>()
    text.append(text: address)
    field(key, text: text.bytes)
  }
}
