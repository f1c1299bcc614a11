import TestSupport
import VirtualAir
import VirtualDevice

/// Phones that come by themselves, where the device advertises.
extension ScriptedRide {
  func comingStep() {
    let phone = active.central
    switch feed.u8() % 16 {
    case 0, 1, 2: come(phone)
    case 3:
      if active.phone.security != nil {
        phone.ownAddress = active.security.privateAddress(feed.u8())
      }
      come(phone)
    case 4: come(phone, thoughSilent: true)
    case 5: comeTwice()
    case 6: changeKind()
    case 7: world.goOn(phone, with: [step()])
    case 8: misbehave(phone)
    case 9: changeAdvertising()
    case 10: world.loseLink(of: phone, reason: feed.pick([0x08, 0x13, 0x16, 0x3D]))
    case 11, 12: writeLine(to: phone)
    case 13:
      phone.isNear = feed.bool()
      world.controller.centrals = parties.map(\.central)
      // One that comes in no time and goes at once would come for ever at one moment.
      for central in world.controller.centrals { central.delay = 1_000 }
      phone.delay = feed.pick([500, 1_000, 5_000, 30_000])
    case 14:
      world.controller.agree(phone, world)
      pass(0)
    default: pair(phone)
    }
    pass(feed.pick([0, 100, 1_000, 10_000]))
  }

  private func come(_ phone: VirtualCentral, thoughSilent: Bool = false) {
    tell("\(active.name) comes by itself")
    guard world.comes(phone, thoughSilent: thoughSilent) else { return }
    reach("a phone came by itself")
    if phone.isEncrypted { reach("a phone that came by itself is encrypted") }
  }

  /// Once more, by another address, while its link stands.
  private func comeTwice() {
    let second = VirtualCentral(active.phone, active.central.steps)
    second.ownAddress = active.security.privateAddress(feed.u8())
    come(second, thoughSilent: true)
    pass(feed.pick([0, 1_000]))
    world.loseLink(of: second)
  }

  private func changeKind() {
    let kind: VirtualCentral =
      switch feed.u8() % 5 {
      case 0: .iPhone(active.phone, encryptsAfter: feed.pick([0, 100, 4_000, 7_000, nil]))
      case 1: .gadgetbridge(active.phone, mtu: feed.pick([131, 517]))
      case 2: .stranger(active.phone)
      case 3: .pairing(active.phone)
      default: VirtualCentral(active.phone, [step(), step()])
      }
    let phone = active.central
    phone.steps = kind.steps
    (phone.securesWhenRefused, phone.obeysSecurityRequest) = (
      kind.securesWhenRefused, kind.obeysSecurityRequest
    )
  }

  private func step() -> VirtualCentral.Step {
    switch feed.u8() % 10 {
    case 0: .ask([0x02] + little(feed.pick([23, 185, 517, 22])))
    case 1: .encrypt
    case 2: .pair
    case 3: .discover
    case 4: .configure(VirtualCentral.uartTX, feed.pick([0, 1, 2]))
    case 5: .configure(VirtualCentral.serviceChanged, feed.pick([0, 1, 2]))
    case 6: .say(channel: feed.pick([0x04, 0x05, 0x06, 0x3A]), feed.take(Int(feed.u8() % 40)))
    case 7:
      .update(
        little(6) + little(feed.pick([24, 3_200])) + little(feed.pick([0, 4])) + little(600))
    case 8: .leave(feed.pick([0x13, 0x05, 0x3B]))
    default: .wait(feed.pick([1, 100, 5_000]))
    }
  }

  private func misbehave(_ phone: VirtualCentral) {
    switch feed.u8() % 12 {
    case 0: phone.wrongKey = feed.pick([nil, [UInt8](repeating: 7, count: 16)])
    case 1: phone.failsWithChange = feed.bool()
    case 2:
      phone.isReportedLate = feed.bool()
      isRadioLying = true
    case 3: phone.overtakesEncryption = feed.bool()
    case 4: (phone.random[0], phone.diversifier[0]) = (feed.pick([0, 1]), feed.pick([0, 1]))
    case 5: phone.parameterAnswer = feed.pick([0, 1, nil])
    case 6: phone.confirms = feed.bool()
    case 7: phone.owner = feed.pick([.agrees, .declines, .waits])
    case 8: phone.obeysSecurityRequest = feed.bool()
    case 9: phone.securesWhenRefused = feed.bool()
    case 10: phone.whenKeyIsRefused = feed.pick([[.leave(0x05)], [], [.pair]])
    default:
      phone.parameters = feed.pick([(24, 0, 72), (6, 0, 10), (3_200, 0, 3_200), (24, 30, 600)])
    }
  }

  private func changeAdvertising() {
    let controller = world.controller
    let opcodes: [UInt16] = [0x2006, 0x2008, 0x2009, 0x200A, 0x201A, 0x201B]
    switch feed.u8() % 7 {
    case 0: controller.cannotAdvertiseWhileScanning = feed.bool()
    case 1: controller.existingRefusal = feed.pick([nil, .commandStatus, .connectionComplete])
    case 2: controller.cancelRace = feed.pick([.none, .connects, .comes(active.central)])
    case 3: controller.withheld = [feed.pick(opcodes)]
    case 4: controller.refused = [feed.pick(opcodes): feed.pick([0x01, 0x0C, 0x12])]
    case 5: controller.supportedStates = feed.pick([0x3FF_FF3F_FFFF, 0xFFFF, 0, 0x3FF_FF3F_BBFF])
    default: controller.supportedCommands = VirtualController.peripheralCommands
    }
  }

