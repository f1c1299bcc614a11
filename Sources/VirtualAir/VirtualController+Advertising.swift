/// The peripheral's role: what is advertised, which phones come, and the keys that they ask for.
///
/// Vol 4, Part E, 7.8.5 to 7.8.9, 7.8.25 and 7.8.26; Vol 6, Part B, 5.1.3.
extension VirtualController {
  /// The octets of Supported Commands (6.27) with the commands that only a peripheral needs.
  package static var peripheralCommands: [UInt8] {
    var octets = [UInt8](repeating: 0, count: 64)
    octets[25] = 1 << 5 | 1 << 7  // parameters, data
    octets[26] = 1 << 0 | 1 << 1  // scan response, enable
    octets[28] = 1 << 1 | 1 << 2  // LE Long Term Key Request Reply and its negative
    return octets
  }

  /// Whether a bit of LE States is set (7.8.27).
  func allows(_ bit: UInt64) -> Bool { supportedStates >> bit & 1 == 1 }

  var excludesScanning: Bool {
    cannotAdvertiseWhileScanning || !allows(isScanActive ? 14 : 10)
  }

  func setAdvertising(
    _ opcode: UInt16, _ parameters: [UInt8], _ refusal: UInt8, _ host: any HCIReceiver
  ) {
    var status = refusal
    if status == 0 {
      status =
        switch opcode {
        case 0x2006: advertising.setParameters(parameters)
        case 0x2008, 0x2009: advertising.setData(parameters, isScanResponse: opcode == 0x2009)
        default: enableAdvertising(parameters[0])
        }
    }
    commandComplete(opcode, [status], host)
    guard opcode == 0x200A, status == 0, parameters[0] == 1 else { return }
    for phone in centrals where phone.isNear {
      schedule(after: phone.delay) { [self] host in comes(phone, host) }
    }
    advance(host)
  }

  private func enableAdvertising(_ value: UInt8) -> UInt8 {
    guard value <= 1 else { return 0x12 }
    guard value == 1 else {
      endAdvertising()
      return 0
    }
    if advertising.isOn { return 0 }
    let isLinked = (
      central: links.contains { $0.role == .central },
      peripheral: links.contains { $0.role == .peripheral }
    )
    let isAllowed =
      allows(2) && !(isScanning && excludesScanning) && (initiating == nil || allows(32))
      && (!isLinked.central || allows(35)) && (!isLinked.peripheral || allows(38))
    guard isAllowed else { return 0x0C }
    (advertising.isOn, advertising.since) = (true, clock())
    advertisingSpells.append(
      AdvertisingSpell(
        start: clock(), interval: advertising.interval.min, data: advertising.data,
        scanResponse: advertising.scanResponse))
    return 0
  }

  /// Ends advertising, as the host requests or as a link has come of it.
  func endAdvertising() {
    guard advertising.isOn else { return }
    (advertising.isOn, advertising.since) = (false, clock())
    guard !advertisingSpells.isEmpty else { return }
    advertisingSpells[advertisingSpells.count - 1].end = clock()
  }

  // MARK: - Phones that come

  /// The phone connects, if the host advertises; returns whether it did.
  ///
  /// With `thoughSilent` it connects in any case: its request was on its way when advertising ended.
  @discardableResult
  package func comes(
    _ phone: VirtualCentral, _ host: any HCIReceiver, thoughSilent: Bool = false
  ) -> Bool {
    let isHeard = advertising.isOn && advertising.type < 2 || thoughSilent
    guard isHeard, !isHanging, links.count < linkLimit, link(phone) == nil else { return false }
    endAdvertising()
    let link = VirtualLink(
      freeHandle, phone.address, phone, phone.parameters, role: .peripheral)
    if !isConnected { handle = link.handle }
    links.append(link)
    link.unreported = [0x04, 0x3E, 19, 0x01, 0] + little(link.handle) + link.facts + [1]
    if !phone.isReportedLate { reportConnection(link, host) }
    phone.start()
    serve(link, host)
    return true
  }

  /// Whether there is a link to the phone of this address, or to the address itself.
  func hasLink(with address: [UInt8]) -> Bool {
    let known = ([phone].compactMap { $0 } + others).first { $0.address == address }
    return links.contains { link in
      link.address == address || known.map { phone(of: link) === $0 } ?? false
    }
  }

