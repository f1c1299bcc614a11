import Hexadecimal

/// A phone's attribute server, with the differences between phones as switches.
package final class VirtualPhone {
  package init() {}

  package typealias Send = (UInt8, [UInt8]) -> Void

  /// What a notification says: Android cuts the value to what fits, or says nothing to a stranger.
  package enum Notice: Sendable { case identifier, value, nothing }

  package var address = bytes("01 01 02 03 04 05 c6")
  package var advertisement: [UInt8] = bytes("02 01 06 11 07") + VirtualPhone.service
  package var mtu: UInt16 = 185
  package var hasService = true
  package var hasCCCD = true
  package var hasServiceChanged = false
  package var descriptorBeforeCCCD = false
  package var refusesCCCD = false
  /// How far the service's handles are from the usual ones; the service moves when this changes.
  package var shift: UInt16 = 0
  /// What a read gets where the service was before it moved, if another app has a characteristic there now.
  package enum Successor: Sendable { case value([UInt8]), error(UInt8) }
  package var successor: Successor?
  /// What the phone notifies of a new value.
  package var notice = Notice.identifier
  package var value: [UInt8]?
  package var name = "Fairy"
  /// The value of Battery Level, if there is one.
  package var battery: [UInt8]?
  /// Its clock, as iPhones have one.
  package var clock = VirtualClock()
  /// Its notifications, as iPhones have them.
  package var notifications = VirtualNotifications()
  /// What it plays, as iPhones report it.
  package var music = VirtualMusic()
  /// Whether the battery can be read on an encrypted link only.
  package var isBatteryPrivate = false
  /// What Read Blob does at an offset beyond the value: an error, or nothing.
  package var blobErrorAtEnd: UInt8?
  package var readError: UInt8?
  /// After how many pieces, and for which reason, it ends the link instead of sending an attribute PDU that
  /// fits into no short packet, if it does.
  package var longFrameEnd: (pieces: Int, reason: UInt8)?
  /// The most bytes that a Read returns, whatever the MTU.
  package var cut: Int?
  package var onRequest: ((UInt8) -> Void)?
  /// The error that reading and subscribing get on a link that is not encrypted, if any.
  package var openLinkError: UInt8?
  /// Its Security Manager, if it pairs at all.
  package var security: VirtualSecurity?
  /// Whether it refuses a Pairing Request if it has no Security Manager; else it is silent.
  package var refusesPairing = false
  package var isEncrypted = false
  package var withheld: Set<UInt8> = []
  package private(set) var isSubscribed = false
  package private(set) var isServiceChangedSubscribed = false
  package private(set) var requests: [UInt8] = []
  /// What the host's own server said, and what it confirmed.
  package private(set) var answers: [[UInt8]] = []
  private var agreedMTU = 23

  package static let service: [UInt8] = bytes("6c 43 b3 1d 17 0f b2 a2 a8 4f 2f d9 28 e1 c1 71")
  package static let characteristic: [UInt8] = bytes(
    "26 30 48 57 0a 27 35 b2 6e 4f cb 9b 05 d6 3d 50")
  private var valueHandle: UInt16 { 0x0022 + shift }

  /// Keeps the MTU that the phone has agreed on as a client: it holds for its server, too (Vol 3, Part F, 3.4.2).
  func agree(onMTU mtu: Int) { agreedMTU = max(23, mtu) }

  package func linkWasLost() {
    isSubscribed = false
    isEncrypted = false
    clock.linkWasLost()
    music.linkWasLost()
    notifications.linkWasLost()
    agreedMTU = 23
  }

  package func take(channel: UInt8, _ payload: [UInt8], _ send: Send) {
    if channel == 0x06, let security {
      for answer in security.answers(payload, phone: address) { send(0x06, answer) }
      return
    }
    if channel == 0x06, refusesPairing, payload[0] == 0x01 { return send(0x06, [0x05, 0x05]) }
    guard channel == 0x04, payload[0] & 1 == 0, payload[0] != 0x1E else {
      answers.append([channel] + payload)
      return
    }
    requests.append(payload[0])
    onRequest?(payload[0])
    guard !withheld.contains(payload[0]) else { return }
    send(0x04, answer(payload))
  }

  private func answer(_ request: [UInt8]) -> [UInt8] {
    if let openLinkError, !isEncrypted, request[0] == 0x0A || request[0] == 0x12 {
      return [0x01, request[0], request[1], request[2], openLinkError]
    }
    if let answer = clock.answer(request, isEncrypted: isEncrypted) { return answer }
    if let answer = music.answer(request, isEncrypted: isEncrypted) { return answer }
    if let answer = notifications.answer(request, isEncrypted: isEncrypted) { return answer }
    func u16(_ index: Int) -> UInt16 { VirtualAir.u16(request, index) }
    func error(_ code: UInt8) -> [UInt8] { [0x01, request[0], request[1], request[2], code] }
    if let successor, shift != 0, request.count > 2 {
      switch (request[0], u16(1), successor) {
      case (0x12, 0x0024, _): return [0x13]
      case (0x0A, 0x0022, .value(let value)): return [0x0B] + value
      case (0x0A, 0x0022, .error(let code)): return error(code)
      default: break
      }
    }
    switch request[0] {
    case 0x02:
      agreedMTU = max(23, min(Int(mtu), Int(u16(1))))
      return [0x03] + little(mtu)
    case 0x06:
      if hasServiceChanged, Array(request[7...]) == bytes("01 18") {
        return [0x07] + little(0x0010) + little(0x0013)
      }
      guard hasService, Array(request[7...]) == Self.service else { return error(0x0A) }
      return [0x07] + little(0x0020 + shift) + little(0x002F + shift)
    case 0x08 where u16(5) == 0x2803:
      if u16(1) <= 0x0011 { return bytes("09 07 11 00 20 12 00 05 2a") }
      if successor != nil, shift != 0, u16(1) <= 0x0021, u16(3) >= 0x0021 {
        return bytes("09 07 21 00 12 22 00 2b 2a")
      }
      guard hasService, u16(3) >= 0x0020 + shift else { return error(0x0A) }
      // A characteristic with a short UUID comes first, and in a response of its own.
      if u16(1) <= 0x0020 + shift {
        return bytes("09 07") + little(0x0020 + shift) + bytes("02 1f 00 19 2a")
      }
      guard u16(1) <= 0x0021 + shift else { return error(0x0A) }
      return bytes("09 15") + little(0x0021 + shift) + [0x12] + little(valueHandle)
        + Self.characteristic
    case 0x08 where u16(5) == 0x2A00:
      return [0x09, UInt8(2 + name.utf8.count)] + little(0x0003) + Array(name.utf8)
    case 0x08 where u16(5) == 0x2A19:
      guard let battery else { return error(0x0A) }
      guard !isBatteryPrivate || isEncrypted else { return error(0x05) }
      return [0x09, UInt8(2 + battery.count)] + little(0x0041) + battery
    case 0x04:
      if u16(1) == 0x0013 { return bytes("05 01 13 00 02 29") }
      if descriptorBeforeCCCD, u16(1) <= 0x0023 + shift {
        return bytes("05 02") + little(0x0023 + shift) + [UInt8](repeating: 0xAB, count: 16)
      }
      guard hasCCCD, u16(1) <= 0x0024 + shift else { return error(0x0A) }
      return bytes("05 01") + little(0x0024 + shift) + bytes("02 29")
    case 0x12:
      if u16(1) == 0x0013 {
        isServiceChangedSubscribed = request[3] == 2
        return [0x13]
      }
      guard hasService, u16(1) == 0x0024 + shift else { return error(0x01) }
      guard !refusesCCCD else { return error(0x03) }
      isSubscribed = request[3] == 1
      return [0x13]
    case 0x0A:
      guard hasService, u16(1) == valueHandle else { return error(0x01) }
      if let readError { return error(readError) }
      guard let value else { return error(0x0A) }
      return [0x0B] + value.prefix(min(agreedMTU - 1, cut ?? 512))
    case 0x0C:
      let offset = Int(u16(3))
      guard let value else { return error(0x0A) }
      if offset >= value.count, let blobErrorAtEnd { return error(blobErrorAtEnd) }
      return [0x0D] + value.dropFirst(offset).prefix(agreedMTU - 1)
    default: return error(request[0] == 0x08 ? 0x0A : 0x06)
    }
  }

  /// An indication that all handles may have changed.
  package static let serviceChanged = bytes("1d 12 00 01 00 ff ff")

  /// A notification of the characteristic, which has not moved.
  package static func notification(_ value: [UInt8]) -> [UInt8] { bytes("1b 22 00") + value }

  /// The notification of the new value, if the phone has one for us.
  package var news: [UInt8]? {
    guard isSubscribed, let value else { return nil }
    let header = [0x1B] + little(valueHandle)
    switch notice {
    case .identifier: return header + value.prefix(4)
    case .value: return header + value.prefix(agreedMTU - 3)
    case .nothing: return nil
    }
  }

  package func forgetRequests() {
    requests.removeAll(keepingCapacity: true)
    answers.removeAll(keepingCapacity: true)
  }

  /// The service has other handles from now on, and no subscription.
  package func move() {
    shift += 0x100
    isSubscribed = false
  }
}
