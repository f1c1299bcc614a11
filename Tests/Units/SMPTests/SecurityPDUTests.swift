import Bytes
import Expecting
import SMP
import TestSupport

/// Layouts of the Core Specification, Vol 3, Part H, 3.5 and 3.6.
struct SecurityPDUTests {
  private static let features = PairingFeatures(
    ioCapability: .keyboardDisplay, hasOOBData: true,
    authentication: AuthenticationRequirements(rawValue: 0x2D), maxKeySize: 7,
    initiatorKeys: KeyDistribution(rawValue: 0x0F), responderKeys: .identity)
  private static let value = "00112233445566778899aabbccddeeff"
  private static let octets: Octets<16> = number("ffeeddccbbaa99887766554433221100")

  static let pdus: [(SecurityPDU, String)] = [
    (.pairingRequest(features), "01 04 01 2d 07 0f 02"),
    (.pairingResponse(features), "02 04 01 2d 07 0f 02"),
    (.pairingConfirm(octets), "03" + value),
    (.pairingRandom(octets), "04" + value),
    (.pairingFailed(.authenticationRequirements), "05 03"),
    (.pairingFailed(.confirmValueFailed), "05 04"), (.pairingFailed(.unspecified), "05 08"),
    (.pairingFailed(.invalidParameters), "05 0a"), (.pairingFailed(.dhKeyCheckFailed), "05 0b"),
    (.pairingFailed(.numericComparisonFailed), "05 0c"),
    (.pairingFailed(PairingFailedReason(rawValue: 0x7F)), "05 7f"),
    (.encryptionInformation(longTermKey: octets), "06" + value),
    (
      .centralIdentification(ediv: 0x2211, rand: number("0807060504030201")),
      "07 1122 0102030405060708"
    ),
    (.identityInformation(irk: octets), "08" + value),
    (.identityAddressInformation(DeviceAddress(0x1122_3344_5566, .public)), "09 00 665544332211"),
    (.identityAddressInformation(DeviceAddress(0xC122_3344_5566, .random)), "09 01 6655443322c1"),
    (.signingInformation(signatureKey: octets), "0a" + value),
    (.securityRequest(.secureBonding), "0b 0d"),
    (
      .pairingPublicKey(
        PublicKey(
          x: number("ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"),
          y: number("0123456789abcdeffedcba98765432100123456789abcdeffedcba9876543210"))),
      "0c" + value + value + "1032547698badcfeefcdab89674523011032547698badcfeefcdab8967452301"
    ),
    (.pairingDHKeyCheck(octets), "0d" + value),
    (.keypressNotification(type: 4), "0e 04"),
  ]

  @Test(arguments: pdus) func aCommandIsReadAndWrittenAsTheSpecificationSays(
    _ pdu: SecurityPDU, _ text: String
  ) throws {
    let octets = bytes(text)
    var written = FixedBuffer<65>()
    pdu.write(into: &written)
    expect(array(written.bytes), octets)
    expect(try SecurityPDU(parsing: octets.span), pdu)
  }

  @Test(arguments: pdus) func centralBehaviour37_everyCommandHasOneLength(
    _ pdu: SecurityPDU, _ text: String
  ) {
    let octets = bytes(text)
    for count in 0..<octets.count {
      let prefix = Array(octets[..<count])
      #expect(throws: ParseError.truncated) { _ = try SecurityPDU(parsing: prefix.span) }
    }
    let longer = octets + [0]
    #expect(throws: ParseError.invalid) { _ = try SecurityPDU(parsing: longer.span) }
  }

  @Test(arguments: [UInt8(0x00), 0x0F, 0x10, 0x7F, 0xFF]) func aReservedCodeIsNamed(_ code: UInt8) {
    let pdu = [code, 1, 2, 3]
    #expect(throws: ParseError.unknown(code)) { _ = try SecurityPDU(parsing: pdu.span) }
  }

  /// IO capability, OOB flag, both ends of the key size, address type, private identity address,
  /// notification type.
  @Test(
    arguments: [
      "02 05 00 0d 10 00 00", "02 00 02 0d 10 00 00", "02 00 00 0d 06 00 00",
      "02 00 00 0d 11 00 00", "09 02 665544332211", "09 02 6655443322c1", "09 01 665544332251",
      "09 01 665544332211",
      "0e 05",
    ])
  func centralBehaviour37_aReservedValueThrows(_ text: String) {
    let octets = bytes(text)
    #expect(throws: ParseError.invalid) { _ = try SecurityPDU(parsing: octets.span) }
  }

  @Test func theBitsOfAuthReqAreThoseOfFigure33() {
    let all = AuthenticationRequirements.secureBonding
    expect(all.isBonding && all.secureConnections)
    expect(!AuthenticationRequirements(rawValue: 0x0C).isBonding)
    expect(!AuthenticationRequirements(rawValue: 0x0E).isBonding)  // reserved
    expect(!AuthenticationRequirements(rawValue: 0x0F).isBonding)  // reserved
    expect(!AuthenticationRequirements(rawValue: 0x05).secureConnections)
  }
}
