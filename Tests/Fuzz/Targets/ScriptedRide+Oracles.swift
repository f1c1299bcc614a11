import BondFile
import Bytes
import Device
import Sensors
import TestSupport
import VirtualAir
import VirtualDevice

/// What must hold at each moment.
extension ScriptedRide {
  /// Watches a world that has just begun.
  func watch() {
    world.onHear = { [unowned self] packet in
      let packets = faulted(packet)
      for packet in packets { tell("> \(hex(packet))") }
      return packets
    }
    world.onSend = { [unowned self] packet in
      tell("< \(hex(packet))")
      checkWish(packet)
    }
    world.onEvent = { [unowned self] event in check(event) }
    world.onPicture = { [unowned self] in checkPicture() }
    world.onStore = { [unowned self] bytes, offset in checkStore(bytes, at: offset) }
    world.onRebind = { $0.controller.isHanging = false }
    kept = Kept(on: world.disk)
    let disk = world.disk
    let store = BondStore(disk.span)
    let isUsed = store.content == .bond || !store.sensors.isEmpty
    isUpdateUntold = isUsed && store.told != ownVersion
    mayTellUpdate = isUpdateUntold
  }

  private var ownVersion: ToldVersion { ToldVersion(Array(version.utf8).span) }

  func look() {
    _ = world.takeEventsSoFar()
    // The watchdog is starved.
    if world.isRebootRequested { restart() }
    reach("\(world.connection)")
    let isWaiting = world.connection != .noPhone && world.faults.isEmpty
    if isWaiting, world.device.deadline == nil { finding("no deadline while \(world.connection)") }
  }

  private func check(_ event: VirtualDevice.Event) {
    tell("\(world.now.milliseconds) \(event.line)")
    reach("event \(event.name) \(event["state"] ?? event["step"] ?? event["mode"] ?? "")")
    switch (event.name, event["state"]) {
    case ("controller", _): checkAddress(event["address"])
    case ("update", _):
      if !mayTellUpdate { finding("an update is told that is none, or was told before") }
      (mayTellUpdate, isUpdateUntold) = (false, false)
    // Nobody uses what was forgotten, even if the disk had no room for that.
    case ("bond", "erased"): isUpdateUntold = false
    case ("link", "connected"): (pressesOnLink, isEncrypted) = (0, false)
    case ("link", "encrypted"): isEncrypted = true
    case ("instruction", _):
      let street = event["street"] ?? ""
      if street == awaitedStreet { isAwaitedTold = true }
      if let party = parties.first(where: { $0.owns(street) }) { checkMayBeShown(party) }
    case ("sensor", _): checkSensor(event)
    case ("measure", _): checkFigures(event)
    case ("pairing", "confirm"), ("pairing", "ask"):
      isAsked = true
      if isAwaitedByKey { finding("the rider is asked though the phone has its key") }
    case ("report", "saved"):
      // A hundred pieces at most.
      if world.reportFile.count > 102_400 { finding("a report of \(world.reportFile.count) bytes") }
    case ("error", _):
      if event["message"]?.contains("refuses to advertise") == true { isAdvertisingRefused = true }
    case ("home", "here"): if world.connection == .ready { finding("at home beside a link") }
    case ("recovery", _) where world.isTransportFull:
      reach("a failure while the transport takes nothing")
    default: break
    }
  }

  /// An answer counts for its own command only.
  private func checkAddress(_ told: String?) {
    let address = hex(world.controller.address.reversed(), separator: ":").uppercased()
    guard !areAnswersChanged, told != address else { return }
    finding("the controller's address is \(address)")
  }

  // MARK: - Secrets

  /// Where there is a key, nobody is connected to but its phone, who replays an address of it, and sensors.
  private func checkWish(_ packet: [UInt8]) {
    // LE Create Connection for one peer.
    guard packet.count == 29, packet.starts(with: [0x01, 0x0D, 0x20]), packet[8] == 0,
      settings[0] != "pairing=off", !hasStoreFailed, let kept, kept.hasKey, let remembered
    else { return }
    let peer = Array(packet[9..<16])
    let isSensor = world.controller.sensors.contains { $0.address == peer }
    if !isSensor, !remembered.has(address: peer), peer != kept.reportedAddress {
      finding("a link to \(hex(peer)), which is not \(remembered.name)")
    }
  }

