import Bytes

/// What is wrong with the file of a ride, and in which line.
struct RideError: Error, Equatable {
  /// The page has a sentence for each of these numbers.
  enum Problem: Int32 {
    case noHeader = 1
    case noInstruction, columns, number, order, quotation, encoding, tooLong
  }

  var problem: Problem
  /// The first line is 1.
  var line: Int32
}

/// Reads the bench's rides: `milliseconds,direction,distance,street` with that header, quoted as RFC 4180 has it.
struct RideReader {
  private static let header = "milliseconds,direction,distance,street"
  private static let stepLimit = 100_000

  private let text: [UInt8]
  private var index = 0
  private var line: Int32 = 1

  /// The steps of a file, the first at 0 ms.
  static func read(_ text: [UInt8]) throws(RideError) -> [RideStep] {
    var reader = RideReader(text)
    return try reader.readAll()
  }

  private init(_ text: [UInt8]) {
    self.text = text
    // The mark with which some editors begin a file of UTF-8.
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  private mutating func readAll() throws(RideError) -> [RideStep] {
    try checkEncoding()
    let first = try nextRow() ?? []
    guard Array(first.joined(separator: [0x2C])) == Array(Self.header.utf8) else {
      throw RideError(problem: .noHeader, line: 1)
    }
    var steps: [RideStep] = []
    var start = line
    while let row = try nextRow() {
      defer { start = line }
      if row.count == 1, row[0].isEmpty { continue }
      guard steps.count < Self.stepLimit else { throw RideError(problem: .tooLong, line: start) }
      let step = try Self.step(row, line: start)
      if let last = steps.last, step.milliseconds < last.milliseconds {
        throw RideError(problem: .order, line: start)
      }
      steps.append(step)
    }
    guard let begin = steps.first?.milliseconds else {
      throw RideError(problem: .noInstruction, line: line)
    }
    for index in steps.indices { steps[index].milliseconds -= begin }
    return steps
  }

  private static func step(_ row: [[UInt8]], line: Int32) throws(RideError) -> RideStep {
    guard row.count == 4 else { throw RideError(problem: .columns, line: line) }
    guard let time = number(row[0], atMost: 1 << 53), let direction = number(row[1], atMost: 0xFF),
      let distance = number(row[2], atMost: 0xFFFF_FFFF)
    else { throw RideError(problem: .number, line: line) }
    return RideStep(
      milliseconds: time, direction: UInt8(direction), distance: UInt32(distance), street: row[3])
  }

  private static func number(_ digits: [UInt8], atMost limit: Int64) -> Int64? {
    guard digits.count <= 16, let number = naturalNumber(digits.span), number <= limit else {
      return nil
    }
    return Int64(number)
  }

  private func checkEncoding() throws(RideError) {
    var line: Int32 = 1
    var decoder = UTF8()
    var bytes = text.makeIterator()
    while true {
      switch decoder.decode(&bytes) {
      case .scalarValue(let scalar): if scalar.value == 0x0A { line += 1 }
      case .emptyInput: return
      case .error: throw RideError(problem: .encoding, line: line)
      }
    }
  }

  // MARK: - RFC 4180

  /// The columns of the next row; none at the end.
  private mutating func nextRow() throws(RideError) -> [[UInt8]]? {
    guard index < text.count else { return nil }
    var row: [[UInt8]] = []
    while true {
      row.append(try nextColumn())
      guard index < text.count else { return row }
      let end = text[index]
      index += 1
      if end == 0x2C { continue }
      if end == 0x0D, index < text.count, text[index] == 0x0A { index += 1 }
      line += 1
      return row
    }
  }

  /// Stops at the comma or at the end of the line.
  private mutating func nextColumn() throws(RideError) -> [UInt8] {
    let isQuoted = index < text.count && text[index] == 0x22
    if isQuoted { return try quotedColumn() }
    var column: [UInt8] = []
    while index < text.count, !isEnd(text[index]) {
      if text[index] == 0x22 { throw RideError(problem: .quotation, line: line) }
      column.append(text[index])
      index += 1
    }
    return column
  }

  private mutating func quotedColumn() throws(RideError) -> [UInt8] {
    let start = line
    var column: [UInt8] = []
    index += 1
    while index < text.count {
      let byte = text[index]
      index += 1
      if byte == 0x0A { line += 1 }
      if byte != 0x22 {
        column.append(byte)
      } else if index < text.count, text[index] == 0x22 {
        column.append(0x22)
        index += 1
      } else if index == text.count || isEnd(text[index]) {
        return column
      } else {
        break
      }
    }
    throw RideError(problem: .quotation, line: start)
  }

  private func isEnd(_ byte: UInt8) -> Bool { byte == 0x2C || byte == 0x0A || byte == 0x0D }
}
