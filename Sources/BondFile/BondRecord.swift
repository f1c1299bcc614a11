import Bond
import Bytes
import Sensors

/// One half of the bond file: a header, a bond or none, the brightness, the wheel, the apps, the sensors, and
/// a checksum over all of it.
///
/// All numbers in little-endian:
///
///     0    8  magic
///     8    1  version, 2
///     9    1  kind: 1 bond, 2 nobody
///     10   2  bytes of the payload, from 16 on
///     12   4  sequence number: one more at each write
///     16  81  the bond, if it is one
///     97   1  the phone's subscriptions on our server: bit 0 Service Changed, bit 1 the UART
///     98   1  the number of the attribute table that the phone knows
///     99   4  the version of the program that the rider was told last: see `ToldVersion`
///     105  1  the brightness that the rider wants: 1 dim, anything else bright
///     106  2  the wheel's learned circumference in mm, 0 for none
///     108  120 the apps that have notified lately, if there is a bond: see `SeenApps`
///     228 280 five sensors: see `RememberedSensors.init(parsing:)`
///     508  4  CRC-32 of the 508 bytes before
///
/// A bond of version 1 has 89 bytes: a third key before the name, no handles, and none of the bytes 97 to 102;
/// brightness, wheel, apps and sensors are zeros. Firmware up to 0.2.0 left 97 to 102 and the apps zeros, too. A
/// later version than ours is left alone.
struct BondRecord: Equatable {
  enum Content: Equatable {
    /// Never written: all zeros, all ones, or beyond the end of the file.
    case blank
    case bond
    /// No phone is remembered: it was forgotten, or there never was one.
    case erased
    /// A record of ours that is not whole.
    case damaged
    /// Other data, which somebody may want to keep.
    case foreign
    /// Ours, written by a later version than this one.
    case later
  }

  /// As large as the smallest sector.
  static var size: Int { 512 }
  static var checksumOffset: Int { size - 4 }

  var content: Content
  var sequence: UInt32
  var isDim: Bool
  /// The learned circumference of the wheel in millimetres; 0 for none.
  var circumference: UInt16
  var told: ToldVersion
  var apps: SeenApps
  var sensors: RememberedSensors
  /// The checksum to write before a record overwrites damaged or foreign bytes; `nil` for others.
  var spoiler: UInt32?

  var isValid: Bool { content == .bond || content == .erased }

  var isBad: Bool { content == .damaged || content == .foreign }

  /// Whether there may be keys in it.
  var mayHoldKeys: Bool { content != .blank && content != .erased }

  /// Reads these bytes; there are fewer of them if the file ends early.
  init(parsing bytes: Span<UInt8>) {
    do throws(ParseError) {
      self = try Self.whole(bytes)
      if content == .bond { _ = try Self.bond(in: bytes) }
    } catch {
      self.init(isUnwritten(bytes) ? .blank : Self.isOurs(bytes) ? .damaged : .foreign)
      if isBad { spoiler = Self.spoiler(of: bytes) }
    }
  }

  init(
    _ content: Content, sequence: UInt32 = 0, isDim: Bool = false, circumference: UInt16 = 0,
    told: ToldVersion = .none, apps: SeenApps = SeenApps(),
    sensors: RememberedSensors = RememberedSensors()
  ) {
    (self.content, self.sequence, self.told, self.apps) = (content, sequence, told, apps)
    (self.isDim, self.circumference, self.sensors) = (isDim, circumference, sensors)
  }

  private static func whole(_ bytes: Span<UInt8>) throws(ParseError) -> BondRecord {
    var checksum = ByteReader(bytes)
    let checked = try checksum.take(checksumOffset)
    guard try checksum.u32() == crc32(checked) else { throw .invalid }
    var reader = ByteReader(checked)
    guard try reader.u64() == magic else { throw .invalid }
    let itsVersion = try reader.u8()
    let kind = try reader.u8()
    let count = try reader.u16()
    let sequence = try reader.u32()
    let content: Content
    switch (itsVersion, kind, count) {
    case (version, 1, UInt16(Bond.encodedSize)), (1, 1, UInt16(Bond.firstEncodedSize)):
      content = .bond
    case (1...version, 2, 0): content = .erased
    case ((version + 1)..., _, _): return BondRecord(.later)
    default: throw .invalid
    }
    // In version 1 a name may end at these bytes.
    let told = itsVersion == 1 ? .none : try ToldVersion(checked, at: toldOffset)
    // A damaged brightness, app or sensor is no reason to lose a bond.
    var wheel = ByteReader(checked.extracting(droppingFirst: circumferenceOffset))
    return BondRecord(
      content, sequence: sequence, isDim: checked[brightnessOffset] == 1,
      circumference: try wheel.u16(), told: told, apps: apps(in: checked, beside: content),
      sensors: RememberedSensors(parsing: checked.extracting(droppingFirst: sensorsOffset)))
  }

