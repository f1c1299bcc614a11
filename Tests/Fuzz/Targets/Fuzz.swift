import Glibc
import TestSupport

#if FUZZING
  import LibFuzzer
#endif

/// What is fuzzed, by the name that `Tests/fuzz` knows it by.
enum Target: String, CaseIterable {
  case device, pdu, text, store, h4, display, report, places, events, scan, lines, gauge

  func run(_ bytes: [UInt8]) {
    var feed = Feed(bytes)
    switch self {
    case .device: ScriptedRide.run(&feed)
    case .pdu: runParsers(&feed)
    case .text: runTexts(&feed)
    case .store: runStore(&feed)
    case .h4: runFramer(&feed)
    case .display: runDisplay(&feed)
    case .report: runReport(&feed)
    case .places: runPlaces(&feed)
    case .events: runEvents(&feed)
    case .scan: runScan(&feed)
    case .lines: runLines(&feed)
    case .gauge: runGauge(&feed)
    }
  }
}

/// `Fuzz TARGET …`: with libFuzzer's arguments where it is built for that, else with files to run once.
///
/// After `--tell` each input is told packet by packet. At the end it counts the states that were reached.
@main struct Fuzz {
  nonisolated(unsafe) static var target = Target.device

  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    // libFuzzer starts this program again for itself, with its own arguments only.
    if let inherited = getenv("LENKER_FUZZ_TARGET") {
      arguments.insert(String(cString: inherited), at: 0)
    }
    if arguments.first == "--soak" { soak(arguments.dropFirst()) }
    guard let first = arguments.first, let target = Target(rawValue: first) else { usage() }
    Self.target = target
    arguments.removeFirst()
    isTold = arguments.first == "--tell"
    if isTold { arguments.removeFirst() }
    atexit { complain(Fuzz.states) }
    #if FUZZING
      setenv("LENKER_FUZZ_TARGET", target.rawValue, 1)
      fuzz(arguments)
    #else
      for file in arguments { run(file) }
      print("\(target.rawValue): \(executions) inputs")
    #endif
  }

  private static func usage() -> Never {
    complain("usage: Fuzz \(Target.allCases.map(\.rawValue).joined(separator: "|")) …\n")
    complain("       Fuzz --soak [--hours N] [--seed N] [--advertise] [--tell]\n")
    exit(64)
  }

  private static func soak(_ arguments: ArraySlice<String>) -> Never {
    var numbers = ["--hours": 24, "--seed": UInt64.random(in: 1..<1_000_000)]
    var rest = arguments.filter { $0 != "--advertise" && $0 != "--tell" }[...]
    isTold = arguments.contains("--tell")
    while let name = rest.popFirst() {
      guard numbers[name] != nil, let number = rest.popFirst().flatMap({ UInt64($0) }), number > 0
      else { usage() }
      numbers[name] = number
    }
    let (hours, seed) = (Int(numbers["--hours"] ?? 0), numbers["--seed"] ?? 0)
    print("seed \(seed)")
    let soak = Soak(hours: hours, seed: seed, advertises: arguments.contains("--advertise"))
    exit(soak.live() ? 0 : 1)
  }

  private static var states: String {
    reached.sorted { $0.key < $1.key }.map { "reached \($0.key) \($0.value)\n" }.joined()
  }

  nonisolated(unsafe) static var executions = 0

  static func run(_ bytes: [UInt8]) {
    executions += 1
    target.run(bytes)
  }

  /// A file of one input, or a pack of them, whose name ends in `.pack`.
  private static func run(_ path: String) {
    guard let bytes = contents(of: path) else {
      complain("\(path): cannot be read\n")
      exit(66)
    }
    guard path.hasSuffix(".pack") else { return run(bytes) }
    for input in inputs(of: bytes) {
      if isTold { complain("input \(hex(input))\n") }
      run(input)
    }
  }

  private static func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
  }

  #if FUZZING
    private static func fuzz(_ arguments: [String]) {
      var pointers = ([CommandLine.arguments[0]] + arguments).map { strdup($0) }
      var count = CInt(pointers.count)
      pointers.append(nil)
      pointers.withUnsafeMutableBufferPointer { buffer in
        var start = buffer.baseAddress
        let status = LLVMFuzzerRunDriver(&count, &start) { data, size in
          Fuzz.run(Array(UnsafeBufferPointer(start: data, count: size)))
          return 0
        }
        exit(status)
      }
    }
  #endif
}

/// Whether the story is told as it happens: nobody else pays for its words.
nonisolated(unsafe) var isTold = false
/// How many executions came to each state.
nonisolated(unsafe) var reached: [String: Int] = [:]

/// Where in a long life that is.
nonisolated(unsafe) var whereabouts: () -> String = { "" }

/// Ends the program: what should never be has been.
func finding(_ words: String) -> Never { giveUp(words + whereabouts()) }

/// Something that happened.
func tell(_ words: @autoclosure () -> String) {
  if isTold { complain(words() + "\n") }
}

func reach(_ state: String) { reached[state, default: 0] += 1 }
