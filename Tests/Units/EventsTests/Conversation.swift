import Bytes
import Events
import TestSupport

/// A reader of events in virtual time, and what it was told.
final class Conversation {
  private var subscriber: Subscriber
  private(set) var now: Instant
  /// What it says and was not heard yet, as the kernel would keep it.
  private var unheard: [UInt8] = []
  /// All that it has taken.
  private(set) var taken: [UInt8] = []

  init(offering topics: Topics = .ofDevice) {
    now = Instant(milliseconds: 60_000)
    subscriber = Subscriber(offered: topics, start: Instant(milliseconds: 50_000))
  }

  var wanted: Topics { subscriber.wanted }
  var takesInput: Bool { subscriber.takesInput }
  var isOver: Bool { subscriber.isOver }
  var deadline: Int64? { subscriber.deadline.map { $0 - now } }
  var unheardCount: Int { unheard.count }

  /// Says this in one piece or, where it is more than a piece may have, in several.
  func say(_ text: String) { say(Array(text.utf8)) }

  func say(_ bytes: [UInt8]) {
    unheard += bytes
    hear()
  }

  /// Hears one piece, if it may be heard now.
  private func hear() {
    guard subscriber.takesInput, !unheard.isEmpty else { return }
    var input = Subscriber.Input()
    input.assign(unheard.span)
    unheard.removeFirst(input.count)
    subscriber.receive(input, at: now)
  }

  func endInput() { subscriber.inputEnded(at: now) }

  /// Something happens.
  func tell(_ topic: Topic, _ line: String) {
    let bytes = Array(line.utf8)
    subscriber.receive(bytes.span, of: topic)
  }

  /// Takes up to so many bytes, or all that there are.
  @discardableResult func take(_ most: Int = .max) -> Int {
    subscriber.advance(to: now)
    let bytes = array(subscriber.output.bytes).prefix(most)
    taken += bytes
    subscriber.outputWasSent(bytes.count)
    subscriber.advance(to: now)
    return bytes.count
  }

  /// How many bytes it has not taken yet.
  func outputCount() -> Int {
    let bytes = array(subscriber.output.bytes)
    subscriber.outputWasSent(0)  // else the compiler has the span outlive its owner
    return bytes.count
  }

  /// Lets time pass, in which it is heard as soon as it may be, and takes all if it is not slow.
  func pass(_ milliseconds: Int64, isSlow: Bool = false) {
    let end = now + milliseconds
    while true {
      subscriber.advance(to: now)
      if !isSlow { while take() > 0 {} }
      hear()
      guard let due = subscriber.deadline, due <= end else { break }
      now = max(now, due)
    }
    now = end
    subscriber.advance(to: now)
  }

  /// The whole lines that it has taken since the last call, one that is not whole with its beginning.
  func lines() -> [String] {
    while take() > 0 {}
    defer { taken = [] }
    return string(taken.span).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }
}

func subscribed(_ id: Int) -> String { #"{"event":"subscribed","id":\#(id)}"# }

func unsubscribed(_ id: Int) -> String { #"{"event":"unsubscribed","id":\#(id)}"# }

/// What the firmware answers where it does not understand.
let refused =
  #"{"event":"error","message":"say on TOPIC or off ID, a line each; "#
  + #"topics are navigation, sensors, radio, device, all"}"#
