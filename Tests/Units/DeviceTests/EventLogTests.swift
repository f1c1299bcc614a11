import BoardFile
import Bond
import Bytes
import Events
import Foundation
import HCI
import Messages
import Navigation
import Recording
import Responder
import Screens
import Sensors
import TestSupport
import Testing

@testable import Device

/// The lines of `events`, as Boards/reference/events.md has them.
@Suite struct EventLogTests {
  private let now = Instant(milliseconds: 13_345)

  @Test(
    arguments: [(0, "000000"), (12_345, "012345"), (999_999, "999999")] as [(UInt32, String)])
  func aNumberToCompareHasSixDigits(_ number: UInt32, _ digits: String) throws {
    let lines = try written { $0.pairing(confirm: number, at: now) }
    #expect(
      lines == #"{"t":12.345,"event":"pairing","state":"confirm","number":"\#(digits)"}"# + "\n")
  }

  @Test func theStartOfADeviceSaysItsVersionAndItsBoard() {
    let (nothing, version, board) = ([UInt8](), Array("1.2".utf8), Array("zero.conf".utf8))
    var settings = Board()
    settings.events = .standardError
    var device = Device(
      settings, version: version.span, boardAddress: nil, mistake: nothing.span,
      cryptography: SeededCrypto(.initiator, seed: 1), at: now)
    device.started(board: board.span)
    let lines = string(device.events)
    #expect(lines.contains(#""event":"start","version":"1.2","board":"zero.conf"}"#))
  }

  @Test func thePanelShowsTheVersionWithoutItsCommit() {
    func start(_ version: String) -> String {
      let (nothing, version) = ([UInt8](), Array(version.utf8))
      let device = Device(
        Board(), version: version.span, boardAddress: nil, mistake: nothing.span,
        cryptography: SeededCrypto(.initiator, seed: 1), at: now)
      return picture(device.picture(of: .starting, streetOffset: 0))
    }
    #expect(start("1.3.0-dev+0123abcd") == start("1.3.0-dev"))
    #expect(start("1.3.0-dev") != start("1.3.0"))
  }

  @Test func aPairingThatIsDoneSaysSo() throws {
    let lines = try written { $0.pairingDone(at: now) }
    #expect(lines == #"{"t":12.345,"event":"pairing","state":"done"}"# + "\n")
  }

  @Test(
    arguments: [
      (.refusedByPhone, "refused by phone"), (.refusedHere, "refused here"),
      (.timeout, "timeout"), (.wrongAnswer, "wrong answer"), (.insecure, "insecure"),
      (.tooManyAttempts, "too many attempts"), (.linkLost, "link lost"), (.notSaved, "not saved"),
    ] as [(PairingSetback, String)])
  func aPairingThatFailedSaysWhy(_ failure: PairingSetback, _ reason: String) throws {
    let lines = try written { $0.pairing(failed: failure, at: now) }
    #expect(
      lines == #"{"t":12.345,"event":"pairing","state":"failed","reason":"\#(reason)"}"# + "\n")
  }

  @Test(
    arguments: [
      (.loaded, "loaded"), (.saved, "saved"), (.erased, "erased"), (.rejected, "rejected"),
    ] as [(BondState, String)])
  func aBondHasAStateAndTheNameOfThePhone(_ state: BondState, _ word: String) throws {
    let name = Array("Annas iPhone".utf8)
    let lines = try written { $0.bond(state, name: name.span, at: now) }
    #expect(
      lines == #"{"t":12.345,"event":"bond","state":"\#(word)","name":"Annas iPhone"}"# + "\n")
  }

  @Test(
    arguments: [
      (.heart, "heart"), (.speed, "speed"), (.power, "power"), (.radar, "radar"),
      (.cadence, "cadence"),
    ] as [(SensorKind, String)],
    [(.remembered, "remembered"), (.forgotten, "forgotten")] as [(SensorHappening, String)])
  func aSensorHasAKindAnAddressANameAndAState(
    _ kind: (value: SensorKind, word: String), _ state: (value: SensorHappening, word: String)
  ) throws {
    let name = Array("Zoë".utf8)
    let made = RememberedSensor(
      kind.value, address: DeviceAddress(0x0011_2233_4455, .public), name: name.span)
    let sensor = try #require(made)
    let lines = try written { $0.sensor(sensor, state.value, at: now) }
    let expected =
      #"{"t":12.345,"event":"sensor","kind":"\#(kind.word)","address":"00:11:22:33:44:55","#
    #expect(lines == expected + #""name":"Zoë","state":"\#(state.word)"}"# + "\n")
  }

  /// GAP allows names of up to 248 bytes; the phone may send anything.
  @Test(
    arguments: [
      [], Array(0...247), [UInt8](repeating: 0x00, count: 248),
      [UInt8](repeating: 0xE2, count: 248), Array("\" \\ \n\u{7F}\u{202E}🚲".utf8), [0xF0, 0x9F],
    ] as [[UInt8]])
  func whateverThePhoneIsCalledTheLineIsJSON(_ name: [UInt8]) throws {
    let lines = try written { $0.bond(.loaded, name: name.span, at: now) }
    #expect(lines.hasSuffix("}\n") && lines.count { $0 == "\n" } == 1)
    let object = try JSONSerialization.jsonObject(with: Data(lines.utf8)) as? [String: Any]
    let name = String(decoding: name, as: UTF8.self).unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control where scalar.properties.isWhitespace: " "
      case .control: ""
      case .format where scalar == "\u{202E}": ""
      default: String(scalar)
      }
    }
    #expect(object?["name"] as? String == name.joined())
  }

  @Test(
    arguments: [
      (.none, "none"), (.depart, "depart"), (.low, "low"), (.medium, "medium"), (.high, "high"),
      (.arrive, "arrive"),
    ] as [(AlertLevel, String)])
  func anAlertHasALevel(_ level: AlertLevel, _ word: String) throws {
    let lines = try written { $0.alert(level, at: now) }
    #expect(lines == #"{"t":12.345,"event":"alert","level":"\#(word)"}"# + "\n")
  }

  @Test func anEncryptedLinkIsAStateOfTheLink() throws {
    let lines = try written { $0.link("encrypted", at: now) }
    #expect(lines == #"{"t":12.345,"event":"link","state":"encrypted"}"# + "\n")
  }

  @Test func aPhoneThatIsKnownMatchesByItsBond() throws {
    let address = DeviceAddress(0xC011_2233_4455, .random)
    let lines = try written { $0.phone(address, rssi: -71, .bond, at: now) }
    let expected = #"{"t":12.345,"event":"phone","address":"C0:11:22:33:44:55","#
    #expect(lines == expected + #""rssi":-71,"match":"bond"}"# + "\n")
  }

  @Test func nothingIsWrittenThatNobodyReads() {
    var log = EventLog(Topics(), start: now)
    log.pairingDone(at: now)
    let isEmpty = log.lines.isEmpty
    #expect(isEmpty)
  }

  /// What a log that began a second after the clock did says.
  private func written(_ body: (inout EventLog) -> Void) throws -> String {
    var log = EventLog(.ofDevice, start: Instant(milliseconds: 1_000))
    body(&log)
    return string(log.lines)
  }
}
