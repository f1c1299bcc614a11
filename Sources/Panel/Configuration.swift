import Graphics

/// What the panel is told beside the picture.
struct Settings: Equatable {
  var contrast: UInt8
  var isInverted: Bool
  var isOn: Bool
}

/// How a panel of this kind is set up: hardware facts and settings as commands.
struct Configuration {
  private let kind: PanelKind
  private let rotation: Rotation
  private let settings: Settings

  init(_ kind: PanelKind, _ rotation: Rotation, _ settings: Settings) {
    self.kind = kind
    self.rotation = rotation
    self.settings = settings
  }

  /// Everything from power-on to a dark panel that is ready for its picture.
  ///
  /// `AF` comes after the picture: no noise is ever shown.
  func appendInitialization(to message: inout Message) {
    message.beginCommands()
    message.add(.setDisplayOn(false))
    message.add(.setClock(0x80))
    appendGeometry(to: &message)
    appendSupply(to: &message)
    appendMapping(to: &message)
    appendDriving(to: &message)
    if !kind.hasPagesOnly { message.add(.setScrolling(false)) }
    appendMode(to: &message)
  }

  /// The same without what would make a healthy panel flicker.
  func appendRefresh(isOn: Bool, to message: inout Message) {
    message.beginCommands()
    appendGeometry(to: &message)
    appendSupply(to: &message)
    appendMapping(to: &message)
    appendDriving(to: &message)
    appendMode(to: &message)
    message.add(.setDisplayOn(isOn))
  }

  private func appendGeometry(to message: inout Message) {
    message.add(.setMultiplexRatio(rows: UInt8(kind.size.height)))
    message.add(.setDisplayOffset(0))
    message.add(.setStartLine(0))
  }

  private func appendSupply(to message: inout Message) {
    if kind.hasPagesOnly {
      message.add(.setConverter(true))
    } else {
      message.add(.setChargePump(true))
    }
    if kind == .ssd1306Size72x40 { message.add(.setInternalReference(true)) }
  }

  private func appendMapping(to message: inout Message) {
    if !kind.hasPagesOnly { message.add(.setAddressingMode(.horizontal)) }
    message.add(.setSegmentRemap(rotation == .upright))
    message.add(.setReversedScan(rotation == .upright))
    message.add(.setCOMPins(isAlternating: kind != .ssd1306Size128x32, isSwapped: false))
  }

  private func appendDriving(to message: inout Message) {
    message.add(.setContrast(settings.contrast))
    message.add(.setPrecharge(kind.precharge))
    message.add(.setVCOMHLevel(kind.vcomhLevel))
  }

  private func appendMode(to message: inout Message) {
    message.add(.setEntireDisplayOn(false))
    message.add(.setInverted(settings.isInverted))
  }
}
