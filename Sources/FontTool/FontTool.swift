import Foundation

/// Packs bitmap fonts and the project's arrows into tables of `Graphics`.
///
/// Only `FontPlugin` calls it, so it needs no options. A parser of options would take longer to
/// compile than the firmware itself. The tables and the recipe live only while `pack` runs.
@main struct FontTool {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      guard arguments.count >= 2 else { throw ToolError("usage: FontTool RECIPE OUTPUT ARTWORK…") }
      try pack(recipe: arguments[0], artwork: arguments.dropFirst(2))
        .write(toFile: arguments[1], atomically: true, encoding: .utf8)
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  /// The Swift source of all tables, packed as the file `recipe` says with the arrows of `artwork`.
  private static func pack(recipe path: String, artwork: some Sequence<String>) throws -> String {
    let recipe = try Recipe(parsing: read(path), file: path)
    var source = SwiftSource()
    var known: Set<UInt32> = []
    var fonts: [String: GlyphSet] = [:]
    for font in recipe.fonts {
      let glyphs = try BitmapFont(font, in: recipe.folder)
        .glyphs(aliases: recipe.aliases, joined: recipe.joined)
      known.formUnion(glyphs.glyphs.keys)
      fonts[font.name] = glyphs
      source.add(font.name, glyphs.table)
    }
    source.add("compositions", Compositions(of: known).table)
    let database = CharacterDatabase(in: recipe.unicode.folder, package: recipe.unicode.package)
    source.add("properties", try database.properties())
    source.add("mirrors", try database.mirrors())
    source.add("shapes", try database.shapes())
    var drawings: [String: Drawing] = [:]
    for file in artwork {
      let new = try Artwork(parsing: read(file), file: file).drawings
      try drawings.merge(new) { old, _ in
        throw ToolError("\(file): arrow \(old.name) is drawn in another file already")
      }
    }
    let arrows = drawings.values.sorted { $0.name < $1.name }
    for (size, font) in recipe.arrows {
      let digits = font.flatMap { fonts[$0] }
      source.add("arrows\(size)", try GlyphSet(arrows, size: size, digits: digits).table)
    }
    source.add(codesOf: arrows)
    return source.text
  }

  private static func read(_ path: String) throws -> String {
    do {
      return try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw ToolError("\(path): cannot be read as UTF-8 text (\(error.localizedDescription))")
    }
  }
}

struct ToolError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
