import ATT
import Bytes
import Central
import Controller
import HCI
import L2CAP
import Panel
import PhoneServices
import SMP
import Sensors
import TestSupport

/// Every parser of bytes that come from the air or the controller.
func runParsers(_ feed: inout Feed) {
  let kind = feed.u8()
  if kind == 238 { return runMusic(&feed) }
  if kind == 239 { return runClock(&feed) }
  if kind >= 240 { return runSensors(&feed) }
  if kind >= 200 { return runWriters(&feed) }
  let bytes = feed.rest()
  do {
    switch kind % 8 {
    case 0: try parseEvent(bytes)
    case 1: try parseData(bytes)
    case 2: _ = try ClientPDU(parsing: bytes.span)
    case 3: _ = try ServerPDU(parsing: bytes.span)
    case 4: try rewrite(bytes)
    case 5: _ = try BasicFrame(parsing: bytes.span)
    case 6: _ = try SignalingPDU(parsing: bytes.span)
    default: _ = try Instruction(parsing: bytes.span)
    }
    reach("parsed \(kind % 8)")
  } catch {
    reach("refused \(kind % 8)")
  }
}

/// What is made of numbers from the air.
private func runWriters(_ feed: inout Feed) {
  let parameters = ConnectionParameters(
    intervalMin: feed.u16(), intervalMax: feed.u16(), latency: feed.u16(),
    supervisionTimeout: feed.u16())
  // Nothing is granted that the specification does not allow.
  if parameters.areAcceptable, !parameters.areValid { finding("acceptable, and not valid") }
  let number = feed.take(Int(feed.u8() % 20))
  if let address = boardAddress(
    compatible: Array("raspberrypi,model-zero-w".utf8).span, serialNumber: number.span),
    address.value >> 24 != 0xB827EB
  {
    finding("an address that is none of a Raspberry Pi")
  }
  let packet = feed.rest()
  var file = FixedBuffer<512>()
  BTSnoop.write(packet.span, isReceived: true, at: 0, into: &file)
  let size = packet.isEmpty ? 0 : BTSnoop.recordHeaderSize + packet.count
  if file.count != size { finding("a record of \(file.count) bytes for \(packet.count)") }
  var line = FixedBuffer<2048>()
  line.append(traceOf: packet.span, to: 0x3C, atMilliseconds: 12_345)
  if line.count != 9 + 3 * packet.count { finding("a line of \(line.count) letters") }
  reach("written")
}

/// Whatever a phone takes for a time, a line of events can hold it.
private func runClock(_ feed: inout Feed) {
  let place = feed.take(2)
  let value = feed.rest()
  guard let time = try? LocalTime(parsing: value.span) else { return reach("no time") }
  let zone = try? Zone(parsing: place.span)
  if !(0..<86_400_000 ~= time.milliseconds) { finding("a time beyond midnight") }
  var text = FixedBuffer<64>()
  time.write(in: zone, into: &text)
  if text.count != (zone == nil ? 19 : 25) { finding("a time of \(text.count) letters") }
  reach("a time")
}

/// Whatever a phone takes for a title, what is kept of it is no longer than its place.
private func runMusic(_ feed: inout Feed) {
  var player = MusicPlayer()
  _ = player.receive(.found)
  _ = player.receive(feed.bool() ? .accepted : .refused)
  while !feed.isEmpty {
    let value = feed.take(Int(feed.u8()))
    if feed.bool() {
      player.receiveCommands()
      _ = player.receive(.commandRefused)
    } else {
      _ = player.receive(update: value.span)
    }
    if player.state == .absent, player.takes(.next) { finding("a command to nobody") }
    if player.title.count > 96 || player.artist.count > 96 { finding("a title too long") }
    reach(player.title.isEmpty ? "no title" : "a title")
  }
}

private func parseData(_ bytes: [UInt8]) throws {
  let data = try ACLData(parsing: bytes.span)
  if data.data.count != bytes.count - 4 { finding("other data than the packet has") }
}

private func parseEvent(_ bytes: [UInt8]) throws {
  switch try Event(parsing: bytes.span) {
  case .leAdvertisingReport(var reports), .leExtendedAdvertisingReport(var reports):
    var count = 0
    while try reports.next() != nil {
      count += 1
      if count > 255 { finding("more reports than an event can hold") }
    }
  case .numberOfCompletedPackets(let packets): _ = packets.count(for: 0x40)
  default: break
  }
}

