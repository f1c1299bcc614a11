import Graphics
import Panel
import PanelModel
import TestSupport

let allKinds = nonEmpty(
  (0..<PanelKind.count).compactMap { PanelKind(rawValue: UInt8($0)) })

/// What a person sees on the model's glass: one line for each row, `#` for a lit pixel.
func glass(_ model: borrowing PanelModel) -> String {
  var bitmap = Bitmap(model.kind.size)
  model.updateGlass(&bitmap)
  return picture(bitmap)
}

extension PanelModel {
  /// Receives a message that is given in hexadecimal.
  mutating func receive(_ text: String) {
    let message = bytes(text)
    receive(message.span)
  }
}
