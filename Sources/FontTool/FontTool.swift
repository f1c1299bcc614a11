import ArgumentParser
import Foundation

/// Packs bitmap fonts and the project's arrows into tables of `Graphics`.
@main struct FontTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Packs fonts and arrows into a Swift source file of string literals.")

  @Option(help: "The recipe: which fonts, which ranges, which sizes.")
  var recipe: String

  @Option(help: "The Swift file to write.")
  var output: String

  @Argument(help: "Files with artwork.")
  var artwork: [String] = []

  func run() throws {
    let recipe = try Recipe(parsing: read(self.recipe), file: self.recipe)
    var source = SwiftSource()
    var known: Set<UInt32> = []
    for font in recipe.fonts {
      let glyphs = try BitmapFont(font, in: recipe.folder).glyphs(aliases: recipe.aliases)
      known.formUnion(glyphs.glyphs.keys)
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
    for size in recipe.arrowSizes {
      source.add("arrows\(size)", try GlyphSet(arrows, size: size).table)
    }
    source.add(codesOf: arrows)
    try source.text.write(toFile: output, atomically: true, encoding: .utf8)
  }

  private func read(_ path: String) throws -> String {
    do {
      return try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw ToolError("\(path): cannot be read as UTF-8 text (\(error.localizedDescription))")
    }
  }
}

/// What went wrong, where, and what to do about it.
struct ToolError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
