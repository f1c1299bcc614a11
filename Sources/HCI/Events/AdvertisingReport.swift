package import Bytes

/// One advertisement or scan response.
///
/// Core Specification, Vol 4, Part E, 7.7.65.2.
///
/// A view: `data` points into the event it was parsed from.
package struct AdvertisingReport: ~Escapable {
  /// What others can do with the device that advertises.
  package enum Kind: Sendable {
    /// Any device can connect to it: ADV_IND, or an extended advertisement of that kind.
    case connectable
    /// One device can connect to it: ADV_DIRECT_IND.
    case directed
    /// A device can ask it for more, but not connect to it: ADV_SCAN_IND.
    case scannable
    /// A device can neither connect to it nor ask it for more: ADV_NONCONN_IND.
    case nonconnectable
    /// It answers a scan request. Whether it is connectable was in an earlier report.
    case scanResponse
  }

  package let address: DeviceAddress
  package let kind: Kind
  /// The AD structures.
  package let data: Span<UInt8>
  /// Received power in dBm; `nil` if the controller does not know it.
  package let rssi: Int8?

  @_lifetime(copy data)
  init(address: DeviceAddress, kind: Kind, data: Span<UInt8>, rssi: Int8?) {
    (self.address, self.kind, self.data, self.rssi) = (address, kind, data, rssi)
  }

  package var isConnectable: Bool { kind == .connectable || kind == .directed }
}

/// The reports of one event, one after the other.
///
/// The events of legacy and of extended scanning are read. A report that does not parse ends the event.
package struct AdvertisingReports: ~Escapable {
  private var reader: ByteReader
  private var left: Int
  private let isExtended: Bool

  /// The reports in a whole H4 packet; `nil` if it is something else.
  @_lifetime(copy packet)
  package init?(inPacket packet: Span<UInt8>) {
    guard packet.count > 2, packet[0] == PacketIndicator.event,
      packet[1] == EventCode.leMeta.rawValue,
      let event = try? Event(parsing: packet.extracting(droppingFirst: 1))
    else { return nil }
    switch event {
    case .leAdvertisingReport(let reports), .leExtendedAdvertisingReport(let reports):
      self = reports
    default: return nil
    }
  }

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, isExtended: Bool) throws(ParseError) {
    reader = ByteReader(bytes)
    left = Int(try reader.u8())
    self.isExtended = isExtended
  }

  /// The next report, or `nil` after the last.
  @_lifetime(copy self)
  package mutating func next() throws(ParseError) -> AdvertisingReport? {
    guard left > 0 else { return nil }
    left -= 1
    return isExtended ? try extended() : try legacy()
  }

  @_lifetime(copy self)
  private mutating func legacy() throws(ParseError) -> AdvertisingReport {
    let type = try reader.u8()
    let address = try reader.address(try reader.u8())
    let data = try reader.take(Int(try reader.u8()))
    return AdvertisingReport(
      address: address, kind: .init(legacy: type), data: data, rssi: try reader.rssi())
  }

  /// Core Specification, Vol 4, Part E, 7.7.65.13.
  @_lifetime(copy self)
  private mutating func extended() throws(ParseError) -> AdvertisingReport {
    let type = try reader.u16()
    // Address type 0xFF means an anonymous advertiser, to which nobody can connect.
    let address = try reader.address(try reader.u8() & 0x03)
    try reader.skip(4)  // PHYs, advertising set, transmit power
    let rssi = try reader.rssi()
    try reader.skip(2 + 7)  // periodic interval, direct address
    let data = try reader.take(Int(try reader.u8()))
    return AdvertisingReport(
      address: address, kind: .init(extended: type), data: data, rssi: rssi)
  }
}

extension AdvertisingReport.Kind {
  /// The Event_Type of 7.7.65.2; types of later versions count as not connectable.
  fileprivate init(legacy type: UInt8) {
    switch type {
    case 0x00: self = .connectable
    case 0x01: self = .directed
    case 0x02: self = .scannable
    case 0x04: self = .scanResponse
    default: self = .nonconnectable
    }
  }

  /// The bits of Event_Type in 7.7.65.13: connectable, scannable, directed, scan response.
  fileprivate init(extended type: UInt16) {
    if type & 0x08 != 0 {
      self = .scanResponse
    } else if type & 0x01 != 0 {
      self = type & 0x04 != 0 ? .directed : .connectable
    } else {
      self = type & 0x02 != 0 ? .scannable : .nonconnectable
    }
  }
}

extension ByteReader {
  /// Received power in dBm; 127 means that the controller does not know it.
  fileprivate mutating func rssi() throws(ParseError) -> Int8? {
    let power = try i8()
    return power == 127 ? nil : power
  }
}
