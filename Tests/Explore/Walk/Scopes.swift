import VirtualAir
import VirtualDevice

/// What a walk is about: a device with its settings, how it comes to where the walk begins, and what may happen then.
struct Scope: Sendable {
  let name: String
  let settings: [String]
  var beginning: @Sendable (Company) -> Void = { _ in }
  let letters: [Letter]
  /// What riders do; the walk begins at each state on these ways, too.
  var ways: [[Letter]] = []
  /// One of this many new states is asked whether the phone comes back from there.
  var fairShare: UInt64 = 4
  /// Whether the phone then comes by itself, and does not advertise.
  var comesByItself = false

  static let all = [pairing, withoutCode, roles, loss, sensors, power, presses, calls]

  /// The panel with the fewest bytes.
  private static let panel = "panel=ssd1306-64x48"
  private static let buttons = ["buttons=gpio:/dev/gpiochip0", "button-a=17", "button-b=27"]
  private static let always = [panel] + buttons

  /// The rider pairs with the phone, or with the stranger.
  private static let pairs = asks + [.a, .second, .second]
  private static let asks: [Letter] = [.phoneTells, .phoneAdvertises, .second, .second]
  private static let strangerPairs: [Letter] = [
    .strangerTells, .strangerAdvertises, .second, .second, .a, .second, .second,
  ]

  private static let fiveSeconds = [Letter](repeating: .second, count: 5)

  /// A phone is paired with, and rides.
  @Sendable private static func pair(_ company: Company) {
    company.say("Eigenweg", by: 0)
    company.world.advertise()
    company.world.pass(2_000)
    company.press(.a)
    company.world.pass(5_000)
    guard company.witness.isTrusted[0] else {
      fatal("the walk cannot begin, as no phone was paired with")
    }
  }

  /// Pairing by a number, and who is trusted after it.
  static let pairing = Scope(
    name: "pairing", settings: ["pairing=required"] + always,
    letters: [
      .phoneAdvertises, .strangerAdvertises, .a, .b, .longB, .deadline, .second, .loss, .phoneTells,
      .strangerTells,
      .frame("Security Request", 0x0B, 0x0D), .frame("Pairing Failed", 0x05, 0x08),
      .frame("a false Pairing DHKey Check", [0x0D] + [UInt8](repeating: 7, count: 16)),
      .strangerNotifies, .worstMoment, .hold, .arrive, .arriveAll, .longA, .tearIsNear,
    ],
    ways: [
      pairs + [.longB], strangerPairs + [.longB], pairs + [.hold, .longB],
      asks + [.tearIsNear, .a, .longB],
      asks + [.tearIsNear, .a, .longA] + fiveSeconds + [.second],
    ])

  /// Phones that show no number, or do not pair at all.
  static let withoutCode = Scope(
    name: "without-code", settings: ["pairing=preferred"] + always,
    letters: [
      .phoneAdvertises, .strangerAdvertises, .a, .b, .longB, .deadline, .second, .loss, .phoneTells,
      .strangerTells,
      showsNoNumber, doesNotPair,
      Letter("the phone answers no pairing") { $0.people[0].security.manner = .silence },
      .frame("Pairing Failed: Pairing Not Supported", 0x05, 0x05), .strangerNotifies,
      .worstMoment, phoneDoesNotPair, .holdEnds, .arriveAll,
    ],
    ways: [
      [phoneDoesNotPair] + pairs + [
        .holdEnds, .longB, .a, .arriveAll, .phoneAdvertises, .second, .second,
      ],
      pairs + [.longB], strangerPairs, [showsNoNumber] + strangerPairs,
      [doesNotPair] + strangerPairs,
    ])

  private static let phoneDoesNotPair = Letter("the phone does not pair") {
    $0.people[0].security.manner = .refusal(0x05)
  }
  private static let showsNoNumber = Letter("the stranger shows no number") {
    $0.people[1].security.manner = .justWorks
  }
  private static let doesNotPair = Letter("the stranger does not pair") {
    $0.people[1].security.manner = .refusal(0x05)
  }

