import Hexadecimal

private struct Attribute {
  let handle: UInt16
  let type: [UInt8]
  let value: [UInt8]
  /// The last handle of the service that it declares.
  var end: UInt16?
}

/// The attributes, and the answers to requests for them (Vol 3, Part F, 3.4).
extension VirtualSensor {
  private static let primaryService = bytes("00 28")
  private static let declaration = bytes("03 28")
  private static let configuration = bytes("02 29")

  var batteryHandle: UInt16 { 0x0042 + shift }

  /// The handle of a measurement's configuration, which follows the value.
  func configurationHandle(of kind: Kind) -> UInt16 { firstHandle(of: kind) + 3 }

  private func firstHandle(of kind: Kind) -> UInt16 {
    let number = others.firstIndex(of: kind).map { UInt16($0) }
    return (number.map { 0x0060 + 0x0010 * $0 } ?? 0x0020) + shift
  }

  private func measurement(of kind: Kind) -> [Attribute] {
    let first = firstHandle(of: kind)
    var all = service(first, until: first + 0x000F, kind.facts.service)
    all += characteristic(first + 1, properties, kind.facts.measurement, [])
    if hasCCCD { all.append(configuration(first + 3)) }
    return all
  }

  private func configuration(_ handle: UInt16) -> Attribute {
    Attribute(
      handle: handle, type: Self.configuration, value: [subscriptions[handle] ?? 0, 0])
  }

  private var attributes: [Attribute] {
    let name = Array(name.utf8)
    var all = service(0x0001, until: 0x0007, bytes("00 18"))
    all += characteristic(0x0002, 0x02, bytes("00 2a"), name)
    all += characteristic(0x0004, 0x02, bytes("01 2a"), bytes("40 03"))
    if hasService {
      all += measurement(of: kind)
      if let feature = kind.facts.feature {
        all += characteristic(0x0024 + shift, 0x02, feature, features)
      }
    }
    if let battery {
      all += service(0x0040 + shift, until: 0x0043 + shift, bytes("0f 18"))
      let properties: UInt8 = notifiesBattery ? 0x12 : 0x02
      all += characteristic(
        batteryHandle - 1, properties, bytes("19 2a"), [battery] + batteryTail)
      if notifiesBattery { all.append(configuration(batteryHandle + 1)) }
    }
    if let switched {
      all += service(0x0050 + shift, until: 0xFFFF, Self.crownstone(0x0000))
      all += characteristic(0x0051 + shift, 0x08, Self.crownstone(0x0002), switched)
    }
    for kind in others { all += measurement(of: kind) }
    return all
  }

  /// 24F3xxxx-7D10-4805-BFC1-7663A01C3BFF.
  private static func crownstone(_ number: UInt16) -> [UInt8] {
    bytes("ff 3b 1c a0 63 76 c1 bf 05 48 10 7d") + little(number) + bytes("f3 24")
  }

  private func service(_ handle: UInt16, until end: UInt16, _ uuid: [UInt8]) -> [Attribute] {
    [Attribute(handle: handle, type: Self.primaryService, value: uuid, end: end)]
  }

  /// The declaration of a characteristic, and its value behind it.
  private func characteristic(
    _ handle: UInt16, _ properties: UInt8, _ uuid: [UInt8], _ value: [UInt8]
  ) -> [Attribute] {
    let declared = [properties] + little(handle + 1) + uuid
    return [
      Attribute(handle: handle, type: Self.declaration, value: declared),
      Attribute(handle: handle + 1, type: uuid, value: value),
    ]
  }

