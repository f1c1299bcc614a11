/// How links come about: LE Create Connection and the accept list (Vol 4, Part E, 7.8.12 to 7.8.17).
extension VirtualController {
  func createConnection(_ parameters: [UInt8], _ refusal: UInt8, _ central: any HCIReceiver) {
    let isFull = links.count >= linkLimit
    let isBusy =
      initiating != nil || refusesToConnectWhileScanning && isScanning
      || advertising.isOn && !allows(32)
    var status = refusal
    if status == 0, isBusy { status = 0x0C }  // Command Disallowed
    if status == 0, isFull, limitRefusal == .commandStatus { status = 0x0D }
    let isKnown = existingRefusal != nil && hasLink(with: Array(parameters[5..<12]))
    if status == 0, isKnown, existingRefusal == .commandStatus { status = 0x0B }
    commandStatus(0x200D, status, central)
    guard status == 0 else { return }
    let wanted = Initiation(parameters)
    initiations.append(wanted)
    if isKnown { return completeInVain(0x0B, central) }
    if isFull { return completeInVain(0x09, central) }
    initiating = wanted
    guard connects else { return }
    if wanted.usesAcceptList {
      let near = sensors.first { isAdvertising($0) && isListedAndAwaited($0.address) }
      if let near { connect(central, to: near.address) }
    } else if let sensor = sensor(wanted.peer) {
      if isAdvertising(sensor) { connect(central) }
    } else if isOnAir(wanted.peer) {
      connect(central)
    }
  }

  func cancelConnection(_ status: UInt8, _ central: any HCIReceiver) {
    let race = cancelRace
    cancelRace = .none
    switch race {
    case .comes(let phone): comes(phone, central, thoughSilent: true)
    case .connects: if initiating != nil { connect(central) }
    case .none: break
    }
    commandComplete(0x200E, [initiating == nil ? 0x0C : status], central)
    guard initiating != nil, status == 0 else { return }
    initiating = nil
    completeInVain(0x02, central)  // Unknown Connection Identifier
  }

  /// LE Connection Complete without a link.
  private func completeInVain(_ status: UInt8, _ central: any HCIReceiver) {
    central.receive([0x04, 0x3E, 19, 0x01, status] + [UInt8](repeating: 0, count: 17))
  }

  /// Completes the attempt that LE Create Connection began, perhaps with another device.
  package func connect(_ central: any HCIReceiver, to other: [UInt8]? = nil, status: UInt8 = 0) {
    let address = other ?? initiating?.peer ?? peer
    let sensor = sensor(address)
    var parameters: (interval: UInt16, latency: UInt16, timeout: UInt16) = (0x0018, 0, 400)
    if sensor != nil, let initiating {
      parameters = (initiating.intervalMax, initiating.latency, initiating.timeout)
    }
    initiating = nil
    // A phone has one link as a peripheral, and perhaps one more.
    let old =
      sensor == nil ? links.first { $0.role == .central && !($0.peer is VirtualSensor) } : nil
    let handle = old?.handle ?? freeHandle
    let end: (any VirtualPeer)? = sensor ?? others.first { $0.address == address }
    let made = VirtualLink(handle, address, end, parameters)
    if status == 0 {
      links.removeAll { $0.handle == handle }
      links.append(made)
      if sensor == nil { self.handle = handle }
    }
    central.receive([0x04, 0x3E, 19, 0x01, status] + little(handle) + made.facts + [0])
    guard status == 0, let sensor, let link = link(sensor) else { return }
    sensor.linkWasMade { send(channel: $0, $1, on: link, central) }
    endIfLeaving(link, central)
  }

  var freeHandle: UInt16 {
    var handle: UInt16 = 0x0040
    while links.contains(where: { $0.handle == handle }) { handle += 1 }
    return handle
  }

  /// LE Clear, Add Device To and Remove Device From Filter Accept List; returns the status.
  func changeAcceptList(_ opcode: UInt16, _ device: [UInt8]) -> UInt8 {
    if initiating?.usesAcceptList == true { return 0x0C }
    switch opcode {
    case 0x2010: acceptList = []
    case 0x2011 where acceptList.contains(device): break
    case 0x2011:
      if acceptList.count >= acceptListSize { return 0x07 }  // Memory Capacity Exceeded
      acceptList.append(device)
    default: acceptList.removeAll { $0 == device }
    }
    return 0
  }

  /// An advertising event of a sensor: a report while scanning, and the end of an attempt that waits for it.
  package func advertise(_ central: any HCIReceiver, _ sensor: VirtualSensor, rssi: Int8 = -60) {
    guard isAdvertising(sensor) else { return }
    if isScanning {
      report(sensor.address, sensor.advertisement, rssi: rssi, central)
      if isScanActive, !sensor.scanResponse.isEmpty {
        report(sensor.address, sensor.scanResponse, type: 4, rssi: rssi, central)
      }
    }
    guard isAdvertising(sensor) else { return }
    let isAwaited = connects && initiating?.usesAcceptList == false
    if isAwaited && initiating?.peer == sensor.address || isListedAndAwaited(sensor.address) {
      connect(central, to: sensor.address)
    }
  }

  /// Whether the attempt under way waits for the accept list, and this device is on it.
  func isListedAndAwaited(_ address: [UInt8]) -> Bool {
    connects && initiating?.usesAcceptList == true && acceptList.contains(address)
  }

  /// Whether a sensor advertises: one that is connected does not.
  private func isAdvertising(_ sensor: VirtualSensor) -> Bool {
    sensor.isNear && link(sensor) == nil
  }

  private func sensor(_ address: [UInt8]) -> VirtualSensor? {
    sensors.first { $0.address == address }
  }
}