  /// Whose phone is remembered, by what the disk has.
  var remembered: Party? {
    kept.flatMap { owners[$0.identity] }
  }

  /// A value of a stranger is nobody's business where there is a key, or pairing is required.
  private func checkMayBeShown(_ party: Party) {
    guard settings[0] != "pairing=off", !hasStoreFailed else { return }
    guard let kept else {
      // The rider agreed to a pairing that is not through.
      let isAgreed = isEncrypted && world.controller.linked === party.phone
      if settings[0] == "pairing=required", !isAgreed {
        finding("a turn of \(party.name), a stranger")
      }
      return
    }
    if kept.hasKey, remembered !== party { finding("a turn of \(party.name), who is a stranger") }
  }

  /// Nor is a stranger's name.
  private func checkPicture() {
    if !world.showsItsPicture { finding("the glass shows another picture") }
    guard settings[0] != "pairing=off", !hasStoreFailed, kept?.hasKey == true,
      let linked = world.controller.linked
    else { return }
    for party in parties where party.phone === linked && remembered !== party {
      reach("a stranger's link beside a bond")
      if world.shows(.connecting(party.name)) || world.shows(.ready(party.name)) {
        finding("the name of \(party.name), who is a stranger")
      }
    }
  }

  // MARK: - The store

  /// Wherever the current is lost, the disk has what it had or what it was to have.
  private func checkStore(_ bytes: [UInt8], at offset: Int) {
    var disk = world.disk
    let old = kept
    disk.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    let new = Kept(on: disk)
    checkVersion(from: world.disk, to: disk)
    storeWrites += 1
    // All of them in turn: a script is played often.
    for cut in stride(from: storeWrites * 7 % 61, to: bytes.count, by: 61) {
      var part = world.disk
      part.replaceSubrange(offset..<offset + cut, with: bytes[..<cut])
      let found = Kept(on: part)
      if found != old, found != new {
        finding("neither the old nor the new bond, cut at \(cut)")
      }
    }
    // Without a key a phone looks as it did, when the rider has said yes to it again.
    if let new, forgotten.contains(new), new.hasKey || pressesOnLink == 0 {
      finding("a bond that was forgotten is back")
    }
    if let new, owners[new.identity] == nil {
      owners[new.identity] = owner(of: new)
      reach("a bond is written")
      let needsPress = settings[0] != "pairing=off"
      if needsPress, pressesOnLink == 0 { finding("somebody is remembered without a press") }
    }
    if let old, old.key != new?.key { forgotten.append(old) }
    kept = new
  }

  /// It is the one of before, or that of the program once the rider needs no more to be told of it.
  private func checkVersion(from old: [UInt8], to new: [UInt8]) {
    let old = BondStore(old.span)
    let new = BondStore(new.span)
    guard old.told != new.told else { return }
    reach("a version is written")
    if new.told != ownVersion || isUpdateUntold { finding("the disk has a version too soon") }
  }

  /// A phone may have gone when its bond is written.
  private func owner(of bond: Kept) -> Party? {
    parties.first { $0.phone === world.controller.linked }
      ?? parties.first { bond.hasKey && $0.security.keyBytes == bond.key }
  }
}

/// What a disk has of a bond.
struct Kept: Equatable {
  let address: DeviceAddress
  let key: [UInt8]

  /// `nil` if it has none.
  init?(on disk: [UInt8]) {
    let store = BondStore(disk.span)
    switch store.bond(in: disk.span) {
    case .some(let bond):
      address = bond.address
      key = bond.ltk.map { array($0.bytes) } ?? []
    case .none: return nil
    }
  }

  var hasKey: Bool { !key.isEmpty }

  /// Nobody else has the same: the key, or the address where there is none.
  var identity: [UInt8] {
    hasKey ? key : addressBytes
  }

  /// Its type, then its bytes, as reports have them.
  var reportedAddress: [UInt8] { [address.type.rawValue & 1] + addressBytes }

  private var addressBytes: [UInt8] {
    (0..<6).map { UInt8(truncatingIfNeeded: address.value >> (8 * $0)) }
  }
}

