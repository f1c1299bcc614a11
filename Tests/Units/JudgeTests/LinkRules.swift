/// The controller begins to encrypt the link.
let begun = "04 0f 04 00 01 19 20"

enum CommandRules {
  /// What is supported: bit 6 of octet 24, bits 4 to 6 of octet 33, bit 6 of octet 35.
  private static let commands = "01 02 10 00\n< 04 0e 44 01 02 10 00"
  private static let all = "\(zeros(24)) 40 \(zeros(8)) 70 00 40 \(zeros(28))"
  /// The features 1, 5 and 8.
  private static let features = "> 01 03 20 00\n< 04 0e 0c 01 03 20 00 22 01 00 00 00 00 00 00"
  private static let able = "> \(commands) \(all)\n\(features)"
  private static let asked = "< 04 3e 0b 06 40 00 18 00 28 00 00 00 90 01"

  /// The version of a chip whose maker has this number.
  private static func made(by maker: String) -> String {
    "> 01 01 10 00\n< 04 0e 0c 01 01 10 00 07 00 00 07 \(maker) 09 22"
  }

  static let rules: Rules = [
    "an empty packet": ["> "],
    "an H4 indicator that is neither a command's nor data's": ["> 04 0e 04 01 03 0c 00"],
    "a command without a whole header": ["> 01 03 0c"],
    "a command whose length is another": ["> 01 03 0c 01"],
    "a command that is not needed": ["\(up)\n> 01 03 04 00"],
    "a command with too few or too many parameters": ["\(up)\n> 01 0c 20 01 00"],
    "a command before Reset is through": [
      "> 01 09 10 00",
      // An answer that says no, or nothing, is none; neither is another's.
      "> 01 03 0c 00\n< 04 0e 04 01 03 0c 01\n> 01 09 10 00",
      "> 01 03 0c 00\n< 04 0e 04 01 09 10 00\n> 01 09 10 00",
      // Reset needs neither; but it takes all that there was.
      "\(up)\n> 01 09 10 00\n> 01 03 0c 00\n< 04 0e 0a 01 09 10 00 \(filler(6))\n> 01 03 20 00",
      // All is as it was before the first Reset.
      "\(linked)\n< 04 10 01 42\n> 01 09 10 00",
    ],
    "a command before the last one was answered": [
      "\(up)\n> 01 09 10 00\n< 04 0e 04 01 03 20 00\n> 01 03 20 00"
    ],
    "a command without a credit": [
      "\(up)\n> 01 09 10 00\n< 04 0e 0a 00 09 10 00 \(filler(6))\n> 01 03 20 00"
    ],
    "a command for a link that is not there": [
      "\(linked)\n> 01 03 0c 00\n< 04 0e 04 01 03 0c 00\n> 01 06 04 03 40 00 13",
      // A lie gets a no for an answer, once.
      "\(up)\n\(able)\n\(asked)\n> 01 20 20 0e 40 00 \(interval)",
      "\(linked)\n< \(gone)\n> 01 06 04 03 40 00 13",
      "\(linked)\n> 01 06 04 03 41 00 13",
    ],
    "a command that the controller does not support": [
      "\(up)\n> 01 6d 0c 02 01 00",
      "\(linked)\n> \(commands) \(all)\n> 01 22 20 06 40 00 fb 00 48 08",
      "\(linked)\n\(features)\n> \(commands) \(zeros(64))\n> 01 32 20 07 40 00 00 02 02 00 00",
    ],
    "a data length beyond the link layer's": [
      "\(linked)\n\(able)\n> 01 22 20 06 40 00 fc 00 48 08"
    ],
    "a wish for PHYs that is none": ["\(linked)\n\(able)\n> 01 32 20 07 40 00 00 00 02 00 00"],
    "a reply to parameters that nobody asked for": [
      "\(linked)\n\(able)\n> 01 20 20 0e 40 00 \(interval)"
    ],
    "a refusal that says success": ["\(linked)\n\(able)\n\(asked)\n> 01 21 20 03 40 00 00"],
    "a vendor's command for another vendor's chip": [
      "\(up)\n\(made(by: "0a 00"))\n> 01 01 fc 06 \(filler(6))"
    ],
    "an address of zero": [
      "\(up)\n\(made(by: "31 01"))\n> 01 01 fc 06 \(zeros(6))"
    ],
    "a switch beyond its range": ["\(up)\n> \(commands) \(all)\n> 01 6d 0c 02 01 01"],
    "a mask hides what is waited for": [
      "\(up)\n> 01 01 20 08 1d 00 00 00 00 00 00 00",
      "\(up)\n> 01 01 0c 08 90 00 00 00 00 80 00 00",
    ],
    "a reason that ends no link": ["\(linked)\n> 01 06 04 03 40 00 08"],
    "encryption is begun while it is being begun": [
      "\(linked)\n> \(encrypt)\n< \(begun)\n> \(encrypt)"
    ],
    "a random number or diversifier that is not 0": [
      "\(linked)\n> 01 19 20 1c 40 00 \(zeros(9)) 01 \(filler(16))"
    ],
    "a long-term key of zero": ["\(linked)\n> 01 19 20 1c 40 00 \(zeros(26))"],
    "encryption is begun with a key that nobody can have": [
      "\(linked)\n> att 0a 22 00\n> \(encrypt)",
      "\(encrypted)\n> \(encrypt)",
      "\(encrypted)\n< smp 0b 0d\n> \(encrypt)\n< \(begun)\n< 04 30 03 00 40 00\n> \(encrypt)",
      "\(linked)\n> \(encrypt)\n< \(begun)\n< 04 08 04 06 40 00 00\n> \(encrypt)",
    ],
  ]
}

