import Crypto
import SMP
import TestSupport
import VirtualAir
import VirtualDevice

/// The rider's phone: its addresses, its turns, and its coming back.
extension Life {
  static let strangersStreet = "Fremde Gasse"
  private static let words = [
    "Hauptstraße", "Am Kanal", "Łąkowa", "Cours de la Marne", "Οδός Ερμού", "Seeweg", "B 2",
    "Rue de la Vieille-Tour et du Moulin-Neuf", "Ulica Świętego Wojciecha przy Rynku Głównym",
  ]

  private static let foreground = VirtualPhone().advertisement
  /// Apple's overflow area, with the bit of komoot's service.
  private static let background: [UInt8] = {
    let phone = VirtualPhone()
    PhoneKind.iosBackground.apply(to: phone)
    return phone.advertisement
  }()

  /// A private address that its key resolves, another one each 15 minutes.
  func renewAddress() {
    let epoch = elapsed / 900_000
    guard epoch != addressEpoch || addresses.isEmpty else { return }
    addressEpoch = epoch
    let random = 0x40_0000 | UInt32(chosen(0...0x3F_FFFF))
    let hash = SoftwareCrypto().ah(k: world.security.irk, r: random)
    let octets = [hash, random].flatMap { part in
      [0, 8, 16].map { UInt8(truncatingIfNeeded: part >> UInt32($0)) }
    }
    world.phone.address = [1] + octets
    addresses.insert(world.phone.address)
    world.phone.advertisement = kind == .ios && isOneIn(2) ? Self.background : Self.foreground
  }

  /// Two seconds of the way at 5 m/s: the distance shrinks, or the next turn comes.
  func go() {
    if distance > 10 {
      distance -= 10
    } else {
      direction = UInt8(chosen(4...29))
      distance = UInt32(chosen(2...60)) * 25
      street = "\(chosen(Self.words)) \(chosen(1...400))"
    }
    say()
  }

  func say() {
    identifier &+= 1
    told = (distance, street)
    figures.told += 1
    world.tell(direction, distance, street, id: identifier)
  }

  /// The phone is there from now on: its next turn is to be told within 120 s.
  func comeBack() {
    let returned = elapsed
    var pressed: Int64?
    isFreshHeard = false
    isAsked = false
    // A device that has been silent for long is found by komoot.
    let comes = isVisited && !isRiderHelping && isOneIn(2)
    while true {
      renewAddress()
      if comes, !world.controller.isConnected, elapsed - returned < 5_000 {
        visit()
      } else if !world.controller.isConnected, !isScanSlow || isOneIn(10) {
        world.advertise()
      }
      if (elapsed - returned) % 1_000 < 250 { nextMoment() }
      pass(250)
      if isFreshHeard { break }
      let time = elapsed - returned
      if isRiderHelping, let now = help(time) { pressed = pressed ?? now }
      if time > 120_000, !isRiderHelping {
        find("no turn within 120 s")
        isRiderHelping = true
        press("B")
      }
      if time > 600_000 {
        find("no turn within ten minutes, whatever the rider does")
        break
      }
    }
    if let pressed {
      figures.helpedReturns.append(elapsed - pressed)
    } else {
      figures.returns.append(elapsed - returned)
    }
    isRiderHelping = false
  }

  /// A turn that was not there before, so that it is told if it is heard.
  private func nextMoment() {
    distance = distance > 2 ? distance - 1 : 900
    isFreshHeard = false
    say()
  }

  /// The rider agrees to what is asked, and lets the device search; returns the time of a press.
  private func help(_ time: Int64) -> Int64? {
    guard time % 2_000 < 250 else { return nil }
    let isSearchDue = world.connection == .noPhone || time % 30_000 < 250
    guard isAsked || isSearchDue else { return nil }
    isAsked = false
    press("a")
    return elapsed
  }

  func press(_ gesture: String) {
    lastPress = elapsed
    world.press(gesture)
  }

  func tellServiceChanged() {
    figures.serviceChanges += 1
    if world.phone.isServiceChangedSubscribed, world.controller.isConnected {
      world.notify(VirtualPhone.serviceChanged)
    }
    pass(100)
  }
}
