import Bytes
import TestSupport
import VirtualAir
import VirtualDevice

/// What happens to a device in its life.
extension Life {
  func suffer(_ trouble: Schedule.Trouble) throws {
    switch trouble {
    case .powerCut:
      try cutPower(tearing: false)
      comeBack()
    case .pairAgain: try pairAgain()
    case .serviceChanged: moveService()
    case .panelCut:
      figures.panelCuts += 1
      world.cutPanelPower()
      for _ in 0..<35 {
        go()
        pass(2_000)
      }
      if !world.panel.isOn { find("the panel stays dark after its power was cut") }
    case .radioLoss:
      figures.radioLosses += 1
      world.loseRadio()
      pass(chosen(0...20_000))
      comeBack()
    case .idJump:
      figures.idJumps += 1
      identifier = chosen([0, 1, .max - 2, .max / 2, UInt32(chosen(0...0xFFFF_FFFF))])
      phoneIDs.restart(at: identifier)
    case .report:
      figures.wishedReports += 1
      press("r")
    case .garbage:
      // Data of a link that is gone, an event without its parameters, an unknown kind of packet.
      world.hears(chosen([bytes("02 41 20 01 00 00"), bytes("04 3e 01"), bytes("07 00")]))
      pass(0)
    }
  }

  private func moveService() {
    let phone = world.phone
    phone.shift = UInt16(chosen(0...0x7F)) << 8
    phone.move()
    guard phone.hasServiceChanged, world.controller.isConnected else {
      figures.serviceChanges += 1
      leave()
      return comeBack()
    }
    tellServiceChanged()
    comeBack()
  }

  // MARK: - Pairing anew

  private func pairAgain() throws {
    let old = world.disk
    if isOneIn(2) {
      // The rider forgets the phone.
      press("B")
      pass(2_000)
    } else {
      // The phone forgets the device.
      world.security.longTermKey = nil
      leave()
      pass(2_000)
    }
    isRiderHelping = true
    comeBack()
    guard isOneIn(2), world.disk != old else { return }
    try cutPower(tearing: true)
    isRiderHelping = true
    comeBack()
  }

  // MARK: - Power

  /// The current is cut, perhaps in the middle of the last write, and comes back.
  func cutPower(tearing: Bool) throws {
    figures.restarts += 1
    var disk = world.disk
    if tearing, let lastWrite {
      figures.tornWrites += 1
      disk = diskBefore
      let count = Int(chosen(0...Int64(lastWrite.bytes.count)))
      disk.replaceSubrange(
        lastWrite.offset..<lastWrite.offset + count, with: lastWrite.bytes.prefix(count))
    }
    let next = try World(
      settings, at: Self.clockStart(figures.restarts, &random), boots: false)
    next.disk = disk
    next.meet(world)
    change(to: next)
    pass(1_000)
  }

  // MARK: - Strangers

  /// Somebody else comes by: komoot's riders, who calls himself anything, and who replays an address.
  func strangerComes() {
    figures.strangers += 1
    if figures.strangers.isMultiple(of: 2) { return replay() }
    let name: [UInt8] = [1 + 6, 0x09] + Array("komoot".utf8)
    let data = chosen([
      world.phone.advertisement, name, bytes("02 01 06 03 03 0f 18"), bytes("1f ff 4c"),
      bytes("02 01 1a 14 ff 4c 00 01 00 00 00 00 00 08 00 00 00 00 00 00 00 00 00 00 00"),
    ])
    let address =
      "01 \(hex([UInt8(chosen(0...255))])) 11 22 33 44 \(hex([UInt8(chosen(0x40...0x7F))]))"
    for _ in 0..<chosen(1...60) {
      world.report(address, data, rssi: -40)
      pass(1_000)
    }
  }

  /// A phone without the key says that it is the rider's, by an address that was that one's.
  private func replay() {
    let stranger = VirtualPhone()
    kind.apply(to: stranger)
    stranger.address = world.phone.address
    stranger.security = VirtualSecurity()
    stranger.value = instruction(8, 50, Array(Self.strangersStreet.utf8))
    world.controller.phone = stranger
    let links = figures.links
    for _ in 0..<60 {
      if !world.controller.isConnected { world.advertise(rssi: -40) }
      pass(1_000)
    }
    figures.impostorsLinks += figures.links - links
    if world.controller.isConnected { world.loseLink() }
    world.controller.phone = world.phone
  }

  // MARK: - The store

  /// Sets the numbers of the records near their end, as after four billion writes.
  func setSequences() {
    for start in [0, 512] where world.disk[start] == 0x89 {
      let number = 0xFFFF_FFFC &+ number(at: start + 12)
      put(number, at: start + 12)
      put(crc32(Array(world.disk[start..<start + 508]).span), at: start + 508)
    }
    sequences = Watched(sequences.name, sequence)
    hasSequence = true
  }

  /// The number of the newest whole record.
  var sequence: UInt32 {
    let whole = [0, 512].filter { start in
      crc32(Array(world.disk[start..<start + 508]).span) == number(at: start + 508)
    }
    guard let first = whole.first, let last = whole.last else { return sequences.last }
    let (one, other) = (number(at: first + 12), number(at: last + 12))
    return Int32(bitPattern: other &- one) > 0 ? other : one
  }

  private func number(at place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(world.disk[place + $1]) << (8 * UInt32($1)) }
  }

  private func put(_ number: UInt32, at place: Int) {
    for index in 0..<4 {
      world.disk[place + index] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(index)))
    }
  }
}
