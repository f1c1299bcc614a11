/// Reads an answer of Data Source byte by byte, as it may be cut anywhere.
///
/// The requested command (0) and the UID, then attributes in any order: identifier (1 byte), length (2,
/// little-endian) and text. There is no total: the answer is complete when all requested attributes are here.
/// Apple Notification Center Service Specification, Get Notification Attributes.
///
/// | stage | ends with |
/// |---|---|
/// | header | the 5 bytes of the request; another byte: lost |
/// | attribute | its identifier |
/// | length | 2 bytes |
/// | text | as many bytes as the length; after the last attribute: complete |
/// | lost | the end of the notification: header |
/// | complete | – |
///
/// It keeps no text, so that the record of the device can follow an answer too. Only `beginNotification` and
/// `receive` change its stage.
package struct AnswerReader: Equatable, Sendable {
  /// An attribute of a notification, with its identifier.
  package enum Attribute: UInt8, Sendable {
    /// The app's identifier.
    case app = 0
    case title = 1
    case message = 3
  }

  /// What a byte is.
  package enum Piece: Equatable, Sendable {
    /// Outside the texts.
    case structure
    /// A byte of this attribute's text; `nil` in an unrequested or repeated text, and outside the answer.
    case text(Attribute?)
  }

  private enum Stage: Equatable {
    case header(Int)
    case attribute
    case lengthLow(UInt8)
    case lengthHigh(UInt8, UInt8)
    case text(UInt8, left: Int)
    case lost
    case complete
  }

  private var stage = Stage.header(0)
  private let uid: UInt32
  /// A bit for each requested attribute that is not here yet.
  private var missing: UInt8

  /// Reads the title of a notification, with `hasMessage` its message, and with `hasApp` its app.
  package init(uid: UInt32, hasMessage: Bool, hasApp: Bool = false) {
    self.uid = uid
    missing = Self.bit(.title)
    if hasMessage { missing |= Self.bit(.message) }
    if hasApp { missing |= Self.bit(.app) }
  }

  private static func bit(_ attribute: Attribute) -> UInt8 { 1 &<< attribute.rawValue }

  /// Whether all requested attributes are here.
  package var isComplete: Bool { stage == .complete }

  /// Another notification of Data Source begins.
  package mutating func beginNotification() {
    if stage == .lost { stage = .header(0) }
  }

  /// Receives the next byte; returns what it is.
  package mutating func receive(_ byte: UInt8) -> Piece {
    switch stage {
    case .header(let count): takeHeader(byte, at: count)
    case .attribute: stage = .lengthLow(byte)
    case .lengthLow(let attribute): stage = .lengthHigh(attribute, byte)
    case .lengthHigh(let attribute, let low):
      let length = Int(low) | Int(byte) << 8
      stage = .text(attribute, left: length)
      if length == 0 { endText(of: attribute) }
    case .text(let attribute, let left):
      let piece = Piece.text(wanted(attribute))
      stage = .text(attribute, left: left - 1)
      if left == 1 { endText(of: attribute) }
      return piece
    case .lost, .complete: return .text(nil)
    }
    return .structure
  }

  private mutating func takeHeader(_ byte: UInt8, at count: Int) {
    let shift = UInt32(truncatingIfNeeded: 8 * max(0, count - 1))
    let expected = count == 0 ? 0 : UInt8(truncatingIfNeeded: uid &>> shift)
    guard byte == expected else {
      stage = .lost
      return
    }
    stage = count == 4 ? .attribute : .header(count + 1)
  }

  private func wanted(_ number: UInt8) -> Attribute? {
    guard let attribute = Attribute(rawValue: number), missing & Self.bit(attribute) != 0 else {
      return nil
    }
    return attribute
  }

  private mutating func endText(of number: UInt8) {
    if let attribute = wanted(number) { missing &= ~Self.bit(attribute) }
    stage = missing == 0 ? .complete : .attribute
  }
}
