import Foundation
import PackagePlugin

/// Generates the fonts and arrows of `Graphics` from the recipe and the artwork in `Fonts/`.
@main struct FontPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let fonts = context.package.directoryURL.appending(path: "Fonts")
    let recipe = fonts.appending(path: "fonts.conf")
    let artwork = try FileManager.default
      .contentsOfDirectory(at: fonts.appending(path: "arrows"), includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "arrows" }
      .sorted { $0.path < $1.path }
    let output = context.pluginWorkDirectoryURL.appending(path: "Tables.swift")
    return [
      .buildCommand(
        displayName: "Packing fonts and arrows for \(target.name)",
        executable: try context.tool(named: "FontTool").url,
        arguments: [recipe.path, output.path] + artwork.map(\.path),
        inputFiles: [recipe] + artwork,
        outputFiles: [output])
    ]
  }
}
