/// The settings of the panel beside its picture and its power.
struct Settings: Equatable {
  /// As the user wants it, 1...255.
  var contrast: UInt8
  /// Whether as little light as can be read is enough.
  var isDim = false
  var isInverted = false
  /// Which row of the RAM is shown first.
  var startLine = 0
}

/// How a panel is set up: hardware facts and settings as commands.
struct Configuration {
  let panel: PanelFacts
  let rotation: Rotation
  let updates: Updates
  let settings: Settings

  /// Everything from power-on to a dark panel that is ready for its picture.
  ///
  /// `AF` comes after the picture, so that no noise is ever shown. An interrupted controller may wait
  /// for two more bytes of a command. It gets two harmless ones: `7F` is the last column and page of
  /// any window. The SH1107 has no such command, but its `E3` does nothing.
  func appendInitialization(ofInterrupted isInterrupted: Bool, to message: inout Message) {
    message.beginCommands()
    if isInterrupted {
      let harmless: Command = panel.isSideways ? .doNothing : .setStartLine(63)
      message.add(harmless)
      message.add(harmless)
    }
    appendUnlocking(to: &message)
    message.add(.setDisplayOn(false))
    message.add(.setClock(panel.clock))
    appendGeometry(to: &message)
    appendSupply(to: &message)
    appendMapping(to: &message)
    appendDriving(to: &message)
    appendMode(to: &message)
  }

  func appendChanges(from known: Settings, to message: inout Message) {
    message.beginCommands()
    if known.startLine != settings.startLine { appendStartLine(to: &message) }
    if known.isDim != settings.isDim {
      appendDriving(to: &message)
    } else if known.contrast != settings.contrast {
      message.add(.setContrast(settings.contrast))
    }
    if known.isInverted != settings.isInverted { message.add(.setInverted(settings.isInverted)) }
  }

  /// The initialisation without the commands that make a healthy panel flicker or need it to be off.
  func appendRefresh(isOn: Bool, to message: inout Message) {
    message.beginCommands()
    appendUnlocking(to: &message)
    appendGeometry(to: &message)
    // A panel that lost its settings has the converter on by itself.
    if case .converter = panel.supply {} else { appendSupply(to: &message) }
    appendMapping(to: &message)
    appendDriving(to: &message)
    appendMode(to: &message)
    message.add(.setDisplayOn(isOn))
  }

  private func appendUnlocking(to message: inout Message) {
    if panel.hasCommandLock { message.add(.setCommandLock(false)) }
  }

  private func appendGeometry(to message: inout Message) {
    message.add(.setMultiplexRatio(rows: UInt8(panel.lineCount)))
    message.add(.setDisplayOffset(0))
    appendStartLine(to: &message)
  }

  private func appendStartLine(to message: inout Message) {
    let line = UInt8(truncatingIfNeeded: settings.startLine)
    message.add(panel.isSideways ? .setFirstColumn(line) : .setStartLine(line))
  }

  private func appendSupply(to message: inout Message) {
    switch panel.supply {
    case .chargePump: message.add(.setChargePump(true))
    case .converter(let bits): message.add(.setConverter(bits))
    case .module: break
    }
    if panel.needsInternalReference { message.add(.setInternalReference(true)) }
  }

  private func appendMapping(to message: inout Message) {
    let isRemapped = rotation.isReversed == panel.isSideways
    if panel.isSideways {
      message.add(.setPageAddressing)
    } else if !panel.hasPagesOnly {
      message.add(.setAddressingMode(updates == .pages ? .page : .horizontal))
    }
    message.add(.setSegmentRemap(isRemapped))
    message.add(.setReversedScan(isRemapped))
    guard !panel.isSideways else { return }
    message.add(.setCOMPins(isAlternating: panel.hasAlternatingPins, isSwapped: false))
  }

  /// The contrast alone dims a panel barely: the pixels must be charged for less time as well,
  /// and to a lower voltage.
  private func appendDriving(to message: inout Message) {
    let contrast = settings.contrast
    message.add(.setContrast(settings.isDim ? max(1, contrast / 4) : contrast))
    message.add(.setPrecharge(settings.isDim ? panel.dimPrecharge : panel.precharge))
    message.add(.setVCOMHLevel(settings.isDim ? panel.dimVCOMHLevel : panel.vcomhLevel))
  }

  private func appendMode(to message: inout Message) {
    if !panel.hasPagesOnly { message.add(.setScrolling(false)) }
    message.add(.setEntireDisplayOn(false))
    message.add(.setInverted(settings.isInverted))
  }
}
