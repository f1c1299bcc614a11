import Foundation
import Glibc

/// What `Tests/explore` runs.
///
///     Explore walk SCOPE STATES TWINS    one line for a table, and each breach with the path to it
///     Explore twice SCOPE PATHS          whether what the hash cannot tell apart behaves alike
///     Explore play FILE …                whether the sentences hold on kept paths
///     Explore tell FILE                  the same of one, with all that is heard, said and told
///     Explore scopes
///
/// Exits with 1 where something does not hold.
@main struct Explore {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst(2).compactMap { Int($0) }
    let isCounted =
      ["play", "tell"].contains(arguments.first) || numbers.count == max(0, arguments.count - 2)
    switch (isCounted ? arguments.first : nil, arguments.count) {
    case ("scopes", 1): for scope in Scope.all { say(scope.name) }
    case ("walk", 4): walk(scope(arguments[1]), limit: numbers[0], twins: numbers[1])
    case ("twice", 3): compare(scope(arguments[1]), paths: numbers[0])
    case ("play", 2...): for file in arguments.dropFirst() { play(file) }
    case ("tell", 2): play(arguments[1], isTold: true)
    default: usage()
    }
  }

  private static func usage() -> Never {
    fatal(
      "usage: Explore walk SCOPE STATES TWINS | twice SCOPE PATHS | play FILE … | tell FILE | scopes"
    )
  }

  private static func scope(_ name: String) -> Scope {
    guard let scope = Scope.all.first(where: { $0.name == name }) else {
      fatal("there is no scope \(name)")
    }
    return scope
  }

  private static func walk(_ scope: Scope, limit: Int, twins: Int) {
    let clock = ContinuousClock()
    let start = clock.now
    let walk = Walk(scope, Facts(), limit: limit, twins: UInt16(clamping: twins))
    walk.tellsEnd()
    walk.run()
    let tally = walk.tally.pointee
    let rate = Int(Double(tally.steps) / ((clock.now - start) / .seconds(1)))
    let end = tally.expanded == tally.states ? "ended" : "to there"
    say(
      "| \(scope.name) | \(tally.states) | \(tally.timeless) | \(tally.steps) | \(tally.depth) | \(end) | "
        + "\(tally.breaches) | \(rate) |")
    for index in 0..<tally.breaches { walk.tell(walk.breaches[index]) }
    if tally.breaches > 0 { exit(1) }
  }

  private static func compare(_ scope: Scope, paths: Int) {
    let walk = Walk(scope, Facts(), limit: Walk.randomLength * paths, twins: 1)
    let (pairs, areAlike) = walk.compareRandomPaths(paths, seed: 7)
    say(
      "\(scope.name): \(paths) random paths, \(pairs) pairs on one state, \(areAlike ? "all alike" : "not alike")"
    )
    if !areAlike || pairs == 0 { exit(1) }
  }

  /// Plays a path that was kept: the name of its scope, then those of its letters, a line each.
  private static func play(_ file: String, isTold: Bool = false) {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      fatal("\(file) cannot be read")
    }
    let lines = text.split(separator: "\n").map(String.init)
    guard let name = lines.first else { fatal("\(file) is empty") }
    let scope = scope(name)
    let walk = Walk(scope, Facts(), limit: 1, twins: 1)
    if isTold { walk.company.tells = { say("    \($0)") } }
    for name in lines.dropFirst() {
      if isTold { say("> \(name)") }
      guard let letter = scope.letters.first(where: { $0.name == name }) else {
        fatal("\(file): the scope \(scope.name) has no letter “\(name)”")
      }
      walk.play(letter)
      _ = walk.mark()
    }
    walk.company.checkReturn()
    if let breach = walk.company.witness.breach {
      say("\(file): \(breach)")
      exit(1)
    }
    say("\(file): holds")
  }
}
