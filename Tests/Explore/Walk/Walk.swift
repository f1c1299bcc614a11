import Arena
import Glibc
import VirtualDevice

/// All states that letters lead to, breadth first.
///
/// What it keeps lies outside of the memory that is put back.
struct Walk {
  struct Node {
    var parent: UInt32
    var letter: UInt8
  }

  struct Breach {
    var node: UInt32
    var letter: UInt8
    var words: UInt64
  }

  struct Tally {
    var states = 0
    var timeless = 0
    var steps = 0
    var expanded = 0
    var depth = 0
    var breaches = 0
    /// What is being played.
    var step = Node(parent: 0, letter: 0)
  }

  let scope: String
  let company: Company
  let letters: [Letter]
  /// The letters of each way by their numbers.
  private let ways: [[UInt8]]
  private let device: Program
  private let facts: Facts
  private let drawn: Range<Int>
  private let generator: Int
  private let limit: Int
  private let fairShare: UInt64
  let table: UnsafeMutablePointer<UInt64>
  /// States without their times, and how many there are of each.
  private let twins: UnsafeMutablePointer<UInt64>
  private let twinCounts: UnsafeMutablePointer<UInt16>
  private let mostTwins: UInt16
  let capacity: Int
  private let nodes: UnsafeMutablePointer<Node>
  private let trail: UnsafeMutablePointer<UInt8>
  private let path: UnsafeMutablePointer<UInt8>
  let tally: UnsafeMutablePointer<Tally>
  let breaches: UnsafeMutablePointer<Breach>

  static let longestPath = 250
  static let mostBreaches = 32

  init(_ scope: Scope, _ facts: Facts, limit: Int, twins mostTwins: UInt16) {
    self.mostTwins = mostTwins
    // What the program and the libraries make once is made before the first state is kept.
    let first = Company(scope.settings)
    scope.beginning(first)
    for letter in scope.letters { first.play(letter) }
    company = Company(scope.settings)
    company.comesByItself = scope.comesByItself
    company.copyOfDisk = facts.copyOfDisk
    (self.scope, letters) = (scope.name, scope.letters)
    ways = scope.ways.map { way in
      way.map { letter in
        guard let place = scope.letters.firstIndex(where: { $0.name == letter.name }) else {
          fatal("\(scope.name) has no letter “\(letter.name)”")
        }
        return UInt8(place)
      }
    }
    (device, drawn, generator) = (facts.device, facts.drawn, facts.generator)
    self.facts = facts
    (self.limit, fairShare) = (limit, scope.fairShare)
    var capacity = 1024
    while capacity < limit * 2 { capacity *= 2 }
    self.capacity = capacity
    (table, twins, twinCounts) = (mapped(capacity), mapped(capacity), mapped(capacity))
    nodes = mapped(limit + 256)
    trail = mapped(Walk.longestPath + 1)
    path = mapped(Walk.longestPath + 1)
    tally = mapped(1)
    breaches = mapped(Walk.mostBreaches)
    scope.beginning(company)
    _ = mark()
  }

  /// Keeps the hash of a state; returns whether it is new, and not one of many that differ by their times.
  private func insert(_ print: Fingerprint) -> Bool {
    let timeless = place(of: print.timeless, in: twins)
    guard twinCounts[timeless] < mostTwins else { return false }
    let place = place(of: print.value, in: table)
    guard table[place] == 0 else { return false }
    table[place] = max(1, print.value)
    if twins[timeless] == 0 { tally.pointee.timeless += 1 }
    twins[timeless] = max(1, print.timeless)
    twinCounts[timeless] += 1
    return true
  }

  /// Where a hash lies, or is to lie.
  func place(of hash: UInt64, in table: UnsafeMutablePointer<UInt64>) -> Int {
    let hash = max(1, hash)
    var place = Int(truncatingIfNeeded: hash) & (capacity - 1)
    while table[place] != 0, table[place] != hash { place = (place + 1) & (capacity - 1) }
    return place
  }

  private var memory: UnsafeMutableRawPointer {
    guard let start = company.world.memory.baseAddress else { fatal("the device has no memory") }
    return start
  }

  func play(_ letter: Letter) {
    // What is drawn by lot is the same in each step, so that lots make no states.
    memory.storeBytes(of: 7, toByteOffset: generator, as: UInt64.self)
    company.play(letter)
  }

  /// The hash of the state, which the sentences look at before.
  func mark() -> Fingerprint {
    var print = Fingerprint(at: company.world.now.milliseconds)
    company.look(UnsafeRawBufferPointer(company.world.memory), drawn: drawn)
    print.add(device, at: memory)
    for (object, program) in facts.air(of: company) { print.add(program, at: object) }
    company.add(to: &print)
    return print
  }

  /// Writes the path to a node; returns its length.
  private func findPath(to node: Int) -> Int {
    var count = 0
    var place = node
    while place != 0 {
      count += 1
      place = Int(nodes[place].parent)
    }
    guard count < Walk.longestPath else { fatal("a path has more than \(Walk.longestPath) steps") }
    place = node
    for index in stride(from: count - 1, through: 0, by: -1) {
      path[index] = nodes[place].letter
      place = Int(nodes[place].parent)
    }
    return count
  }

