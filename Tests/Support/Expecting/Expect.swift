@_exported public import Testing

/// Records an issue, with both values, where they are not equal.
///
/// `#expect(value == expected)` says the same. The compiler needs 16 ms for each of those and less than one for
/// a call, and there are more than three thousand.
public func expect<Value: Equatable>(
  _ value: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  guard value != expected else { return }
  let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let said = comment().map { ": \($0)" } ?? ""
  Issue.record("\(value) is not \(expected)\(said)", sourceLocation: place)
}

/// Records an issue where it is not so; what is more than a yes or no belongs to `#expect`, which shows it.
public func expect(
  _ isSo: Bool, _ comment: @autoclosure () -> Comment? = nil,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  guard !isSo else { return }
  let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  Issue.record(comment() ?? "it is not so", sourceLocation: place)
}
