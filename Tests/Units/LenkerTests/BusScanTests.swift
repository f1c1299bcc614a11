import Bytes
import Expecting
import Linux

@testable import Lenker

/// What a person is told whose panel did not answer, from who else is on the bus.
@Suite struct BusScanTests {
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

  @Test func anEmptyBusIsAMatterOfItsWires() {
    expect(
      advice(scan([])),
      "ok display; scanned: nobody answers on this bus;"
        + " SDA and SCL swapped, no 3.3 V or no ground at the panel, or no pull-ups\n")
  }

  @Test func anAdapterThatCannotAskIsNotSaidToHaveHeardNobody() {
    expect(
      advice(BusScan()),
      "ok display; SDA and SCL swapped, no 3.3 V or no ground at the panel,"
        + " or no pull-ups\n")
  }

  @Test func anAddressThatADriverHasIsInUse() {
    var scan = BusScan()
    scan.note(0x68, .driven)
    #expect(advice(scan).contains("found on this bus 0x68;"))
  }

  @Test func aBusOfOtherDevicesIsAMatterOfThePanelsOwnWires() {
    expect(
      advice(scan([0x68, 0x23])),
      "ok display; scanned: found on this bus 0x23 0x68;"
        + " the bus works, but no panel (0x3c or 0x3d) is on it: look at its own wires\n")
  }

  @Test func aPanelThatAnswersTheScanHasALooseContact() {
    #expect(advice(scan([0x3C, 0x3D])).contains("it answers now and then: look for a loose"))
  }

  /// A wire at ground acknowledges whatever is asked.
  @Test func aBusWhereAllAnswerHasItsDataWireAtGround() {
    expect(
      advice(scan(Array(0x08...0x77 as ClosedRange<UInt8>))),
      "ok display; all addresses answer: SDA lies at ground\n")
    #expect(advice(scan(Array(0x08..<0x08 + 63 as Range<UInt8>))).contains("found on this bus"))
  }

  @Test func aBusThatHangsIsNotAskedFurther() {
    expect(
      advice(.hanging),
      "ok display; the bus hangs: SDA or SCL lies at ground,"
        + " or has no pull-up; at rest both are at 3.3 V\n")
  }

  @Test func notMoreThanEightAreNamed() {
    let text = advice(scan([0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19]))
    expect(text.contains("0x17 ...;") && !text.contains("0x18"))
  }

  @Test func anAddressCountsOnceAndOnlyIfThereIsSuchAOne() {
    let text = advice(scan([UInt8](repeating: 0x20, count: 200) + [0x80, 0xFF]))
    #expect(text.contains("found on this bus 0x20;"))
  }

  @Test func onlySilenceIsAReasonToScan() {
    let silences: [Errno] = [.remoteIO, .noSuchAddress, .inputOutput, .timedOut, .noSuchDevice]
    for reason in silences { expect(reason.meansSilence) }
    let others: [Errno] = [.busy, .accessDenied, .notPermitted, .noSuchFile, .notSupported]
    for reason in others { expect(!reason.meansSilence) }
  }
}