  /// The answer to a request; none to a command.
  func answer(_ request: [UInt8]) -> [UInt8]? {
    let opcode = request[0]
    guard opcode & 0x40 == 0 else { return nil }
    let handle = request.count >= 3 && opcode != 0x02 ? u16(request, 1) : 0
    func refuse(_ code: UInt8, at handle: UInt16 = handle) -> [UInt8] {
      [0x01, opcode] + little(handle) + [code]
    }
    if let error = errors[opcode] { return refuse(error) }
    if let openBatteryError, !isEncrypted, Self.asksForBattery(request) {
      return refuse(openBatteryError, at: batteryHandle)
    }
    switch opcode {
    case 0x02 where request.count == 3:
      agreedMTU = max(23, min(Int(mtu), Int(u16(request, 1))))
      return [0x03] + little(mtu)
    case 0x04, 0x06, 0x08, 0x10:
      guard request.count >= 7 || opcode == 0x04 && request.count == 5 else {
        return refuse(0x04, at: 0)  // Invalid PDU
      }
      guard handle > 0, handle <= u16(request, 3) else { return refuse(0x01) }
      let inRange = attributes.filter { handle...u16(request, 3) ~= $0.handle }
      return answer(request, inRange) ?? refuse(0x0A)  // Attribute Not Found
    case 0x0A, 0x0C:
      guard let found = attributes.first(where: { $0.handle == handle }) else {
        return refuse(0x01)  // Invalid Handle
      }
      guard !isMeasurement(handle) else { return refuse(0x02) }  // Read Not Permitted
      let offset = opcode == 0x0C ? Int(u16(request, 3)) : 0
      guard offset <= found.value.count else { return refuse(0x07) }  // Invalid Offset
      return [opcode + 1] + found.value.dropFirst(offset).prefix(agreedMTU - 1)
    case 0x12 where switched != nil && handle == 0x0052 + shift:
      switched = Array(request[3...])
      return [0x13]
    case 0x12:
      let isBattery = notifiesBattery && handle == batteryHandle + 1
      guard isBattery || hasCCCD && isMeasurement(handle &- 1) else { return refuse(0x03) }
      if let openLinkError, !isEncrypted { return refuse(openLinkError) }
      guard request.count == 5 else { return refuse(0x0D) }  // Invalid Attribute Value Length
      // Value Not Allowed: it sends no values in this way.
      guard isBattery || request[3] & ~(properties >> 4) == 0 else { return refuse(0x13) }
      subscriptions[handle] = request[3]
      return [0x13]
    default: return refuse(0x06)  // Request Not Supported
    }
  }

  private func isMeasurement(_ handle: UInt16) -> Bool {
    ((hasService ? [kind] : []) + others).contains { handle == configurationHandle(of: $0) - 1 }
  }

  /// Read By Type, of Battery Level.
  private static func asksForBattery(_ request: [UInt8]) -> Bool {
    request[0] == 0x08 && request.suffix(2) == bytes("19 2a")
  }

  /// The answer to a search among the attributes; none if nothing is found.
  private func answer(_ request: [UInt8], _ attributes: [Attribute]) -> [UInt8]? {
    switch request[0] {
    case 0x04:  // Find Information
      guard let first = attributes.first else { return nil }
      let alike = attributes.prefix { $0.type.count == first.type.count }
      let entries = alike.map { little($0.handle) + $0.type }
      return [0x05, first.type.count == 2 ? 1 : 2] + fitting(entries, 2)
    case 0x06:  // Find By Type Value
      let wanted = Array(request[7...])
      let entries = attributes.compactMap { attribute -> [UInt8]? in
        guard attribute.type == Array(request[5..<7]), attribute.value == wanted,
          let end = attribute.end
        else { return nil }
        return little(attribute.handle) + little(end)
      }
      return entries.isEmpty ? nil : [0x07] + fitting(entries, 1)
    case 0x08:  // Read By Type
      let found = attributes.filter { $0.type == Array(request[5...]) }
      return list(0x09, found.map { little($0.handle) + $0.value })
    default:  // Read By Group Type
      let entries = attributes.compactMap { attribute -> [UInt8]? in
        guard attribute.type == Array(request[5...]), let end = attribute.end else { return nil }
        return little(attribute.handle) + little(end) + attribute.value
      }
      return list(0x11, entries)
    }
  }

