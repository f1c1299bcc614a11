import Glibc
import TestSupport

/// `Soak --hours N [--seed N] [--advertise]`: so many hours of a device's life in virtual time.
///
/// Prints a table of figures with their bounds, and ends with 1 if one does not hold.
@main struct Soak {
  static func main() throws {
    let (hours, seed, isVisited) = arguments()
    print("\(hours) hours with seed \(seed)")
    let life = try Life(seed: seed, isVisited: isVisited)
    print("\(life.kind), \(life.settings[0])")
    let start = seconds
    try life.live(hours: hours) { day in
      complain("day \(day), \(seconds - start) s\n")
    }
    print("It took \(seconds - start) s.\n")
    let rows = life.counterRows + life.figureRows(hours: hours)
    print("| figure | bound | measured | held |\n|---|---|---|---|")
    for row in rows { print(row.line) }
    for finding in life.figures.findings.prefix(20) { print("\nfinding: \(finding)") }
    let failed = rows.count { !$0.isHeld }
    print("\n\(rows.count - failed) held, \(failed) not")
    exit(failed == 0 ? 0 : 1)
  }

  private static var seconds: Int { time(nil) }

  private static func arguments() -> (hours: Int, seed: UInt64, isVisited: Bool) {
    var (hours, seed) = (24, UInt64.random(in: 1..<1_000_000))
    var rest = CommandLine.arguments.dropFirst()
    let isVisited = rest.contains("--advertise")
    rest.removeAll { $0 == "--advertise" }
    while let name = rest.popFirst() {
      guard let number = rest.popFirst().flatMap({ UInt64($0) }), number > 0 else { usage() }
      switch name {
      case "--hours": hours = Int(number)
      case "--seed": seed = number
      default: usage()
      }
    }
    return (hours, seed, isVisited)
  }

  private static func usage() -> Never {
    complain("usage: Soak [--hours N] [--seed N] [--advertise]\n")
    exit(64)
  }
}
