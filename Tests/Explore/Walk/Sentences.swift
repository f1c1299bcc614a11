import Buttons
import TestSupport
import VirtualAir
import VirtualDevice

/// What the sentences have to know of the past, told by nobody but the outside.
struct Witness {
  /// The first breach.
  private(set) var breach: String?
  /// The keys that the rider agreed to and has not had forgotten, and those that were forgotten.
  private var agreed: [(key: [UInt8], isSensors: Bool)] = []
  private(set) var forgotten: [[UInt8]] = []
  /// Whose texts the rider has agreed to see.
  var isTrusted = [false, false]
  /// Whether the rider has asked to forget while the disk could not do it whole.
  var asksToForget = false
  /// Whether the start has told that the disk is damaged.
  var isDiskDamaged = false
  /// What the rider is asked about the phone, about a sensor and about a call.
  var aboutPhone: Question?
  var aboutSensor: Question?
  var aboutCall: Question?
  /// When a question that was on the glass was taken back last.
  var lastFailure: Int64?
  /// Whether the device has told that the panel fails, and no whole picture came since.
  var hasPanelFailed = false
  /// Whether the panel has lost its power, which the device cannot tell before its bus fails.
  var hasPanelDipped = false
  /// Whether the sensor is remembered.
  var hasSensor = false
  /// Whether the phone's address of today has failed since the phone rode, by its own or by somebody else's doing.
  var isAddressAtRest = false
  /// Whether the turn was told that the phone has on its way back.
  var isBack = false

  /// A question, since when it is whole on the glass, and when the contact of A closed last on it.
  struct Question {
    var start: Int64?
    var press: Int64?
    /// Who calls.
    var name = ""
    /// Whether a short press of A agreed; what is seen after that does not matter.
    private(set) var isAgreed = false

    mutating func opened(at now: Int64) {
      if let start, let press, press - start >= 1_000, now - press < 1_000 { isAgreed = true }
    }
  }

  mutating func found(_ words: String) { if breach == nil { breach = words } }

  mutating func forgetBreach() { breach = nil }

  func hasAgreed(to key: [UInt8]) -> Bool { agreed.contains { $0.key == key } }

  mutating func agree(to key: [UInt8]?, ofSensor isSensors: Bool = false) {
    guard let key else { return }
    forgotten.removeAll { $0 == key }
    agreed.removeAll { $0.key == key }
    agreed.append((key, isSensors))
  }

  mutating func forget(where isForgotten: (_ key: [UInt8], _ isSensors: Bool) -> Bool) {
    forgotten += agreed.filter(isForgotten).map { $0.key }
    agreed.removeAll(where: isForgotten)
  }

  mutating func glassIsWhole(at now: Int64) {
    hasPanelFailed = false
    if aboutPhone != nil, aboutPhone?.start == nil { aboutPhone?.start = now }
    if aboutSensor != nil, aboutSensor?.start == nil { aboutSensor?.start = now }
    if aboutCall != nil, aboutCall?.start == nil { aboutCall?.start = now }
  }

  /// Whether something is asked on the glass.
  var isAsked: Bool {
    aboutPhone?.start != nil || aboutSensor?.start != nil || aboutCall?.start != nil
  }

  /// What was asked is not to be read any more, as the device could tell.
  mutating func glassIsBroken() {
    aboutPhone?.start = nil
    aboutSensor?.start = nil
    aboutCall?.start = nil
  }

  mutating func closed(at now: Int64) {
    aboutPhone?.press = now
    aboutSensor?.press = now
    aboutCall?.press = now
  }

  mutating func opened(at now: Int64) {
    aboutPhone?.opened(at: now)
    aboutSensor?.opened(at: now)
    aboutCall?.opened(at: now)
  }

  /// The device starts again, and asks nothing.
  ///
  /// A phone that was half forgotten is whatever the start tells.
  mutating func deviceStarted() {
    (aboutPhone, aboutSensor, aboutCall) = (nil, nil, nil)
    if asksToForget { isTrusted = [false, false] }
    isDiskDamaged = false
  }

