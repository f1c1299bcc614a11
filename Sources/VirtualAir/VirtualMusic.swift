import Hexadecimal

/// The Apple Media Service of a phone, which answers on an encrypted link only.
package struct VirtualMusic {
  package var isThere = false
  /// The error that a write to Entity Update gets, if any.
  package var refusal: UInt8?
  /// The error that a command gets, if any.
  package var commandRefusal: UInt8?
  /// What Lenker subscribed to, and its commands.
  package private(set) var asked: [[UInt8]] = []
  package private(set) var commands: [[UInt8]] = []
  /// How many requests for it came on a link that is not encrypted.
  package private(set) var openRequests = 0
  private var isUpdateSubscribed = false
  private var isCommandSubscribed = false

  private static let service = bytes("dc f8 55 ad 02 c5 f4 8e 3a 43 36 0f 2b 50 d3 89")
  private static let command = bytes("c2 51 ca f7 56 0e df b8 8a 4a b1 57 d8 81 3c 9b")
  private static let update = bytes("02 c1 96 ba 92 bb 0c 9a 1f 41 8d 80 ce ab 7c 2f")

  /// The notification of an attribute of the track, if it was asked for.
  package func news(_ attribute: UInt8, _ text: [UInt8], isCut: Bool = false) -> [UInt8]? {
    guard isUpdateSubscribed, asked.contains(where: { $0.first == 2 && $0.contains(attribute) })
    else { return nil }
    return bytes("1b 65 00 02") + [attribute, isCut ? 1 : 0] + text
  }

  /// The notification of the commands that are allowed now.
  package func allowed(_ commands: [UInt8]) -> [UInt8]? {
    isCommandSubscribed ? bytes("1b 62 00") + commands : nil
  }

  mutating func linkWasLost() {
    (isUpdateSubscribed, isCommandSubscribed, asked) = (false, false, [])
  }

  /// The answer to a request that is about music, `nil` if it is not.
  mutating func answer(_ request: [UInt8], isEncrypted: Bool) -> [UInt8]? {
    guard request.count >= 3 else { return nil }
    let handle = u16(request, 1)
    let isOurs = (0x0060...0x0067).contains(handle)
    func error(_ code: UInt8) -> [UInt8] { [0x01, request[0], request[1], request[2], code] }
    let isAsked = request[0] == 0x06 ? Array(request[7...]) == Self.service : isOurs
    guard isAsked else { return nil }
    guard isEncrypted else {
      openRequests += 1
      return error(0x05)
    }
    guard isThere else { return error(0x0A) }
    switch (request[0], handle) {
    case (0x06, _): return bytes("07 60 00 67 00")
    case (0x08, ...0x61): return bytes("09 15 61 00 18 62 00") + Self.command
    case (0x08, ...0x64): return bytes("09 15 64 00 18 65 00") + Self.update
    case (0x04, 0x63): return bytes("05 01 63 00 02 29")
    case (0x04, 0x66): return bytes("05 01 66 00 02 29")
    case (0x12, 0x63): isCommandSubscribed = request[3] == 1
    case (0x12, 0x66): isUpdateSubscribed = request[3] == 1
    case (0x12, 0x62):
      commands.append(Array(request[3...]))
      if let commandRefusal { return error(commandRefusal) }
    case (0x12, 0x65):
      if let refusal { return error(refusal) }
      asked.append(Array(request[3...]))
    default: return error(0x0A)
    }
    return [0x13]
  }
}
