/// What the judge says, and after which transcripts it says that of the last packet.
///
/// What may be sent is not listed: each host that is judged sends it, and its test ends where the
/// judge is too strict.
typealias Rules = KeyValuePairs<String, [String]>

/// Supported Commands say that the controller can advertise and ask for keys.
let able = """
  \(up)
  > 01 02 10 00
  < 04 0e 44 01 02 10 00 \(zeros(25)) a0 03 00 06 \(zeros(35))
  """

/// All that is advertised is set.
private let set = """
  \(able)
  > \(AdvertisingRules.parameters())
  < 04 0e 04 01 06 20 00
  > \(AdvertisingRules.data)
  \(AdvertisingRules.dataAreSet)
  """

/// The controller advertises.
private let advertising = """
  \(set)
  > \(AdvertisingRules.on)
  < 04 0e 04 01 0a 20 00
  """

/// A phone has come of it, by the link 0x0040.
let came = """
  \(advertising)
  < \(AdvertisingRules.comes)
  """

enum AdvertisingRules {
  static let on = "01 0a 20 01 01"
  static let off = "01 0a 20 01 00"
  static let comes = "04 3e 13 01 00 40 00 01 01 01 02 03 04 05 c6 18 00 00 00 48 00 01"
  /// Flags and a name.
  static let data = "01 08 20 20 0b 02 01 06 07 09 4c 65 6e 6b 65 72 \(zeros(20))"
  static let dataAreSet = "< 04 0e 04 01 08 20 00"
  static let response = "01 09 20 20 04 03 19 81 04 \(zeros(27))"
  private static let reset = "> 01 03 0c 00\n< 04 0e 04 01 03 0c 00"
  private static let active = "> \(RadioRules.parameters)\n< 04 0e 04 01 0b 20 00\n\(scanning)"

  static func parameters(
    interval: String = "20 00 20 00", type: String = "00", own: String = "00",
    channels: String = "07", policy: String = "00"
  ) -> String { "01 06 20 0f \(interval) \(type) \(own) 00 \(zeros(6)) \(channels) \(policy)" }

  /// LE States without a bit.
  private static func without(_ bit: UInt64) -> String {
    let states = UInt64(0x3FF_FFFF_FFFF) & ~(1 << bit)
    let octets = (0..<8).map { "0" + String(states >> ($0 * 8) & 0xFF, radix: 16) }
    return "> 01 1c 20 00\n< 04 0e 0c 01 1c 20 00 "
      + octets.map { $0.suffix(2) }.joined(separator: " ")
  }

