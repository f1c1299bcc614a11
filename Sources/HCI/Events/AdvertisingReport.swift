package import Bytes

/// One advertisement or scan response.
///
/// Core Specification, Vol 4, Part E, 7.7.65.2.
///
/// A view: `data` points into the event it was parsed from.
package struct AdvertisingReport: ~Escapable {
  /// What can be done with who advertises.
  package enum Kind: Sendable {
    /// One can connect to it: ADV_IND, or an extended one of that kind.
    case connectable
    /// One device can connect to it: ADV_DIRECT_IND.
    case directed
    /// It can be asked for more, but not connected to: ADV_SCAN_IND.
    case scannable
    /// Neither: ADV_NONCONN_IND.
    case nonconnectable
    /// It answers a scan request: an earlier report says whether one can connect, as SCAN_RSP does not.
    case scanResponse
  }

  /// Who advertises.
  package let address: DeviceAddress
  /// What can be done with it, as far as this report tells.
  package let kind: Kind
  /// The AD structures.
  package let data: Span<UInt8>
  /// Received power in dBm; `nil` where the controller does not know.
  package let rssi: Int8?

  @_lifetime(copy data)
  init(address: DeviceAddress, kind: Kind, data: Span<UInt8>, rssi: Int8?) {
    self.address = address
    self.kind = kind
    self.data = data
    self.rssi = rssi
  }

  /// Whether one can connect to it, as far as this report tells.
  package var isConnectable: Bool { kind == .connectable || kind == .directed }
}

/// The reports of one event, one after the other.
///
/// Takes both kinds of event; a report that does not parse ends the event.
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
  init(legacy bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    left = Int(try reader.u8())
    isExtended = false
    self.reader = reader
  }

  @_lifetime(copy bytes)
  init(extended bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    left = Int(try reader.u8())
    isExtended = true
    self.reader = reader
  }

  /// The next report, or `nil` after the last.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func next() throws(ParseError) -> AdvertisingReport? {
    guard left > 0 else { return nil }
    left -= 1
    return isExtended ? try extended() : try legacy()
  }

  @_lifetime(copy self)
  @_lifetime(self: copy self)
  private mutating func legacy() throws(ParseError) -> AdvertisingReport {
    let type = try reader.u8()
    let address = try reader.address(try reader.u8())
    let data = try reader.take(Int(try reader.u8()))
    return AdvertisingReport(
      address: address, kind: .init(legacy: type), data: data, rssi: try reader.rssi())
  }

  /// Core Specification, Vol 4, Part E, 7.7.65.13.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  private mutating func extended() throws(ParseError) -> AdvertisingReport {
    let type = try reader.u16()
    // Address type 0xFF says that the advertiser is anonymous: nobody to connect to.
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
  /// The Event_Type of 7.7.65.2; a type of later versions leads to no link.
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
  /// Received power in dBm; 127 says that the controller does not know.
  @_lifetime(self: copy self)
  fileprivate mutating func rssi() throws(ParseError) -> Int8? {
    let power = try i8()
    return power == 127 ? nil : power
  }
}
