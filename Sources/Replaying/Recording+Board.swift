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
        let setting = Array(withHiddenApps(setting).utf8)
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

/// The setting with each app in a list of `notifications` as a recording has it, an x for each byte.
///
/// So those in the list show again. One that is not in it shows, too, if its name is as long as theirs.
private func withHiddenApps(_ setting: String) -> String {
  let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  guard parts.count == 2, parts[0] == "notifications", !["off", "calls", "all"].contains(parts[1])
  else { return setting }
  let apps = parts[1].split(separator: ",", omittingEmptySubsequences: false).map { app in
    let name = Array(app.utf8)
    return String(repeating: "x", count: trimmed(name.span).count)
  }
  return "notifications=" + apps.joined(separator: ",")
}
