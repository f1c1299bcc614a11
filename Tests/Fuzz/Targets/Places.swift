import Beacons
import Bytes
import Places
import TestSupport

/// Beacons, and what is learned and told of places by them.
func runPlaces(_ feed: inout Feed) {
  switch feed.u8() % 4 {
  case 0: readFingerprint(&feed)
  case 1: train(&feed)
  case 2: locate(&feed)
  default: parseBeacon(feed.rest())
  }
}

private let group = UUID(1, 2)

private func readFingerprint(_ feed: inout Feed) {
  _ = feed.u8()  // The kept inputs begin with it.
  let file = feed.rest()
  do throws(FingerprintError) {
    check(try Fingerprint(file: file.span))
    reach("fingerprint")
  } catch {
    var line = FixedBuffer<300>()
    error.write(to: &line)
    if line.isEmpty || line.isOverflown { finding("a complaint that is no line") }
    let words = string(line.bytes).drop { $0 != " " }
    reach("complaint\(words.prefix { !$0.isNumber })")
  }
}

private func check(_ fingerprint: Fingerprint) {
  if !(1...Fingerprint.capacity ~= fingerprint.count) { finding("\(fingerprint.count) beacons") }
  if !(1...240 ~= fingerprint.seconds) { finding("\(fingerprint.seconds) seconds") }
  var groups = noGroups
  groups.append(.init(name: name(0), fingerprint.uuid))
  do throws(PlaceError) {
    var locator = try Locator(groups)
    try locator.add(location: name(0), fingerprint)
    receive(fingerprint, by: &locator)
  } catch { finding("a fingerprint that is read is refused") }
}

private func receive(_ fingerprint: Fingerprint, by locator: inout Locator) {
  for index in 0..<fingerprint.count {
    locator.receive(fingerprint.beacon(at: index), rssi: -2, at: Instant(milliseconds: 1))
  }
  locator.advance(to: Instant(milliseconds: 1_000))
  var whereabouts = Whereabouts()
  takeAll(&locator, &whereabouts)
}

private let noGroups = FixedList<4, Locator.Group>(filler: .init(name: name(0), UUID(0, 0)))

/// A beacon that is nobody's, or one of few.
private func nextBeacon(_ feed: inout Feed) -> IBeacon {
  let number = UInt16(feed.u8() % 48)
  return IBeacon(UUID(1, feed.u8() < 200 ? 2 : UInt64(number % 7)), major: 0, minor: number)
}

/// What a training writes is read, and as much of it.
private func train(_ feed: inout Feed) {
  var now = Instant(milliseconds: Int64(feed.u16()))
  do throws(PlaceError) {
    var training = try Training(group, seconds: Int(feed.u8()))
    training.resume(at: now)
    while !feed.isEmpty {
      now = now + Int64(feed.u8()) * 16
      switch feed.u8() {
      case 250...: training.pause(at: now)
      case 240...: training.resume(at: now)
      case 238...: training.advance(to: now)
      default: training.receive(nextBeacon(&feed), rssi: Int8(bitPattern: feed.u8()), at: now)
      }
      if let deadline = training.deadline, training.isComplete {
        finding("a training that is over has a deadline of \(deadline.milliseconds) ms")
      }
    }
    finish(&training, at: now)
  } catch {
    check { error.write(to: &$0) }
  }
}

private func finish(_ training: inout Training, at now: Instant) {
  do throws(TrainingError) {
    try training.finalize(at: now)
  } catch {
    check { error.write(to: &$0) }
    var heard = FixedBuffer<4096>()
    training.writeHeard(to: &heard)
    if heard.isOverflown { finding("a complaint without an end") }
    reach("no fingerprint")
    return
  }
  var file = FixedBuffer<40500>()
  training.write(to: &file)
  do throws(FingerprintError) {
    let read = try Fingerprint(file: file.bytes)
    if read.count != training.beaconCount || Int(read.seconds) != training.secondsDone {
      finding("read again it is another fingerprint")
    }
    reach("trained")
  } catch {
    finding("what is written of a training is refused: \(error)")
  }
}

private func check(_ write: (inout FixedBuffer<200>) -> Void) {
  var line = FixedBuffer<200>()
  write(&line)
  if line.isEmpty || line.isOverflown { finding("a complaint that is no line") }
}

/// Where we are by the events that were told.
private struct Whereabouts {
  var (group, location): (Int?, Int?)

