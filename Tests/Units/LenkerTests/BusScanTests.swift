import Bytes
import Expecting
import Linux

@testable import Lenker

/// What a person is told whose panel did not answer, from who else is on the bus.
struct BusScanTests {
  private func advice(_ scan: BusScan, wanted: UInt8 = 0x3C) -> String {
    let path = Array("/dev/i2c-1".utf8)
    var report = Report("display")
    scan.explain(path.span, wanted: wanted, into: &report)
    var text = ByteList()
    report.write(to: &text, .line)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  private func scan(_ addresses: [UInt8]) -> BusScan {
    var scan = BusScan()
    scan.note(0x08, .silence)
    for address in addresses { scan.note(address, .answer) }
    return scan
  }

  @Test(
    arguments: [(0x3C, 0x3D, "0x3d"), (0x3D, 0x3C, "0x3c"), (0x2A, 0x3C, "0x3c")]
      as [(UInt8, UInt8, String)])
  func centralBehaviour66_aPanelAtAnotherAddressIsNamedAsTheBoardFileWantsIt(
    _ wanted: UInt8, _ there: UInt8, _ name: String
  ) {
    expect(
      advice(scan([0x20, there]), wanted: wanted),
      "ok display; scanned: found on this bus 0x20 \(name);"
        + " this may be the panel: set display = i2c:/dev/i2c-1@\(name)\n")
  }

  private static func with(_ address: UInt8, _ reply: I2CAdapter.Reply) -> BusScan {
    var scan = BusScan()
    scan.note(address, reply)
    return scan
  }

  /// An adapter that cannot ask is not said to have heard nobody.
  ///
  /// A wire at ground acknowledges whatever is asked.
  @Test func theBusIsExplainedByWhoAnswers() {
    let wires = "SDA and SCL swapped, no 3.3 V or no ground at the panel, or no pull-ups"
    for (scan, text) in [
      (scan([]), "scanned: nobody answers on this bus; \(wires)"), (BusScan(), wires),
      (
        scan([0x68, 0x23]),
        "scanned: found on this bus 0x23 0x68; the bus works, but no panel (0x3c or 0x3d) is on it: "
          + "look at its own wires"
      ),
      (scan(Array(0x08...0x77)), "all addresses answer: SDA lies at ground"),
      (
        .hanging,
        "the bus hangs: SDA or SCL lies at ground, or has no pull-up; at rest both are at 3.3 V"
      ),
    ] { expect(advice(scan), "ok display; \(text)\n") }
    // A driver has it; each counts once, and only if there is such a one.
    for (scan, part) in [
      (Self.with(0x68, .driven), "found on this bus 0x68;"),
      (scan([0x3C, 0x3D]), "it answers now and then: look for a loose"),
      (scan(Array(0x08..<0x08 + 63)), "found on this bus"),
      (scan([UInt8](repeating: 0x20, count: 200) + [0x80, 0xFF]), "found on this bus 0x20;"),
    ] { #expect(advice(scan).contains(part)) }
    let text = advice(scan(Array(0x10...0x19)))
    expect(text.contains("0x17 ...;") && !text.contains("0x18"), "not more than eight")
  }

  @Test func onlySilenceIsAReasonToScan() {
    let silences: [Errno] = [.remoteIO, .noSuchAddress, .inputOutput, .timedOut, .noSuchDevice]
    for reason in silences { expect(reason.meansSilence) }
    let others: [Errno] = [.busy, .accessDenied, .notPermitted, .noSuchFile, .notSupported]
    for reason in others { expect(!reason.meansSilence) }
  }
}
