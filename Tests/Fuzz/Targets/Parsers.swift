import ATT
import Bytes
import HCI
import Komoot
import L2CAP
import SMP
import TestSupport

/// Every parser of bytes that come from the air or the controller.
func runParsers(_ feed: inout Feed) {
  let kind = feed.u8()
  let bytes = feed.rest()
  do {
    switch kind % 8 {
    case 0: try parseEvent(bytes)
    case 1: try parseData(bytes)
    case 2: _ = try ClientPDU(parsing: bytes.span)
    case 3: _ = try ServerPDU(parsing: bytes.span)
    case 4: try rewrite(bytes)
    case 5: _ = try BasicFrame(parsing: bytes.span)
    case 6: _ = try SignalingPDU(parsing: bytes.span)
    default: _ = try Instruction(parsing: bytes.span)
    }
    reach("parsed \(kind % 8)")
  } catch {
    reach("refused \(kind % 8)")
  }
}

private func parseData(_ bytes: [UInt8]) throws {
  let data = try ACLData(parsing: bytes.span)
  if data.data.count != bytes.count - 4 { finding("other data than the packet has") }
}

private func parseEvent(_ bytes: [UInt8]) throws {
  switch try Event(parsing: bytes.span) {
  case .leAdvertisingReport(var reports), .leExtendedAdvertisingReport(var reports):
    var count = 0
    while try reports.next() != nil {
      count += 1
      if count > 255 { finding("more reports than an event can hold") }
    }
  case .numberOfCompletedPackets(let packets): _ = packets.count(for: 0x40)
  default: break
  }
}

/// A command of the Security Manager that is read is never longer when it is written.
private func rewrite(_ bytes: [UInt8]) throws {
  let command = try SecurityPDU(parsing: bytes.span)
  var written = FixedBuffer<65>()
  command.write(into: &written)
  if written.count > bytes.count { finding("a command became longer: \(hex(bytes))") }
}