enum DataRules {
  /// A link over a controller with two buffers of 27 bytes.
  private static let small = linked.replacing("1b 00 40", with: "1b 00 02")
  /// One whose LE buffers are the shared ones: two of 30 bytes.
  private static let shared =
    linked.replacing("1b 00 40", with: "00 00 00")
    + "\n> 01 05 10 00\n< 04 0e 0b 01 05 10 00 1e 00 00 02 00 00 00"
  /// Exchange MTU Request, and the two pieces of a write of 20 bytes.
  static let mtu = "02 40 00 07 00 03 00 04 00 02 05 02"
  static let first = "02 40 00 17 00 17 00 04 00 12 22 00 \(filler(16))"
  static let rest = "02 40 10 04 00 \(filler(4))"
  private static let piece = "\n> 02 40 10 1b 00 \(filler(27))"
  /// A wish for 30 to 50 ms.
  static let wish = "< sig 12 07 08 00 18 00 28 00 00 00 90 01"

  static let rules: Rules = [
    "a data packet without a whole header": ["\(linked)\n> 02 40 00 00"],
    "a data packet whose length is another": ["\(linked)\n> 02 40 00 08 00 03 00 04 00 02 05 02"],
    "data before Reset is through": ["\(linked)\n> 01 03 0c 00\n> \(mtu)"],
    "data for a link that is not there": ["\(linked)\n< \(gone)\n> \(mtu)"],
    "flags that no LE data have": [
      "\(linked)\n> 02 40 20 07 00 03 00 04 00 02 05 02",
      "\(linked)\n> 02 40 40 07 00 03 00 04 00 02 05 02",
    ],
    "a data packet with nothing in it": ["\(linked)\n> 02 40 00 00 00"],
    "a data packet longer than the buffers": [
      "\(linked)\n> 02 40 00 1c 00 \(filler(28))",
      "\(shared)\n> 02 40 00 1f 00 50 00 04 00 \(filler(27))",
    ],
    "a data packet without a free buffer": [
      "\(small)\n> \(first)\n> \(rest)\n< 04 13 05 01 41 00 01 00\n> \(mtu)",
      // More than there were, or a list without its end, give none.
      "\(small)\n> \(first)\n> \(rest)\n< att 13\n< 04 13 05 02 40 00 01 00\n> \(mtu)",
    ],
    "a frame begins within another": ["\(linked)\n> \(first)\n> \(mtu)"],
    "a frame goes on that did not begin": [
      "\(linked)\n> \(rest)",
      "\(linked)\n> \(first)\n> \(rest)\n> \(rest)",
    ],
    "a frame longer than any MTU": [
      "\(linked)\n> 02 40 00 1b 00 00 08 04 00 \(filler(23))\(String(repeating: piece, count: 22))"
    ],
    "more data than the frame says": ["\(linked)\n> \(first)\n> 02 40 10 05 00 \(filler(5))"],
    "a channel that no LE link has": ["\(linked)\n> 02 40 00 05 00 01 00 3a 00 01"],
    "a signaling command beyond its MTU": ["\(linked)\n\(wish)\n> sig 13 07 14 00 \(zeros(20))"],
    "a signaling command whose length is another": ["\(linked)\n\(wish)\n> sig 13 07 03 00 00 00"],
    "an answer to parameters that is none": ["\(linked)\n\(wish)\n> sig 13 07 02 00 02 00"],
    "an answer to parameters that nobody asked for": [
      "\(linked)\n\(wish)\n> sig 13 08 02 00 00 00",
      "\(linked)\n\(wish)\n> sig 13 07 02 00 00 00\n> sig 13 07 02 00 00 00",
    ],
    "a rejection without its reason": ["\(linked)\n< sig 14 09 00 00\n> sig 01 09 00 00"],
    "a rejection of nothing": ["\(linked)\n< sig 01 09 02 00 00 00\n> sig 01 09 02 00 00 00"],
    "a signaling command that is never sent": ["\(linked)\n> sig 06 07 04 00 40 00 41 00"],
  ]
}

