import Beacons
package import Bytes
import Exploring
package import Places

/// Learning a place, and finding it again.
extension ScanTool {
  // MARK: - What is given at the start

  package mutating func add(
    location name: PlaceName, _ fingerprint: Fingerprint
  ) throws(PlaceError) {
    try locator.add(location: name, fingerprint)
  }

  // MARK: - Words

  /// Takes a byte that was typed or piped in; returns a word that `train` does not know, if one ends here.
  package mutating func receiveInput(_ byte: UInt8, at now: Instant) -> Bool {
    guard arguments.command == .train, ending == nil else { return true }
    guard byte == 0x0A else {
      word.append(byte)
      return true
    }
    var line = FixedBuffer<32>()
    line.append(trimmed(word.bytes))
    word.removeAll()
    return line.isEmpty || obey(line.bytes, at: now)
  }

  private mutating func obey(_ text: Span<UInt8>, at now: Instant) -> Bool {
    if isText(text, "pause") {
      isPauseWanted = true
      pauseOrResumeTraining(at: now)
    } else if isText(text, "resume") {
      isPauseWanted = false
      pauseOrResumeTraining(at: now)
    } else if isText(text, "abort") {
      training.abort()
      finish(.training(.aborted), at: now)
    } else if isText(text, "finalize") {
      finishTraining(at: now)
    } else {
      return false
    }
    return true
  }
}

// MARK: - What is heard

extension ScanTool {
  mutating func hear(_ beacon: IBeacon, rssi: Int8?, at now: Instant) {
    training.hear(beacon, rssi: rssi, at: now)
    locator.hear(beacon, rssi: rssi, at: now)
    takePlaceEvents(at: now)
  }

  mutating func advancePlaces(to now: Instant) {
    if survey.advance(to: now) {
      tellBeacons(survey.heardCount, at: now) { $0.survey.heard(at: $1) }
    }
    locator.advance(to: now)
    takePlaceEvents(at: now)
    let before = training.secondsDone
    training.advance(to: now)
    if training.secondsDone != before { tellTraining(at: now) }
    if training.state == .complete { finishTraining(at: now) }
  }

  /// Seconds count in which the controller listens and the user wants no pause.
  mutating func pauseOrResumeTraining(at now: Instant) {
    if arguments.command == .train, explorer.isListening, !isPauseWanted {
      training.resume(at: now)
    } else {
      training.pause(at: now)
    }
  }

  private mutating func takePlaceEvents(at now: Instant) {
    while let event = locator.takeEvent() {
      switch event {
      case .beacons: tellBeacons(locator.heardCount, at: now) { $0.locator.heard(at: $1) }
      case .enterRegion(let group): tell(.enterRegion, group, at: now)
      case .exitRegion(let group): tell(.exitRegion, group, at: now)
      case .enterLocation(let group, let location):
        tell(.enterLocation, group, location, at: now)
      case .exitLocation(let group, let location): tell(.exitLocation, group, location, at: now)
      case .currentLocation(let group, let location, let margin):
        tell(.currentLocation, group, location, margin, at: now)
      }
    }
  }

  private mutating func tell(
    _ event: ScanEvent, _ group: Int, _ location: Int? = nil, _ margin: Int32? = nil,
    at now: Instant
  ) {
    var line = JSONLine()
    begin(&line, event, at: now)
    let name = locator.groupName(group)
    line.field("group", text: name.bytes)
    if let location {
      let name = locator.locationName(location)
      line.field("location", text: name.bytes)
    }
    if let margin { line.field("margin", number: Int64(widening: Int(margin))) }
    end(&line, event)
  }

  private mutating func tellBeacons(
    _ count: Int, at now: Instant, _ heard: (borrowing ScanTool, Int) -> HeardBeacon?
  ) {
    guard !isForPeople else { return }
    var line = JSONLine()
    begin(&line, .ibeacons, at: now)
    line.beginList("beacons")
    for index in 0..<count {
      guard let heard = heard(self, index) else { continue }
      line.beginItem()
      line.fields(of: heard.beacon, rssi: heard.rssi)
      line.endObject()
    }
    line.endList()
    end(&line, .ibeacons)
  }

  private mutating func tellTraining(at now: Instant) {
    let (seconds, count) = (training.secondsDone, training.beaconCount)
    write(.training, at: now) {
      $0.field("seconds", number: Int64(widening: seconds))
      $0.field("beacons", number: Int64(widening: count))
    }
  }

  /// The training is over: what it heard is a fingerprint, or too little for one.
  mutating func finishTraining(at now: Instant) {
    guard ending == nil else { return }
    do throws(TrainingError) {
      try training.finalize(at: now)
      isFileDue = true
      finish(.done, at: now)
    } catch {
      finish(.training(error), at: now)
    }
  }
}

// MARK: - The file

extension ScanTool {
  package var pieceCount: Int { training.pieceCount }

  package func write(piece number: Int, to writer: inout some ByteWriter & ~Copyable) {
    training.write(piece: number, to: &writer)
  }

  /// Writes why there is no fingerprint, and which beacons were heard, without a newline at the end.
  package func explain(_ error: TrainingError, to writer: inout some ByteWriter & ~Copyable) {
    error.write(to: &writer)
    for index in 0..<training.beaconCount {
      writer.append("\n  heard ")
      training.write(heard: index, to: &writer)
    }
  }
}
