import Hexadecimal

/// The phones that come by themselves.
extension VirtualCentral {
  /// Nordic's UART Service: what is written to the host, and what it notifies.
  package static let uartRX = bytes("9e ca dc 24 0e e5 a9 e0 93 f3 a3 b5 02 00 40 6e")
  package static let uartTX = bytes("9e ca dc 24 0e e5 a9 e0 93 f3 a3 b5 03 00 40 6e")
  package static let serviceChanged = bytes("05 2a")

  /// An iPhone that has a bond: it encrypts by itself, after this time in milliseconds or never, and reads the table.
  package static func iPhone(
    _ phone: VirtualPhone, encryptsAfter time: Int64? = 0
  ) -> VirtualCentral {
    // A channel of Apple's comes first.
    let greeting: [Step] = [.say(channel: 0x3A, [0x00]), .ask(bytes("02 0f 02"))]
    let reading: [Step] = [.discover, .configure(serviceChanged, 2)]
    let security: [Step] =
      switch time {
      case nil: []
      case 0: [.encrypt]
      case let time?: [.wait(time), .encrypt]
      }
    return VirtualCentral(phone, greeting + security + reading)
  }

  /// An Android phone with Gadgetbridge, in the order of its support of Bangle.js (`BangleJSDeviceSupport`).
  ///
  /// Android encrypts if it has a key, and pairs where the host refuses something for want of one. Before version 14
  /// it asks for the MTU that the app wants, 131.
  package static func gadgetbridge(
    _ phone: VirtualPhone, mtu: UInt16 = 517, settles settling: Int64 = 300,
    time: String = "1789000000"
  ) -> VirtualCentral {
    VirtualCentral(
      phone,
      [
        .encrypt, .wait(settling), .discover, .configure(uartTX, 1), .ask([0x02] + little(mtu)),
        line(time: time, zone: "2.0"), line("GB({\"t\":\"is_gps_active\"})"),
        // Its priority "balanced": 30 ms to 50 ms.
        .update(bytes("18 00 28 00 00 00 f4 01")),
      ])
  }

  /// One that nobody knows: it asks and writes, and has no key.
  package static func stranger(_ phone: VirtualPhone, _ steps: [Step]? = nil) -> VirtualCentral {
    let usual: [Step] = [
      .ask(bytes("02 05 02")), .ask(bytes("0a 03 00")), .ask(bytes("12 0f 00 01 00")),
      .ask(bytes("12 0c 00 41")),
    ]
    let stranger = VirtualCentral(phone, steps ?? usual)
    (stranger.securesWhenRefused, stranger.obeysSecurityRequest) = (false, false)
    return stranger
  }

  /// One whose owner pairs in the phone's settings.
  package static func pairing(_ phone: VirtualPhone) -> VirtualCentral {
    VirtualCentral(
      phone,
      [.ask(bytes("02 05 02")), .pair, .discover, .configure(serviceChanged, 2)])
  }

  /// A line of Gadgetbridge's: code for Espruino.
  package static func line(_ code: String) -> Step { line(Array(code.utf8)) }

  package static func line(_ code: [UInt8]) -> Step {
    .write([0x10] + code + [0x0A], to: uartRX)
  }

  /// Seconds since 1970, and hours east of Greenwich.
  package static func line(time: String, zone: String) -> Step {
    line(
      "setTime(" + time + ");E.setTimeZone(" + zone + ");(s=>s&&(s.timezone=" + zone
        + ",require('Storage').write('setting.json',s)))"
        + "(require('Storage').readJSON('setting.json',1))")
  }
}