  func add(to print: inout Fingerprint) {
    for keys in [agreed.map { $0.key }, forgotten] {
      print.add(UInt64(keys.count))
      for key in keys { print.add(key) }
    }
    for flag in isTrusted
      + [isAddressAtRest, hasPanelFailed, hasPanelDipped, hasSensor, asksToForget]
    {
      print.add(flag ? 1 : 0)
    }
    for question in [aboutPhone, aboutSensor, aboutCall] {
      print.add(question == nil ? 0 : 1)
      print.addTime(question?.start ?? 0)
      print.addTime(question?.press ?? 0)
      print.add(question?.isAgreed == true ? 1 : 0)
      print.add(Array((question?.name ?? "").utf8))
    }
  }
}

/// The five sentences.
extension Company {
  func noteGlass() {
    let isWhole = world.showsItsPicture
    if isWhole { witness.hasPanelDipped = false }
    if isWhole || witness.hasPanelDipped { witness.glassIsWhole(at: world.now.milliseconds) }
  }

  func check(told event: Event) {
    switch event.name {
    case "instruction", "notification", "call", "music": checkText(event)
    case "error" where event["source"] == "i2c":
      (witness.hasPanelFailed, witness.hasPanelDipped) = (true, false)
    case "error" where event["source"] == "store": witness.isDiskDamaged = true
    case "pairing":
      // What has no room on the disk is followed for this ride.
      if event["reason"] == "not saved", witness.aboutPhone?.isAgreed == true { trustLinked() }
      check(pairing: event["state"] ?? "")
    case "sensor": check(sensor: event["state"] ?? "")
    case "bond" where event["state"] == "erased":
      phonesAreForgotten()
    case "bond" where event["state"] == "loaded":
      for (index, person) in people.enumerated() {
        if let key = person.security.keyBytes, witness.hasAgreed(to: key) {
          witness.isTrusted[index] = true
        }
      }
    case "bond" where event["state"] == "rejected":
      if addressOfLink == addressOfToday { witness.isAddressAtRest = true }
    case "link" where event["state"] == "ready": witness.isAddressAtRest = false
    default: break
    }
  }

  /// Who has the phone's link, or had it, while its end is on its way.
  private var linkedPerson: Int? {
    let linked = world.controller.linked
    return people.firstIndex { $0.phone === linked }
      ?? people.firstIndex { $0.phone.address == addressOfLink }
  }

  private func trustLinked() {
    witness.isTrusted = people.indices.map { $0 == linkedPerson }
  }

  private func check(pairing state: String) {
    if state == "done", let index = linkedPerson {
      if witness.aboutPhone?.isAgreed != true {
        witness.found("3: a phone is trusted that was not whole on the glass for a second")
      }
      trustLinked()
      witness.asksToForget = false
      witness.agree(to: people[index].security.keyBytes)
    }
    switch state {
    case "confirm": witness.aboutPhone = Witness.Question()
    case "ask":
      // The same question is on the glass already if it is asked again at once.
      let isSame = witness.lastFailure == world.now.milliseconds && world.showsItsPicture
      witness.aboutPhone = Witness.Question(start: isSame ? witness.lastFailure : nil)
    case "done": witness.aboutPhone = nil
    case "failed":
      if witness.aboutPhone?.start != nil { witness.lastFailure = world.now.milliseconds }
      witness.aboutPhone = nil
    default: break
    }
  }

  /// The disk has the sensor, for which the rider has pressed A; its kind and its key may turn out later.
  private func check(sensor state: String) {
    switch state {
    case "found": witness.aboutSensor = Witness.Question()
    case "remembered":
      if !witness.hasSensor, witness.aboutSensor?.isAgreed != true {
        witness.found("3: a sensor is kept that was not whole on the glass for a second")
      }
      (witness.hasSensor, witness.aboutSensor) = (true, nil)
      witness.agree(to: strap.security?.keyBytes, ofSensor: true)
    case "forgotten":
      witness.hasSensor = false
      witness.agree(to: strap.security?.keyBytes, ofSensor: true)
      witness.forget { $1 }
      checkDisk()
    default: break
    }
  }

