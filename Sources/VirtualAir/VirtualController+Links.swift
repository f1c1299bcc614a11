import Bytes
import Hexadecimal

/// What passes over links, and how they end.
extension VirtualController {
  private var phoneLink: VirtualLink? { links.first { !($0.peer is VirtualSensor) } }

  /// The peer of a link: today's `phone`, if it is neither another phone nor a sensor.
  func end(of link: VirtualLink) -> (any VirtualPeer)? { link.peer ?? phone }

  package func link(_ peer: any VirtualPeer) -> VirtualLink? { links.first { $0.peer === peer } }

  /// The link of the handle with which the parameters of a command begin.
  func link(_ parameters: [UInt8]) -> VirtualLink? {
    links.first { $0.handle == u16(parameters, 0) & 0x0FFF }
  }

  package var isConnected: Bool { phoneLink != nil }

  package var linked: VirtualPhone? { phoneLink.flatMap { phone(of: $0) } }

  /// The phone at the other end, no matter which side made the link.
  func phone(of link: VirtualLink) -> VirtualPhone? {
    let end = end(of: link)
    return (end as? VirtualCentral)?.phone ?? end as? VirtualPhone
  }

  /// Whether the phone at the other end has an older link as well.
  func isSecond(_ link: VirtualLink) -> Bool {
    guard let phone = phone(of: link) else { return false }
    return links.first { self.phone(of: $0) === phone } !== link
  }

  /// Address type and address of the linked phone, or else of the device that is being connected to.
  package var peer: [UInt8] { phoneLink?.address ?? initiating?.peer ?? [] }

  /// The shortest interval that was requested for the last link, in units of 1.25 ms.
  package var interval: Int { Int(initiations.last?.intervalMin ?? 0) }

  // MARK: - Encryption

  /// LE Enable Encryption: the peer must have the same key.
  func encrypt(_ parameters: [UInt8], _ status: UInt8, _ central: any HCIReceiver) {
    let link = link(parameters)
    let status = status == 0 && link?.role == .peripheral ? 0x0C : status
    commandStatus(0x2019, status, central)
    guard status == 0, let link else { return }
    link.key = Array(parameters[12...])
    if encrypts { encryptionEnds(on: link, central) }
  }

  /// Ends what LE Enable Encryption began.
  package func encryptionEnds(_ central: any HCIReceiver) {
    if let phoneLink { encryptionEnds(on: phoneLink, central) }
  }

  private func encryptionEnds(on link: VirtualLink, _ central: any HCIReceiver) {
    let peer = end(of: link)
    let security = peer?.security
    let isSame = security?.longTermKey.map { array($0.bytes) } == link.key
    peer?.isEncrypted = isSame
    let status = isSame ? 0 : wrongKeyStatus
    central.receive([0x04, 0x08, 4, status] + little(link.handle) + [isSame ? 1 : 0])
    guard isSame, let security, security.codes.last == 0x0D else { return }
    for command in security.identity { send(channel: 0x06, command, on: link, central) }
  }

  // MARK: - Parameters

  /// LE Connection Update: the requested parameters come into use.
  func updateConnection(_ parameters: [UInt8], _ status: UInt8, _ central: any HCIReceiver) {
    commandStatus(0x2013, status, central)
    guard status == 0, let link = link(parameters) else { return }
    link.parameters = (u16(parameters, 4), u16(parameters, 6), u16(parameters, 8))
    guard link.peer is VirtualSensor else { return }
    central.receive([0x04, 0x3E, 10, 0x03, 0] + little(link.handle) + parameters[4..<10])
  }

  // MARK: - Ends

  package func disconnect(reason: UInt8, _ central: any HCIReceiver) {
    if let phoneLink { return end(phoneLink, reason: reason, central) }
    // The end of a link that is not there, unless the handle is a sensor's by now.
    guard !links.contains(where: { $0.handle == handle }) else { return }
    central.receive([0x04, 0x05, 4, 0x00] + little(handle) + [reason])
  }

  /// The link to a peer ends, if there is one; by default the peer ends it.
  package func disconnect(
    _ peer: any VirtualPeer, reason: UInt8 = 0x13, _ central: any HCIReceiver
  ) {
    if let link = link(peer) { end(link, reason: reason, central) }
  }

  package func disconnectAll(reason: UInt8, _ central: any HCIReceiver) {
    for link in links { end(link, reason: reason, central) }
  }

  /// Ends a link; its buffers are free then, even without an event.
  func end(_ link: VirtualLink, reason: UInt8, _ central: any HCIReceiver) {
    guard links.contains(where: { $0 === link }) else { return }
    let isSecond = isSecond(link)
    links.removeAll { $0 === link }
    let end = end(of: link)
    if !isSecond {
      end?.linkWasLost()
    } else if let central = end as? VirtualCentral {
      central.forgetLink()
    }
    central.receive([0x04, 0x05, 4, 0x00] + little(link.handle) + [reason])
    guard completesEndedLinks, link.inFlight > 0 else { return }
    complete([(link.handle, link.inFlight)], central)
  }