enum AttributeRules {
  static let rules: Rules = [
    "an attribute PDU with nothing in it": ["\(linked)\n> att"],
    "an attribute PDU longer than the MTU": [
      "\(linked)\n> att 12 22 00 \(filler(21))",
      // The smaller of both sides' MTU holds once it is told.
      "\(linked)\n> att 02 05 02\n< att 03 1e 00\n> att 12 22 00 \(filler(28))",
      "\(linked)\n< att 02 1e 00\n> att 12 22 00 \(filler(27))",
    ],
    "a request that is malformed": [
      "\(linked)\n> att 08 02 00 01 00 03 28",
      "\(linked)\n> att 04 00 00 ff ff",
      "\(linked)\n> att 0a 00 00",
      "\(linked)\n> att 0c 22 00 01 02",
      "\(linked)\n> att 02 16 00",
    ],
    "a request before the last one was answered": [
      "\(linked)\n> att 0a 22 00\n> att 0a 22 00",
      "\(linked)\n> att 0a 22 00\n< att 01 08 22 00 0a\n> att 0a 22 00",
      "\(linked)\n> att 0a 22 00\n< att 1b 22 00 01\n> att 0a 22 00",
    ],
    "the MTU is exchanged twice": ["\(linked)\n> att 02 05 02\n< att 03 17 00\n> att 02 05 02"],
    "another MTU than before": ["\(linked)\n> att 02 05 02\n< att 02 f0 00\n> att 03 06 02"],
    "a request while the encryption is only begun": [
      "\(linked)\n> \(encrypt)\n> att 08 01 00 ff ff 19 2a",
      "\(linked)\n> \(encrypt)\n> att 0a 22 00",
      // One that is half on its way cannot be called back.
      "\(linked)\n> \(encrypt)\n> 02 40 00 04 00 03 00 04 00\n> 02 40 10 03 00 0a 22 00",
    ],
    "a request where the encryption failed": [
      "\(linked)\n> \(encrypt)\n< \(begun)\n< 04 08 04 06 40 00 00\n> att 0a 22 00",
      "\(linked)\n> \(encrypt)\n< 04 0f 04 0c 01 19 20\n> att 0a 22 00",
      "\(encrypted)\n< 04 08 04 00 40 00 00\n> att 0a 22 00",
    ],
    "an attribute opcode that is not ours": [
      "\(linked)\n> att 1f 03 00 01",
      "\(linked)\n> att 52 03 00 01",
    ],
    "something told on an open link": [
      "\(linked)\n> att 1b 0e 00 41",
      "\(linked)\n> att 1d 08 00 01 00 ff ff",
    ],
    "a notification of what does not notify": [
      "\(encrypted)\n> att 1b 0c 00 41",
      "\(encrypted)\n> att 02 05 02\n< att 03 b9 00\n> att 1b 0e 00 \(filler(21))",
    ],
    "an indication of what does not indicate": [
      "\(encrypted)\n> att 1d 0e 00 41",
      "\(encrypted)\n> att 1d 08 00 01 00 ff",
    ],
    "an indication before the last one was confirmed": [
      "\(encrypted)\n> att 1d 08 00 01 00 ff ff\n< att 1e 00\n> att 1d 08 00 01 00 ff ff"
    ],
    "an indication that was confirmed already": [
      "\(encrypted)\n> att 1d 08 00 01 00 ff ff\n< att 1e\n> att 1d 08 00 01 00 ff ff"
    ],
    "a confirmation of nothing": [
      "\(linked)\n< att 1b 03 00\n> att 1e",
      "\(linked)\n< att 1d 03 00\n> att 1e\n> att 1e",
    ],
    "a confirmation that is malformed": ["\(linked)\n< att 1d 03 00\n> att 1e 00"],
    "a response that answers nothing": [
      "\(linked)\n< att 0a 03 00\n> att 0d 4c",
      "\(linked)\n< att 0a 03 00\n> att 0b 4c\n> att 0b 4c",
    ],
    "a response that is malformed": [
      "\(linked)\n< att 08 01 00 ff ff 03 28\n> att 09 07 02 00 02 03 00 00",
      "\(linked)\n< att 04 01 00 ff ff\n> att 05 01 02 00 03 28 01 00 00 28",
      "\(linked)\n< att 10 01 00 ff ff 00 28\n> att 11 06 01 00 05 00 00",
    ],
    "an error that answers nothing": ["\(linked)\n< att 52 03 00 01\n> att 01 52 03 00 03"],
    "an error that is malformed": ["\(linked)\n< att 12 03 00 01\n> att 01 12 03 00"],
    "an error code that is reserved": ["\(linked)\n< att 12 03 00 01\n> att 01 12 03 00 00"],
  ]
}