/// What must hold of sensors, and of what the device tells of them.
extension ScriptedRide {
  /// What was seen of sensors.
  struct SensorsSeen {
    /// By address, how often the rider had pressed when its values came.
    var offered: [String: Int] = [:]
    /// Who is, or was, remembered.
    var kept: Set<String> = []
    /// Who was heard after the rider had asked for it.
    var found: Set<String> = []
    /// When figures were told last.
    var toldAt: Instant?
  }

  func checkSensor(_ event: VirtualDevice.Event) {
    guard let address = event["address"], let state = event["state"] else { return }
    switch state {
    case "found":
      if presses == 0 { finding("a sensor is looked for without a press") }
      sensorsSeen.found.insert(address)
    case "connecting":
      guard !sensorsSeen.kept.contains(address) else { return reach("a sensor comes back") }
      if !sensorsSeen.found.contains(address) { finding("a link to \(address), whom nobody wants") }
    case "ready": sensorsSeen.offered[address] = sensorsSeen.offered[address] ?? presses
    case "remembered":
      // What has moved, or a key, is learned without the rider.
      if sensorsSeen.kept.contains(address) { return }
      guard let before = sensorsSeen.offered[address], presses > before else {
        finding("a sensor is remembered without a press")
      }
      sensorsSeen.kept.insert(address)
    case "disconnected": sensorsSeen.offered[address] = nil
    default: break
    }
  }

  /// No more often than once a second, and nothing that no bicycle does.
  func checkFigures(_ event: VirtualDevice.Event) {
    if let before = sensorsSeen.toldAt, world.now.milliseconds - before.milliseconds < 1_000 {
      finding("figures twice in a second")
    }
    sensorsSeen.toldAt = world.now
    let (speed, cadence) = (event[number: "speed"] ?? 0, event[number: "cadence"] ?? 0)
    if !(0...30_000).contains(speed) { finding("a speed of \(speed)") }
    if !(0...200).contains(cadence) { finding("a cadence of \(cadence)") }
  }

  /// The shortest way to a sensor that the rider keeps.
  func keepSensor(_ sensor: VirtualSensor) {
    behave(sensor)
    // Their page is behind one or some others, of which each is left by B.
    for pages in 1...4 {
      for _ in 0..<pages { press("a") }
      press("b")
      world.advertise(sensor)
      pass(1_600)
      guard sensor.isSubscribed else { continue }
      press("a")
      return pass(100)
    }
  }

  /// A sensor that is remembered and near is linked again, after a rest or a chip that had no link, in some minutes.
  func regainSensors() {
    let wanted = world.controller.sensors.filter { sensor in
      SensorKind.all.contains { world.device.sensors[$0]?.address == sensor.deviceAddress }
    }
    guard !wanted.isEmpty else { return }
    mendLimits()
    for sensor in wanted { behave(sensor) }
    for second: UInt32 in 0..<300 {
      for sensor in wanted { world.advertise(sensor) }
      if second % 5 == 0 { world.tell(8, 300 + second, awaitedStreet, id: 900_000 + second) }
      world.pass(1_000)
      look()
      if wanted.allSatisfy(\.isSubscribed) { return reach("all sensors are back") }
    }
    for sensor in wanted where !sensor.isSubscribed {
      finding("no link to \(sensor.name), which is remembered, within 300 s")
    }
  }

  private func behave(_ sensor: VirtualSensor) {
    (sensor.isNear, sensor.hasService, sensor.hasCCCD) = (true, true, true)
    (sensor.withheld, sensor.errors, sensor.openLinkError) = ([], [:], nil)
    (sensor.wantedParameters, sensor.leavesWhenRefused) = (nil, false)
    (sensor.ownRequests, sensor.requestsSecurity) = ([], false)
    // One that denied the key which is kept of it would wait for the rider's yes.
    let key = world.device.sensors.sensor(sensor.deviceAddress)?.key
    sensor.security = key.map { _ in sensor.security ?? VirtualSecurity(number: 1) }
    sensor.security?.longTermKey = key
    (sensor.properties, sensor.openBatteryError) = (VirtualSensor(sensor.kind).properties, nil)
  }
}
