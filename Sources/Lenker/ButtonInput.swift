import BoardFile
import Bytes
import Linux

/// The buttons, reopened for as long as they fail.
struct ButtonInput: ~Copyable {
  private static var retryTime: Int64 { 1_000 }

  private var input: GestureInput?
  private var lastError: Errno?

  /// When to open them; `nil` while they are open, or if the board has none.
  private(set) var deadline: Instant?

  init(opening now: Instant) { deadline = now }

  var descriptor: Descriptor {
    switch input {
    case .some(let input): input.descriptor
    case .none: .none
    }
  }

  /// Opens them if it is time to; throws once for each new reason.
  mutating func open(_ port: BoardFile.Buttons, at now: Instant) throws(Errno) {
    guard let due = deadline, now >= due else { return }
    do throws(Errno) {
      input = try port.open()
      deadline = nil
      lastError = nil
    } catch {
      deadline = now + Self.retryTime
      guard error != lastError else { return }
      lastError = error
      throw error
    }
  }

  /// The next gesture that was made.
  mutating func next() -> Gesture? { input?.next() }
}
