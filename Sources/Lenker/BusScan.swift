import Bytes
import Linux
import Recording

/// The devices that answer on the panel's bus when the panel itself does not.
struct BusScan {
  /// The addresses that devices may have; the others are reserved.
  ///
  /// I²C specification, 3.1.12.
  private static var first: UInt8 { 0x08 }
  private static var last: UInt8 { 0x77 }
  /// No bus has this many devices: if SDA lies at ground, every address seems to answer.
  private static var tooMany: Int { 64 }
  /// How many addresses are named, enough to recognise the bus by.
  private static var mostTold: Int { 8 }

  private var answers = InlineArray<128, Bool>(repeating: false)
  private var answerCount = 0
  private var wasPossible = false
  /// Whether the bus did not carry the question to its end.
  private var isHanging = false

  init() {}

  /// Asks every address, and stops if the bus hangs: then each would take a second.
  init(_ adapter: borrowing I2CAdapter) {
    for address in Self.first...Self.last {
      do throws(Errno) {
        note(address, try adapter.probe(address))
      } catch {
        guard error == .notSupported else {
          isHanging = true
          return
        }
      }
    }
  }

  /// The scan of a bus that hangs, without a question on it.
  static var hanging: BusScan {
    var scan = BusScan()
    scan.isHanging = true
    return scan
  }

  mutating func note(_ address: UInt8, _ reply: I2CAdapter.Reply) {
    wasPossible = true
    guard reply != .silence, address < 128, !answers[Int(address)] else { return }
    answers[Int(address)] = true
    answerCount += 1
  }

  /// Says what to do about a panel that did not answer at `wanted` of the bus `path`.
  func explain(_ path: Span<UInt8>, wanted: UInt8, into report: inout Report) {
    guard !isHanging else {
      return report.hint(
        "the bus hangs: SDA or SCL lies at ground, or has no pull-up; at rest both are at 3.3 V")
    }
    guard answerCount < Self.tooMany else {
      return report.hint("all addresses answer: SDA lies at ground")
    }
    tellAnswers(into: &report)
    report.hint()
    if answers[Int(wanted & 0x7F)] {
      report.append("it answers now and then: look for a loose contact")
    } else if answers[0x3C] || answers[0x3D] {
      // One of the two addresses that panels have. SSD1306 data sheet, 8.1.5.
      report.append("this may be the panel: ")
      report.append(adviceToUse: path, answers[0x3C] ? 0x3C : 0x3D)
    } else if answerCount > 0 {
      report.append("the bus works, but no panel (0x3c or 0x3d) is on it: look at its own wires")
    } else {
      report.append("SDA and SCL swapped, no 3.3 V or no ground at the panel, or no pull-ups")
    }
  }

  private func tellAnswers(into report: inout Report) {
    guard wasPossible else { return }
    report.fact()
    guard answerCount > 0 else { return report.append("scanned: nobody answers on this bus") }
    report.append("scanned: found on this bus")
    var told = 0
    for address in Self.first...Self.last where answers[Int(address)] {
      if told == Self.mostTold {
        report.append(" ...")
        break
      }
      report.append(" ")
      report.append(hexByte: address)
      told += 1
    }
  }
}

extension Errno {
  /// Whether it can mean that no device acknowledged, so that a scan is of use.
  var meansSilence: Bool {
    switch self {
    case .remoteIO, .noSuchAddress, .inputOutput, .timedOut, .noSuchDevice: true
    default: false
    }
  }
}
