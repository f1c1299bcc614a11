import Graphics
import Panel
import PanelModel

/// The bytes that a test can compare and print.
func array(_ bytes: Span<UInt8>) -> [UInt8] {
  var array: [UInt8] = []
  for index in bytes.indices { array.append(bytes[index]) }
  return array
}

/// Bytes from hexadecimal text, spaces ignored.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace }
  return stride(from: 0, to: digits.count, by: 2).compactMap {
    let start = digits.index(digits.startIndex, offsetBy: $0)
    return UInt8(digits[start...digits.index(after: start)], radix: 16)
  }
}

let allKinds = (0..<PanelKind.count).compactMap { PanelKind(rawValue: UInt8($0)) }

/// What a person sees on the model's glass: one line for each row, `#` for a lit pixel.
func glass(_ model: borrowing PanelModel) -> String {
  var bitmap = Bitmap(model.kind.size)
  model.updateGlass(&bitmap)
  var text = ""
  for y in 0..<bitmap.size.height {
    for x in 0..<bitmap.size.width { text += bitmap[x, y] ? "#" : "." }
    text += "\n"
  }
  return text
}
