import BoardFile
import Bytes
import Navigation

/// The way around the wheel: a number of the board file, or learned from the phone's distances and kept over
/// a restart.
extension Device {
  /// By what circumference the wheel is to be heard from now on, in millimetres.
  var circumference: Int64 {
    if let wheel = board.wheel { return Int64(widening: Int(wheel)) }
    return guidance.circumference ?? Guidance.usualCircumference
  }

  /// Begins to learn the circumference, if it is to be learned.
  mutating func beginCalibration() {
    if board.wheel == nil { guidance.calibrateWheel(from: Guidance.usualCircumference) }
  }

  /// Goes on from the circumference of the store, unless one was learned since the start.
  mutating func restoreCircumference() {
    let kept = Int64(widening: Int(bondKeeper.circumference))
    guard board.wheel == nil, kept > 0, kept != circumference, !bondKeeper.hasLearned else {
      return
    }
    guidance.calibrateWheel(from: kept)
  }

  /// Has a circumference that was learned written, once a ride, when nothing else is to be written.
  ///
  /// A write that comes before has it with it, and one that fails is not repeated for its sake.
  mutating func saveCircumference() {
    if let learned = guidance.takeCircumferenceToSave() {
      bondKeeper.keep(circumference: UInt16(truncatingIfNeeded: learned))
    }
    guard ports.store.isOpen, bondKeeper.takeCircumferenceIfDue() else { return }
    bondKeeper.save(isDim: display.isDimByHand, besideBondOf: host)
  }
}
