package import Bytes

extension Errno {
  /// What was being done when the error came.
  package enum Context: Sendable {
    /// The user channel of a controller of this machine.
    case radio
    /// A TCP or unix socket or a serial port to a controller.
    case stream
    /// The I²C bus of the panel.
    case bus
    /// A battery's gauge on that bus.
    case gauge
    /// A GPIO chip and its lines.
    case chip
    /// The file or device of the bond.
    case store
    /// A file, a folder or a fifo.
    case file
    /// A socket that others connect to.
    case listener
  }

  /// What it means there and what to do about it, as the second half of a sentence.
  package func explanation(for context: Context) -> String {
    switch context {
    case .radio: radioExplanation
    case .stream: streamExplanation
    case .bus: busExplanation
    case .gauge: gaugeExplanation
    case .chip: chipExplanation
    case .store: storeExplanation
    case .file: fileExplanation
    case .listener: listenerExplanation
    }
  }

  /// What the running device does about a lost transport, as the end of that sentence.
  func reopening(for context: Context) -> String {
    switch (context, self) {
    case (.radio, .peerClosed), (.radio, .networkDown): "; it is opened again when it is back"
    case (.stream, .peerClosed), (.stream, .connectionReset):
      "; it is made again when it is back"
    case (.stream, .wouldBlock): ": it is tried again"
    default: ""
    }
  }

  private var radioExplanation: String {
    switch self {
    case .notPermitted, .accessDenied:
      "not permitted without CAP_NET_ADMIN: run as root, or give it to the service"
    case .noSuchDevice:
      "no such controller: see hciconfig -a for those there are, and whether its driver is loaded"
    case .busy:
      // Also while that program has it exclusively: the kernel says so only in a race.
      "another program has the controller: stop bluetoothd or that program"
    case .inProgress:
      "its driver is setting it up, or failed to"
    case .tooManyUsers:
      "another program has the controller for itself: stop it"
    case .radioBlocked:
      "the radio is switched off: rfkill unblock bluetooth"
    case .noSuchFamily:
      "the kernel has no Bluetooth: load the module bluetooth"
    case .peerClosed, .networkDown:
      "the controller went away"
    case .timedOut, .inputOutput:
      "the controller does not answer its driver: see dmesg, and switch its power off and on"
    default: otherExplanation
    }
  }

  private var streamExplanation: String {
    switch self {
    case .connectionRefused:
      "nobody listens there: start the controller first, or correct the address"
    case .accessDenied:
      "not permitted: run as root, or join the group of the socket or port in ls -l, such as dialout"
    case .noSuchFile:
      "no such socket or port: start the controller first, or correct the path"
    case .peerClosed, .connectionReset:
      "the controller closed the connection"
    case .invalid:
      "not an address or a baud rate that can be used: give a numeric address or localhost"
    case .wrongKind:
      "not a serial port"
    case .inputOutput, .noSuchDevice, .noSuchAddress:
      "the serial port failed or is gone: check its cable"
    case .busy:
      "another program has the serial port: stop it"
    case .networkUnreachable, .hostUnreachable:
      "no way to this address: check the network"
    case .timedOut:
      "no answer from this address: check the network"
    case .wouldBlock:
      "the controller's queue of connections is full"
    default: otherExplanation
    }
  }

  private var busExplanation: String {
    switch self {
    case .accessDenied:
      "not permitted: run as root, or join the group of the bus in ls -l, such as i2c"
    case .notPermitted:
      "not permitted by the service or container: allow it this device, as with DeviceAllow"
    case .noSuchFile:
      "no such bus: switch I2C on (dtparam=i2c_arm=on) and load the module i2c-dev"
    case .remoteIO, .noSuchAddress, .inputOutput:
      "no panel answers at this address: check its power and wires, and i2cdetect -y 1"
    case .timedOut:
      "the bus is stuck or slower than 36 kHz: is a wire held low? Check them, and switch the panel's power off and on"
    case .wouldBlock:
      "the bus is disturbed, by noise or another master: use shorter wires, away from motors"
    case .noSuchDevice:
      "the bus or the panel went away: check its plug; it is opened again when it is back"
    case .busy:
      "a driver of the kernel has this address: remove its overlay"
    case .notSupported:
      "the adapter can write neither I2C messages nor SMBus blocks: use another one"
    case .wrongKind:
      "not an I2C bus"
    case .invalid:
      "the adapter refuses the address or the message's length"
    default: otherExplanation
    }
  }

  private var gaugeExplanation: String {
    switch self {
    case .remoteIO, .noSuchAddress, .inputOutput, .noSuchDevice, .noSuchFile:
      "no gauge answers at this address: check its power and wires, and i2cdetect -y 1"
    case .timedOut:
      "the gauge holds the bus: check its wires, and switch its power off and on"
    case .notSupported: "the adapter cannot read registers: use another one"
    default: busExplanation
    }
  }

  private var chipExplanation: String {
    switch self {
    case .accessDenied:
      "not permitted: run as root, or join the group of the chip in ls -l, such as gpio"
    case .notPermitted:
      "not permitted by the service or container: allow it this device, as with DeviceAllow"
    case .noSuchFile: "no such chip: see gpiodetect for those there are"
    case .wrongKind: "not a GPIO chip: see gpiodetect for those there are"
    case .invalid: "the chip has no such line: see gpioinfo for those there are"
    case .busy:
      "a line is taken: see in gpioinfo by whom, or give each key its own line"
    case .noSuchDevice, .inputOutput:
      "the chip is gone, or the line is of no use for this; it is opened again each second"
    default: fileExplanation
    }
  }

  private var storeExplanation: String {
    switch self {
    case .wouldBlock: "another lenker has it: stop that one, or give each a store of its own"
    case .noSuchFile: "no such folder or device: make the folder, or correct the path"
    case .symbolicLink: "the path is a symbolic link: give the file or device itself"
    case .noSpace: "no room: make room on the disk, or give a device of at least 8 KiB"
    case .busy: "it is mounted: give a partition for the bond alone, or a path on a mounted one"
    default: fileExplanation
    }
  }

  private var listenerExplanation: String {
    switch self {
    case .addressInUse: "another program listens there: stop it, or choose another path"
    case .noSuchFile: "no such folder: make it, or correct the path"
    default: fileExplanation
    }
  }

  private var fileExplanation: String {
    switch self {
    case .noSuchFile:
      "no such file or folder"
    case .fileExists:
      "the path is another kind of file: remove it or choose another path"
    case .notAFolder:
      "a part of the path is no folder: choose another path"
    case .isAFolder:
      "the path is a folder: choose a file"
    case .noSuchAddress:
      "nobody reads this fifo: start its reader first"
    default: otherExplanation
    }
  }

  /// What the errors mean that mean the same everywhere.
  private var otherExplanation: String {
    switch self {
    case .notPermitted, .accessDenied:
      "not permitted: correct the file's owner or mode, or run as root"
    case .noSpace: "the disk is full: make room"
    case .readOnly: "the file system is read-only: choose another path or mount it for writing"
    case .nameTooLong: "the path is too long: choose a shorter one"
    case .fileTooLarge: "the file is too large"
    case .inputOutput: "the device failed"
    default: "failed"
    }
  }
}
