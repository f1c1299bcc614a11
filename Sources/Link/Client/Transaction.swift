package import ATT
package import Bytes

/// One request, its answer, and how long that may take.
///
/// A client asks nothing else before the answer is there. Core Specification, Vol 3, Part F, 3.3.2
/// and 3.3.3.
package struct Transaction {
  /// What the answer is for.
  package enum Purpose: Equatable {
    case exchangeMTU
    /// To find this line of the table.
    case discovery(Int)
    /// To read this line by its type.
    case type(Int)
    /// To read a part of this line's value.
    case value(Int)
    /// To write the value of this line.
    case write(Int)
    /// What the client's owner wants to know.
    case owner
  }

  /// The bearer ends if an answer takes longer, in milliseconds.
  package static var timeout: Int64 { 30_000 }

  private var request: Request?
  private var purpose = Purpose.exchangeMTU
  private var isSent = true
  private var isDisowned = false
  /// When the request was made.
  private var start = Instant(milliseconds: 0)
  /// When the answer must be there.
  package private(set) var deadline: Instant?

  package var isRunning: Bool { request != nil }

  /// When the part of a value that is awaited was asked for; `nil` if none is.
  var valueAsked: Instant? {
    if isRunning, case .value = purpose { start } else { nil }
  }

  /// Nothing is asked.
  package init() {}

  package mutating func begin(
    _ request: Request, for purpose: Purpose, within time: Int64 = Transaction.timeout,
    at now: Instant
  ) {
    self.request = request
    self.purpose = purpose
    isSent = false
    isDisowned = false
    start = now
    deadline = now + time
  }

  /// The request to send now; it is given once.
  package mutating func takeRequest() -> Request? {
    guard !isSent else { return nil }
    isSent = true
    return request
  }

  /// Ignores the answer to this line's request, which is sent again later; returns whether a value was being read.
  ///
  /// The MTU belongs to no line, and is asked for once in a link: its answer always counts.
  package mutating func disown(line: Int) -> Bool {
    guard isRunning else { return false }
    switch purpose {
    case .type(line), .value(line):
      isDisowned = true
      return true
    case .discovery(line), .write(line): isDisowned = true
    default: break
    }
    return false
  }

  package func isAnswered(by pdu: ServerPDU) -> Bool {
    guard let request else { return false }
    if case .error(let opcode, _, _) = pdu { return opcode == request.opcode }
    return pdu.answers(request)
  }

  /// Ends with the answer; returns what it is for, `nil` if it does not count.
  package mutating func end() -> Purpose? {
    request = nil
    deadline = nil
    return isDisowned ? nil : purpose
  }
}

extension ServerPDU {
  /// Whether it is the response that belongs to `request`.
  fileprivate func answers(_ request: Request) -> Bool {
    switch (self, request) {
    case (.exchangeMTU, .exchangeMTU), (.findInformation, .findInformation),
      (.findByTypeValue, .findPrimaryService), (.readByType, .readByType), (.read, .read),
      (.readBlob, .readBlob), (.write, .write), (.write, .writeByte), (.write, .writeBytes),
      (.readByGroupType, .readByGroupType):
      true
    default: false
    }
  }
}
