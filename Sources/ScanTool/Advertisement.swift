import Beacons
import Bytes
import HCI
import SensorLinks
import Sensors

/// The fields of an advertisement, for the filter and for its line.
///
/// A view: its spans point into the report. If a field comes twice, the first one counts; a complete name
/// counts before a shortened one.
struct Advertisement: ~Escapable {
  /// The AD structures.
  let data: Span<UInt8>
  /// The name of the device; empty if it has none.
  private(set) var name: Span<UInt8>
  /// The power with which it transmits, in dBm.
  private(set) var power: Int8?
  /// Manufacturer specific data, the company's number first; empty if there are none.
  private(set) var manufacturerData: Span<UInt8>
  private(set) var beacon: IBeacon?
  private(set) var crownstone: Crownstone?
  private(set) var sensor: SensorKind?
  /// Whether it lists any service.
  private(set) var hasServices = false
  /// Whether it has data of any service.
  private(set) var hasServiceData = false
  /// Whether it ends in a structure that is longer than the rest.
  let isMalformed: Bool

  @_lifetime(copy data)
  init(_ data: Span<UInt8>) {
    self.data = data
    (name, manufacturerData) = (data.extracting(first: 0), data.extracting(first: 0))
    var isNameComplete = false
    var structures = AdvertisingData(data)
    while let structure = structures.next() {
      let field = structure.data
      switch structure.type {
      case .completeLocalName where !isNameComplete:
        (name, isNameComplete) = (field, true)
      case .shortenedLocalName where name.isEmpty: name = field
      case .txPowerLevel where power == nil && !field.isEmpty:
        power = Int8(bitPattern: field[0])
      case .manufacturerSpecificData where manufacturerData.isEmpty && field.count >= 2:
        manufacturerData = field
        beacon = IBeacon(manufacturerData: field)
      default:
        if structure.type.listedUUIDSize != nil { hasServices = true }
        guard let uuid = structure.serviceDataUUID else { continue }
        hasServiceData = true
        guard crownstone == nil, uuid == .crownstoneServiceData else { continue }
        crownstone = Crownstone(serviceData: structure.serviceData)
      }
    }
    isMalformed = structures.isMalformed
    sensor = SensorKind(advertisedIn: data)
  }

  /// Whether it lists a service, or has data of it.
  func names(_ service: UUID) -> Bool {
    if AdvertisingData.contains(service, in: data) { return true }
    var structures = AdvertisingData(data)
    while let structure = structures.next() {
      if structure.serviceDataUUID == service { return true }
    }
    return false
  }

  /// The first service that it lists or has data of.
  var firstService: UUID? {
    var structures = AdvertisingData(data)
    while let structure = structures.next() {
      if let uuid = structure.serviceDataUUID { return uuid }
      guard let size = structure.type.listedUUIDSize, structure.data.count >= size else { continue }
      return try? UUID(parsing: structure.data.extracting(first: size))
    }
    return nil
  }

  /// Whether it comes from a Crownstone with any firmware.
  var isOfCrownstone: Bool { hasServiceData && names(.crownstoneServiceData) }

  /// Adds each field that the advertisement has.
  func write(to line: inout JSONLine) {
    if !name.isEmpty { line.field("name", text: name) }
    if let power { line.field("power", number: Int64(widening: Int(power))) }
    if hasServices { writeServices(to: &line) }
    if !manufacturerData.isEmpty {
      line.beginObject("manufacturer")
      let company = Int(manufacturerData[0]) | Int(manufacturerData[1]) << 8
      line.field("company", number: Int64(widening: company))
      line.field("data", bytes: manufacturerData.extracting(droppingFirst: 2))
      line.endObject()
    }
    if hasServiceData { writeServiceData(to: &line) }
    if let beacon {
      line.beginObject("ibeacon")
      line.fields(of: beacon)
      line.endObject()
    }
    if let crownstone { line.field("crownstone", crownstone) }
    if let sensor { line.field("sensor", literal: sensor.name) }
    if isMalformed { line.field("malformed", flag: true) }
  }

  /// Writes all lists as one, complete or not.
  private func writeServices(to line: inout JSONLine) {
    line.beginList("services")
    var structures = AdvertisingData(data)
    while let structure = structures.next() {
      guard let size = structure.type.listedUUIDSize else { continue }
      var reader = ByteReader(structure.data)
      while let entry = try? reader.take(size), let uuid = try? UUID(parsing: entry) {
        line.item(uuid)
      }
    }
    line.endList()
  }

  /// Writes the first data of each service, as not all programs read a repeated key of JSON alike.
  private func writeServiceData(to line: inout JSONLine) {
    line.beginObject("serviceData")
    // 255 bytes have no more.
    var told = FixedList<64, UUID>(filler: UUID(0, 0))
    var structures = AdvertisingData(data)
    next: while let structure = structures.next() {
      guard let uuid = structure.serviceDataUUID else { continue }
      for index in 0..<told.count where told[index] == uuid { continue next }
      told.append(uuid)
      line.field(uuid, bytes: structure.serviceData)
    }
    line.endObject()
  }
}

extension AdvertisingData.Structure {
  /// The UUID of service data; `nil` for any other structure.
  var serviceDataUUID: UUID? {
    guard let size = type.serviceDataUUIDSize, data.count >= size else { return nil }
    return try? UUID(parsing: data.extracting(first: size))
  }

  /// Service data without the UUID before them.
  var serviceData: Span<UInt8> {
    @_lifetime(copy self)
    get { data.extracting(droppingFirst: min(data.count, type.serviceDataUUIDSize ?? 0)) }
  }
}

extension UUID {
  /// The service data by which Crownstones are recognized.
  static var crownstoneServiceData: UUID { UUID(short: 0xC001) }
}

extension JSONLine {
  /// The fields of an iBeacon, with its signal if no other field of the line has it.
  mutating func fields(of beacon: IBeacon, rssi: Int8? = nil) {
    field("uuid", uuid: beacon.uuid)
    field("major", number: Int64(widening: Int(beacon.major)))
    field("minor", number: Int64(widening: Int(beacon.minor)))
    if let rssi { field("rssi", number: Int64(widening: Int(rssi))) }
    field("power", number: Int64(widening: Int(beacon.power)))
  }

  fileprivate mutating func field(_ key: String, _ crownstone: Crownstone) {
    beginObject(key)
    field("crownstoneId", number: Int64(widening: Int(crownstone.identifier)))
    field("stateId", number: Int64(widening: Int(crownstone.state)))
    field("switchState", number: Int64(widening: Int(crownstone.switchState)))
    field("eventBitmask", number: Int64(widening: Int(crownstone.events)))
    field("temperature", number: Int64(widening: Int(crownstone.temperature)))
    field("powerUsage", number: Int64(widening: Int(crownstone.power)))
    field("accumulatedEnergy", number: Int64(widening: Int(crownstone.energy)))
    endObject()
  }
}
