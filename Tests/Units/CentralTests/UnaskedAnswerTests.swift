import Bytes
import TestSupport
import Testing
import VirtualAir

/// Answers to questions that nobody asked.
@Suite struct UnaskedAnswerTests {
  /// Each response of Vol 3, Part A, table 4.2.
  private static let responses = [
    "01", "03", "05", "07", "09", "0b", "0d", "0f", "11", "13", "15", "18", "1a",
  ]

  @Test(arguments: responses)
  func centralBehaviour77_aSignalingResponseThatNobodyAskedForIsIgnored(_ code: String) {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { _ in }
    let count = phone.answers.count
    controller.send(channel: 0x05, bytes(code + " 07 02 00 00 00"), central)
    #expect(phone.answers.count == count && controller.isConnected)
  }

  @Test(arguments: responses)
  func centralBehaviour77_aSensorsResponseThatNobodyAskedForIsIgnored(_ code: String) {
    let controller = VirtualController()
    let (central, _) = LinkTests.connected(controller) { _ in }
    let strap = VirtualSensor(.heart, number: 1)
    controller.sensors.append(strap)
    central.follow(strap)
    strap.forgetRequests()
    controller.send(channel: 0x05, bytes(code + " 07 02 00 00 00"), from: strap, central)
    #expect(strap.answers == [] && controller.link(strap) != nil)
  }

  /// Requests of all channels, and an indication of credits: none of them is known here.
  @Test(arguments: ["02", "04", "06", "08", "0a", "14", "16", "17", "19"])
  func centralBehaviour77_aSignalingCommandThatIsNotKnownIsRejected(_ code: String) {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { _ in }
    controller.send(channel: 0x05, bytes(code + " 07 02 00 00 00"), central)
    #expect(phone.answers.last == bytes("05 01 07 02 00 00 00"))
  }
}