  static let rules: Rules = [
    "advertising parameters while advertising is enabled": [
      "\(advertising)\n> \(parameters())",
      // A link has ended it.
      "\(advertising)\n< \(connected)\n> \(parameters())",
    ],
    "advertising is ended though it is not enabled": ["\(able)\n> \(off)"],
    "an advertising interval that is none": [
      "\(able)\n> \(parameters(interval: "1f 00 20 00"))",
      "\(able)\n> \(parameters(interval: "21 00 20 00"))",
      "\(able)\n> \(parameters(interval: "20 00 01 40"))",
    ],
    "advertising of another kind": [
      "\(able)\n> \(parameters(type: "02"))",
      "\(able)\n> \(parameters(policy: "02"))",
    ],
    "an own address that was not set": ["\(able)\n> \(parameters(own: "01"))"],
    "advertising on channels that there are not": [
      "\(able)\n> \(parameters(channels: "08"))",
      "\(able)\n> \(parameters(channels: "00"))",
    ],
    "a command that the controller does not support": [
      "\(up)\n> \(parameters())",
      // Reset forgets what was set.
      "\(advertising)\n\(reset)\n> \(on)",
    ],
    "more advertising data than there is room for": ["\(able)\n> 01 08 20 20 20 \(zeros(31))"],
    "something behind the advertising data": ["\(able)\n> 01 09 20 20 02 01 09 11 \(zeros(28))"],
    // A structure that is cut, and one with nothing in it.
    "advertising data that are no structures": [
      "\(able)\n> 01 08 20 20 03 03 09 41 \(zeros(28))",
      "\(able)\n> 01 08 20 20 04 02 09 41 00 \(zeros(27))",
    ],
    "flags where none may be": [
      "\(able)\n> 01 09 20 20 03 02 01 06 \(zeros(28))",
      "\(able)\n> 01 08 20 20 06 02 01 06 02 01 04 \(zeros(25))",
    ],
    "a switch beyond 1": ["\(set)\n> 01 0a 20 01 02"],
    "advertising is enabled though it is": [
      "\(advertising)\n> \(on)",
      "\(set)\n> \(on)\n< 04 0e 04 01 0a 20 00\n> \(on)",
    ],
    "advertising is enabled before it is known what": [
      "\(able)\n> \(parameters())\n< 04 0e 04 01 06 20 00\n> \(on)",
      "\(able)\n> \(parameters())\n< 04 0e 04 01 06 20 12\n> \(data)\n\(dataAreSet)\n> \(on)",
      "\(advertising)\n\(reset)\(able.dropFirst(up.count))\n> \(on)",
    ],
    "advertising is enabled while a connection is created": [
      "\(set)\n> \(create)\n< 04 0f 04 00 01 0d 20\n> \(on)"
    ],
    "a connection is created while advertising is enabled": ["\(advertising)\n> \(create)"],
    "advertising is enabled though a phone has come": ["\(came)\n> \(on)"],
    // The attempt of before goes on.
    "a connection is created while another one is": [
      "\(set)\n> \(create)\n< 04 0f 04 00 01 0d 20\n< \(comes)\n> \(createSecond)"
    ],
    "a connection is created to a peer that has one": ["\(came)\n> \(same)"],
    "advertising beside scanning on a controller that cannot": [
      "\(set)\n\(scanning)\n\(without(10))\n> \(on)",
      "\(set)\n\(active)\n\(without(14))\n> \(on)",
    ],
    // 26 and 27 are for scanning beside a peripheral's link, 41 for connecting.
    "scanning beside a link on a controller that cannot": ["\(came)\n\(without(26))\n> \(scan)"],
    "a connection beside a link on a controller that cannot": [
      "\(came)\n\(without(41))\n> \(createSecond)"
    ],
  ]
}

private let scan = "01 0c 20 02 01 00"
private let scanning = "> \(scan)\n< 04 0e 04 01 0c 20 00"
/// To whom the first link is.
private let same = "01 0d 20 19 60 00 60 00 00 01 01 02 03 04 05 c6 00 \(interval)"

enum RadioRules {
  static let parameters = "01 0b 20 07 01 60 00 60 00 00 00"
  private static let passive = "01 0b 20 07 00 60 00 60 00 00 00"
  private static let clear = "01 10 20 00"
  private static let listed = "\(up)\n\(add("01"))"
  /// Room for two.
  private static let size = "> 01 0f 20 00\n< 04 0e 05 01 0f 20 00 02"
  private static let byList = "\(create(policy: "01"))\n< 04 0f 04 00 01 0d 20"

  private static func create(
    window: String = "60 00", policy: String = "00", type: String = "01", own: String = "00",
    interval: String = interval
  ) -> String { "> 01 0d 20 19 60 00 \(window) \(policy) \(type) \(filler(6)) \(own) \(interval)" }

  /// LE States, of which the octet with the bits 24 to 31 is this.
  private static func states(_ octet: String) -> String {
    "> 01 1c 20 00\n< 04 0e 0c 01 1c 20 00 00 00 00 \(octet) 00 00 00 00"
  }

  /// A device is put on the accept list.
  private static func add(_ type: String, _ address: String = filler(6)) -> String {
    "> 01 11 20 07 \(type) \(address)\n< 04 0e 04 01 11 20 00"
  }

