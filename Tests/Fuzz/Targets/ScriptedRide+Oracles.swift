import Bond
import Bytes
import Device
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
    world.onSend = { packet in tell("< \(hex(packet))") }
    world.onEvent = { [unowned self] event in check(event) }
    world.onPicture = { [unowned self] in checkPicture() }
    world.onStore = { [unowned self] bytes, offset in checkStore(bytes, at: offset) }
    world.onRebind = { $0.controller.isHanging = false }
    kept = Kept(on: world.disk)
  }

  func look() {
    _ = world.takeEventsSoFar()
    // The watchdog is starved.
    if world.isRebootWished { restart() }
    reach("\(world.connection)")
    let isWaiting = world.connection != .noPhone && world.faults.isEmpty
    if isWaiting, world.device.deadline == nil { finding("no deadline while \(world.connection)") }
  }

  private func check(_ event: VirtualDevice.Event) {
    tell("\(world.now.milliseconds) \(event.line)")
    reach("event \(event.name) \(event["state"] ?? event["step"] ?? event["mode"] ?? "")")
    switch (event.name, event["state"]) {
    case ("controller", _): checkAddress(event["address"])
    case ("link", "connected"): (pressesOnLink, isEncrypted) = (0, false)
    case ("link", "encrypted"): isEncrypted = true
    case ("instruction", _):
      let street = event["street"] ?? ""
      if street == awaitedStreet { isAwaitedTold = true }
      if let party = parties.first(where: { $0.owns(street) }) { checkMayBeShown(party) }
    case ("sensor", _): checkSensor(event)
    case ("measure", _): checkFigures(event)
    case ("pairing", "confirm"), ("pairing", "ask"): isAsked = true
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
    // Without a key a phone looks as it did, when the rider has said yes to it anew.
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
