import Device

/// A line of the table.
struct Row {
  let name, bound, measured: String
  let isHeld: Bool

  var line: String { "| \(name) | \(bound) | \(measured) | \(isHeld ? "yes" : "NO") |" }

  init(_ name: String, atMost bound: Int, _ measured: Int, _ unit: String = "") {
    self.name = name
    (self.bound, self.measured) = ("≤ \(bound)\(unit)", "\(measured)\(unit)")
    isHeld = measured <= bound
  }

  init(_ name: String, atLeast bound: Int, _ measured: Int, _ unit: String = "") {
    self.name = name
    (self.bound, self.measured) = ("≥ \(bound)\(unit)", "\(measured)\(unit)")
    isHeld = measured >= bound
  }

  init(_ name: String, _ bound: String, _ measured: String, _ isHeld: Bool) {
    (self.name, self.bound, self.measured, self.isHeld) = (name, bound, measured, isHeld)
  }
}

/// What a life is measured by.
struct Figures {
  var findings: [String] = []
  var losses = 0
  var links = 0
  var pairings = 0
  /// Links that the phone made by itself, what was written over them, and links of nobody's phone.
  var visits = 0
  var lines = 0
  var knocks = 0
  var strangers = 0
  var impostorsLinks = 0
  var restarts = 0
  var tornWrites = 0
  var serviceChanges = 0
  var panelCuts = 0
  var radioLosses = 0
  var idJumps = 0
  var reports = 0
  var wishedReports = 0
  var told = 0
  var heard = 0
  var pictures = 0
  /// From the return of the remembered phone to the first fresh turn, in milliseconds.
  var returns: [Int64] = []
  /// The same where the rider had to press first, from the press on.
  var helpedReturns: [Int64] = []
  /// Writes of each half of the bond file.
  var storeWrites = [0, 0]
  var reportBytes = 0
  /// Rounds of the loop in each hour in which nobody came by.
  var idleTurns: [Int] = []
  var firstResidentPages = 0
  /// Samples in which each pixel was lit, those in which the panel showed anything, those in which its
  /// picture was moved, and all.
  var litSamples = [UInt32](repeating: 0, count: 128 * 64)
  var shownSamples = 0
  var movedSamples = 0
  var samples = 0
}

/// A counter that goes round, as it is seen again and again.
struct Watched {
  let name: String
  let first: UInt32
  private(set) var last: UInt32
  private(set) var rounds = 0

  init(_ name: String, _ first: UInt32) { (self.name, self.first, last) = (name, first, first) }

  mutating func see(_ value: UInt32) {
    if value < last, last - value > 1 << 31 { rounds += 1 }
    last = value
  }

  /// It begins anew, as the program does.
  mutating func restart(at value: UInt32) { last = value }

  var row: Row {
    let start = String(first, radix: 16, uppercase: true)
    let end = String(last, radix: 16, uppercase: true)
    return Row(
      name, "goes round", "from \(start) to \(end), \(rounds) times round", rounds > 0)
  }
}