  /// The phone goes on with what it does, and begins with these.
  package func goOn(
    _ phone: VirtualCentral, with steps: [VirtualCentral.Step] = [], _ host: any HCIReceiver
  ) {
    phone.goOn(with: steps)
    if let link = link(phone) { serve(link, host) }
  }

  /// Reports links to the host that were not reported yet.
  package func reportLateConnections(_ host: any HCIReceiver) {
    for link in links { reportConnection(link, host) }
  }

  private func reportConnection(_ link: VirtualLink, _ host: any HCIReceiver) {
    guard let unreported = link.unreported else { return }
    link.unreported = nil
    host.receive(unreported)
  }

  /// Does what the phone wants done, until it waits for something.
  func serve(_ link: VirtualLink, _ host: any HCIReceiver) {
    guard let phone = link.peer as? VirtualCentral, !phone.isServed else { return }
    phone.isServed = true
    defer { phone.isServed = false }
    while links.contains(where: { $0 === link }), let deed = phone.takeDeed() {
      switch deed {
      case .send(let channel, let payload): send(channel: channel, payload, on: link, host)
      case .encrypt: requestKey(for: phone, on: link, host)
      case .leave(let reason): end(link, reason: reason, host)
      case .wait(let time, let number):
        schedule(after: time) { [self] host in
          guard phone.waitedEnough(number) else { return }
          serve(link, host)
        }
      case .update(let parameters):
        link.parameters = (u16(parameters, 2), u16(parameters, 4), u16(parameters, 6))
        host.receive([0x04, 0x3E, 10, 0x03, 0] + little(link.handle) + parameters[2..<8])
      }
    }
  }

  // MARK: - Encryption

  /// LE Long Term Key Request: the phone begins to encrypt.
  private func requestKey(
    for phone: VirtualCentral, on link: VirtualLink, _ host: any HCIReceiver
  ) {
    link.isKeyAwaited = true
    host.receive([0x04, 0x3E, 13, 0x05] + little(link.handle) + phone.random + phone.diversifier)
  }

  /// LE Long Term Key Request Reply, or its negative.
  func takeKey(
    _ opcode: UInt16, _ parameters: [UInt8], _ refusal: UInt8, _ host: any HCIReceiver
  ) {
    let link = link(parameters)
    var status = refusal
    if status == 0 { status = link == nil ? 0x02 : link?.isKeyAwaited == true ? 0 : 0x0C }
    commandComplete(opcode, [status] + parameters[0..<2], host)
    guard status == 0, let link, let phone = link.peer as? VirtualCentral else { return }
    link.isKeyAwaited = false
    guard opcode == 0x201A else {
      // The phone learns that there is no key; the host gets no further event.
      reportConnection(link, host)
      phone.keyWasRefused()
      return serve(link, host)
    }
    link.key = Array(parameters[2...])
    guard encrypts else { return }
    guard phone.key == link.key else { return endByWrongKey(link, phone, host) }
    let wasEncrypted = phone.isEncrypted
    phone.encryptionBegan(isSecond: isSecond(link))
    let change =
      wasEncrypted
      ? [0x04, 0x30, 3, 0] + little(link.handle) : [0x04, 0x08, 4, 0] + little(link.handle) + [1]
    if phone.overtakesEncryption { serve(link, host) }
    host.receive(change)
    reportConnection(link, host)
    serve(link, host)
  }

  /// The first encrypted packet cannot be read: Connection Terminated Due To MIC Failure.
  private func endByWrongKey(
    _ link: VirtualLink, _ phone: VirtualCentral, _ host: any HCIReceiver
  ) {
    if phone.failsWithChange { host.receive([0x04, 0x08, 4, 0x3D] + little(link.handle) + [0]) }
    reportConnection(link, host)
    end(link, reason: 0x3D, host)
  }

  // MARK: - Time

  /// When something happens by itself, in milliseconds of the clock.
  package var deadline: Int64? { appointments.map { $0.time }.min() }

  func schedule(after time: Int64, _ act: @escaping (any HCIReceiver) -> Void) {
    appointments.append((clock() + time, act))
  }

  /// Does what is due by the clock; returns whether there was anything.
  @discardableResult
  package func advance(_ host: any HCIReceiver) -> Bool {
    var isAnything = false
    while let index = appointments.indices.filter({ appointments[$0].time <= clock() })
      .min(by: { appointments[$0].time < appointments[$1].time })
    {
      isAnything = true
      appointments.remove(at: index).act(host)
    }
    return isAnything
  }
}
