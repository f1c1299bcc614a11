import Buttons
import Bytes
import Device
import DeviceState
import Responder
import TestSupport
import VirtualAir
import VirtualDevice

/// A device, who is around it, and what has been seen of them so far.
final class Company {
  private let settings: [String]
  private(set) var world: World
  /// A phone with komoot that nobody knows.
  let stranger = VirtualPhone()
  /// Both, when they come by themselves.
  let phonesOwn, strangersOwn: VirtualCentral
  let strap = VirtualSensor(.heart)
  /// The phone and the stranger, by the word that only their texts have.
  let people: [Person]
  var witness = Witness()
  /// The phone's address of today, and that of the last link to a phone.
  private(set) var addressOfToday: [UInt8]
  private(set) var addressOfLink: [UInt8] = []
  /// Whether somebody without the key uses an address of the phone, and has the last link.
  private var isPretending = false
  private var isLinkPretended = false
  /// Packets of the controller that are on their way, and whether they stay there.
  private var held: [Held] = []
  var isHolding = false
  /// Whether the ends of links are among them.
  var isHoldingEnds = false
  private var isArriving = false
  /// The links of visitors.
  private var visits: Set<UInt8> = []
  /// Whether the disk is full behind its next write.
  var isDiskAlmostFull = false
  /// The write that the current is cut behind, or in: 1 is the next one.
  var cut: (write: Int, isTorn: Bool)?
  private var isCut = false
  /// What the disk had where the torn write did not come to.
  private var torn: (offset: Int, old: [UInt8])?
  /// The part of the device that is a copy of the disk.
  var copyOfDisk = 0..<0
  /// Whether the phone comes by itself where nothing hostile happens any more.
  var comesByItself = false
  private var isAPressed = false
  /// A hash of all that came out, which is taken only where two ways to one state are compared.
  var output: Fingerprint?
  /// Tells what is heard, said and told, if anybody wants it.
  var tells: ((String) -> Void)?

  /// The street that the phone tells once nothing hostile happens any more.
  static let wayBack = Array("Eigenheim".utf8)

  /// A packet that is on its way, and until when it may be there.
  private struct Held {
    let packet: [UInt8]
    let end: Int64
  }

  struct Person {
    let mark: [UInt8]
    let phone: VirtualPhone
    let security: VirtualSecurity
  }

  init(_ settings: [String]) {
    self.settings = settings
    world = Company.world(settings, boots: true)
    addressOfToday = world.phone.address
    let other = VirtualSecurity(number: 1)
    stranger.name = "Anna"
    stranger.address = other.privateAddress(1)
    stranger.security = other
    people = [
      Person(mark: Array("Eigen".utf8), phone: world.phone, security: world.security),
      Person(mark: Array("Fremd".utf8), phone: stranger, security: other),
    ]
    world.controller.others = [stranger]
    phonesOwn = .iPhone(world.phone)
    strangersOwn = .stranger(stranger)
    // The longest that there is.
    strangersOwn.parameters.timeout = 3_200
    watch()
  }

  private static func world(_ settings: [String], boots: Bool) -> World {
    guard let world = try? World(settings, pairs: true, boots: boots) else {
      fatal("a setting is refused")
    }
    return world
  }

  private func watch() {
    world.controller.isOnAir = { [unowned self] address in
      people.contains { $0.phone.address == address }
    }
    world.onHear = { [unowned self] packet in
      if !isArriving, isHolding || isHoldingEnds && packet.starts(with: [0x04, 0x05]) {
        held.append(Held(packet: packet, end: longestWay(of: packet)))
        return []
      }
      tells?("hears \(hex(packet))")
      // LE Connection Complete
      if packet.starts(with: [0x04, 0x3E, 0x13, 0x01, 0x00]) {
        if packet[7] == 0 { visits.remove(packet[5]) } else { visits.insert(packet[5]) }
        if packet[8..<15] != strap.address[...] {
          (addressOfLink, isLinkPretended) = (Array(packet[8..<15]), isPretending)
        }
      }
      return [packet]
    }
    world.onSend = { [unowned self] packet in
      tells?("says  \(hex(packet))")
      output?.add(packet)
      // A controller tells nothing of what was before a Reset.
      if packet.starts(with: [0x01, 0x03, 0x0C]) { held = [] }
      if torn == nil { check(said: packet) }
    }
    world.onEvent = { [unowned self] event in
      tells?("tells \(event.line)")
      // The time is another one, and so is the number of a picture.
      if event.name != "frame" {
        output?.add(Array(event.line.utf8.drop { $0 != UInt8(ascii: ",") }))
      }
      // What follows a write that was cut short never came to be.
      if torn == nil { check(told: event) }
    }
    world.onStore = { [unowned self] bytes, offset in
      output?.add(bytes)
      output?.add(UInt64(offset))
      if isDiskAlmostFull { world.faults[.store] = .noSpace }
      isDiskAlmostFull = false
      noteWrite(bytes, offset)
    }
    world.onPicture = { [unowned self] in noteGlass() }
  }