  /// Both roles: the phone and a stranger come by themselves, or are found.
  static let roles = Scope(
    name: "roles", settings: ["pairing=required", "advertise=on"] + always, beginning: pair,
    letters: [
      .phoneAdvertises, .strangerAdvertises, .a, .b, .longB, .deadline, .second, .minute, .loss,
      .phoneTells, .strangerTells,
      Letter("the phone comes") { $0.world.comes($0.phonesOwn) },
      strangerComes, .hold, .arriveAll, .holdEnds, .transportEnds,
      Letter("the phone goes") { $0.world.loseLink(of: $0.phonesOwn) },
      Letter("the stranger goes") { $0.world.loseLink(of: $0.strangersOwn) },
      Letter("the stranger pairs") { $0.world.goOn($0.strangersOwn, with: [.pair]) },
      hasPhonesAddress, noEncryption, beginsToEncrypt, writesTurn,
    ],
    ways: [
      [.loss, .minute, strangerComes, .second], [.longB, strangerComes, .second],
      [.loss, .holdEnds, strangerComes, .second, .second],
      [.loss, .holdEnds, hasPhonesAddress, strangerComes] + fiveSeconds,
      [.loss, .minute, noEncryption, hasPhonesAddress, strangerComes, beginsToEncrypt, writesTurn],
      [.loss, .minute, noEncryption, hasPhonesAddress, .strangerAdvertises, writesTurn],
    ], comesByItself: true)

