public import Bytes

/// One advertisement or scan response.
///
/// Core Specification, Vol 4, Part E, 7.7.65.2.
///
/// A view: `data` points into the event it was parsed from.
public struct AdvertisingReport: ~Escapable {
  /// Who advertises.
  public let address: DeviceAddress
  /// Whether one can connect to it, as far as this report tells.
  public let isConnectable: Bool
  /// Whether it answers a scan request, so that an earlier report says whether one can connect.
  ///
  /// Only legacy reports leave that open.
  public let isScanResponse: Bool
  /// Whether it can be asked for more, but not connected to.
  public let isScannableOnly: Bool
  /// The AD structures.
  public let data: Span<UInt8>
  /// Received power in dBm; 127 where the controller does not know.
  public let rssi: Int8

  @_lifetime(copy data)
  init(
    address: DeviceAddress, isConnectable: Bool, isScanResponse: Bool, isScannableOnly: Bool,
    data: Span<UInt8>, rssi: Int8
  ) {
    self.address = address
    self.isConnectable = isConnectable
    self.isScanResponse = isScanResponse
    self.isScannableOnly = isScannableOnly
    self.data = data
    self.rssi = rssi
  }
}

/// The reports of one event, one after the other.
///
/// Takes both kinds of event; a report that does not parse ends the event.
public struct AdvertisingReports: ~Escapable {
  private var reader: ByteReader
  private var left: Int
  private let isExtended: Bool

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
  public mutating func next() throws(ParseError) -> AdvertisingReport? {
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
      address: address,
      isConnectable: type == 0x00 || type == 0x01,  // ADV_IND, ADV_DIRECT_IND
      isScanResponse: type == 0x04,
      isScannableOnly: type == 0x02,  // ADV_SCAN_IND
      data: data, rssi: try reader.i8())
  }

  /// Core Specification, Vol 4, Part E, 7.7.65.13.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  private mutating func extended() throws(ParseError) -> AdvertisingReport {
    let type = try reader.u16()
    // Address type 0xFF says that the advertiser is anonymous: nobody to connect to.
    let address = try reader.address(try reader.u8() & 0x03)
    try reader.skip(4)  // PHYs, advertising set, transmit power
    let rssi = try reader.i8()
    try reader.skip(2 + 7)  // periodic interval, direct address
    let data = try reader.take(Int(try reader.u8()))
    return AdvertisingReport(
      address: address, isConnectable: type & 0x01 != 0, isScanResponse: false,
      isScannableOnly: type & 0x03 == 0x02, data: data, rssi: rssi)
  }
}