  private func noteWrite(_ bytes: [UInt8], _ offset: Int) {
    guard let next = cut else { return }
    cut = next.write > 1 ? (next.write - 1, next.isTorn) : nil
    guard cut == nil else { return }
    isCut = true
    world.faults[.store] = .noSpace
    let place = offset + min(bytes.count, 100)
    guard next.isTorn else { return }
    torn = (place, Array(world.disk[place..<offset + bytes.count]))
    noteKeys(in: bytes)
  }

  /// A link that the device has ended may last until its supervision timeout.
  private func longestWay(of packet: [UInt8]) -> Int64 {
    guard packet.starts(with: [0x04, 0x05]), packet[6] == 0x16 else { return 0 }
    let time: Int64 =
      visits.contains(packet[4]) ? Int64(strangersOwn.parameters.timeout) * 10 : 4_000
    return world.now.milliseconds + time
  }

  // MARK: - What may happen

  /// One thing happens.
  func play(_ letter: Letter) {
    world.forgetWhatCameOut()
    for person in people { person.security.forgetCodes() }
    letter.act(self)
    if isCut {
      world.faults[.store] = nil
      if let torn {
        world.disk.replaceSubrange(torn.offset..<torn.offset + torn.old.count, with: torn.old)
      }
      cutCurrent()
    }
    let isGone = witness.hasPanelFailed && !world.showsItsPicture
    if witness.isAsked, isGone || !world.panel.isOn && !witness.hasPanelDipped {
      witness.glassIsBroken()
    }
    if output != nil { for message in world.messages { output?.add(message) } }
  }

  /// The transport ends, with all that was on its way.
  func endTransport() {
    world.controller.isHanging = false
    held = []
    world.loseRadio()
    world.pass(0)
  }

  /// The oldest packet that is on its way arrives.
  func arrive() {
    guard !held.isEmpty else { return }
    arrive(held.removeFirst().packet)
  }

  private func arrive(_ packet: [UInt8]) {
    // No chip tells the end of a link whose handle is another one's by now.
    let isStale = world.controller.links.contains {
      packet.starts(with: [0x04, 0x05]) && packet[4] == UInt8(truncatingIfNeeded: $0.handle)
    }
    guard !isStale else { return }
    isArriving = true
    world.receive(packet)
    isArriving = false
    world.pass(0)
  }

  /// All arrives but the ends of links that may still last.
  private func arriveInTime() {
    let late = held.filter { $0.end > world.now.milliseconds }
    held.removeAll { $0.end > world.now.milliseconds }
    arriveAll()
    held = late
  }

  /// All that is on its way arrives.
  func arriveAll() {
    while !held.isEmpty { arrive() }
    (isHolding, isHoldingEnds) = (false, false)
  }

  /// A frame of the peer, if there is a link.
  func inject(_ channel: UInt8, _ payload: [UInt8]) {
    guard world.controller.isConnected else { return }
    world.controller.send(channel: channel, payload, world)
    world.pass(0)
  }

  /// A button is pressed for `time` milliseconds, and let go of until its contact has settled.
  func press(_ button: Button, for time: Int64 = 100) {
    if button == .b, time > 3_000, isDiskAlmostFull || cut != nil || world.faults[.store] != nil {
      witness.asksToForget = true
    }
    touch(button, isPressed: true)
    world.pass(time)
    touch(button, isPressed: false)
    world.pass(50)
    if button == .b, time > 3_000, !isCut, world.shows(.unpaired) { phonesAreForgotten() }
  }

  func touch(_ button: Button, isPressed: Bool) {
    if button == .a, isPressed, !isAPressed { witness.closed(at: world.now.milliseconds) }
    if button == .a, !isPressed, isAPressed { witness.opened(at: world.now.milliseconds) }
    if button == .a { isAPressed = isPressed }
    world.touch(button, isPressed: isPressed)
  }

  func say(_ street: String, by person: Int) {
    world.tell(8, 300, street, by: people[person].phone)
  }

  /// The phone takes its next address, on which no failure lies.
  func takeNextAddress() {
    let next = people[0].security.privateAddress(2)
    if next != addressOfToday { witness.isAddressAtRest = false }
    (addressOfToday, world.phone.address) = (next, next)
  }

  /// Whether what somebody writes arrives at once.
  func isHeard(_ person: Int) -> Bool {
    world.controller.linked === people[person].phone && !isHolding
  }

