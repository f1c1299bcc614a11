/// A server that lies about its attributes, or answers honestly without an end.
package enum MadeUpServer: Sendable {
  /// A service on each handle.
  case services
  /// One service, with a characteristic on each two handles.
  case characteristics
  /// One characteristic, with a descriptor on each handle behind it.
  case descriptors
  /// One characteristic with a value of `count` bytes, which may change with each reading.
  case value(count: Int, changes: Bool)
  /// This error to each request.
  case error(UInt8)
  /// These bytes behind the opcode of the response that belongs to the request.
  case bytes([UInt8])
  /// These PDUs, whatever was asked.
  case answers([[UInt8]])

  /// The answers to a request; `reading` counts the requests for a value from its beginning.
  func answers(to request: [UInt8], reading: UInt8) -> [[UInt8]] {
    if case .answers(let answers) = self { return answers }
    let first = request.count >= 3 ? u16(request, 1) : 0
    let refusal = [0x01, request[0]] + little(first) + [0x0A]
    let answer: [UInt8]? =
      switch self {
      case .services: service(request, until: first)
      case .characteristics:
        service(request, until: .max) ?? characteristic(request) ?? attribute(request, 0x2803)
      case .descriptors:
        service(request, until: .max)
          ?? (first == 2 ? characteristic(request) : attribute(request, 0x2902))
      case .value(let count, let changes):
        service(request, until: 3) ?? characteristic(request)
          ?? part(of: count, request, changes ? reading : 0)
      case .error(let code): refusal.dropLast() + [code]
      case .bytes(let bytes): [request[0] + 1] + bytes
      case .answers: nil
      }
    return [answer ?? refusal]
  }

  /// Read By Group Type, 3.4.4.10.
  private func service(_ request: [UInt8], until end: UInt16) -> [UInt8]? {
    guard request[0] == 0x10 else { return nil }
    let isFirst = u16(request, 1) == 1
    if case .services = self {} else if !isFirst { return nil }
    return [0x11, 6] + request[1...2] + little(end) + [0x0D, 0x18]
  }

  /// Read By Type, 3.4.4.2: what may be read, written and notified.
  private func characteristic(_ request: [UInt8]) -> [UInt8]? {
    let handle = u16(request, 1)
    guard request[0] == 0x08, handle < .max else { return nil }
    return [0x09, 7] + little(handle) + [0x1A] + little(handle + 1) + [0x37, 0x2A]
  }

  /// Find Information, 3.4.3.2.
  private func attribute(_ request: [UInt8], _ type: UInt16) -> [UInt8]? {
    request[0] == 0x04 ? [0x05, 1] + request[1...2] + little(type) : nil
  }

  /// Read and Read Blob, 3.4.4.4 and 3.4.4.6, with the smallest MTU.
  private func part(of count: Int, _ request: [UInt8], _ reading: UInt8) -> [UInt8]? {
    guard request[0] == 0x0A || request[0] == 0x0C else { return nil }
    let offset = request[0] == 0x0C ? Int(u16(request, 3)) : 0
    guard offset <= count else { return [0x01, request[0]] + request[1...2] + [0x07] }
    return [request[0] + 1] + (offset..<count).prefix(22).map { UInt8($0 & 0x7F) &+ reading }
  }
}