  static let rules: Rules = [
    "scan parameters while scanning is enabled": ["\(up)\n\(scanning)\n> \(parameters)"],
    "a scan type that is none": ["\(up)\n> 01 0b 20 07 02 60 00 60 00 00 00"],
    "a scan interval and window that do not go together": [
      "\(up)\n> 01 0b 20 07 01 60 00 61 00 00 00",
      "\(up)\n> 01 0b 20 07 01 60 00 03 00 00 00",
      "\(up)\n\(create(window: "61 00"))",
    ],
    "an own address that was not set": [
      "\(up)\n> 01 0b 20 07 01 60 00 60 00 01 00",
      "\(up)\n\(create(own: "01"))",
    ],
    "a filter of what is searched for": ["\(up)\n> 01 0b 20 07 01 60 00 60 00 00 01"],
    "a switch beyond 1": ["\(up)\n> 01 0c 20 02 01 02"],
    "scanning is enabled though it is": ["\(up)\n\(scanning)\n> \(scan)"],
    "scanning is ended though it is not enabled": [
      "\(up)\n> 01 0c 20 02 00 00",
      "\(up)\n\(scanning)\n> 01 0c 20 02 00 00\n< 04 0e 04 01 0c 20 00\n> 01 0c 20 02 00 00",
    ],
    // Bit 24 is for passive scanning beside a link, bit 25 for active.
    "scanning beside a link on a controller that cannot": [
      "\(linked)\n> \(passive)\n< 04 0e 04 01 0b 20 00\n\(states("fe"))\n> \(scan)",
      "\(linked)\n> \(parameters)\n< 04 0e 04 01 0b 20 00\n\(states("fd"))\n> \(scan)",
      "\(linked)\n\(states("00"))\n> \(scan)",
    ],
    "scanning is enabled while a connection is created": [
      "\(creating)\n> \(scan)",
      // What cannot be called back is not being created.
      "\(creating)\n> 01 0e 20 00\n< 04 0e 04 01 0e 20 00\n> \(scan)",
    ],
    "a connection is created while another one is": [
      "\(creating)\n\(create())",
      "\(up)\n\(create())\n< 04 0f 04 00 01 0d 20\n\(create())",
    ],
    "a connection is created while scanning is enabled": ["\(up)\n\(scanning)\n\(create())"],
    "a filter policy that is none": ["\(listed)\n\(create(policy: "02"))"],
    "a filter policy without its list": [
      "\(up)\n\(create(policy: "01"))",
      // One that was refused, or thrown out again, is not on it.
      "\(up)\n> 01 11 20 07 01 \(filler(6))\n< 04 0e 04 01 11 20 07\n\(create(policy: "01"))",
      "\(listed)\n> \(clear)\n< 04 0e 04 01 10 20 00\n\(create(policy: "01"))",
    ],
    "a connection is created to a peer that has one": [
      "\(linked)\n> \(same)",
      "\(linked)\n< 04 05 04 00 41 00 13\n> \(same)",
      // The chip lies about whose link it is, and the host cannot know.
      "\(linked)\n< 04 3e 13 01 00 40 00 00 01 07 02 03 04 05 c6 18 00 00 00 48 00 01\n> \(createSecond)",
    ],
    "a connection beside a link on a controller that cannot": [
      "\(linked)\n\(states("ef"))\n> \(createSecond)"
    ],
    "a peer's address of no type": ["\(up)\n\(create(type: "04"))"],
    "connection parameters that do not go together": [
      "\(up)\n\(create(interval: "0d 00 0c 00 00 00 90 01 00 00 00 00"))",
      // 100 ms and a latency of 1 are 400 ms in all, which the timeout must exceed.
      "\(up)\n\(create(interval: "50 00 50 00 01 00 28 00 00 00 00 00"))",
      "\(linked)\n> 01 13 20 0e 40 00 05 00 0c 00 00 00 90 01 00 00 00 00",
    ],
    "a connection is called back that is not being created": [
      "\(up)\n> 01 0e 20 00",
      "\(creating)\n< \(connected)\n> 01 0e 20 00",
      "\(creating)\n> 01 0e 20 00\n< 04 0e 04 01 0e 20 00\n> 01 0e 20 00",
    ],
    "the accept list is changed while a connection is created by it": [
      "\(listed)\n\(byList)\n> \(clear)",
      "\(listed)\n\(byList)\n> 01 0e 20 00\n< 04 0e 04 01 0e 20 00\n\(add("00"))",
      "\(listed)\n\(create(policy: "01"))\n< 04 0f 04 00 01 0d 20\n> \(clear)",
    ],
    "a listed address of no type": ["\(up)\n\(add("02"))"],
    "more devices than the accept list holds": [
      "\(listed)\n\(add("00"))\n\(size)\n\(add("01", zeros(6)))",
      "\(listed)\n\(size)\n\(add("00"))\n\(add("01", zeros(6)))",
    ],
  ]
}
