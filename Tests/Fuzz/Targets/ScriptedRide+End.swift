import TestSupport
import VirtualAir
import VirtualDevice

/// The end of each script: all that was broken is mended, and the rider's phone is back.
extension ScriptedRide {
  /// A well-behaved phone is ridden with again within 120 s, by itself where that can be; then the sensors are back.
  func mend() {
    mendPhone()
    regainSensors()
    letPhoneCome()
  }

  func mendPhone() {
    tell("mended")
    mendAir()
    mendPorts()
    mendDisk()
    world.touch(.a, isPressed: false)
    world.touch(.b, isPressed: false)
    let party = remembered ?? parties[0]
    for other in parties where other !== party { other.phone.address = other.ownAddress }
    behave(party)
    look()
    if rides(party, withHelp: false) { return reach("rides by itself") }
    guard party.isKeyLost || isRadioLying || isGuestLost else {
      finding("no ride with \(party.name) within 120 s, while \(world.connection)")
    }
    press("B")
    press("B")
    if rides(party, withHelp: true) { return reach("rides after unpairing") }
    finding("no ride with \(party.name) even after unpairing, while \(world.connection)")
  }

  /// Who was met by a fixed address, even somebody else's, is known by that one alone.
  func address(of party: Party) -> [UInt8] {
    if kept?.reportedAddress == party.ownAddress { return party.ownAddress }
    let hasKeys = party.phone.security != nil
    if let kept, remembered === party, !hasKeys || kept.address != party.security.identityAddress {
      return kept.reportedAddress
    }
    return hasKeys ? party.security.privateAddress(addressNumber) : party.ownAddress
  }

  /// Whom nobody remembers might stay as long as he likes, even one who was only heard before the mending.
  private func letStrangerGo(before party: Party) {
    guard kept?.hasKey != true, let linked = world.controller.linked, linked !== party.phone
    else { return }
    world.loseLink(reason: 0x13)
  }

  /// Whether a phone is looked for that is not remembered.
  ///
  /// Without keys it is known by its address alone, and it has another one now: the rider ends that ride and
  /// begins another. Where pairing is required nobody rides without keys, and a disk may have failed to keep them.
  private var isGuestLost: Bool {
    let mayRide = settings[0] != "pairing=required" || hasStoreFailed
    return kept == nil && mayRide && world.connection == .searching
  }

  private func mendAir() {
    faults = []
    let controller = world.controller
    (controller.withheld, controller.refused, controller.isHanging) = ([], [:], false)
    (controller.connects, controller.encrypts, controller.completesPackets) = (true, true, true)
    mendComing()
    // What it has said of itself is asked for again.
    if isRadioLying { world.loseRadio() }
  }

  private func behave(_ party: Party) {
    let phone = party.phone
    (phone.hasService, phone.hasCCCD, phone.refusesCCCD) = (true, true, false)
    (phone.readError, phone.openLinkError, phone.cut, phone.withheld) = (nil, nil, nil, [])
    (phone.mtu, phone.notice, phone.descriptorBeforeCCCD) = (185, .identifier, false)
    (phone.advertisement, phone.refusesPairing) = (VirtualPhone().advertisement, true)
    phone.security = party !== parties[0] || pairs ? party.security : nil
    party.security.manner = .comparison
    party.security.isBonding = true
  }

  /// Whether the phone's next turn is told within 120 s of its coming back.
  ///
  /// The rider presses where the search is the rider's, and says yes to that phone and no to others.
  /// Where there is a key the others go on.
  private func rides(_ party: Party, withHelp hasHelp: Bool) -> Bool {
    street += 1
    awaitedStreet = "\(party.streets) \(street)"
    isAwaitedTold = false
    isAwaitedByKey =
      !hasHelp && !isRadioLying && !party.isKeyLost && kept?.hasKey == true
      && kept?.key == party.security.keyBytes
    defer { isAwaitedByKey = false }
    let others = isCrowded && kept?.hasKey == true && !hasHelp ? parties : []
    for second in 0..<120 {
      letStrangerGo(before: party)
      party.phone.address = address(of: party)
      for other in others where other !== party { world.advertise(other.phone, rssi: -30) }
      world.advertise(party.phone)
      if second % 10 == 0, world.connection == .noPhone { press("a") }
      if hasHelp, second % 3 == 2 { press("a") }
      if isAsked { press(world.controller.linked === party.phone ? "a" : "b") }
      isAsked = false
      let id = firstIdentifier &+ UInt32(1_000 * street + second)
      world.tell(8, UInt32(300 + second), awaitedStreet, id: id, by: party.phone)
      pass(1_000)
      look()
      if isAwaitedTold { return true }
    }
    return false
  }
}