  private static let hasPhonesAddress = Letter("the stranger has an address of the phone") {
    $0.stranger.address = $0.people[0].security.privateAddress(3)
  }
  private static let beginsToEncrypt = Letter("the stranger begins to encrypt") {
    $0.strangersOwn.wrongKey = [UInt8](repeating: 7, count: 16)
    $0.world.goOn($0.strangersOwn, with: [.encrypt])
  }
  private static let noEncryption = Letter("no encryption ends") {
    $0.world.controller.encrypts = false
  }
  private static let writesTurn = Letter("the stranger writes a turn") {
    $0.write(#"{"t":"nav","instr":"Fremdweg","distance":"7m","action":"left"}"#, by: 1)
  }
  private static let strangerComes = Letter("the stranger comes") {
    $0.world.comes($0.strangersOwn)
  }

  /// A remembered phone is lost in all ways, and comes back.
  static let loss = Scope(
    name: "loss", settings: ["pairing=required"] + always, beginning: pair,
    letters: [
      .phoneAdvertises, .strangerAdvertises, .deadline, .justBefore, .second, .minute, .loss,
      .phoneTells, .a, .longB, .hold, .arriveAll, .holdEnds,
      hasRecorded,
      hasTodays,
      Letter("the phone takes its next address") { $0.takeNextAddress() },
      Letter("the chip hangs") { $0.world.controller.isHanging = true },
      .transportEnds,
      noLinks, linksAgain,
      noEncryption,
      Letter("the phone's app goes") { $0.world.phone.hasService = false },
    ],
    ways: [
      [.loss, .minute, .phoneAdvertises, .second], [.phoneTells, .loss, .minute, .longB, .second],
      [.loss, noLinks, .phoneAdvertises, .second, linksAgain, hasRecorded, .second],
      [.loss, .holdEnds, hasRecorded, .second],
      [.loss, hasRecorded, .minute, hasRecorded, .second],
      [.loss, hasTodays, .minute, hasTodays, .minute, .phoneAdvertises, .second, .loss, hasTodays],
    ], fairShare: 1)

  private static let hasRecorded = Letter("somebody without the key has a recorded address") {
    $0.advertiseRecorded(number: 9)
  }
  private static let hasTodays = Letter("somebody without the key has today's address") {
    $0.advertiseRecorded(number: 1)
  }
  private static let noLinks = Letter("no link comes about") {
    $0.world.controller.connects = false
  }
  private static let linksAgain = Letter("links come about again") {
    $0.world.controller.connects = true
  }

  /// A strap beside the phone, and one that has the strap's address.
  static let sensors = Scope(
    name: "sensors", settings: ["pairing=required"] + always,
    beginning: { company in
      company.world.controller.sensors = [company.strap]
      company.strap.security = VirtualSecurity(number: 2)
      company.strap.security?.manner = .justWorks
      pair(company)
    },
    letters: [
      .a, .b, .longB, .deadline, .second, .loss, .phoneAdvertises, .phoneTells, strapAdvertises,
      .longA, .worstMoment, .diskFills, .minute, .cutIsNear, .tearFollows,
      .holdEnds, .arriveAll,
      tellsPulse, .busFails, .busWorks, losesPower, strapGoes, strapIsFar, wantsKey, losesKey,
      strapIsSilent, strapAnswers,
      noLinks, linksAgain,
    ],
    ways: [
      keepsStrap + fiveSeconds + [.longB, .second],
      keepsStrap + fiveSeconds + [.loss, strapIsFar, noLinks, strapAdvertises, .deadline, .second],
      [wantsKey] + keepsStrap + fiveSeconds + [.longA] + fiveSeconds
        + [.second, .diskFills, .longB],
      [wantsKey] + keepsStrap + fiveSeconds + [.longA] + fiveSeconds
        + [.second, .cutIsNear, .longB],
      [wantsKey] + keepsStrap + fiveSeconds + [.longA] + fiveSeconds
        + [.second, .tearFollows, .longB],
      [wantsKey] + keepsStrap + [.holdEnds, .longB],
      [wantsKey] + keepsStrap + fiveSeconds
        + [strapIsSilent, strapGoes, .second, strapAdvertises, .holdEnds] + fiveSeconds
        + fiveSeconds + fiveSeconds + [.second, .second, .a, .a, .a, .longB],
      keepsStrap.dropLast() + [
        .second, .busFails, losesPower, tellsPulse, .busWorks, .deadline, .a,
      ],
      [wantsKey] + keepsStrap + fiveSeconds + [losesKey, strapGoes, .second, strapAdvertises],
    ])

  private static let strapAdvertises = Letter("the strap advertises") {
    $0.world.advertise($0.strap)
  }
  private static let tellsPulse = Letter("the strap tells a pulse") {
    $0.world.notify([0x00, 0x50], from: $0.strap)
  }
  private static let strapGoes = Letter("the strap goes") { $0.world.loseLink(of: $0.strap) }
  private static let strapIsFar = Letter("the strap is out of reach") {
    $0.world.loseLink(of: $0.strap, reason: 0x08)
  }
  private static let wantsKey = Letter("the strap wants a key") { $0.strap.openLinkError = 0x05 }
  private static let losesKey = Letter("the strap has lost its key") {
    $0.strap.security?.keyBytes = nil
  }
  private static let strapIsSilent = Letter("the strap answers nothing") {
    $0.strap.withheld = Set(0...255)
  }
  private static let strapAnswers = Letter("the strap answers again") { $0.strap.withheld = [] }
  /// The rider looks for the strap on the page of the sensors, and keeps it.
  private static let keepsStrap: [Letter] = [
    .a, .a, .b, strapAdvertises, .second, .second, .second, .a,
  ]

  /// The disk fails, the current is cut, the panel is off its bus.
  static let power = Scope(
    name: "power", settings: ["pairing=required"] + always, beginning: pair,
    letters: [
      .phoneAdvertises, .a, .longA, .b, .longB, .deadline, .second, .minute, .loss, .phoneTells,
      Letter("the current is cut") { $0.cutCurrent() },
      .diskFills, .cutIsNear, .tearIsNear, .tearFollows,
      Letter("the disk is full") { $0.world.faults[.store] = .noSpace },
      Letter("the disk has room") { $0.world.faults[.store] = nil },
      .busFails, .busWorks,
      losesPower,
      Letter("the phone has lost its key") { $0.people[0].security.keyBytes = nil },
    ],
    ways: [
      [.longA] + fiveSeconds + [.second, .diskFills, .longB, .second],
      [.longA] + fiveSeconds + [.second, .cutIsNear, .longB],
      [.longA] + fiveSeconds + [.second, .tearFollows, .longB],
      [.tearIsNear, .longA] + fiveSeconds + [.second, .longA] + fiveSeconds + [.second],
    ])

  /// Contacts that close and open at any moment of a question.
  static let presses = Scope(
    name: "presses", settings: ["pairing=required"] + always,
    letters: [
      .phoneAdvertises, .strangerAdvertises, .deadline, .justBefore, .loss, .hold, .arriveAll,
      aCloses, aOpens, .worstMoment,
      Letter("B closes") { $0.touch(.b, isPressed: true) },
      Letter("B opens") { $0.touch(.b, isPressed: false) },
      thirtyMilliseconds, halfASecond, .busFails, .busWorks, losesPower,
      .frame("Pairing Failed", 0x05, 0x08),
    ],
    ways: [
      [.phoneAdvertises, halfASecond, aCloses, halfASecond, aOpens, thirtyMilliseconds],
      [.phoneAdvertises, halfASecond, .worstMoment, aCloses, thirtyMilliseconds, aOpens],
      [
        halfASecond, halfASecond, halfASecond, .phoneAdvertises, .busFails, halfASecond, aCloses,
        thirtyMilliseconds, aOpens, thirtyMilliseconds,
      ],
      [halfASecond, halfASecond, halfASecond, .phoneAdvertises, aCloses, halfASecond, aOpens],
    ])

  /// Calls and songs of the phone, which Gadgetbridge writes.
  static let calls = Scope(
    name: "calls",
    settings: ["pairing=required", "notifications=all", "music=on"] + always, beginning: pair,
    letters: [
      .phoneAdvertises, .strangerAdvertises, .deadline, .second, .minute, .loss, .phoneTells,
      .a, .longA, .b, .longB, .hold, .arriveAll, .holdEnds, .busFails, .busWorks,
      losesPower, rings, ringsAgain,
      Letter("the call is over") {
        if $0.isHeard(0) { $0.witness.aboutCall = nil }
        $0.write(#"{"t":"call","cmd":"end"}"#, by: 0)
      },
      Letter("the phone plays") {
        $0.write(#"{"t":"musicinfo","track":"Eigenlied","artist":"Eigenart"}"#, by: 0)
        $0.write(#"{"t":"musicstate","state":"play"}"#, by: 0)
      },
      Letter("the phone has a message") {
        $0.write(#"{"t":"notify","id":1,"src":"A","title":"Eigentitel","body":"Eigentext"}"#, by: 0)
      },
    ],
    ways: [
      [.minute, rings, .second, .a], [.minute, rings, .second, ringsAgain, .a],
      [.minute, rings, .second, .longA, .longA, .a, .a],
    ])

  private static let rings = Letter("the phone rings") { $0.ring("Eigenruf") }
  private static let ringsAgain = Letter("another call comes") { $0.ring("Eigenzweit") }
  private static let losesPower = Letter("the panel loses its power") {
    $0.world.cutPanelPower()
    $0.witness.hasPanelDipped = true
  }

  private static let aCloses = Letter("A closes") { $0.touch(.a, isPressed: true) }
  private static let aOpens = Letter("A opens") { $0.touch(.a, isPressed: false) }
  private static let thirtyMilliseconds = Letter("30 ms") { $0.world.pass(30) }
  private static let halfASecond = Letter("half a second") { $0.world.pass(500) }
}

/// One thing that may happen.
struct Letter: Sendable {
  let name: String
  let act: @Sendable (Company) -> Void

  init(_ name: String, _ act: @escaping @Sendable (Company) -> Void) {
    (self.name, self.act) = (name, act)
  }

  static let phoneAdvertises = Letter("the phone advertises") { $0.world.advertise() }
  static let strangerAdvertises = Letter("the stranger advertises") {
    $0.world.advertise($0.stranger)
  }
  static let a = Letter("A") { $0.press(.a) }
  static let longA = Letter("A for 1 s") { $0.press(.a, for: 1_200) }
  static let b = Letter("B") { $0.press(.b) }
  static let longB = Letter("B for 3 s") { $0.press(.b, for: 3_100) }
  static let deadline = Letter("the next deadline") { $0.passToDeadline() }
  static let justBefore = Letter("a millisecond before the next deadline") {
    $0.passToDeadline(less: 1)
  }
  static let second = Letter("a second") { $0.world.pass(1_000) }
  static let worstMoment = Letter("the question is on the glass for 999 ms") {
    let start = $0.witness.aboutPhone?.start ?? $0.witness.aboutSensor?.start
    $0.world.pass(max(0, (start ?? 0) + 999 - $0.world.now.milliseconds))
  }
  static let holdEnds = Letter("the ends of links are held up") { $0.isHoldingEnds = true }
  static let busFails = Letter("the panel's bus fails") { $0.world.faults[.panel] = .remoteIO }
  static let busWorks = Letter("the panel's bus works") { $0.world.faults[.panel] = nil }
  static let diskFills = Letter("the disk fills with the next write") { $0.isDiskAlmostFull = true }
  static let transportEnds = Letter("the transport ends") { $0.endTransport() }
  static let cutIsNear = Letter("the current is cut behind the next write") { $0.cut = (1, false) }
  static let tearIsNear = Letter("the current is cut in the next write") { $0.cut = (1, true) }
  static let tearFollows = Letter("the current is cut in the write after the next") {
    $0.cut = (2, true)
  }
  static let minute = Letter("a minute") { $0.world.pass(60_000) }
  static let loss = Letter("the link is lost") {
    if $0.world.controller.isConnected { $0.world.loseLink() }
  }
  static let phoneTells = Letter("the phone tells a turn") { $0.say("Eigenweg", by: 0) }
  static let strangerTells = Letter("the stranger tells a turn") { $0.say("Fremdweg", by: 1) }
  static let strangerNotifies = Letter("the stranger notifies of a turn unasked") {
    guard $0.world.controller.linked === $0.stranger else { return }
    $0.inject(4, [0x1B, 0x22, 0x00] + instruction(8, 300, Array("Fremdweg".utf8)))
  }
  static let hold = Letter("packets are held up") { $0.isHolding = true }
  static let arrive = Letter("the oldest packet arrives") { $0.arrive() }
  static let arriveAll = Letter("all packets arrive") { $0.arriveAll() }

  /// The linked phone sends this command of its Security Manager.
  static func frame(_ name: String, _ payload: [UInt8]) -> Letter {
    Letter(name) { $0.inject(6, payload) }
  }
  static func frame(_ name: String, _ payload: UInt8...) -> Letter { frame(name, payload) }
}
