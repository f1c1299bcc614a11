import Bytes
import Linux

/// A time without the panel, and which of its reasons have been told.
///
/// One fault shows in several errors: a panel without power fails to acknowledge now its address
/// and now a byte, and a bus that is pulled out refuses to write first and to be opened then. Each
/// kind of trouble is told once, however often it alternates with others, until a whole picture
/// has arrived.
struct PanelOutage {
  private static var capacity: Int { 8 }
  private var told = InlineArray<8, Int32>(repeating: 0)
  private var count = 0

  /// Whether the panel is away.
  var isOn: Bool { count > 0 }

  /// Takes what has failed; returns whether it is to be told.
  mutating func take(_ reason: Errno) -> Bool {
    let kind = reason.kindOnBus.rawValue
    for index in 0..<count where told[index] == kind { return false }
    guard count < Self.capacity else { return false }
    told[count] = kind
    count += 1
    return true
  }

  /// The panel shows a whole picture again.
  mutating func end() { count = 0 }
}

extension Errno {
  /// The same for all errors that one fault can show in.
  fileprivate var kindOnBus: Errno {
    switch self {
    case .noSuchAddress, .inputOutput: .remoteIO
    case .noSuchDevice: .noSuchFile
    default: self
    }
  }
}
