import Glibc
import Graphics

/// What only time shows, with its bounds.
struct SoakFigures {
  var scripts = 0
  var rides = 0
  var said = 0
  var losses = 0
  /// From the return of the phone to its next turn, in milliseconds.
  var returns: [Int64] = []
  /// Writes of the store in quiet rides.
  var quietWrites = 0
  /// How often the clock has passed 2^31, 2^32 and 2^53 ms.
  var clockPassings = [0, 0, 0]
  /// Rounds of the loop in an hour in which nobody came by.
  var mostIdleTurns = 0
  /// Of the program after the first ride, in KB.
  var firstMemory = 0
  /// Samples in which each pixel was lit, the panel showed anything, and its picture was moved; and all.
  private var lit = [Int](repeating: 0, count: 128 * 64)
  private var (shown, moved, samples) = (0, 0, 0)

  mutating func sample(_ glass: borrowing Bitmap, isShown: Bool, isMoved: Bool) {
    samples += 1
    guard isShown else { return }
    shown += 1
    if isMoved { moved += 1 }
    for pixel in lit.indices where glass[pixel % 128, pixel / 128] { lit[pixel] += 1 }
  }

  func rows(hours: Int, lasted: Int, writes: Int, size: Int) -> [Row] {
    let times = returns.sorted()
    func time(_ percent: Int) -> Int {
      times.isEmpty ? .max : Int(times[(times.count - 1) * percent / 100])
    }
    func percent(_ part: Int, of whole: Int) -> Int { 100 * part / max(1, whole) }
    return [
      Row("hours", atLeast: hours, lasted),
      Row("scripts, each of which is mended", atLeast: hours / 4, scripts),
      Row("instructions in quiet rides", atLeast: 100 * hours, said),
      Row("losses of the link there", atLeast: 5 * hours, losses),
      Row("return to the next turn, median, ms", atMost: 1_000, time(50)),
      Row("95 %", atMost: 5_000, time(95)),
      Row("longest of \(times.count)", atMost: 120_000, time(100)),
    ]
      + zip(["2^31", "2^32", "2^53"], clockPassings).map {
        Row("clock past \($0) ms", atLeast: hours / 24, $1)
      } + [
        // A sensor's link has as many lines as the phone's, so that the code of one client serves both.
        Row("bytes of the device with its links, queues, rests and names", atMost: 106_496, size),
        Row(
          "memory of this program, \(firstMemory) KB after the first ride",
          atMost: firstMemory + 8_192, Self.memory),
        Row("writes of the store in quiet rides, of \(writes)", atMost: rides, quietWrites),
        Row("panel shows something, % of the time", atMost: 75, percent(shown, of: samples)),
        Row("a row higher or lower, % of that", atLeast: 25, percent(moved, of: shown)),
        Row("most lit pixel, % of the time", atMost: 75, percent(lit.max() ?? 0, of: samples)),
        Row(
          "pixels lit in the mean, % of what is shown", atMost: 33,
          percent(lit.reduce(0, +), of: 8_192 * shown)),
        Row("rounds of the loop in an idle hour", atMost: 1_800, mostIdleTurns),
      ]
  }

  /// What the program has in memory, in KB.
  static var memory: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var (size, resident) = (0, 0)
    return withUnsafeMutablePointer(to: &size) { size in
      withUnsafeMutablePointer(to: &resident) { resident in
        withVaList([size, resident]) { vfscanf(file, "%ld %ld", $0) } == 2
          ? resident.pointee * 4 : 0
      }
    }
  }
}

/// A line of the table.
struct Row {
  let line: String
  let isHeld: Bool

  init(_ name: String, atMost bound: Int, _ measured: Int) {
    self.init(name, "≤ \(bound)", measured, measured <= bound)
  }

  init(_ name: String, atLeast bound: Int, _ measured: Int) {
    self.init(name, "≥ \(bound)", measured, measured >= bound)
  }

  private init(_ name: String, _ bound: String, _ measured: Int, _ isHeld: Bool) {
    self.isHeld = isHeld
    line = "| \(name) | \(bound) | \(measured) | \(isHeld ? "yes" : "NO") |"
  }
}
