enum SecurityRules {
  /// The steps of a pairing by comparison, in which both sides promise their identity.
  private static let steps = [
    "> smp 01 01 00 0d 10 02 02", "< smp 02 01 00 0d 10 02 02", "> smp 0c \(filler(64))",
    "< smp 0c \(filler(64))", "< smp 03 \(filler(16))", "> smp 04 \(filler(16))",
    "< smp 04 \(filler(16))", "> smp 0d \(filler(16))", "< smp 0d \(filler(16))",
    "> \(encrypt)", "< \(begun)", "< 04 08 04 00 40 00 01",
    "< smp 08 \(filler(16))", "< smp 09 00 \(filler(6))",
    "> smp 08 \(zeros(16))", "> smp 09 00 \(filler(6))",
  ]
  private static let keyInPieces =
    "> 02 40 00 1b 00 41 00 06 00 0c \(filler(22))\n> 02 40 10 1b 00 \(filler(27))"
    + "\n> 02 40 10 0f 00 \(filler(15))"

  /// A link whose pairing has come so far.
  static func after(_ count: Int) -> String {
    linked + "\n" + steps.prefix(count).joined(separator: "\n")
  }

  /// The same, but we promise a key for signing, or none.
  private static func after(_ count: Int, ours: String) -> String {
    after(count).replacing(steps[0], with: "> smp 01 01 00 0d 10 07 02")
      .replacing(steps[1], with: "< smp 02 01 00 0d 10 \(ours) 02")
  }

  static let rules: Rules = [
    "a security command with nothing in it": ["\(linked)\n> smp"],
    "a security command that is reserved": ["\(linked)\n> smp 0f"],
    "a security command of a wrong length": ["\(linked)\n> smp 01 01 00 0d 10 02"],
    "a pairing is begun within another": ["\(after(1))\n\(steps[0])"],
    "a pairing request with reserved values": [
      "\(linked)\n> smp 01 05 00 0d 10 02 02",
      "\(linked)\n> smp 01 01 00 4d 10 02 02",
    ],
    "a key size beyond 7 to 16": ["\(linked)\n> smp 01 01 00 0d 11 02 02"],
    "keys that nobody can hand out": ["\(linked)\n> smp 01 01 00 0d 10 10 02"],
    "a pairing without secure connections": ["\(linked)\n> smp 01 01 00 05 10 02 02"],
    "a pairing command out of its order": [
      "\(after(1))\n\(steps[2])",
      // A phone that knows legacy pairing only gets no public key.
      "\(after(1))\n< smp 02 01 00 05 10 02 02\n\(steps[2])",
      "\(after(4))\n\(steps[5])",
      "\(after(6))\n\(steps[7])",
      "\(after(6))\n\(steps[5])",
      "\(after(6))\n> smp 05 08\n\(steps[6])\n\(steps[7])",
      "\(after(2))\n< smp 05 08\n\(steps[2])",
      // One that is half on its way cannot be called back.
      "\(after(2))\n< smp 05 08\n\(keyInPieces)",
    ],
    "a public key of zero": ["\(after(2))\n> smp 0c \(zeros(64))"],
    "encryption is begun with a key that nobody can have": ["\(after(8))\n\(steps[9])"],
    "a failure with a reserved reason": ["\(after(2))\n> smp 05 00"],
    "a failure of nothing": [
      "\(linked)\n> smp 05 05",
      "\(after(2))\n< smp 05 08\n> smp 05 08",
    ],
    "a security command that is not an initiator's": [
      "\(after(4))\n> smp 03 \(filler(16))",
      "\(linked)\n> smp 0b 0d",
      "\(after(14))\n> smp 06 \(filler(16))",
    ],
    "a key outside the key distribution": [
      "\(after(9))\n\(steps[14])",
      "\(after(16))\n\(steps[14])",
      "\(after(14))\n< 04 08 04 00 40 00 00\n\(steps[14])",
    ],
    "a key that was not promised": [
      "\(after(13, ours: "00"))\n\(steps[14])",
      "\(after(14))\n> smp 0a \(filler(16))",
    ],
    "a key out of its order": [
      "\(after(14, ours: "06"))\n> smp 0a \(filler(16))",
      "\(after(14))\n\(steps[15])",
      "\(after(15))\n\(steps[14])",
    ],
    "a key before the responder's": ["\(after(13))\n\(steps[14])"],
    "an identity address that changes": ["\(after(15))\n> smp 09 01 \(filler(5)) 7f"],
  ]
}

