import VirtualDevice

/// `Rides fair-turns`: how soon the rider's phone is back beside a stranger, and beside sensors out of reach.
///
/// Each figure is the median, the time of which 95 % are no longer, and the longest, over 50 phases.
enum FairTurnsTable {
  private static let phases = 50

  static func write() throws {
    print(
      """
      | recorded addresses | in a ride, silent | refusing | after it, silent | refusing |
      |---|---|---|---|---|
      """)
    for addresses in [0, 1, 2, 4, 8, 16] {
      var row = "| \(addresses == 0 ? "none" : String(addresses)) |"
      for isInRide in [true, false] {
        for manner in Replay.Manner.allCases {
          let replay = Replay(addresses: addresses, manner: manner, isInRide: isInRide)
          row += " \(text(try replay.measure(phases: phases))) |"
        }
      }
      print(row)
    }
    print("\n| remembered sensors out of reach | an iPhone in the background is back after |")
    print("|---|---|")
    for sensors in [0, 1, 2, 4] {
      print("| \(sensors) | \(text(try OutOfReach(sensors: sensors).measure(phases: phases))) |")
    }
  }

  /// In seconds, with one decimal.
  private static func text(_ measured: Measured) -> String {
    [measured.median, measured.late, measured.longest].map { time in
      let tenths = (time + 50) / 100
      return "\(tenths / 10).\(tenths % 10)"
    }.joined(separator: " / ") + " s"
  }
}
