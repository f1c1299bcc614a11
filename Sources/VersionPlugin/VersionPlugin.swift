import Foundation
import PackagePlugin

/// Writes `lenkerVersion` before each build, as the commit may be another one each time.
@main struct VersionPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let script = context.package.directoryURL.appending(path: "Boards/version")
    let folder = context.pluginWorkDirectoryURL.appending(path: "Version")
    return [
      .prebuildCommand(
        displayName: "Naming the version",
        executable: script,
        arguments: ["--swift", folder.appending(path: "LenkerVersion.swift").path],
        outputFilesDirectory: folder)
    ]
  }
}
