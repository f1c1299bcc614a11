import BoardFile
import Bytes
import DeviceState
import Navigation

/// The way around the wheel: a number of the board file, or learned from the phone's distances and kept over
/// a restart.
extension Device {
  /// By what circumference the wheel is to be heard from now on, in millimetres.
  var circumference: Int64 {
    if let wheel = board.wheel { return Int64(widening: Int(wheel)) }
    return ride.guidance.circumference ?? Guidance.usualCircumference
  }

  /// Begins to learn the circumference, if it is to be learned.
  mutating func beginCalibration() {
    if board.wheel == nil { ride.calibrateWheel(from: Guidance.usualCircumference) }
  }

  /// Goes on from the circumference of the store, unless one was learned since the start.
  mutating func restoreCircumference() {
    let kept = Int64(widening: Int(store.circumference))
    guard board.wheel == nil, kept > 0, kept != circumference, !store.hasLearned else {
      return
    }
    ride.calibrateWheel(from: kept)
  }

  /// Has a circumference that was learned written, once a ride, when nothing else is to be written.
  ///
  /// A write that comes before has it with it, and one that fails is not repeated for its sake.
  mutating func saveCircumference() {
    if let learned = ride.takeCircumferenceToSave() {
      store.keep(circumference: UInt16(truncatingIfNeeded: learned))
    }
    guard upkeep.isOpen(.store), store.takeCircumferenceIfDue() else { return }
    store.save(isDim: display.output.isDimByHand, besideBondOf: host)
  }
}