  mutating func receive(_ event: Locator.Outcome) {
    switch event {
    case .enterRegion(let entered):
      if group != nil { finding("a group is entered in another") }
      group = entered
    case .exitRegion(let left):
      if group != left || location != nil { finding("a group is left that was not entered") }
      group = nil
    case .enterLocation(let near, let entered):
      if group != near || location != nil { finding("a location is entered in another") }
      location = entered
    case .exitLocation(let near, let left):
      if group != near || location != left { finding("a location is left that was not entered") }
      location = nil
    case .beacons(let near):
      if group != near { finding("beacons of a group that is not near") }
    case .currentLocation(let near, _, let margin):
      if group != near { finding("a location of a group that is not near") }
      if let margin, margin < 0 { finding("the best location is not the best") }
    }
    reach("\(event)".prefix { $0 != "(" }.description)
  }
}

/// Locations that are near and far from each other, and somebody who walks among them for hours.
private func locate(_ feed: inout Feed) {
  var groups = noGroups
  for number in 0..<feed.u8() % 7 {
    groups.append(.init(name: name(number), UUID(1, UInt64(number % 5))))
  }
  do throws(PlaceError) {
    var locator = try Locator(groups)
    do throws(PlaceError) {
      for number in 0..<feed.u8() % 20 {
        guard let fingerprint = fingerprint(&feed) else { return }
        try locator.add(location: name(number), fingerprint)
      }
    } catch {
      check { error.write(to: &$0) }
    }
    walk(&feed, &locator)
  } catch { finding("groups are refused: \(error)") }
}

private func walk(_ feed: inout Feed, _ locator: inout Locator) {
  var (now, whereabouts) = (Instant(milliseconds: Int64(feed.u16())), Whereabouts())
  while !feed.isEmpty {
    now = now + Int64(feed.u8()) * (feed.u8() < 8 ? 1_000 : 4)
    if feed.u8() < 64 {
      locator.advance(to: now)
      if let deadline = locator.deadline, deadline <= now {
        finding("a deadline that is never met")
      }
    } else {
      locator.receive(nextBeacon(&feed), rssi: Int8(bitPattern: feed.u8()), at: now)
    }
    takeAll(&locator, &whereabouts)
  }
}

/// One of the group's beacons or of another's, as its file says.
private func fingerprint(_ feed: inout Feed) -> Fingerprint? {
  let last = feed.u8() < 250 ? "2" : "6"
  return fingerprint(&feed, of: "00000000-0000-0001-0000-00000000000\(last).Maj:0")
}

/// One of beacons whose text begins like this.
func fingerprint(_ feed: inout Feed, of beacons: String) -> Fingerprint? {
  var text = "{"
  for _ in 0...feed.u8() % 8 {
    let readings = (0...feed.u8() % 3).map { _ in "\(-2 - Int(feed.u8() % 127))" }
    text += "\"\(beacons).Min:\(feed.u8() % 48)\":[\(readings.joined(separator: ","))],"
  }
  let bytes = Array((text + "\"seconds\":\(3 + feed.u8() % 200)}").utf8)
  do throws(FingerprintError) {
    return try Fingerprint(file: bytes.span)
  } catch {
    return nil
  }
}

private func name(_ number: UInt8) -> PlaceName {
  PlaceName { $0.append(0x61 + number % 18) }
}

private func takeAll(_ locator: inout Locator, _ whereabouts: inout Whereabouts) {
  var count = 0
  while let outcome = locator.takeOutcome() {
    whereabouts.receive(outcome)
    count += 1
    if count > 7 { finding("more events than one call makes") }
  }
  for index in 0..<locator.table.entries.count {
    if let rssi = locator.table.entries[index].rssi, rssi > -2 { finding("heard at \(rssi) dBm") }
  }
}

/// Data of an advertisement, and the text of a beacon.
private func parseBeacon(_ bytes: [UInt8]) {
  if let beacon = IBeacon(manufacturerData: bytes.span) {
    var text = FixedBuffer<56>()
    text.append(text: beacon)
    guard let read = IBeacon(text: text.bytes), read.isSame(as: beacon) else {
      finding("read again it is another beacon")
    }
    reach("beacon")
  }
  if Crownstone(serviceData: bytes.span) != nil { reach("crownstone") }
  if IBeacon(text: bytes.span) != nil { reach("a beacon's text") }
}