/// A link that a phone has made.
enum PeripheralRules {
  private static let asked = "< 04 3e 0d 05 40 00 \(zeros(10))"
  private static let reply = "> 01 1a 20 12 40 00 \(filler(16))"
  private static let refusal = "> 01 1b 20 02 40 00"
  private static let replied = "< 04 0e 06 01 1a 20 00 40 00"
  private static let encrypts = "\(asked)\n\(reply)\n\(replied)\n< 04 08 04 00 40 00 01"
  private static let update = "> 01 13 20 0e 40 00 18 00 24 00 03 00 58 02 00 00 00 00"

  private static func features(_ octet: String) -> String {
    "> 01 03 20 00\n< 04 0e 0c 01 03 20 00 \(octet) \(zeros(7))"
  }

  /// It asks for 30 to 45 ms, three events that may be left out, and 6 s, with this identifier.
  private static func wish(_ identifier: String = "01") -> String {
    "> sig 12 \(identifier) 08 00 18 00 24 00 03 00 58 02"
  }

  /// The steps of a pairing by comparison that the phone begins.
  static let steps = [
    "< smp 01 04 00 0d 10 03 03", "> smp 02 01 00 0d 10 02 02", "< smp 0c \(filler(64))",
    "> smp 0c \(filler(64))", "> smp 03 \(filler(16))", "< smp 04 \(filler(16))",
    "> smp 04 \(filler(16))", "< smp 0d \(filler(16))", "> smp 0d \(filler(16))", asked, reply,
    replied, "< 04 08 04 00 40 00 01", "> smp 08 \(zeros(16))", "> smp 09 00 \(filler(6))",
    "< smp 08 \(filler(16))", "< smp 09 00 \(filler(6))",
  ]

  /// A link whose pairing has come so far.
  static func after(_ count: Int) -> String {
    came + "\n" + steps.prefix(count).joined(separator: "\n")
  }

