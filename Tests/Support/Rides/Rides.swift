import Glibc
import TestSupport

/// `Rides KIND [ARGUMENT ...]`: rides, and lines of a phone, in virtual time, for tests and tools in Python.
///
/// The tests know the ride behind what they send, and compute apart what must come of it.
@main struct Rides {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst(2))
    switch CommandLine.arguments.dropFirst().first {
    case "pictures": try PicturedRide.play(arguments)
    case "progress": try ProgressRide.play(arguments)
    case "gadgetbridge": GadgetbridgeLines.play()
    case "fair-turns": try FairTurnsTable.write()
    default:
      complain("usage: Rides pictures|progress|gadgetbridge|fair-turns …\n")
      exit(64)
    }
  }
}