/// A command of the Security Manager that is read is never longer when it is written.
private func rewrite(_ bytes: [UInt8]) throws {
  let command = try SecurityPDU(parsing: bytes.span)
  var written = FixedBuffer<65>()
  command.write(into: &written)
  if written.count > bytes.count { finding("a command became longer: \(hex(bytes))") }
}

/// What sensors say, over hours: whatever that is, nobody rides faster than a bicycle, nor backwards.
func runSensors(_ feed: inout Feed) {
  var wheel = Wheel(circumference: 4_000, timeResolution: 1_024 << Int64(feed.u8() & 1))
  var (crank, radar, now) = (Crank(), Radar(), Instant(milliseconds: 0))
  while !feed.isEmpty {
    now = now + Int64(feed.u16()) * (feed.bool() ? 1_000 : 1)
    let kind = feed.u8()
    var value = feed.take(Int(feed.u8() % 40))
    // One of the two values of a radar.
    if kind >= 0x80, let first = value.first { value[0] = first & 0xF0 | first & 1 << 1 }
    let distance = wheel.distance
    do {
      switch kind % 5 {
      case 0: try parseHeartRate(value)
      case 1:
        let measurement = try CSCMeasurement(parsing: value.span)
        if let news = measurement.wheel { wheel.receive(news, at: now) }
        if let news = measurement.crank { crank.receive(news, at: now) }
      case 2:
        let measurement = try CyclingPowerMeasurement(parsing: value.span)
        if let news = measurement.wheel { wheel.receive(news, at: now) }
        if let news = measurement.crank { crank.receive(news, at: now) }
      case 3: radar.receive(value.span, at: now)
      default:
        wheel.linkWasLost()
        crank.linkWasLost()
      }
      reach("a sensor's value \(kind % 5)")
    } catch {
      reach("no sensor's value \(kind % 5)")
    }
    if wheel.distance < distance { finding("the way became shorter") }
    if let speed = wheel.speed(at: now), !(0...30_000 ~= speed) { finding("\(speed) mm/s") }
    if let cadence = crank.cadence(at: now), !(0...200 ~= cadence) { finding("cadence \(cadence)") }
    judge(&radar, at: now)
  }
}

private func parseHeartRate(_ bytes: [UInt8]) throws {
  let measurement = try HeartRateMeasurement(parsing: bytes.span)
  if measurement.rate == 0 { finding("a heart that stands") }
}

private func judge(_ radar: inout Radar, at now: Instant) {
  radar.advance(to: now)
  if let deadline = radar.deadline, deadline <= now { finding("a deadline that is never met") }
  if radar.isSilent(at: now), radar.count > 0 { finding("a silent radar that sees") }
  for index in 0..<max(0, radar.count - 1) where radar[index].distance > radar[index + 1].distance {
    finding("the nearest is not the first")
  }
}

/// A stream in pieces of any size is cut where the headers say, and never otherwise.
func runFramer(_ feed: inout Feed) {
  var framer = H4Framer()
  while !feed.isEmpty {
    let piece = feed.take(1 + Int(feed.u8()))
    var start = 0
    while start < piece.count {
      do {
        let taken = try framer.receive(piece.span.extracting(start...))
        guard taken > 0 else { finding("the framer takes nothing") }
        start += taken
      } catch {
        reach("refused")
        return
      }
      if framer.packet.count > H4Framer.maxPacket { finding("a packet beyond the largest") }
      if framer.isComplete { check(framer.packet) }
    }
  }
}

/// The length by the header, read here again.
///
/// Core Specification, Vol 4, Part E, 5.4.
private func check(_ packet: Span<UInt8>) {
  let count: Int
  switch packet[0] {
  case 2: count = 5 + Int(packet[3]) + Int(packet[4]) << 8
  case 3: count = 4 + Int(packet[3])
  case 4: count = 3 + Int(packet[2])
  case 5: count = 5 + Int(packet[3]) + Int(packet[4] & 0x3F) << 8
  default: finding("a packet with indicator \(packet[0])")
  }
  if count != packet.count { finding("\(packet.count) bytes for a packet of \(count)") }
  reach("packet \(packet[0])")
}
