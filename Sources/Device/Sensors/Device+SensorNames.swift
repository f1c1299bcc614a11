import Bond
import Bytes
import Central
import DeviceState
import Sensors

/// What the panel calls sensors, so that the rider can tell two of a kind apart, such as the pedals of a bicycle.
///
/// It is the sensor's name, or the last two bytes of its address if it has none, or both if another one
/// has the same name.
extension Device {
  /// Room for a name and two bytes.
  typealias SensorLabel = FixedBuffer<40>

  /// Replaces `label` by what the remembered sensor of this kind is called; empty if there is none.
  func copyLabel(of kind: SensorKind, into label: inout SensorLabel) {
    desk.remembered.copyName(of: kind, into: &label)
    if label.isEmpty, let sensor = desk.remembered[kind] { label.append(endOf: sensor.address) }
  }

  /// Replaces `label` by what the sensor that is looked at is called; empty until it has a link.
  ///
  /// Its name comes after its first value.
  func copyCandidateLabel(into label: inout SensorLabel) {
    label.removeAll()
    if let address = host.sensorCandidate { copyLabel(of: address, into: &label) }
  }

  /// Replaces `label` by what a sensor is called that the search has heard.
  func copyLabel(of address: DeviceAddress, into label: inout SensorLabel) {
    desk.notes.copyName(of: address, into: &label)
    let isClear =
      !label.isEmpty && !desk.notes.isNameTwice(of: address) && !isNameKnown(label.bytes)
    guard !isClear else { return }
    if !label.isEmpty { label.append(" ") }
    label.append(endOf: address)
  }

  /// Whether a remembered sensor has this name.
  private func isNameKnown(_ name: Span<UInt8>) -> Bool {
    for kind in SensorKind.all {
      var known = SensorLabel()
      desk.remembered.copyName(of: kind, into: &known)
      if isEqual(known.bytes, name) { return true }
    }
    return false
  }

  /// What a sensor that is taken for this kind, and is not the remembered one, is shown and told as.
  ///
  /// It is at a wheel until its crank alone has moved; one that was kept as `cadence` is at the crank.
  func shownKind(of kind: SensorKind) -> SensorKind {
    guard kind == .speed || kind == .cadence && desk.remembered[.cadence] == nil
    else { return kind }
    return candidateMeasurements(of: kind).moved(kind) ?? .speed
  }

  /// What has been heard of the sensor that is tried or offered.
  func candidateMeasurements(of kind: SensorKind) -> Measurements {
    host.isSensorLinked(kind) ? desk.rival : desk.measurements
  }
}
