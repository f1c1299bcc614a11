import Hexadecimal

/// The Current Time Service of a phone, which answers on an encrypted link only.
package struct VirtualClock {
  /// The value of Current Time; without one there is no service.
  package var time: [UInt8]?
  /// The value of Local Time Information, if there is one.
  package var zone: [UInt8]?
  /// The error that a read or a subscription gets, if any.
  package var refusal: UInt8?
  package private(set) var readings = 0
  /// How many requests for the clock came on a link that is not encrypted.
  package private(set) var openRequests = 0
  private var isSubscribed = false

  /// The notification of another time during a subscription.
  package var news: [UInt8]? { isSubscribed ? time.map { bytes("1b 52 00") + $0 } : nil }

  mutating func linkWasLost() { isSubscribed = false }

  /// The answer to a request that is about the clock, `nil` if it is not.
  mutating func answer(_ request: [UInt8], isEncrypted: Bool) -> [UInt8]? {
    guard request.count >= 3 else { return nil }
    let handle = u16(request, 1)
    let isOurs = (0x0050...0x0053).contains(handle)
    func error(_ code: UInt8) -> [UInt8] { [0x01, request[0], request[1], request[2], code] }
    let isAsked =
      switch request[0] {
      case 0x06: request[7...].elementsEqual(bytes("05 18"))
      case 0x08: isOurs || request[5...].elementsEqual(bytes("0f 2a"))
      case 0x04, 0x0A, 0x0C, 0x12: isOurs
      default: false
      }
    guard isAsked else { return nil }
    guard isEncrypted else {
      openRequests += 1
      return error(0x0F)
    }
    guard let time else { return error(0x0A) }
    switch request[0] {
    case 0x06: return bytes("07 50 00 53 00")
    case 0x08 where !isOurs:
      guard let zone, refusal == nil else { return error(refusal ?? 0x0A) }
      return [0x09, UInt8(2 + zone.count)] + bytes("56 00") + zone
    case 0x08: return handle <= 0x0051 ? bytes("09 07 51 00 12 52 00 2b 2a") : error(0x0A)
    case 0x04: return bytes("05 01 53 00 02 29")
    case 0x12:
      if let refusal { return error(refusal) }
      isSubscribed = request[3] == 1
      return [0x13]
    case 0x0A:
      if let refusal { return error(refusal) }
      readings += 1
      return [0x0B] + time
    default: return [0x0D]
    }
  }
}