  /// A line of Gadgetbridge's, or what somebody else may write, in pieces.
  private func writeLine(to phone: VirtualCentral) {
    street += 1
    let streets = active.streets.replacing("ß", with: "\\xdf")
    let distance = feed.u8()
    let action = feed.pick(["left", "right", "roundabout_left", "offroute", "finish", "ferry"])
    let nav =
      "GB({\"t\":\"nav\",\"instr\":\"\(streets) \(street)\",\"distance\":\"\(distance)m\",\"action\":\"\(action)\"})"
    let lines: [[UInt8]] = [
      Array(nav.utf8), Array(nav.utf8), Array("GB({\"t\":\"nav\"})".utf8),
      Array("setTime(1789000000);E.setTimeZone(2.0);".utf8),
      Array("GB({\"t\":\"is_gps_active\"})".utf8), feed.take(Int(feed.u8())),
      Array("GB({\(feed.pick(Self.members))})".utf8),
    ]
    let line = [0x10] + feed.pick(lines) + [0x0A]
    let size = feed.pick([20, 20, 1, 100])
    let pieces = stride(from: 0, to: line.count, by: size).map {
      VirtualCentral.Step.ask(bytes("12 0c 00") + line[$0..<min($0 + size, line.count)])
    }
    world.goOn(phone, with: pieces)
    if phone.exchanges.last?.answer == [0x13] { reach("a line of a phone that came by itself") }
  }

  /// What else it writes of: calls, notifications and music.
  private static let members = [
    #""t":"call","cmd":"incoming","name":"Anna Erfunden","number":"+490""#,
    #""t":"call","cmd":"start""#, #""t":"call","cmd":"end""#,
    #""t":"notify","id":1,"src":"Chat","title":"Anna","body":"Ausgedacht""#,
    #""t":"notify","id":1,"src":"Post","title":atob("QW5uYQ=="),"body":"\xe4""#,
    #""t":"notify-","id":1"#, #""t":"find","n":true"#,
    #""t":"musicinfo","artist":"Erfunden","track":"Ausgedacht","dur":200,"c":1,"n":2"#,
    #""t":"musicstate","state":"play","position":5"#, #""t":"musicstate","state":"pause""#,
  ]

  /// The shortest way to a pairing that the phone begins.
  private func pair(_ phone: VirtualCentral) {
    press("a")
    phone.steps = VirtualCentral.pairing(active.phone).steps
    phone.owner = .agrees
    come(phone)
    pass(200)
    press("a")
    pass(500)
    if phone.pairingCount > 0 { reach("a pairing that a phone began") }
  }

  // MARK: - The end

  /// What was switched is as it was; nobody comes but by a step.
  func mendComing() {
    let controller = world.controller
    controller.centrals = []
    (controller.cancelRace, controller.existingRefusal) = (.none, nil)
    controller.cannotAdvertiseWhileScanning = false
    guard advertises else { return }
    controller.supportedCommands = VirtualController.peripheralCommands
    for party in parties {
      if party.central.pairingAttempts > 0 { party.isKeyLost = true }
      party.central.behave()
    }
  }

  /// A phone that is remembered by its key comes by itself within a minute, even if others come as well.
  func letPhoneCome() {
    guard advertises, !hasStoreFailed, let party = remembered, kept?.hasKey == true,
      kept?.key == party.security.keyBytes, !party.isKeyLost
    else { return }
    mendLimits()
    // What the controller refused, the device does not ask for again before it is opened again.
    isAdvertisingRefused = false
    world.loseRadio()
    pass(1_000)
    look()
    // What was left without an answer twice is left out until the next start.
    if isAdvertisingRefused {
      restart()
      pass(1_000)
    }
    // The device is in use: it says that it is there.
    press("a")
    let phone = party.central
    phone.ownAddress = address(of: party)
    for second in 0..<60 {
      if second % 10 == 0, world.connection == .noPhone { press("a") }
      for other in parties where other !== party && isCrowded { world.comes(other.central) }
      world.pass(500)
      world.comes(phone)
      world.pass(500)
      look()
      if phone.isEncrypted, world.controller.link(phone) != nil {
        return reach("the phone came by itself at the end")
      }
    }
    finding("\(party.name) does not get in by itself, while \(world.connection)")
  }
}

extension VirtualCentral {
  /// As a phone behaves that has a bond.
  fileprivate func behave() {
    steps = VirtualCentral.iPhone(phone).steps
    (ownAddress, wrongKey, isReportedLate, overtakesEncryption) = (nil, nil, false, false)
    (random, diversifier) = ([UInt8](repeating: 0, count: 8), [0, 0])
    (confirms, parameterAnswer, owner) = (true, 0, .agrees)
    (obeysSecurityRequest, securesWhenRefused) = (true, true)
    (whenKeyIsRefused, failsWithChange, parameters) = ([.leave(0x05)], false, (24, 0, 72))
    (isNear, delay) = (true, 0)
  }
}
