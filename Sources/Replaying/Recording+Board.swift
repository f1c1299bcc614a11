package import BoardFile
import Bytes

extension Recording {
  /// The recorded board, as far as the file has it; `settings` override the file.
  package func board(overriddenBy settings: [String] = []) throws -> Board {
    func key(_ setting: String) -> Substring { setting.prefix { $0 != "=" } }
    let given = Set(settings.map { key($0) })
    let told = self.settings.filter { !given.contains(key($0)) }
    var parser = BoardParser()
    do {
      for (index, setting) in (told + settings).enumerated() {
        let setting = Array(setting.utf8)
        try parser.override(setting.span, position: index + 1)
      }
      return try parser.finish()
    } catch {
      var text = FixedBuffer<1024>()
      error.write(file: Array(name.utf8).span, to: &text)
      let words = String(decoding: array(text.bytes), as: UTF8.self)
      throw ReplayError.data("\(name): its settings, and the arguments behind them: \(words)")
    }
  }
}
