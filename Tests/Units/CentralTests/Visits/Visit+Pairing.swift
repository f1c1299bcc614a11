import Bytes
import Responder
import SMP
import TestSupport

/// A command of the Security Manager as text.
func written(_ command: SecurityPDU) -> String {
  var buffer = FixedBuffer<65>()
  command.write(into: &buffer)
  return hex(array(buffer.bytes))
}

extension Visit {
  /// The phone hears what we say, and answers it, until nobody says anything.
  func talk(with phone: inout Initiator) throws {
    while true {
      let said = takeAnswers(channel: "06")
      if said.isEmpty { return }
      for command in said {
        let packet = bytes(command)
        let parsed = try SecurityPDU(parsing: packet.span)
        for answer in try phone.answers(parsed) { says(written(answer), channel: 0x06) }
      }
    }
  }
}