/// What links share, and what each has for itself.
enum LinkRules {
  /// Two links over two buffers.
  private static let small = linkedTwice.replacing("1b 00 40", with: "1b 00 02")
  /// Two packets: the halves of a write of 20 bytes.
  private static let write = "\(DataRules.first)\n> \(DataRules.rest)"
  private static let write2 = write.replacing("02 40", with: "02 41")
  /// Of the first link and of one that is not there.
  private static let completed = "04 13 09 02 40 00 01 00 42 00 01 00"
  private static let ofTheOther = "< 04 13 05 01 40 00 02 00\n< att2 13"
  private static let encrypt2 = "01 19 20 1c 41 00 \(zeros(10)) \(filler(16))"

  static let rules: Rules = [
    "a data packet without a free buffer": [
      "\(small)\n> \(write)\n> att2 0a 22 00",
      // The buffers of a link that ends are free, those of the others are not.
      "\(small)\n> \(write)\n< \(goneSecond)\n< att 13\n> att 0a 22 00",
      // One event speaks of several links.
      "\(small)\n> att 0a 22 00\n> att2 0a 22 00\n< att2 0b\n< \(completed)\n> \(write2)",
      "\(small)\n> \(write)\n< \(gone)\n> \(write2)\n\(ofTheOther)\n> att2 0a 22 00",
    ],
    "a request before the last one was answered": [
      "\(linkedTwice)\n> att 0a 22 00\n< att2 0b\n> att 0a 22 00"
    ],
    "a response that answers nothing": ["\(linkedTwice)\n< att 0a 03 00\n> att2 0b 4c"],
    "a frame begins within another": ["\(linkedTwice)\n> \(DataRules.first)\n> \(DataRules.mtu)"],
    // The two halves of an indication, and something of the other link in between.
    "a confirmation of nothing": [
      "\(linkedTwice)\n< 02 40 20 05 00 04 00 04 00 1d\n< 02 41 10 03 00 03 00 11\n> att 1e"
    ],
    "an attribute PDU longer than the MTU": [
      "\(linkedTwice)\n> att 02 05 02\n< att 03 1e 00\n> att2 12 22 00 \(filler(21))"
    ],
    "a request where the encryption failed": [
      "\(linkedTwice)\n> \(encrypt2)\n< \(begun)\n< 04 08 04 06 41 00 00\n> att2 0a 22 00"
    ],
    "encryption is begun while it is being begun": [
      "\(linkedTwice)\n> \(encrypt2)\n< \(begun)\n> \(encrypt2)"
    ],
    "a pairing is begun within another": [
      "\(linkedTwice)\n> smp 01 01 00 0d 10 02 02\n< smp2 05 05\n> smp 01 01 00 0d 10 02 02"
    ],
    "a command for a link that is not there": [
      "\(linkedTwice)\n< \(goneSecond)\n> 01 06 04 03 41 00 13"
    ],
  ]
}
