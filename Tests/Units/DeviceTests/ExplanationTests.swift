import BoardFile
import Buttons
import Bytes
import DeviceState
import Recording
import TestSupport
import Testing

@testable import Device

/// Each reason that the kernel can give comes with what to do about it.
@Suite struct ExplanationTests {
  /// Whether it says what to do, or that lenker does it.
  private func advises(_ text: String) -> Bool {
    text.contains(": ") || text.contains("again")
  }

  // Linux, net/bluetooth/hci_sock.c, hci_sock_bind; socket(2).
  @Test(
    arguments: [
      (.noSuchFamily, "load the module bluetooth"), (.noSuchDevice, "hciconfig -a"),
      (.notPermitted, "CAP_NET_ADMIN"), (.busy, "stop bluetoothd"), (.tooManyUsers, "stop it"),
      (.radioBlocked, "rfkill unblock bluetooth"),
    ] as [(Errno, String)])
  func aControllerThatCannotBeHadComesWithAdvice(_ reason: Errno, _ advice: String) {
    let text = reason.explanation(for: .radio)
    #expect(text.contains(advice) && advises(text))
  }

  private func explained(
    _ failure: RadioFailure, _ port: ControllerPort, isDevice: Bool
  ) -> String {
    var text = FixedBuffer<512>()
    if isDevice {
      failure.explain(port, into: &text)
    } else {
      failure.explainCause(port, into: &text)
    }
    return string(text.bytes)
  }

  /// The device opens it again by itself; another program says so only of what it does.
  @Test(
    arguments: [
      (
        .errno(.peerClosed), "hci0: the controller went away",
        "; it is opened again when it is back"
      ),
      (
        .errno(.networkDown), "hci0: the controller went away",
        "; it is opened again when it is back"
      ),
      (.stalled, "hci0: the controller fell silent", "; reopening"),
      (.stream(.oversize(2_000)), "hci0: a packet is too long: bytes were lost", "; reopening"),
      (.errno(.tooManyUsers), "hci0: another program has the controller for itself: stop it", ""),
      (.unanswered, "hci0: no connection in 5 s; is the other side running?", ""),
    ] as [(RadioFailure, String, String)])
  func whatIsMendedIsSaidApartFromWhatWentWrong(
    _ failure: RadioFailure, _ cause: String, _ mending: String
  ) {
    let port = ControllerPort.device(0)
    #expect(explained(failure, port, isDevice: true) == cause + mending)
    #expect(explained(failure, port, isDevice: false) == cause)
    #expect(failure.isMendedByOpening(port) == (mending != ""))
  }

