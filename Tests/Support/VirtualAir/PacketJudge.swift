import Judge
import TestSupport

/// Judges every packet that a host sends, by the specification and by nothing of ours.
///
/// It is told what passes the transport in the order in which the host has it.
package final class PacketJudge {
  private let state = UnsafeMutablePointer<judge>.allocate(capacity: 1)

  package init() { judge_reset(state) }

  deinit { state.deallocate() }

  /// The transport was opened: nothing is known of what is behind it.
  package func transportWasOpened() { judge_reset(state) }

  /// Takes note of what the host heard, true or not.
  package func received(_ packet: [UInt8]) { judge_received(state, packet, packet.count) }

  /// What is wrong with a packet that the host sends, if anything is.
  package func verdict(on packet: [UInt8]) -> String? {
    judge_sent(state, packet, packet.count).map { String(cString: $0) }
  }

  /// Ends the test at a packet that is wrong.
  package func sent(_ packet: [UInt8]) {
    guard let verdict = verdict(on: packet) else { return }
    let detail = String(state.pointee.detail, radix: 16)
    giveUp("\(verdict) (0x\(detail)): \(hex(packet))")
  }
}