  /// Brings the company to a node; what the last one was reached by as well is not done again.
  private func go(to node: Int, from reached: Int) -> Int {
    let count = findPath(to: node)
    var common = 0
    while common < count, common < reached, trail[common] == path[common] { common += 1 }
    arena_restore(Int32(common))
    for index in common..<count {
      trail[index] = path[index]
      play(letters[Int(path[index])])
      arena_save(Int32(index + 1))
    }
    return count
  }

  /// Keeps each state of a way, though others may have led there.
  private func add(_ way: [UInt8]) {
    arena_restore(0)
    var node = 0
    for (index, letter) in way.enumerated() {
      tally.pointee.step = Node(parent: UInt32(node), letter: letter)
      play(letters[Int(letter)])
      _ = insert(mark())
      nodes[tally.pointee.states] = Node(parent: UInt32(node), letter: letter)
      node = tally.pointee.states
      tally.pointee.states += 1
      arena_save(Int32(index + 1))
      if company.witness.breach == nil { company.checkReturn() }
      if let breach = company.witness.breach {
        return note(breach, Int(nodes[node].parent), Int(letter))
      }
      arena_restore(Int32(index + 1))
    }
  }

  /// Walks until no state is new, or there are as many as may be.
  func run() {
    tally.pointee.states = 1
    arena_save(0)
    _ = insert(mark())
    for way in ways { add(way) }
    arena_restore(0)
    var depth = 0
    var node = 0
    while node < tally.pointee.states, tally.pointee.states < limit {
      depth = go(to: node, from: depth)
      tally.pointee.depth = depth
      for (number, letter) in letters.enumerated() {
        tally.pointee.step = Node(parent: UInt32(node), letter: UInt8(number))
        play(letter)
        let mark = mark()
        tally.pointee.steps += 1
        if let breach = company.witness.breach {
          note(breach, node, number)
        } else if insert(mark) {
          nodes[tally.pointee.states] = Node(parent: UInt32(node), letter: UInt8(number))
          tally.pointee.states += 1
          if mark.value / 65_536 % fairShare == 0 {
            company.checkReturn()
            if let breach = company.witness.breach { note(breach, node, number) }
          }
        }
        arena_restore(Int32(depth))
      }
      node += 1
      tally.pointee.expanded = node
    }
    arena_restore(0)
  }

  private func note(_ words: String, _ node: Int, _ letter: Int) {
    var print = Fingerprint(at: 0)
    print.add(Array(words.utf8))
    for index in 0..<tally.pointee.breaches where breaches[index].words == print.value { return }
    guard tally.pointee.breaches < Walk.mostBreaches else { return }
    breaches[tally.pointee.breaches] = Breach(
      node: UInt32(node), letter: UInt8(letter), words: print.value)
    tally.pointee.breaches += 1
  }

  /// Plays the path to a breach from the beginning, and tells all of it; what is to be kept of it stands behind `>`.
  func tell(_ breach: Breach) {
    arena_restore(0)
    let count = findPath(to: Int(breach.node))
    path[count] = breach.letter
    company.tells = { say("    \($0)") }
    say("> \(scope)")
    for index in 0...count {
      let letter = letters[Int(path[index])]
      say("> \(letter.name)")
      play(letter)
      _ = mark()
    }
    if company.witness.breach == nil {
      say("  fair air")
      company.checkReturn()
    }
    say("  breach: \(company.witness.breach ?? "none")")
    for key in company.witness.forgotten { tellPlaces(of: key) }
    arena_restore(0)
  }

  /// Tells the path to what the program gives up at: a device that spins, or a packet that must not be said.
  private func tellEnd() {
    arena_restore(0)
    let step = tally.pointee.step
    say("> \(scope)")
    for index in 0..<findPath(to: Int(step.parent)) { say("> \(letters[Int(path[index])].name)") }
    say("> \(letters[Int(step.letter)].name)")
    say("  breach: the program gives up")
  }

  nonisolated(unsafe) private static var last: Walk?

  /// Has the path told where the program gives up.
  func tellsEnd() {
    unsafe Walk.last = self
    signal(SIGABRT) { _ in
      unsafe Walk.last?.tellEnd()
      _exit(1)
    }
  }

  /// Behind which fields of the device those bytes are.
  private func tellPlaces(of part: [UInt8]) {
    let memory = UnsafeRawBufferPointer(company.world.memory)
    for (number, step) in device.steps.enumerated() {
      let end = number + 1 < device.steps.count ? device.steps[number + 1].offset : memory.count
      guard end > step.offset,
        isIn(part, UnsafeRawBufferPointer(rebasing: memory[step.offset..<end]))
      else { continue }
      say("  it is behind \(step.name)")
    }
  }
}

/// A line to the output, whose buffer would be put back, too.
func say(_ words: String) {
  let line = Array((words + "\n").utf8)
  _ = write(1, line, line.count)
}

/// Whether the bytes are somewhere in that memory.
func isIn(_ part: [UInt8], _ memory: UnsafeRawBufferPointer) -> Bool {
  part.withUnsafeBytes { part in
    guard let place = memory.baseAddress, let bytes = part.baseAddress else { return false }
    return arena_contains(place, UInt64(memory.count), bytes, UInt64(part.count)) != 0
  }
}

/// Memory that is not put back.
func mapped<Value>(_ count: Int) -> UnsafeMutablePointer<Value> {
  let size = max(1, count) * MemoryLayout<Value>.stride
  let start = mmap(
    nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
  guard let start, start != MAP_FAILED else { fatal("there is no memory for \(size) bytes") }
  return start.bindMemory(to: Value.self, capacity: max(1, count))
}