  @Test(arguments: [Errno.peerClosed, .connectionReset])
  func aConnectionThatIsClosedIsMadeAgain(_ reason: Errno) {
    let socket = ControllerPort.unix(Text("/radio"))
    #expect(
      explained(.errno(reason), socket, isDevice: true)
        == "unix:/radio: the controller closed the connection; it is made again when it is back")
    #expect(RadioFailure.errno(reason).isMendedByOpening(socket))
  }

  // Linux, drivers/i2c/i2c-dev.c, Documentation/i2c/fault-codes.rst; open(2).
  @Test(
    arguments: [
      (.noSuchFile, "dtparam=i2c_arm=on"), (.accessDenied, "join the group"),
      (.notPermitted, "DeviceAllow"), (.busy, "remove its overlay"),
      (.remoteIO, "power and wires"), (.noSuchAddress, "power and wires"),
      (.notSupported, "use another one"),
    ] as [(Errno, String)])
  func aBusThatCannotBeUsedComesWithAdvice(_ reason: Errno, _ advice: String) {
    let text = reason.explanation(for: .bus)
    #expect(text.contains(advice) && advises(text))
  }

  // Linux, drivers/gpio/gpiolib-cdev.c; open(2).
  @Test(
    arguments: [
      (.noSuchFile, "gpiodetect"), (.wrongKind, "gpiodetect"), (.invalid, "gpioinfo"),
      (.accessDenied, "join the group"), (.notPermitted, "DeviceAllow"), (.busy, "gpioinfo"),
      (.noSuchDevice, "opened again"),
    ] as [(Errno, String)])
  func aChipThatCannotBeUsedComesWithAdvice(_ reason: Errno, _ advice: String) {
    let text = reason.explanation(for: .chip)
    #expect(text.contains(advice) && advises(text))
  }

  // connect(2), open(2), tcsetattr(3).
  @Test(
    arguments: [
      (.connectionRefused, "start the controller"), (.accessDenied, "dialout"),
      (.noSuchFile, "correct the path"), (.busy, "stop it"), (.timedOut, "check the network"),
      (.inputOutput, "check its cable"),
    ] as [(Errno, String)])
  func aStreamThatCannotBeHadComesWithAdvice(_ reason: Errno, _ advice: String) {
    let text = reason.explanation(for: .stream)
    #expect(text.contains(advice) && advises(text))
  }

  // open(2), flock(2), fsync(2).
  @Test(
    arguments: [
      (.wouldBlock, "stop that one"), (.noSuchFile, "make the folder"),
      (.accessDenied, "owner or mode"), (.readOnly, "mount it for writing"),
      (.noSpace, "make room"), (.symbolicLink, "give the file"),
    ] as [(Errno, String)])
  func aStoreThatCannotBeWrittenComesWithAdvice(_ reason: Errno, _ advice: String) {
    let text = reason.explanation(for: .store)
    #expect(text.contains(advice) && advises(text))
  }

  // unix(7), bind(2).
  @Test(
    arguments: [
      (.addressInUse, "stop it"), (.noSuchFile, "make it"), (.fileExists, "remove it"),
      (.accessDenied, "owner or mode"), (.notAFolder, "choose another path"),
      (.readOnly, "choose another path"), (.nameTooLong, "choose a shorter one"),
    ] as [(Errno, String)])
  func aSocketThatCannotBeMadeComesWithAdvice(_ reason: Errno, _ advice: String) {
    let text = reason.explanation(for: .listener)
    #expect(text.contains(advice) && advises(text))
  }

  @Test func whatIsWrongWithALineComesBehindItsNumberAndItsChip() {
    var board = Board()
    board.buttons = .gpio(Text("/dev/gpiochip0"))
    (board.buttonA, board.buttonB, board.alert) = (5, 6, 13)
    var stuck = Explanation()
    Button.a.explainStuck(board, into: &stuck)
    #expect(string(stuck.bytes).hasPrefix("/dev/gpiochip0 line 5 line 6: button A is held"))
    stuck.removeAll()
    Button.b.explainStuck(board, into: &stuck)
    #expect(string(stuck.bytes).contains(" line 6: button B is held for 30 s"))
    var alert = Explanation()
    Errno.busy.explainLine(of: .alert, on: board, into: &alert)
    #expect(string(alert.bytes).hasPrefix("/dev/gpiochip0 line 13: "))
    (board.buttons, board.panelReset) = (.none, 25)
    var reset = Explanation()
    Errno.noSuchFile.explainLine(of: .panelReset, on: board, into: &reset)
    #expect(
      string(reset.bytes)
        == "line 25: panel-reset names a line, but buttons no chip: set buttons = gpio:/dev/gpiochip0"
    )
  }

  @Test func whatIsWrongWithAChipComesWithAdvice() {
    #expect(Errno.noSuchFile.explanation(for: .chip).contains("gpiodetect"))
    #expect(Errno.invalid.explanation(for: .chip).contains("gpioinfo"))
    #expect(Errno.noSuchDevice.explanation(for: .chip).contains("opened again"))
    #expect(Errno.accessDenied.explanation(for: .chip).contains("run as root"))
  }

  @Test(
    arguments: [
      (.busy, .radio, "bluetoothd"), (.notPermitted, .radio, "CAP_NET_ADMIN"),
      (.radioBlocked, .radio, "rfkill"), (.connectionRefused, .stream, "nobody listens"),
      (.remoteIO, .bus, "no panel answers"), (.noSuchFile, .bus, "i2c-dev"),
      (.busy, .bus, "overlay"), (.timedOut, .bus, "stuck"), (.wouldBlock, .bus, "noise"),
      (.noSuchDevice, .bus, "went away"), (.noSpace, .file, "disk is full"),
      (.readOnly, .file, "read-only"),
    ] as [(Errno, Errno.Context, String)])
  func anErrorSaysWhatToDoWhereItCame(_ error: Errno, _ context: Errno.Context, _ advice: String) {
    #expect(error.explanation(for: context).contains(advice))
  }

  @Test(arguments: [
    (Errno.wouldBlock, "another lenker"), (.symbolicLink, "symbolic link"),
    (.noSpace, "make room"), (.busy, "mounted"), (.noSuchFile, "make the folder"),
    (.readOnly, "read-only"),
    (.accessDenied, "owner or mode"), (.notAFolder, "no folder"), (.fileExists, "another kind"),
  ])
  func eachErrorOfTheStoreSaysWhatToDo(_ error: Errno, _ advice: String) {
    #expect(error.explanation(for: .store).contains(advice))
  }
}
