import ATT
package import Battery
package import BoardFile
import Buttons
package import Bytes
import Central
package import Controller
package import DeviceState
import HCI
package import Words

/// What went wrong, where, and what to do about it, for the events and for the panel.
package typealias Explanation = FixedBuffer<400>

extension HostFailure {
  /// What went wrong.
  package func explainCause<Writer: ByteWriter & ~Copyable>(into text: inout Writer) {
    switch self {
    case _ where lacksLE:
      text.append("the controller has no Low Energy: use one of Bluetooth 4.0 or later")
    case .commandTimeout(let opcode):
      text.append("the controller does not answer command ")
      text.append(opcode)
    case .commandFailed(let opcode, let status):
      text.append("the controller refuses command ")
      text.append(opcode)
      text.append(" with error ")
      text.append(hexByte: status.rawValue)
    case .hardwareError(let code):
      text.append("the controller reports hardware error ")
      text.append(hexByte: code)
    case .linkStuck: text.append("the controller does not end a link")
    case .attemptStuck: text.append("the controller does not end an attempt at a link")
    case .linkUnknown: text.append("the controller has a link that it did not tell of")
    case .noLinks(let status, _):
      text.append("the controller makes no link, again and again with error ")
      text.append(hexByte: status.rawValue)
    case .deaf: text.append("the controller hears nobody")
    case .vendorEventsOnly:
      text.append("the controller answers nothing, and sends vendor events only")
    }
  }
}

extension RadioTrouble {
  /// What went wrong, in English, and what the running device does about it, which comes first with
  /// `remedyFirst`, for a panel that may have no room for both.
  package func explain(
    _ port: ControllerPort, _ step: RecoveryStep?, remedyFirst: Bool = false,
    in language: Language = .english, into text: inout Explanation
  ) {
    let remedy = remedy(step)
    if remedyFirst, let remedy {
      text.append(remedy, in: language)
      text.append(": ")
    }
    switch self {
    case .transport(let failure): failure.explain(port, into: &text)
    case .controller(let failure): failure.explainCause(into: &text)
    }
    if !remedyFirst, let remedy {
      text.append(". ")
      text.append(remedy, in: language)
    }
  }

  private func remedy(_ step: RecoveryStep?) -> Phrase? {
    switch (self, step) {
    case (_, .rebind): .bluetoothRestarts
    case (_, .reboot): .boardRestarts
    case (.controller(let failure), .reset) where !failure.lacksLE: .bluetoothRestarts
    case (.controller(let failure), .reopen) where !failure.lacksLE: .bluetoothReconnects
    // Nothing helps a wrong controller. The failure of a transport says itself that it is opened again.
    default: nil
    }
  }
}

extension AttributeError {
  /// Says why the instruction cannot be read.
  package func explain(into text: inout Explanation) {
    text.append(
      asksForSecurity
        ? "the phone tells instructions to paired devices only; error "
        : "the phone refuses to be read with error ")
    text.append(hexByte: rawValue)
  }
}

extension RadioFailure {
  /// What went wrong, and what the running device does about it.
  package func explain<Writer: ByteWriter & ~Copyable>(
    _ port: ControllerPort, into text: inout Writer
  ) {
    explainCause(port, into: &text)
    text.append(mending(port))
  }

  /// What went wrong.
  package func explainCause<Writer: ByteWriter & ~Copyable>(
    _ port: ControllerPort, into text: inout Writer
  ) {
    text.append(port)
    text.append(": ")
    switch self {
    case .errno(let reason): text.append(reason.explanation(for: port.context))
    case .stream(.unknownIndicator(let byte)):
      text.append("no HCI packet begins with ")
      text.append(hexByte: byte)
      text.append(": bytes were lost, or this is no H4 stream")
    case .stream(.oversize): text.append("a packet is too long: bytes were lost")
    case .stalled: text.append("the controller fell silent")
    case .unanswered: text.append("no connection in 5 s; is the other side running?")
    }
  }

  /// Whether opening the transport again mends it, so that the rider need not change anything.
  package func isMendedByOpening(_ port: ControllerPort) -> Bool { !mending(port).utf8.isEmpty }

  /// What the running device does about it, as the end of a sentence; empty if the rider must act.
  private func mending(_ port: ControllerPort) -> String {
    switch self {
    case .errno(let reason): reason.reopening(for: port.context)
    case .stream, .stalled: "; reopening"
    case .unanswered: ""
    }
  }
}

extension Errno {
  /// What an error of the panel means.
  package func explain<Writer: ByteWriter & ~Copyable>(
    _ port: PanelPort, into text: inout Writer
  ) {
    text.append(port)
    switch port {
    case .i2c: text.append(explanation(for: .bus))
    case .pbm: text.append(explanation(for: .file))
    }
  }