  /// The apps of the record's phone; none without a bond.
  private static func apps(in bytes: Span<UInt8>, beside content: Content) -> SeenApps {
    guard content == .bond else { return SeenApps() }
    return SeenApps(parsing: bytes.extracting(appsOffset..<sensorsOffset))
  }

  /// A checksum that differs from the right one in each byte: even a part of it leaves the record invalid.
  private static func spoiler(of bytes: Span<UInt8>) -> UInt32 {
    var checked = FixedBuffer<508>()
    checked.assign(bytes)
    // A file that ends early gets zeros when its end is written.
    checked.pad(to: checksumOffset)
    defer { checked.wipe() }
    return ~crc32(checked.bytes)
  }

  static func bond(in bytes: Span<UInt8>) throws(ParseError) -> Bond {
    var reader = ByteReader(bytes)
    try reader.skip(versionOffset)
    let version = try reader.u8()
    try reader.skip(headerSize - versionOffset - 1)
    return try Bond.parse(&reader, version: version)
  }

  func write(_ bond: borrowing Bond, into buffer: inout FixedBuffer<512>) {
    writeHeader(kind: 1, count: UInt16(Bond.encodedSize), into: &buffer)
    bond.write(into: &buffer)
    writeEnd(into: &buffer)
  }

  /// Fills `buffer` with this record, which says that there is no bond.
  func writeErasure(into buffer: inout FixedBuffer<512>) {
    writeHeader(kind: 2, count: 0, into: &buffer)
    writeEnd(into: &buffer)
  }

  /// Writes the bytes of a record as one word, or its state if it is not a whole record of ours.
  ///
  /// The word has the hexadecimal digits of all bytes but the zeros at the end; keys and apps are zeros. Three or
  /// more zeros are written as their number in parentheses. So both records of a store with all sensors fit in a
  /// note, with 1,040 bytes at most.
  static func describe<Writer: ByteWriter & ~Copyable>(
    _ bytes: Span<UInt8>, into writer: inout Writer
  ) {
    switch BondRecord(parsing: bytes).content {
    case .blank: writer.append("blank")
    case .damaged: writer.append("damaged")
    case .foreign: writer.append("foreign")
    case .later: writer.append("later")
    case .erased, .bond:
      let keys = Bond.keyPlaces(version: bytes[versionOffset])
      var zeros = 0
      for index in 0..<checksumOffset {
        let isPrivate =
          keys.contains(index - headerSize) || RememberedSensors.isKey(at: index - sensorsOffset)
          || (appsOffset..<sensorsOffset).contains(index)
        let byte = isPrivate ? 0 : bytes[index]
        guard byte != 0 else {
          zeros += 1
          continue
        }
        write(zeros: zeros, to: &writer)
        zeros = 0
        writer.append(hex: UInt64(widening: UInt32(byte)), atLeast: 2)
      }
    }
  }

  private static func write<Writer: ByteWriter & ~Copyable>(
    zeros count: Int, to writer: inout Writer
  ) {
    guard count > 2 else {
      for _ in 0..<count { writer.append("00") }
      return
    }
    writer.append("(")
    writer.append(decimal: Int64(widening: count))
    writer.append(")")
  }

  private func writeHeader(kind: UInt8, count: UInt16, into buffer: inout FixedBuffer<512>) {
    buffer.removeAll()
    buffer.append(u64: Self.magic)
    buffer.append(Self.version)
    buffer.append(kind)
    buffer.append(u16: count)
    buffer.append(u32: sequence)
  }

  private func writeEnd(into buffer: inout FixedBuffer<512>) {
    buffer.pad(to: Self.toldOffset)
    told.write(into: &buffer)
    buffer.pad(to: Self.brightnessOffset)
    buffer.append(isDim ? 1 : 0)
    buffer.append(u16: circumference)
    apps.write(into: &buffer)
    buffer.pad(to: Self.sensorsOffset)
    sensors.write(into: &buffer)
    let checksum = crc32(buffer.bytes)
    buffer.append(u32: checksum)
  }

  /// 89 "LKBOND" 0A: no text begins like this.
  private static var magic: UInt64 { 0x0A44_4E4F_424B_4C89 }
  private static var version: UInt8 { 2 }
  private static var versionOffset: Int { 8 }
  private static var headerSize: Int { 16 }
  /// After the bond of this version, but inside that of version 1.
  private static var toldOffset: Int { 99 }
  /// After the bond of either version.
  private static var brightnessOffset: Int { 105 }
  private static var circumferenceOffset: Int { brightnessOffset + 1 }
  private static var appsOffset: Int { circumferenceOffset + 2 }
  private static var sensorsOffset: Int { checksumOffset - RememberedSensors.encodedSize }

