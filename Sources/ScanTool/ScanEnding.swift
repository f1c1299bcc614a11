import ATT
package import Bytes
package import Controller
import HCI
package import Places

/// How the program ends, except by failures of the transport and of files.
///
/// `write` has the words of each.
package enum ScanEnding: Equatable, Sendable {
  /// All was done, the time is over, or the user ended it.
  case done
  case controller(HostFailure)
  case notHeard, noLink, unanswered, endless
  case lost(UInt8)
  case refused(UInt8)
  case noSwitch
  case switchRefused(UInt8)
  case training(TrainingError)

  /// The exit status, of sysexits.h.
  package var status: Int32 {
    switch self {
    case .done, .training(.aborted): 0
    case .training: 65
    default: 69
    }
  }

  /// Writes what is wrong and what to do, without a newline; nothing where nothing is wrong.
  ///
  /// The failures of a controller and of a training have words of their own.
  package func write(to writer: inout some ByteWriter & ~Copyable) {
    switch self {
    case .done, .controller, .training: break
    case .notHeard:
      writer.append("nobody with this address was heard in 5 s: is it on, near and without a link?")
    case .noLink:
      writer.append("no link in 3 s: the device may serve only one, go nearer or free it")
    case .unanswered: writer.append("the device does not answer any more: switch it off and on")
    case .endless:
      writer.append("the device was not done after 120 s: go nearer and try again")
    case .lost(let reason):
      writer.append("the link was lost with error ")
      writer.append(hexByte: reason)
      writer.append(": go nearer and try again")
    case .refused(let code):
      writer.append("the device does not say what it has, with error ")
      writer.append(hexByte: code)
      if AttributeError(rawValue: code).asksForSecurity {
        writer.append(": it wants to be paired with, and lenker-scan pairs with nobody")
      } else {
        writer.append(
          ": it may be busy, or no server of attributes; try again, or switch it off and on")
      }
    case .noSwitch:
      writer.append("the device has no switch: only Crownstones with the firmware of 2016 have")
    case .switchRefused(let code):
      writer.append("the device refuses to be switched with error ")
      writer.append(hexByte: code)
      writer.append(": later firmware wants its owner's key")
    }
  }
}
