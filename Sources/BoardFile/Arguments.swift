package import Bytes

/// The program's arguments, read one after the other.
///
///     lenker [--board FILE] [--check] [--version] [--help] [KEY=VALUE ...]
///
/// Overrides are only marked here: they replace what the board file says, so their turn comes
/// after it, see `isOverride(_:)`.
package struct Arguments: ~Copyable {
  /// What the program is asked to do: be the device, or print something.
  package enum Task: Sendable { case run, check, version, help }

  package static var capacity: Int { Marks.count - 1 }

  /// What to do: help if it is asked for at all, else the last task that is asked for.
  package private(set) var task = Task.run
  /// The file after `--board`.
  package private(set) var boardFile: Text?

  /// Whether each argument is an override; that at 0 is the program's name.
  private typealias Marks = InlineArray<65, Bool>
  private var overrides = Marks(repeating: false)
  private var isBoardFileNext = false

  package init() {}

  /// How the program is used, with a newline at the end of each line.
  package static var usage: String {
    """
    usage: lenker [--board FILE] [--check] [--version] [--help] [KEY=VALUE ...]
      --board FILE  reads the board file FILE
      --check       opens every device of the board, says how each one is, and exits with 0 or 69
      --version     prints the version
      --help        prints this and the keys
      KEY=VALUE     overrides a key of the board file

    """
  }

  /// Writes how the program is used and, in a line each, every key with its values and its default.
  package static func writeHelp(to writer: inout some ByteWriter & ~Copyable) {
    writer.append(usage)
    writer.append("keys, what they may be, and what they are by default:\n")
    let standard = Board()
    for number in 0..<Key.count {
      guard let key = Key(rawValue: number) else { continue }
      writer.append("  ")
      writer.append(key.name)
      let name = key.name.utf8
      for _ in name.span.count..<14 { writer.append(" ") }
      key.writeValues(to: &writer)
      writer.append(" [")
      standard.write(key, to: &writer)
      if case .columnOffset = key { writer.append("by panel") }
      writer.append("]\n")
    }
  }

  /// Reads one argument; the first one after the program's name has position 1.
  package mutating func read(_ argument: Span<UInt8>, position: Int) throws(UsageError) {
    guard (1...Self.capacity).contains(position) else { throw .tooMany }
    if isBoardFileNext {
      try readBoardFile(argument)
    } else if isText(argument, "--board") {
      isBoardFileNext = true
    } else if let file = rest(of: argument, after: "--board=") {
      try readBoardFile(file)
    } else if isText(argument, "--check") {
      want(.check)
    } else if isText(argument, "--version") {
      want(.version)
    } else if isText(argument, "--help") {
      want(.help)
    } else if argument.isEmpty || argument[0] == 0x2D {
      throw .unknownOption
    } else if firstIndex(of: 0x3D, in: argument) != nil {
      overrides[position] = true
    } else {
      throw .notAnOverride
    }
  }

  /// Call after the last argument.
  package func finish() throws(UsageError) {
    if isBoardFileNext { throw .boardFileIsMissing }
  }

  /// Whether the argument at this position is a `KEY=VALUE`, for `BoardParser.override`.
  package func isOverride(_ position: Int) -> Bool {
    (1...Self.capacity).contains(position) && overrides[position]
  }

  private mutating func want(_ wanted: Task) {
    if case .help = task { return }
    task = wanted
  }

  @inline(never)  // one copy
  private mutating func readBoardFile(_ path: Span<UInt8>) throws(UsageError) {
    isBoardFileNext = false
    guard boardFile == nil else { throw .twoBoardFiles }
    guard !path.isEmpty, let file = Text(path) else { throw .badBoardFile }
    boardFile = file
  }
}

/// What is wrong with the argument that was read last.
///
/// It lacks the argument's text, as Swift copies an error byte by byte.
package enum UsageError: Error, Sendable {
  case unknownOption, notAnOverride, badBoardFile, boardFileIsMissing, twoBoardFiles, tooMany

  /// Writes what is wrong in one line, without a newline; `Arguments.usage` says what is right.
  package func write(about argument: Span<UInt8>, to writer: inout some ByteWriter & ~Copyable) {
    switch self {
    case .unknownOption: writer.append("unknown option")
    case .notAnOverride: writer.append("neither an option nor KEY=VALUE:")
    case .badBoardFile:
      writer.append("a path of 1 to ", Text.capacity)
      writer.append(" bytes must follow --board, not")
    case .boardFileIsMissing:
      writer.append("the path of a board file must follow --board")
      return
    case .twoBoardFiles: writer.append("a second board file:")
    case .tooMany:
      writer.append("more than ", Arguments.capacity)
      writer.append(" arguments, from here on:")
    }
    writer.append(" \"")
    if let path = rest(of: argument, after: "--board=") {
      quote(path, to: &writer)
    } else {
      quote(argument, to: &writer)
    }
    writer.append("\"")
  }
}