  /// Whether it begins with the magic; one byte may differ, and others may be unwritten.
  private static func isOurs(_ bytes: Span<UInt8>) -> Bool {
    var (matching, blank) = (0, 0)
    var rest = magic
    for index in 0..<8 {
      let byte = index < bytes.count ? bytes[index] : 0
      if byte == UInt8(truncatingIfNeeded: rest) {
        matching += 1
      } else if byte == 0 || byte == 0xFF {
        blank += 1
      }
      rest = rest &>> 8
    }
    return matching > 0 && matching + blank >= 7
  }
}

/// Names in a record: their number of bytes, the bytes, and zeros up to the size of the field.
extension FixedBuffer {
  mutating func append(name: Span<UInt8>, size: Int) {
    let end = count + 1 + size
    append(UInt8(truncatingIfNeeded: name.count))
    append(name)
    pad(to: end)
  }
}

extension ByteReader {
  @_lifetime(copy self)
  mutating func name(size: Int) throws(ParseError) -> Span<UInt8> {
    let count = Int(try u8())
    let field = try take(size)
    guard count <= size else { throw .invalid }
    return field.extracting(first: count)
  }
}

extension SubscribedHandles {
  func write(into buffer: inout FixedBuffer<512>) {
    buffer.append(u16: value)
    buffer.append(u16: configuration)
  }

  init(_ reader: inout ByteReader) throws(ParseError) {
    self.init(value: try reader.u16(), configuration: try reader.u16())
  }
}

extension Bond.Served {
  private static var serviceChanged: UInt8 { 1 }
  private static var uart: UInt8 { 2 }

  fileprivate func write(into buffer: inout FixedBuffer<512>) {
    buffer.append(
      (self[.serviceChanged] ? Self.serviceChanged : 0) | (self[.uart] ? Self.uart : 0))
    buffer.append(table)
  }

  fileprivate init(_ reader: inout ByteReader) throws(ParseError) {
    let subscriptions = try reader.u8()
    self.init(table: try reader.u8())
    self[.serviceChanged] = subscriptions & Self.serviceChanged != 0
    self[.uart] = subscriptions & Self.uart != 0
  }
}

extension Bond {
  /// Bytes of a bond in its record, and in one of version 1.
  fileprivate static var encodedSize: Int { 81 }
  fileprivate static var firstEncodedSize: Int { 89 }
  /// Where the keys are; version 1 had one more.
  fileprivate static func keyPlaces(version: UInt8) -> Range<Int> { version == 1 ? 8..<56 : 8..<40 }

  private enum Flag {
    static var irk: UInt8 { 1 }
    static var ltk: UInt8 { 2 }
    static var authenticated: UInt8 { 8 }
  }

  /// Flags, the address with its type, two keys or zeros instead, the name, the handles; behind these 81 bytes
  /// what the phone has set on our server.
  fileprivate borrowing func write(into buffer: inout FixedBuffer<512>) {
    buffer.append(flags)
    buffer.append(address.type.rawValue)
    buffer.append(value: address)
    buffer.append(irk ?? Key())
    buffer.append(ltk ?? Key())
    buffer.append(name: name, size: Bond.nameSize)
    let roles = Handles.roles
    for index in roles.indices { handles[roles[index]].write(into: &buffer) }
    served.write(into: &buffer)
  }

  private var flags: UInt8 {
    (irk == nil ? 0 : Flag.irk) | (ltk == nil ? 0 : Flag.ltk)
      | (isAuthenticated ? Flag.authenticated : 0)
  }

  fileprivate static func parse(
    _ reader: inout ByteReader, version: UInt8
  ) throws(ParseError) -> Bond {
    let flags = try reader.u8()
    guard flags < 16, let type = AddressType(rawValue: try reader.u8()) else { throw .invalid }
    let address = DeviceAddress(try reader.publicAddress().value, type)
    let irk = try key(flags & Flag.irk, &reader)
    let ltk = try key(flags & Flag.ltk, &reader)
    if version == 1 { _ = try reader.take(16) }
    let name = try reader.name(size: nameSize)
    var (handles, served) = (Handles(), Served())
    if version > 1 {
      let roles = Handles.roles
      for index in roles.indices { handles[roles[index]] = try SubscribedHandles(&reader) }
      served = try Served(&reader)
    }
    guard
      let bond = Bond(
        address: address, irk: irk, ltk: ltk, isAuthenticated: flags & Flag.authenticated != 0,
        handles: handles, served: served, name: name)
    else { throw .invalid }
    return bond
  }

  private static func key(
    _ flag: UInt8, _ reader: inout ByteReader
  ) throws(ParseError) -> Key? {
    let key: Key = try reader.octets()
    return flag == 0 ? nil : key
  }
}
