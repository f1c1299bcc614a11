import Bytes
import Graphics
import Panel
import PanelModel
import TestSupport

let allKinds = nonEmpty(
  (0..<PanelKind.count).compactMap { PanelKind(rawValue: UInt8($0)) })

let allUpdates: [Updates] = [.changes, .pages, .whole]

/// Bytes on the wire, the address of each message counted.
func cost(_ messages: [[UInt8]]) -> Int { messages.reduce(0) { $0 + 1 + $1.count } }

/// All messages that wait, each noted as sent.
func takeMessages(_ display: inout PanelDriver) -> [[UInt8]] {
  var messages: [[UInt8]] = []
  while !display.message.isEmpty {
    messages.append(array(display.message))
    display.messageWasSent()
  }
  return messages
}

/// What a person sees on the model's glass.
func glass(_ model: borrowing PanelModel) -> String {
  var bitmap = Bitmap(model.kind.size)
  model.updateGlass(&bitmap)
  return picture(bitmap)
}

/// What the glass has of a picture.
func turned(_ picture: String, _ rotation: Rotation) -> String {
  turned(picture, quarters: Int(rotation.rawValue))
}

let allRotations: [Rotation] = [.noTurn, .quarterTurn, .halfTurn, .threeQuarterTurn]

/// An initialised display that shows a dark picture.
func darkDisplay(_ kind: PanelKind = .ssd1306x128x64) -> PanelDriver {
  var display = PanelDriver(kind, rotation: .noTurn, contrast: 0xCF)
  display.show(Bitmap(kind.size))
  _ = takeMessages(&display)
  return display
}

extension PanelKind {
  /// What the makers of such modules set: the argument of `81`.
  var usualContrast: UInt8 {
    switch self {
    case .ssd1306x128x64, .ssd1306x64x48, .sh1106x128x64: 0xCF
    case .ssd1306x128x32: 0x8F
    case .ssd1306x72x40: 0xAF
    case .ssd1309x128x64: 0xBF
    case .sh1107x128x128: 0x80
    }
  }
}
