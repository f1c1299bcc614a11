import Bytes
import HCI

/// A stream in pieces of any size is cut where the headers say, and never otherwise.
func runFramer(_ feed: inout Feed) {
  var framer = H4Framer()
  while !feed.isEmpty {
    let piece = feed.take(1 + Int(feed.u8()))
    var start = 0
    while start < piece.count {
      do {
        let taken = try framer.receive(piece.span.extracting(start...))
        guard taken > 0 else { finding("the framer takes nothing") }
        start += taken
      } catch {
        reach("refused")
        return
      }
      if framer.packet.count > H4Framer.maxPacket { finding("a packet beyond the largest") }
      if framer.isComplete { check(framer.packet) }
    }
  }
}

/// The length by the header, read here anew.
///
/// Core Specification, Vol 4, Part E, 5.4.
private func check(_ packet: Span<UInt8>) {
  let count: Int
  switch packet[0] {
  case 2: count = 5 + Int(packet[3]) + Int(packet[4]) << 8
  case 3: count = 4 + Int(packet[3])
  case 4: count = 3 + Int(packet[2])
  case 5: count = 5 + Int(packet[3]) + Int(packet[4] & 0x3F) << 8
  default: finding("a packet with indicator \(packet[0])")
  }
  if count != packet.count { finding("\(packet.count) bytes for a packet of \(count)") }
  reach("packet \(packet[0])")
}
