import BoardFile
import Buttons
import Bytes
import DeviceState
import Expecting
import Recording
import TestSupport

@testable import Device

/// Each reason that the kernel can give comes with what to do about it.
struct ExplanationTests {
  /// That lenker does it, or what to do, and what it means where it came.
  @Test func whatCannotBeHadComesWithAdvice() {
    for (reason, context, words) in [
      // Linux, net/bluetooth/hci_sock.c, hci_sock_bind; socket(2).
      (.noSuchFamily, .radio, "load the module bluetooth"), (.noSuchDevice, .radio, "hciconfig -a"),
      (.notPermitted, .radio, "CAP_NET_ADMIN"), (.busy, .radio, "stop bluetoothd"),
      (.tooManyUsers, .radio, "stop it"), (.radioBlocked, .radio, "rfkill unblock bluetooth"),
      // Linux, drivers/i2c/i2c-dev.c, Documentation/i2c/fault-codes.rst; open(2).
      (.noSuchFile, .bus, "dtparam=i2c_arm=on"), (.accessDenied, .bus, "join the group"),
      (.notPermitted, .bus, "DeviceAllow"), (.busy, .bus, "remove its overlay"),
      (.remoteIO, .bus, "power and wires"), (.noSuchAddress, .bus, "power and wires"),
      (.notSupported, .bus, "use another one"),
      // Linux, drivers/gpio/gpiolib-cdev.c; open(2).
      (.noSuchFile, .chip, "gpiodetect"), (.wrongKind, .chip, "gpiodetect"),
      (.invalid, .chip, "gpioinfo"), (.accessDenied, .chip, "join the group"),
      (.notPermitted, .chip, "DeviceAllow"), (.busy, .chip, "gpioinfo"),
      (.noSuchDevice, .chip, "opened again"),
      // connect(2), open(2), tcsetattr(3).
      (.connectionRefused, .stream, "start the controller"), (.accessDenied, .stream, "dialout"),
      (.noSuchFile, .stream, "correct the path"), (.busy, .stream, "stop it"),
      (.timedOut, .stream, "check the network"), (.inputOutput, .stream, "check its cable"),
      // open(2), flock(2), fsync(2).
      (.wouldBlock, .store, "stop that one"), (.noSuchFile, .store, "make the folder"),
      (.accessDenied, .store, "owner or mode"), (.readOnly, .store, "mount it for writing"),
      (.noSpace, .store, "make room"), (.symbolicLink, .store, "give the file"),
      // unix(7), bind(2).
      (.addressInUse, .listener, "stop it"), (.noSuchFile, .listener, "make it"),
      (.fileExists, .listener, "remove it"), (.accessDenied, .listener, "owner or mode"),
      (.notAFolder, .listener, "choose another path"),
      (.readOnly, .listener, "choose another path"),
      (.nameTooLong, .listener, "choose a shorter one"),
    ] as [(Errno, Errno.Context, String)] {
      let text = reason.explanation(for: context)
      expect(text.contains(words) && (text.contains(": ") || text.contains("again")), "\(text)")
    }
    for (reason, context, words) in [
      (.accessDenied, .chip, "run as root"), (.connectionRefused, .stream, "nobody listens"),
      (.remoteIO, .bus, "no panel answers"), (.noSuchFile, .bus, "i2c-dev"),
      (.timedOut, .bus, "stuck"), (.wouldBlock, .bus, "noise"), (.noSuchDevice, .bus, "went away"),
      (.noSpace, .file, "disk is full"), (.readOnly, .file, "read-only"),
      (.wouldBlock, .store, "another lenker"), (.symbolicLink, .store, "symbolic link"),
      (.busy, .store, "mounted"), (.readOnly, .store, "read-only"),
      (.notAFolder, .store, "no folder"), (.fileExists, .store, "another kind"),
    ] as [(Errno, Errno.Context, String)] {
      expect(reason.explanation(for: context).contains(words), "\(words)")
    }
  }

  /// The device opens it again by itself; another program says so only of what it does.
  @Test func whatIsMendedIsSaidApartFromWhatWentWrong() {
    let (device, socket) = (ControllerPort.device(0), ControllerPort.unix(Text("/radio")))
    let (went, closed) = ("hci0: the controller went away", "the controller closed the connection")
    let (reopened, remade) = ("opened again when it is back", "made again when it is back")
    for (failure, port, cause, mending) in [
      (.errno(.peerClosed), device, went, "; it is " + reopened),
      (.errno(.networkDown), device, went, "; it is " + reopened),
      (.stalled, device, "hci0: the controller fell silent", "; reopening"),
      (
        .stream(.oversize(2_000)), device, "hci0: a packet is too long: bytes were lost",
        "; reopening"
      ),
      (
        .errno(.tooManyUsers), device,
        "hci0: another program has the controller for itself: stop it", ""
      ),
      (.unanswered, device, "hci0: no connection in 5 s; is the other side running?", ""),
      (.errno(.peerClosed), socket, "unix:/radio: " + closed, "; it is " + remade),
      (.errno(.connectionReset), socket, "unix:/radio: " + closed, "; it is " + remade),
    ] as [(RadioFailure, ControllerPort, String, String)] {
      var whole = FixedBuffer<512>()
      var part = FixedBuffer<512>()
      failure.explain(port, into: &whole)
      failure.explainCause(port, into: &part)
      expect(string(whole.bytes), cause + mending)
      expect(string(part.bytes), cause)
      expect(failure.isMendedByOpening(port), mending != "")
    }
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
    expect(
      string(reset.bytes),
      "line 25: panel-reset names a line, but buttons no chip: set buttons = gpio:/dev/gpiochip0"
    )
  }
}