  /// What an error of the buttons means.
  package func explainButtons<Writer: ByteWriter & ~Copyable>(
    _ board: Board, into text: inout Writer
  ) {
    board.describeButtons(into: &text)
    text.append(": ")
    switch board.buttons {
    case .gpio: text.append(explanation(for: .chip))
    default: text.append(explanation(for: .file))
    }
  }

  /// Explains an error of the line that a key names: the alert's, or that of the panel's reset.
  package func explainLine<Writer: ByteWriter & ~Copyable>(
    of key: Key, on board: Board, into text: inout Writer
  ) {
    board.describeLine(of: key, into: &text)
    text.append(": ")
    if board.chip == nil {
      text.append(key.name)
      text.append(" names a line, but buttons no chip: set buttons = gpio:/dev/gpiochip0")
    } else {
      text.append(explanation(for: .chip))
    }
  }
}

extension PanelPort {
  /// Says that the panel answers at another address than the board file has, and what to change there.
  package func explain(_ elsewhere: PanelPort, into text: inout Explanation) {
    guard case .i2c(let path, let address) = elsewhere else { return }
    text.append(self)
    text.append("no panel answers here, but one does at ")
    text.append(hexByte: address)
    text.append(" and is used: ")
    text.append(adviceToUse: path.bytes, address)
  }
}

extension Button {
  /// Explains a button that is never released.
  package func explainStuck(_ board: Board, into text: inout Explanation) {
    board.describeButtons(into: &text)
    switch self {
    case .a: text.append(": button A")
    case .b: text.append(": button B")
    }
    text.append(" is held for 30 s: free it, or look for water and a short circuit to ground")
  }
}

extension Board {
  /// Which buttons they are.
  package func describeButtons<Writer: ByteWriter & ~Copyable>(into text: inout Writer) {
    switch buttons {
    case .gpio(let chip):
      text.append(chip.bytes)
      if let line = buttonA { text.append(line: line) }
      if let line = buttonB { text.append(line: line) }
    case .fifo(let path): text.append(path.bytes)
    case .standardInput: text.append("standard input")
    case .none: text.append("buttons")
    }
  }

  /// The line that a key names.
  package func describeLine<Writer: ByteWriter & ~Copyable>(
    of key: Key, into text: inout Writer
  ) {
    if let chip {
      text.append(chip.bytes)
      text.append(" ")
    }
    text.append("line ")
    text.append(decimal: Int64(widening: line(of: key) ?? 0))
  }
}

extension ControllerPort {
  fileprivate var context: Errno.Context {
    switch self {
    case .device: .radio
    default: .stream
    }
  }
}

extension ByteWriter where Self: ~Copyable {
  /// Where the panel is, as the beginning of an explanation.
  fileprivate mutating func append(_ port: PanelPort) {
    switch port {
    case .i2c(let path, let address):
      append(path.bytes)
      append(" address ")
      append(hexByte: address)
    case .pbm(let folder): append(folder.bytes)
    }
    append(": ")
  }

  /// The line of the board file for a panel at this address of a bus.
  package mutating func append(adviceToUse path: Span<UInt8>, _ address: UInt8) {
    append("set display = i2c:")
    append(path)
    append("@")
    append(hexByte: address)
  }

  /// The number of a GPIO line, with a blank in front.
  package mutating func append(line offset: UInt32) {
    append(" line ")
    append(decimal: Int64(widening: offset))
  }

  fileprivate mutating func append(_ opcode: Opcode) {
    append("0x")
    append(hex: UInt64(widening: UInt32(opcode.rawValue)), atLeast: 4)
  }
}

extension GaugeKind {
  /// Which gauge it is, as the beginning of a sentence.
  package func describe<Writer: ByteWriter & ~Copyable>(into text: inout Writer) {
    text.append("battery ")
    text.append(name)
    text.append(" at ")
    text.append(hexByte: address)
    text.append(": ")
  }
}

extension GaugeFault {
  /// Explains a gauge's impossible answer, and what to do about it.
  package func explain<Writer: ByteWriter & ~Copyable>(
    _ gauge: GaugeKind, into text: inout Writer
  ) {
    switch self {
    case .otherDevice:
      text.append("what answers there is another device: correct battery, or look at its wires")
    case .notMeasuring:
      text.append("it is switched off by its configuration: switch its power off and on")
    case .impossible(let millivolts, let percent):
      text.append(milliseconds: Int64(widening: millivolts))
      text.append(" V")
      if let percent {
        text.append(" and ")
        text.append(decimal: Int64(widening: percent))
        text.append("%")
      }
      text.append(" cannot be one lithium cell: is the gauge wired to it?")
    }
  }
}