  /// Entries of one length, after that length; an entry that is too long is cut.
  private func list(_ opcode: UInt8, _ entries: [[UInt8]]) -> [UInt8]? {
    guard let first = entries.first?.prefix(agreedMTU - 2) else { return nil }
    let alike = entries.prefix { $0.prefix(agreedMTU - 2).count == first.count }
    return [opcode, UInt8(first.count)] + fitting(alike.map { Array($0.prefix(first.count)) }, 2)
  }

  /// As many whole entries as the MTU leaves room for.
  private func fitting(_ entries: [[UInt8]], _ header: Int) -> [UInt8] {
    Array(entries.prefix((agreedMTU - header) / entries[0].count).joined())
  }
}

/// The values that sensors notify, written from the specifications of their services.
extension VirtualSensor {
  /// Heart Rate Measurement (HRS 1.0, 3.1), in beats a minute, of a strap that touches the skin.
  package static func pulse(_ beats: UInt8) -> [UInt8] { [0b110, beats] }

  /// CSC Measurement (CSCS 1.0, 3.1) of a wheel: how often it has turned, and when it did last, in 1/1024 s.
  package static func wheel(_ turns: VirtualRotor.Turns) -> [UInt8] {
    [0b01] + little(UInt16(truncatingIfNeeded: turns.count))
      + little(UInt16(truncatingIfNeeded: turns.count >> 16))
      + little(UInt16(truncatingIfNeeded: turns.time))
  }

  /// The same of a crank, whose count rolls over.
  package static func crank(_ turns: VirtualRotor.Turns) -> [UInt8] {
    [0b10] + little(UInt16(truncatingIfNeeded: turns.count))
      + little(UInt16(truncatingIfNeeded: turns.time))
  }

  /// A vehicle that a radar sees: its number, below 100, and how far behind the bicycle it is.
  package struct Vehicle: Equatable, Sendable {
    package let track, metres: UInt8

    package init(track: UInt8, metres: UInt8) { (self.track, self.metres) = (track, metres) }
  }

  /// What a Varia sends about these vehicles; without any, the value only shows that it works.
  ///
  /// From recordings that others have published. More than six vehicles come in two values, six of them in the
  /// first; `count` wraps.
  package static func radar(_ vehicles: [Vehicle], count: UInt8) -> [[UInt8]] {
    func value(_ part: UInt8, _ vehicles: ArraySlice<Vehicle>) -> [UInt8] {
      [count << 4 | part] + vehicles.flatMap { [0x80 | $0.track, $0.metres, 0] }
    }
    guard vehicles.count > 6 else { return [value(0x02, vehicles[...])] }
    return [value(0x00, vehicles[..<6]), value(0x02, vehicles[6...])]
  }
}

/// A wheel or a crank, which turns at a given rate.
package struct VirtualRotor: Sendable {
  /// How often it has turned, and when it did last, in 1/1024 s; neither wraps.
  package struct Turns: Equatable, Sendable {
    package let count, time: Int64

    package init(count: Int64, time: Int64) { (self.count, self.time) = (count, time) }
  }

  private static let whole: Int64 = 1_000_000

  /// In millionths of a turn a millisecond.
  private var rate: Int64 = 0
  /// In millionths of a turn, at `now`, in milliseconds.
  private var angle: Int64 = 0
  private var now: Int64
  private var lastTurn: Int64

  /// A rotor that stands still.
  package init(at now: Int64) { (self.now, lastTurn) = (now, now) }

  /// Turns at this rate from now on, in thousandths of a turn a second.
  package mutating func turn(_ rate: Int64, at now: Int64) {
    advance(to: now)
    self.rate = max(0, rate)
  }

  package mutating func turns(at now: Int64) -> Turns {
    advance(to: now)
    return Turns(count: angle / Self.whole, time: lastTurn * 1_024 / 1_000)
  }

  private mutating func advance(to now: Int64) {
    let before = angle / Self.whole
    angle += rate * max(0, now - self.now)
    self.now = max(self.now, now)
    if angle / Self.whole > before { lastTurn = self.now - angle % Self.whole / rate }
  }
}
