import Bytes
import HCI
import L2CAP

/// What a peripheral asks of a phone that has chosen a supervision timeout too short for a handlebar.
///
/// An iPhone connects with 720 ms, and leaves it at that unless it is asked (Accessory Design Guidelines,
/// chapter Bluetooth Low Energy). A phone with a longer one knows what it wants.
///
/// | state | means | what happens | next |
/// |---|---|---|---|
/// | `none` | nothing is to be asked, or no more | the link is encrypted, its timeout short | `due`, in 1 s |
/// | `due` | the time of the next request | it is sent | `due`, in 5 s; `none` after the third |
/// | | | the phone has taken one | `none` |
///
/// A refusal changes nothing: it may have come at a bad moment.
struct ParameterRequest {
  private enum State: Equatable {
    case none
    case due(at: Instant, sent: UInt8)
  }

  /// The phone has much to do as soon as the link is encrypted.
  private static var firstTime: Int64 { 1_000 }
  private static var pause: Int64 { 5_000 }
  private static var tries: UInt8 { 3 }
  /// In units of 10 ms: such a timeout outlasts a hand before the antenna.
  private static var longEnough: UInt16 { 200 }
  /// 30 to 45 ms, of which three may be left out, and 6 s: what Apple allows an accessory to ask for.
  private static var wanted: ConnectionParameters {
    ConnectionParameters(intervalMin: 24, intervalMax: 36, latency: 3, supervisionTimeout: 600)
  }

  private var state = State.none

  /// When the next request is due.
  var deadline: Instant? { if case .due(let time, _) = state { time } else { nil } }

  /// The link is encrypted, and is lost after `timeout` × 10 ms of silence.
  mutating func begin(_ timeout: UInt16, at now: Instant) {
    if timeout < Self.longEnough { state = .due(at: now + Self.firstTime, sent: 0) }
  }

  /// The phone has taken what was asked.
  mutating func accepted() { state = .none }

  /// Writes the request, if it is due.
  mutating func take<let capacity: Int>(into pdu: inout FixedBuffer<capacity>, at now: Instant) {
    guard case .due(let time, let sent) = state, now >= time else { return }
    state = sent + 1 < Self.tries ? .due(at: now + Self.pause, sent: sent + 1) : .none
    let wanted = Self.wanted
    SignalingPDU.writeConnectionParameterUpdateRequest(
      identifier: sent + 1, intervalMin: wanted.intervalMin, intervalMax: wanted.intervalMax,
      latency: wanted.latency, timeout: wanted.supervisionTimeout, into: &pdu)
  }
}