  /// A line of Gadgetbridge's, once the answers were subscribed to: their handles are 15 and 12.
  func write(_ line: String, by person: Int) {
    guard world.controller.linked === people[person].phone else { return }
    inject(4, [0x12, 15, 0, 1, 0])
    let bytes = [0x10] + Array("GB(\(line))\n".utf8)
    for start in stride(from: 0, to: bytes.count, by: 20) {
      inject(4, [0x12, 12, 0] + bytes[start..<min(start + 20, bytes.count)])
    }
  }

  /// The phone tells of a call.
  func ring(_ name: String) {
    guard isHeard(0) else { return }
    if witness.aboutCall?.name != name { witness.aboutCall = Witness.Question(name: name) }
    write(#"{"t":"call","cmd":"incoming","name":"\#(name)","number":"1"}"#, by: 0)
  }

  /// Somebody without the key sends an address that the phone has, or had.
  func advertiseRecorded(number: UInt8) {
    let (key, address) = (people[0].security.longTermKey, world.phone.address)
    people[0].security.longTermKey = nil
    world.phone.address = people[0].security.privateAddress(number)
    isPretending = true
    world.advertise()
    world.pass(500)
    isPretending = false
    (people[0].security.longTermKey, world.phone.address) = (key, address)
  }

  /// Time passes to the next deadline, or to `less` milliseconds before it.
  func passToDeadline(less: Int64 = 0) {
    guard let due = world.device.deadline, due - world.now > less else { return world.pass(0) }
    world.pass(due - world.now - less)
  }

  /// The current fails and comes back: only the disk is left.
  func cutCurrent() {
    let before = world
    arriveAll()
    (isCut, torn, cut, isDiskAlmostFull) = (false, nil, nil, false)
    world = Company.world(settings, boots: false)
    world.disk = before.disk
    world.faults = before.faults
    world.meet(before)
    // The time goes on, so that what is reckoned in it stays.
    watch()
    witness.deviceStarted()
    world.pass(100)
    noteStart()
  }

  /// Nothing hostile happens any more, and all works; returns whether the phone's turn is told in time: within 10 s,
  /// and of an address that has failed within the longest rest.
  func phoneComesBack() -> Bool {
    for button in [Button.a, .b] { touch(button, isPressed: false) }
    isHoldingEnds = false
    arriveInTime()
    world.faults = [:]
    (isDiskAlmostFull, cut) = (false, nil)
    // A phone waits for an encryption that it has begun.
    if comesByItself, !world.controller.encrypts { world.loseAllLinks() }
    (world.controller.connects, world.controller.encrypts, world.controller.isHanging) = (
      true, true, false
    )
    if world.controller.linked !== world.phone || isLinkPretended || !world.phone.hasService {
      world.loseAllLinks()
    }
    world.phone.hasService = true
    witness.isBack = false
    let end = world.now + (witness.isAddressAtRest ? 75_000 : 10_000)
    while world.now < end {
      if comesByItself {
        world.comes(phonesOwn)
      } else if !world.controller.isConnected {
        world.advertise()
      }
      world.tell(8, 200, String(decoding: Company.wayBack, as: UTF8.self), by: world.phone)
      if witness.isBack || phonesOwn.isEncrypted { return staysLinked() }
      world.pass(250)
      arriveInTime()
    }
    return false
  }

  /// Whether the phone has the same link in ten seconds.
  private func staysLinked() -> Bool {
    let handles = phonesHandles
    arriveAll()
    world.pass(10_000)
    return phonesHandles == handles
  }

  private var phonesHandles: [UInt16] {
    world.controller.links
      .filter { $0.peer == nil || $0.peer === world.phone || $0.peer === phonesOwn }
      .map { $0.handle }
  }

  // MARK: - What tells two states apart

  /// What of the air decides what comes next, and what the sentences have seen.
  func add(to print: inout Fingerprint) {
    let controller = world.controller
    for appointment in controller.appointmentTimes { print.addTime(appointment) }
    for flag in [isHolding, isHoldingEnds, isDiskAlmostFull, cut?.isTorn == true, isLinkPretended] {
      print.add(flag ? 1 : 0)
    }
    print.add(UInt64(cut?.write ?? 0))
    for one in held {
      print.add(one.packet)
      print.addTime(one.end)
    }
    for flag in [strap.isSubscribed, strap.withheld.isEmpty] { print.add(flag ? 1 : 0) }
    for port in [.store, .hci, .panel] as [Port] { print.add(world.faults[port] == nil ? 0 : 1) }
    for person in people { print.add(UInt64(person.phone.withheld.count)) }
    print.add(addressOfLink)
    witness.add(to: &print)
  }
}
