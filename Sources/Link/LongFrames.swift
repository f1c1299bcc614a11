import ATT
package import Bytes
package import HCI
import L2CAP

/// Whether a phone takes long frames, as far as its links have shown since the start.
///
/// Some phones agree to a large MTU, and end the link at the first packet that is longer than 27 octets: several
/// Samsung, one tablet. With these the MTU keeps its initial value, and long values come in parts.
///
/// | state | means | what happens | next |
/// |---|---|---|---|
/// | `unknown` | no long frame has come through | a link ends at its first one | `doubtful` |
/// | `doubtful` | the same, and a link has ended | the next one does, too | `refused` |
/// | | | the next one ends otherwise | `unknown` |
/// | any | | a long frame comes | `taken` |
///
/// Of another phone nothing is known.
package struct LongFrames {
  private enum State { case unknown, doubtful, refused, taken }

  /// Whose links these were: a remembered phone's identity, as its address may be another one each time.
  private var phone: DeviceAddress?
  private var state = State.unknown

  /// No link so far.
  package init() {}

  /// Whether this phone must neither get a long frame nor be asked for one.
  package func areRefused(by phone: DeviceAddress?) -> Bool {
    state == .refused && phone == self.phone
  }

  /// A long frame has come from this phone.
  package mutating func came(from phone: DeviceAddress?) { (self.phone, state) = (phone, .taken) }

  /// A link to this phone has ended at its first long frame; returns whether they are refused from now on.
  package mutating func ended(link phone: DeviceAddress?) -> Bool {
    if phone != self.phone { (self.phone, state) = (phone, .unknown) }
    switch state {
    case .unknown: state = .doubtful
    case .doubtful: state = .refused
    case .refused, .taken: return false
    }
    return state == .refused
  }

  /// A link to this phone has ended for another reason.
  package mutating func endedOtherwise(link phone: DeviceAddress?) {
    if state == .doubtful, phone == self.phone { state = .unknown }
  }
}

/// What we offer: more than the longest value and its opcode, so one read is enough.
enum LongestMTU {
  static var count: UInt16 { 517 }
}

/// What one link has shown of long frames.
enum LongFrame {
  case none
  /// The first one was sent, or began to come.
  case began(at: Instant)
  /// One has come whole.
  case came

  /// Whether a PDU of this size does not fit into the shortest packet of the link layer (Vol 6, Part B, 4.5.10).
  static func isLong(_ payload: Int) -> Bool { payload + 4 > 27 }

  mutating func begin(at now: Instant) { if case .none = self { self = .began(at: now) } }
}

extension ACLData {
  /// How long the attribute PDU is that begins in this piece, if one does.
  var attributeSize: Int? {
    var reader = ByteReader(data)
    guard !isContinuation, let size = try? reader.u16(), let channel = try? reader.u16(),
      channel == ChannelIdentifier.attribute.rawValue
    else { return nil }
    return Int(size)
  }
}

extension Link {
  /// How soon a link ends that ends because of a long frame.
  private static var longFrameTime: Int64 { 2_000 }

  /// Whether a long frame has come from the phone.
  package var hasLongFrameCome: Bool { if case .came = longFrame { true } else { false } }

  /// Whether the link has ended, now and for this reason, at its first long frame.
  ///
  /// Nothing of the phone's long frame need have come: then it is the answer that a read still waits for.
  package func endedAtLongFrame(_ reason: ErrorCode, at now: Instant) -> Bool {
    // The phone's silence is noticed only after this time.
    let silence = reason == .connectionTimeout ? supervisionTimeout : 0
    switch longFrame {
    case .came: return false
    case .began(let time): return now - time < silence + Self.longFrameTime
    case .none:
      guard client.mtu > SmallestMTU.count, let asked = client.transaction.valueAsked else {
        return false
      }
      // A phone that was not heard since the read was asked has not heard that.
      return (silence..<silence + Self.longFrameTime).contains(now - asked)
    }
  }

  /// In milliseconds, as far as it is known.
  private var supervisionTimeout: Int64 {
    let units =
      if case .peer(let chosen) = channels.chosen { chosen.supervisionTimeout } else { timeout }
    return Int64(widening: Int(units)) * 10
  }
}
