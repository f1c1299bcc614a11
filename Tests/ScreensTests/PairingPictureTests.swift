import Graphics
import Screens
import Testing

/// The screens of pairing on every panel look as in the folder `Pictures`.
@Suite struct PairingPictureTests {
  private let phone = Array("Annas iPhone".utf8)
  private let name = Array("Lenker".utf8)

  @Test(arguments: Panel.allCases) func unpaired(_ panel: Panel) throws {
    try Pictures.expect(panel.bitmap(.unpaired), "unpaired-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases, [-60, -70, -80, -90, 127] as [Int8])
  func found(_ panel: Panel, _ rssi: Int8) throws {
    let picture = panel.bitmap(.found(phone: phone.span, rssi: rssi))
    try Pictures.expect(picture, "found\(rssi)-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases, [123_456, 888_888, 7] as [UInt32])
  func comparison(_ panel: Panel, _ number: UInt32) throws {
    let picture = panel.bitmap(
      .comparison(number: number, name: name.span, phone: phone.span))
    try Pictures.expect(picture, "comparison-\(number)-\(panel.rawValue)")
  }

  @Test(
    arguments: Panel.allCases,
    [
      PairingFailure.refusedByPhone, .refusedHere, .timeout, .wrongAnswer, .insecure,
      .tooManyAttempts, .linkLost, .notSaved,
    ])
  func pairingFailed(_ panel: Panel, _ failure: PairingFailure) throws {
    let picture = panel.bitmap(.pairingFailed(failure))
    try Pictures.expect(picture, "failed-\(failure)-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases, [Acquaintance.paired, .address, .ride])
  func acquaintance(_ panel: Panel, _ acquaintance: Acquaintance) throws {
    let waiting = panel.bitmap(.waiting(phone: phone.span, acquaintance))
    try Pictures.expect(waiting, "waiting-\(acquaintance)-\(panel.rawValue)")
    let known = panel.bitmap(.phone(phone.span, acquaintance))
    try Pictures.expect(known, "phone-\(acquaintance)-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases) func forgotten(_ panel: Panel) throws {
    let picture = panel.bitmap(.forgotten(phone: phone.span))
    try Pictures.expect(picture, "forgotten-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases, [150, 500, 950])
  func unpairing(_ panel: Panel, _ permille: Int) throws {
    let picture = panel.bitmap(.unpairing(phone: phone.span, permille: permille))
    try Pictures.expect(picture, "unpairing-\(permille)-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases) func longNames(_ panel: Panel) throws {
    let phone = Array("iPhone von Anna-Katharina Großmann-Łukasiewicz".utf8)
    let name = Array("Mein Fahrraddisplay".utf8)
    let comparison = panel.bitmap(
      .comparison(number: 123_456, name: name.span, phone: phone.span))
    try Pictures.expect(comparison, "long-comparison-\(panel.rawValue)")
    let found = panel.bitmap(.found(phone: phone.span, rssi: -60))
    try Pictures.expect(found, "long-found-\(panel.rawValue)")
    let waiting = panel.bitmap(.waiting(phone: phone.span, .paired))
    try Pictures.expect(waiting, "long-waiting-\(panel.rawValue)")
    let known = panel.bitmap(.phone(phone.span, .ride))
    try Pictures.expect(known, "long-phone-\(panel.rawValue)")
    let forgotten = panel.bitmap(.forgotten(phone: phone.span))
    try Pictures.expect(forgotten, "long-forgotten-\(panel.rawValue)")
    let unpairing = panel.bitmap(.unpairing(phone: phone.span, permille: 500))
    try Pictures.expect(unpairing, "long-unpairing-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases) func aPhoneWithoutAName(_ panel: Panel) throws {
    let none: [UInt8] = []
    let known = panel.bitmap(.phone(none.span, .paired))
    try Pictures.expect(known, "nameless-phone-\(panel.rawValue)")
    let waiting = panel.bitmap(.waiting(phone: none.span, .paired))
    try Pictures.expect(waiting, "nameless-waiting-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases) func freed(_ panel: Panel) throws {
    try Pictures.expect(panel.bitmap(.freed), "freed-\(panel.rawValue)")
  }
}