  static let rules: Rules = [
    "an answer to a key that nobody asked for": [
      "\(came)\n\(reply)",
      "\(came)\n\(refusal)",
      // Another link's.
      "\(came)\n< 04 3e 0d 05 41 00 \(zeros(10))\n\(reply)",
      "\(came)\n\(asked)\n\(reply)\n\(replied)\n\(reply)",
      "\(came)\n\(asked)\n\(reply)\n\(replied)\n\(refusal)",
    ],
    // One that is not there may be told no, and no more than once.
    "a command for a link that is not there": [
      "\(able)\n\(asked)\n\(reply)",
      "\(able)\n\(asked)\n\(refusal)\n< 04 0e 06 01 1b 20 02 40 00\n\(refusal)",
      "\(came)\n\(asked)\n< \(gone)\n\(reply)",
    ],
    "a key where only others fit": [
      "\(came)\n< 04 3e 0d 05 40 00 \(zeros(8)) 01 00\n\(reply)",
      "\(linked)\n\(asked)\n\(reply)",
    ],
    "a long-term key of zero": ["\(came)\n\(asked)\n> 01 1a 20 12 40 00 \(zeros(16))"],
    "encryption is begun by a peripheral": ["\(came)\n> \(encrypt)"],
    "connection parameters that are a central's to change": [
      "\(came)\n\(update)",
      "\(came)\n\(features("21"))\n\(update)",
    ],
    "connection parameters that a central asks for": ["\(linked)\n\(wish())"],
    "a request for parameters that is none": ["\(came)\n> sig 12 01 06 00 18 00 24 00 03 00"],
    // 45 ms and a latency of 3 are 360 ms in all, which the timeout must exceed.
    "connection parameters that do not go together": [
      "\(came)\n> sig 12 01 08 00 18 00 24 00 03 00 24 00"
    ],
    "an identifier that is not free": [
      "\(came)\n\(wish("00"))",
      "\(came)\n\(wish())\n\(wish())",
      "\(came)\n\(wish())\n< sig 13 02 02 00 00 00\n\(wish())",
    ],
    // A central does not ask for them: it changes them.
    "an answer to parameters that nobody asked for": [
      "\(came)\n\(DataRules.wish)\n> sig 13 07 02 00 00 00"
    ],
    "a request to a phone that has shown no key": [
      "\(came)\n> att 0a 22 00",
      "\(came)\n> att 02 05 02",
      "\(came)\n\(asked)\n> att 0a 22 00",
      "\(came)\n\(asked)\n\(reply)\n\(replied)\n> att 0a 22 00",
      // Nobody asked us for a key.
      "\(came)\n< 04 08 04 00 40 00 01\n> att 0a 22 00",
      "\(came)\n\(encrypts)\n< 04 08 04 00 40 00 00\n> att 0a 22 00",
    ],
    "something told on an open link": ["\(came)\n> att 1b 0e 00 7b"],
    "a pairing command out of its order": [
      "\(came)\n\(steps[1])",
      "\(after(2))\n\(steps[3])",
      // The confirm value comes behind the key, and once.
      "\(after(3))\n\(steps[4])",
      "\(after(5))\n\(steps[6])",
      "\(after(7))\n\(steps[8])",
      "\(after(6))\n< smp 05 0c\n\(steps[6])",
    ],
    "encryption is begun with a key that nobody can have": ["\(after(8))\n\(asked)\n\(reply)"],
    "a public key of zero": ["\(after(3))\n> smp 0c \(zeros(64))"],
    "a security command that is not a responder's": [
      "\(came)\n> smp 01 01 00 0d 10 02 02",
      "\(after(13))\n> smp 06 \(filler(16))",
    ],
    "a security command that is not an initiator's": ["\(linked)\n\(steps[0])\n\(steps[1])"],
    "a failure of nothing": ["\(came)\n> smp 05 05"],
    "a pairing request with reserved values": ["\(after(1))\n> smp 02 05 00 0d 10 02 02"],
    "a key size beyond 7 to 16": ["\(after(1))\n> smp 02 01 00 0d 06 02 02"],
    "a pairing without secure connections": [
      "\(after(1))\n> smp 02 01 00 05 10 02 02",
      "\(came)\n< smp 01 04 00 05 10 03 03\n\(steps[1])",
    ],
    "keys that the initiator does not want": [
      "\(came)\n< smp 01 04 00 0d 10 02 00\n\(steps[1])",
      "\(came)\n< smp 01 04 00 0d 10 00 02\n\(steps[1])",
    ],
    "a security request with reserved values": [
      "\(came)\n> smp 0b 4d",
      "\(came)\n> smp 0b 0e",
    ],
    "security is requested though it is coming": [
      "\(came)\n\(steps[0])\n> smp 0b 0d",
      "\(came)\n\(asked)\n> smp 0b 0d",
      "\(came)\n\(encrypts)\n> smp 0b 0d",
    ],
    "a key outside the key distribution": [
      "\(after(9))\n\(steps[13])",
      "\(after(17))\n\(steps[13])",
    ],
    "a key out of its order": ["\(after(13))\n\(steps[14])"],
    "a key that was not promised": ["\(after(13))\n> smp 0a \(filler(16))"],
  ]
}
