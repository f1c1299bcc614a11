import Bytes
import Foundation
import TestSupport
import VirtualAir

/// A line of `events`.
package struct Event: CustomStringConvertible {
  package let line: String
  package let name: String

  package init(_ line: String) {
    self.line = line
    let parts = line.utf8.split(separator: UInt8(ascii: "\""))
    let key = parts.firstIndex { $0.elementsEqual("event".utf8) }
    name = key.map { String(Substring(parts[$0 + 2])) } ?? ""
  }

  private var fields: [String: Any] {
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
    return object as? [String: Any] ?? [:]
  }

  package var description: String { line }

  package subscript(field: String) -> String? { fields[field] as? String }
  package subscript(number field: String) -> Int? { fields[field] as? Int }
  package subscript(flag field: String) -> Bool? { fields[field] as? Bool }
}

/// An instruction as the events tell it.
package struct Told: Equatable {
  package let direction: Int
  package let distance: Int
  package let street: String

  package init(_ direction: Int, _ distance: Int, _ street: String) {
    (self.direction, self.distance, self.street) = (direction, distance, street)
  }
}

/// The rows, those that say the same as the one before left out.
package func toldApart(_ rows: [RecordedRide.Row]) -> [Told] {
  rows.reduce(into: []) { told, row in
    let next = Told(Int(row.direction), Int(row.distance), row.street)
    if told.last != next { told.append(next) }
  }
}

extension World {
  /// A device that has not heard of this phone yet.
  package convenience init(phone kind: PhoneKind, _ settings: [String] = []) throws {
    try self.init(settings)
    kind.apply(to: phone)
    phone.value = kind.silence
  }

  /// A device that has just connected to this phone, which does not ride yet.
  package static func meeting(_ kind: PhoneKind, _ settings: [String] = []) throws -> World {
    let world = try World(phone: kind, settings)
    world.advertise()
    world.pass(1_000)
    return world
  }

  /// The wheel has rolled so many metres in all, at a speed in m/s.
  package func roll(_ metres: Int, speed: Int) {
    device.receiveWheel(
      distance: Int64(metres) * 1_000, speed: Int64(speed) * 1_000, at: now)
    pass(0)
  }

  /// The wheel's sensor is away.
  package func loseWheel() {
    device.wheelWasLost(at: now)
    pass(0)
  }

  /// All instructions that the events have.
  package var told: [Told] {
    events("instruction").map {
      Told($0[number: "direction"] ?? -1, $0[number: "distance"] ?? -1, $0["street"] ?? "?")
    }
  }

  /// The phone rides, at the times of the rows; `look` sees the world after each of them.
  package func ride(
    _ rows: [RecordedRide.Row],
    look: (Int, RecordedRide.Row) throws -> Void = { _, _ in }
  ) throws {
    let start = now
    for (index, row) in rows.enumerated() {
      pass(max(0, (start + row.time) - now))
      tell(row.direction, row.distance, row.street, id: UInt32(index + 1))
      try look(index, row)
    }
  }
}

/// The phones that komoot's app runs on, as the bench has them.
package enum PhoneKind: CaseIterable, Sendable {
  case ios, iosBackground, android
  /// One that nobody can subscribe to, and whose services come and go in silence.
  case android2019

  /// Makes a phone one of this kind.
  package func apply(to phone: VirtualPhone) {
    phone.hasServiceChanged = self != .android2019
    switch self {
    case .ios, .iosBackground:
      phone.notice = .identifier
      phone.blobErrorAtEnd = 0x07
    case .android, .android2019:
      phone.notice = .value
      phone.mtu = 517
      phone.descriptorBeforeCCCD = self == .android
      phone.hasCCCD = self == .android
    }
    if self == .iosBackground {
      // Apple's overflow area, with the bit of komoot's service.
      phone.advertisement = bytes(
        "02 01 1a 14 ff 4c 00 01 00 00 00 00 00 08 00 00 00 00 00 00 00 00 00 00")
    }
  }

  /// What the phone says before its first instruction: an iPhone refuses to be read.
  package var silence: [UInt8]? {
    switch self {
    case .ios, .iosBackground: nil
    case .android, .android2019: bytes("04 03 02 01 00 00 00 00 00")
    }
  }
}
