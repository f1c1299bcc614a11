import Bytes
import Turns

/// The circumference of the wheel, by the phone's metres and the wheel's revolutions.
///
/// The sums of all stretches live here; `receive`, `endStretch` and `beginRide` change them. These are all the
/// rules:
///
/// 1. A stretch counts if it has 100 m or more on the way to one turn, no reading is more than 20 m above
///    the smallest, a different reading comes every 8 s, and the wheel is present. It begins with the
///    second reading and ends with the last one, as a rounded distance is exact when it changes. At 0 m it
///    has ended, as the rider may be beyond. A stretch that makes the wheel a third larger or smaller than
///    usual is an error.
/// 2. The measured circumference is all metres of the stretches divided by their revolutions. It counts after
///    5 km of stretches, if it differs by no more than 15 % from the usual 2105 mm.
/// 3. At the end of each stretch the circumference in use comes closer to the measured one, by 1 % at most.
/// 4. It must be saved once a ride, as soon as it reaches the measured one, if it differs by 5 mm from the saved one.
struct WheelCalibration: Sendable {
  /// Usual, in millimetres.
  static var usual: Int64 { 2_105 }
  /// In millimetres.
  private static var shortest: Int64 { 100_000 }
  /// This many millimetres of stretches are enough.
  private static var enough: Int64 { 5_000_000 }
  /// A smaller difference in millimetres is no reason to write.
  private static var worthSaving: Int64 { 5 }

  /// The circumference in use, in millimetres.
  private(set) var circumference: Int64
  /// Millimetres by the phone, and thousandths of revolutions, of all stretches.
  private var millimetres: Int64 = 0
  private var thousandths: Int64 = 0
  /// The reading before the stretch, its first one, and its last one so far.
  private var before: Mark?
  private var first: Mark?
  private var last: Mark?
  private var smallest: Int64 = 0
  /// The circumference that was saved last.
  private var saved: Int64
  private var isSaved = false
  private var isSaveDue = false

  /// A reading, and how far the wheel had rolled by then; both in millimetres.
  private struct Mark {
    var distance: Int64
    var rolled: Int64
    var time: Instant
  }

  /// A wheel with the last known circumference in millimetres, or the usual one if that is impossible.
  init(circumference known: Int64) {
    circumference = Self.isPossible(known) ? known : Self.usual
    saved = circumference
  }

  /// Whether a circumference is close enough to the usual one.
  private static func isPossible(_ circumference: Int64) -> Bool {
    abs(circumference - usual) * 100 <= usual * 15
  }

  /// The circumference to save, at most once a ride.
  mutating func takeCircumferenceToSave() -> Int64? {
    defer { isSaveDue = false }
    return isSaveDue ? circumference : nil
  }

  mutating func beginRide() { isSaved = false }

  /// Receives a reading in metres, and how far the wheel has rolled by `circumference`, in millimetres.
  ///
  /// `rolled` is `nil` if that is unknown.
  mutating func receive(_ metres: Int64, _ sighting: Sighting, rolled: Int64?, at now: Instant) {
    guard let rolled, metres > 0 else { return endStretch() }
    let mark = Mark(distance: metres * 1_000, rolled: rolled, time: now)
    guard sighting == .same, let newest = last ?? before else {
      endStretch()
      if sighting != .doubtful { before = mark }
      return
    }
    let isInTime = now - newest.time < TurnSource.komoot.freshness
    if mark.distance == newest.distance, isInTime { return }
    guard isInTime, mark.distance <= smallest + ClosingSpeed.noise * 1_000 || first == nil else {
      endStretch()
      before = mark
      return
    }
    if first == nil { (first, smallest) = (mark, mark.distance) }
    last = mark
    smallest = min(smallest, mark.distance)
  }

  /// The stretch ends with its last reading.
  mutating func endStretch() {
    defer { (before, first, last) = (nil, nil, nil) }
    guard let first, let last else { return }
    let (fall, rolled) = (first.distance - last.distance, last.rolled - first.rolled)
    guard fall >= Self.shortest, rolled > 0 else { return }
    let turned = rolled * 1_000 / circumference
    guard turned > 0, abs(fall * 1_000 / turned - Self.usual) * 3 <= Self.usual else { return }
    millimetres += fall
    thousandths += turned
    adopt()
  }

  private mutating func adopt() {
    guard millimetres >= Self.enough else { return }
    let measured = (millimetres * 1_000 + thousandths / 2) / thousandths
    guard Self.isPossible(measured) else { return }
    let step = circumference / 100
    let difference = measured - circumference
    circumference += max(-step, min(difference, step))
    let isWorthSaving = abs(circumference - saved) >= Self.worthSaving
    guard abs(difference) <= step, !isSaved, isWorthSaving else { return }
    (isSaved, isSaveDue, saved) = (true, true, circumference)
  }
}
