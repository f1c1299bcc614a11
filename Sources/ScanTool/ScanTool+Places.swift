import Beacons
package import Bytes
import Events
import Exploring
import Places

/// Learning a place, and finding it again.
extension ScanTool {
  /// Receives a byte from standard input; returns `false` if it ends a word that `train` does not know.
  package mutating func receiveInput(_ byte: UInt8, at now: Instant) -> Bool {
    guard arguments.command == .train, ending == nil else { return true }
    guard byte == 0x0A else {
      word.append(byte)
      return true
    }
    defer { word.removeAll() }
    if isWord("pause") || isWord("resume") {
      isPauseWanted = isWord("pause")
      pauseOrResumeTraining(at: now)
    } else if isWord("abort") {
      finish(.training(.aborted), at: now)
    } else if isWord("finalize") {
      finishTraining(at: now)
    } else {
      return isWord("")
    }
    return true
  }

  private func isWord(_ text: String) -> Bool { isText(trimmed(word.bytes), text) }
}

// MARK: - In

extension ScanTool {
  mutating func receive(_ beacon: IBeacon, rssi: Int8?, at now: Instant) {
    training.receive(beacon, rssi: rssi, at: now)
    locator.receive(beacon, rssi: rssi, at: now)
    reportPlaces(at: now)
  }

  mutating func advancePlaces(to now: Instant) {
    if survey.advance(to: now) { report(survey.table, at: now) }
    locator.advance(to: now)
    reportPlaces(at: now)
    let before = training.secondsDone
    training.advance(to: now)
    if training.secondsDone != before { reportTraining(at: now) }
    if training.isComplete { finishTraining(at: now) }
  }

  /// Only those seconds count in which the controller listens and the user wants no pause.
  mutating func pauseOrResumeTraining(at now: Instant) {
    if arguments.command == .train, explorer.isListening, !isPauseWanted, ending == nil {
      training.resume(at: now)
    } else {
      training.pause(at: now)
    }
  }

  private mutating func reportPlaces(at now: Instant) {
    while let outcome = locator.takeOutcome() {
      switch outcome {
      case .beacons: report(locator.table, at: now)
      case .enterRegion(let group): report("enterRegion", group, at: now)
      case .exitRegion(let group): report("exitRegion", group, at: now)
      case .enterLocation(let group, let location):
        report("enterLocation", group, location, at: now)
      case .exitLocation(let group, let location): report("exitLocation", group, location, at: now)
      case .currentLocation(let group, let location, let margin):
        report("currentLocation", group, location, margin, at: now)
      }
    }
  }

  private mutating func report(
    _ event: String, _ group: Int, _ location: Int? = nil, _ margin: Int32? = nil,
    at now: Instant
  ) {
    var line = begin(event, at: now)
    let name = locator.groups[group].name
    line.field("group", text: name.bytes)
    if let location {
      let name = locator.locations[location].name
      line.field("location", text: name.bytes)
    }
    if let margin { line.field("margin", number: Int64(widening: Int(margin))) }
    end(&line, .beacons)
  }

  private mutating func report(_ heard: BeaconTable, at now: Instant) {
    guard !isForPeople else { return }
    write("ibeacons", .beacons, at: now) {
      $0.beginList("beacons")
      for index in 0..<heard.entries.count {
        guard let rssi = heard.entries[index].rssi else { continue }
        $0.beginItem()
        $0.fields(of: heard.entries[index].beacon, rssi: rssi)
        $0.endObject()
      }
      $0.endList()
    }
  }

  private mutating func reportTraining(at now: Instant) {
    let (seconds, count) = (training.secondsDone, training.beaconCount)
    write("training", .beacons, at: now) {
      $0.field("seconds", number: Int64(widening: seconds))
      $0.field("beacons", number: Int64(widening: count))
    }
  }

  /// The training is over: it has a fingerprint, or has heard too little for one.
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