  /// 1: no text of a device that is not trusted is in an event.
  private func checkText(_ event: Event) {
    let line = Array(event.line.utf8)
    if has(line, Company.wayBack) { witness.isBack = true }
    for (index, person) in people.enumerated()
    where !witness.isTrusted[index] && has(line, person.mark) {
      witness.found("1: an event has a text of a phone that is not trusted")
    }
  }

  /// 3: no Pairing DHKey Check to a phone, and no answer to a call, agrees to what was not whole on the glass for a
  /// second.
  func check(said packet: [UInt8]) {
    if packet[0] == 0x02, has(packet, Array("\"ACC".utf8)), witness.aboutCall?.isAgreed != true {
      witness.found("3: a call is taken that was not whole on the glass for a second")
    }
    guard packet.count > 9, packet[0] == 0x02, packet[7] == 0x06, packet[9] == 0x0D else { return }
    let handle = UInt16(packet[1]) | UInt16(packet[2] & 0x0F) << 8
    let isToSensor = world.controller.links.contains {
      $0.handle == handle && $0.peer is VirtualSensor
    }
    if !isToSensor, witness.aboutPhone?.isAgreed != true {
      witness.found("3: a press agrees to what was not whole on the glass for a second")
    }
  }

  /// 2: holds from the moment at which it is told.
  private func checkDisk() {
    for key in witness.forgotten where has(world.disk, key) {
      witness.found("2: a forgotten key is on the disk")
    }
  }

  /// An event or the glass tells that no phone is remembered.
  func phonesAreForgotten() {
    witness.forget { !$1 }
    witness.isTrusted = [false, false]
    checkDisk()
  }

  /// What is written is to be kept.
  func noteKeys(in bytes: [UInt8]) {
    for key in people.compactMap({ $0.security.keyBytes }) where has(bytes, key) {
      witness.agree(to: key)
    }
  }

  /// What the device does not know any more is forgotten, though the current may have been cut in the middle.
  func noteStart() {
    guard world.faults[.store] == nil, witness.asksToForget, !witness.isDiskDamaged else { return }
    let memory = UnsafeRawBufferPointer(world.memory)
    let parts = [memory[..<copyOfDisk.lowerBound], memory[copyOfDisk.upperBound...]]
    witness.forget { key, _ in
      !parts.contains { isIn(key, UnsafeRawBufferPointer(rebasing: $0)) }
    }
    checkDisk()
  }

  /// What holds between two steps: 1 of what is drawn and kept, 2, and 4.
  func look(_ device: UnsafeRawBufferPointer, drawn: Range<Int>) {
    let shown = UnsafeRawBufferPointer(rebasing: device[drawn])
    for (index, person) in people.enumerated() where !witness.isTrusted[index] {
      if isIn(person.mark, shown) {
        witness.found("1: what is drawn has a text of a phone that is not trusted")
      }
      if has(world.disk, person.mark) {
        witness.found("1: the disk has a text of a phone that is not trusted")
      }
    }
    for key in witness.forgotten {
      if isIn(key, device) { witness.found("2: a forgotten key is in memory") }
    }
    checkDisk()
    if let due = world.device.deadline {
      if due < world.now { witness.found("4: a deadline lies in the past") }
    } else if world.connection != .noPhone, world.faults.isEmpty {
      witness.found("4: no deadline while something is to come")
    }
  }

  /// 5: the phone that is remembered rides again, unless it has lost its key, or the chip has failed.
  func checkReturn() {
    guard witness.isTrusted[0], let key = people[0].security.keyBytes, witness.hasAgreed(to: key),
      !world.controller.isHanging
    else { return }
    // What is half forgotten may be forgotten.
    if witness.asksToForget { return }
    if !phoneComesBack() {
      witness.found("5: the remembered phone does not ride within 10 s of fair air")
    }
  }

  private func has(_ whole: [UInt8], _ part: [UInt8]) -> Bool {
    whole.withUnsafeBytes { isIn(part, $0) }
  }
}
