import TestSupport
import VirtualAir

/// The host's end of the transport and nothing of ours: bytes in, bytes out.
final class BareHost: HCIReceiver {
  let controller = VirtualController()
  private(set) var heard: [String] = []

  /// In milliseconds.
  private var now: Int64 = 0
  /// What follows from a packet at once, as a host that is quicker than any test.
  var reflex: (String) -> String? = { _ in nil }

  init(_ sensors: VirtualSensor...) {
    controller.sensors = sensors
    controller.clock = { [unowned self] in now }
  }

  func receive(_ packet: [UInt8]) {
    let packet = hex(packet)
    heard.append(packet)
    if let answer = reflex(packet) { controller.take(bytes(answer), self) }
  }

  /// What is heard while the time passes.
  @discardableResult
  func pass(_ milliseconds: Int64) -> [String] {
    heard = []
    let end = now + milliseconds
    while let due = controller.deadline, due <= end {
      now = due
      controller.advance(self)
    }
    now = end
    return heard
  }

  /// The frames of what was heard, without headers: each of them fits into one packet.
  static func frames(_ heard: [String]) -> [String] {
    heard.filter { $0.hasPrefix("02") }.map { String($0.dropFirst(9 * 3)) }
  }

  /// What is heard of a packet.
  @discardableResult
  func say(_ packet: String) -> [String] {
    heard = []
    controller.take(bytes(packet), self)
    return heard
  }

  /// What is heard of what happens.
  func hear(_ happens: (VirtualController) -> Void) -> [String] {
    heard = []
    happens(controller)
    return heard
  }

  /// What a peer answers on this link, without headers and credits.
  func ask(_ pdu: String, channel: UInt8 = 4, handle: UInt8 = 0x40) -> [String] {
    let payload = bytes(pdu)
    let frame = little(UInt16(payload.count)) + [channel, 0] + payload
    return Self.frames(say(hex([0x02, handle, 0x00] + little(UInt16(frame.count)) + frame)))
  }

  /// LE Create Connection for this one, by the filter policy, with 30 ms to 50 ms.
  func create(_ address: [UInt8], policy: UInt8 = 0) -> [String] {
    say("01 0d 20 19 e0 01 30 00 \(hex([policy] + address)) 00 18 00 28 00 00 00 90 01 00 00 00 00")
  }

  static let accepted = "04 0f 04 00 01 0d 20"
}