  func endIfLeaving(_ link: VirtualLink, _ central: any HCIReceiver) {
    if let reason = end(of: link)?.leavingReason { end(link, reason: reason, central) }
  }

  // MARK: - Data

  func takeData(_ packet: [UInt8], _ central: any HCIReceiver) {
    dataPackets += 1
    let field = u16(packet, 1)
    let length = Int(u16(packet, 3))
    precondition(packet.count == 5 + length, "the length of a data packet is wrong")
    precondition(length <= max(27, Int(leBuffers.length)) || leBuffers.length == 0)
    guard let link = link(Array(packet[1...])) else { return }
    link.inFlight += 1
    if links.reduce(0, { $0 + Int($1.inFlight) }) > bufferCount { overruns += 1 }
    if field >> 12 & 3 == 1 { link.frame += packet[5...] } else { link.frame = Array(packet[5...]) }
    if completesPackets { complete(1, on: link, central) }
    guard link.frame.count >= 4 else { return }  // a host that learned of tiny buffers
    let wanted = 4 + Int(u16(link.frame, 0))
    guard link.frame.count == wanted else { return }
    let whole = link.frame
    link.frame = []
    if isSecond(link) {
      framesOnSecondLinks += 1
      return
    }
    end(of: link)?.take(channel: whole[2], Array(whole[4...])) { channel, payload in
      self.send(channel: channel, payload, on: link, central)
    }
    serve(link, central)
    endIfLeaving(link, central)
  }

  /// The LE buffers, or those that both kinds of links share.
  private var bufferCount: Int { leBuffers.length == 0 ? 8 : Int(leBuffers.count) }

  package func complete(_ count: UInt16, _ central: any HCIReceiver) {
    if let phoneLink { return complete(count, on: phoneLink, central) }
    guard !links.contains(where: { $0.handle == handle }) else { return }
    complete([(handle, count)], central)
  }

  private func complete(_ count: UInt16, on link: VirtualLink, _ central: any HCIReceiver) {
    link.inFlight -= min(count, link.inFlight)
    complete([(link.handle, count)], central)
  }

  /// Gives back the buffers of all links in one event.
  package func completeAll(_ central: any HCIReceiver) {
    let counts = links.filter { $0.inFlight > 0 }.map { ($0.handle, $0.inFlight) }
    for link in links { link.inFlight = 0 }
    if !counts.isEmpty { complete(counts, central) }
  }

  /// Number Of Completed Packets (Vol 4, Part E, 7.7.19).
  private func complete(_ counts: [(UInt16, UInt16)], _ central: any HCIReceiver) {
    let pairs = counts.flatMap { little($0.0) + little($0.1) }
    central.receive([0x04, 0x13, UInt8(1 + pairs.count), UInt8(counts.count)] + pairs)
  }

  /// A frame from the phone, in pieces of 27 bytes.
  package func send(channel: UInt8, _ payload: [UInt8], _ central: any HCIReceiver) {
    if let phoneLink { send(channel: channel, payload, on: phoneLink, central) }
  }

  /// Likewise from a sensor, if it is linked.
  package func send(
    channel: UInt8, _ payload: [UInt8], from sensor: VirtualSensor, _ central: any HCIReceiver
  ) {
    if let link = link(sensor) { send(channel: channel, payload, on: link, central) }
  }

  /// The sensor's next value, if the host has subscribed to it.
  package func notify(_ value: [UInt8], from sensor: VirtualSensor, _ central: any HCIReceiver) {
    if let pdu = sensor.notification(of: value) {
      send(channel: 0x04, pdu, from: sensor, central)
    }
  }

  func send(channel: UInt8, _ payload: [UInt8], on link: VirtualLink, _ central: any HCIReceiver) {
    let frame = little(UInt16(payload.count)) + [channel, 0] + payload
    let habit = channel == 0x04 && frame.count > 27 ? phone(of: link)?.longFrameEnd : nil
    var index = 0
    while index < frame.count {
      if let habit, index == 27 * habit.pieces {
        guard habit.reason == 0x08 else { return end(link, reason: habit.reason, central) }
        // Its silence is noticed after the supervision timeout.
        return schedule(after: 4_000) { [self] in end(link, reason: 0x08, $0) }
      }
      guard links.contains(where: { $0 === link }) else { return }
      let piece = Array(frame[index..<min(index + 27, frame.count)])
      let flags: UInt16 = index == 0 ? 0b10 : 0b01
      let header = little(link.handle | flags << 12) + little(UInt16(piece.count))
      central.receive([0x02] + header + piece)
      index += 27
    }
  }
}
