/// What a client knows of a server, and what it asks next (Vol 3, Part G, 4.4.1, 4.6.1 and 4.7.1).
package struct VirtualDiscovery: Sendable {
  package struct Service: Sendable, Equatable {
    package let start, end: UInt16
    package let uuid: [UInt8]
  }

  package struct Characteristic: Sendable, Equatable {
    package let declaration: UInt16
    package let properties: UInt8
    package let value: UInt16
    package let uuid: [UInt8]
  }

  package struct Descriptor: Sendable, Equatable {
    package let handle: UInt16
    package let uuid: [UInt8]
  }

  package private(set) var services: [Service] = []
  package private(set) var characteristics: [Characteristic] = []
  package private(set) var descriptors: [Descriptor] = []
  private var phase = Phase.services
  /// The handles that are still to be asked for in this phase.
  private var ranges: [(start: UInt16, end: UInt16)] = [(0x0001, 0xFFFF)]
  private enum Phase: Sendable { case services, characteristics, descriptors, whole }

  /// The next request, if there is one.
  package var request: [UInt8]? {
    guard let range = ranges.first else { return nil }
    let handles = little(range.start) + little(range.end)
    switch phase {
    case .services: return [0x10] + handles + [0x00, 0x28]
    case .characteristics: return [0x08] + handles + [0x03, 0x28]
    case .descriptors: return [0x04] + handles
    case .whole: return nil
    }
  }

  /// Receives the answer to the request; an error ends the range.
  mutating func take(_ answer: [UInt8]) {
    guard let range = ranges.first else { return }
    let last = answer[0] == 0x01 ? nil : append(answer)
    if let last, last >= range.start, last < range.end {
      ranges[0].start = last + 1
    } else {
      ranges.removeFirst()
    }
    while ranges.isEmpty, phase != .whole { nextPhase() }
  }

  /// Receives a list; returns the last handle of its last entry.
  private mutating func append(_ answer: [UInt8]) -> UInt16? {
    guard answer.count > 2 else { return nil }
    let size = phase == .descriptors ? (answer[1] == 1 ? 4 : 18) : Int(answer[1])
    guard size >= (phase == .characteristics ? 7 : 4) else { return nil }
    var last: UInt16?
    for start in stride(from: 2, to: answer.count - size + 1, by: size) {
      let entry = Array(answer[start..<start + size])
      switch phase {
      case .services:
        last = u16(entry, 2)
        services.append(Service(start: u16(entry, 0), end: u16(entry, 2), uuid: Array(entry[4...])))
      case .characteristics:
        last = u16(entry, 0)
        characteristics.append(
          Characteristic(
            declaration: u16(entry, 0), properties: entry[2], value: u16(entry, 3),
            uuid: Array(entry[5...])))
      default:
        last = u16(entry, 0)
        descriptors.append(Descriptor(handle: u16(entry, 0), uuid: Array(entry[2...])))
      }
    }
    return last
  }

  private mutating func nextPhase() {
    switch phase {
    case .services:
      phase = .characteristics
      ranges = services.map { ($0.start, $0.end) }
    case .characteristics:
      phase = .descriptors
      ranges = characteristics.compactMap { characteristic in
        let end = end(of: characteristic)
        return characteristic.value < end ? (characteristic.value + 1, end) : nil
      }
    case .descriptors, .whole: phase = .whole
    }
  }

  /// The last handle that belongs to a characteristic: the next one or the end of the service follows.
  private func end(of characteristic: Characteristic) -> UInt16 {
    let service = services.first {
      $0.start <= characteristic.value && characteristic.value <= $0.end
    }
    let next = characteristics.first { $0.declaration > characteristic.value }
    let end = service?.end ?? characteristic.value
    return min(end, next.map { $0.declaration - 1 } ?? end)
  }

  /// The handle of a characteristic's value.
  package func value(of uuid: [UInt8]) -> UInt16? {
    characteristics.first { $0.uuid == uuid }?.value
  }

  /// The handle of a characteristic's Client Characteristic Configuration.
  package func configuration(of uuid: [UInt8]) -> UInt16? {
    guard let characteristic = characteristics.first(where: { $0.uuid == uuid }) else { return nil }
    let end = end(of: characteristic)
    let handle = descriptors.first {
      $0.uuid == [0x02, 0x29] && $0.handle > characteristic.value && $0.handle <= end
    }
    return handle?.handle
  }
}
