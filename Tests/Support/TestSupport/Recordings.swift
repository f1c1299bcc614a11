import Foundation

/// What was recorded of real phones and controllers, which is no part of the project: `Tests/README.md`.
public enum Recordings {
  private static let folder =
    ProcessInfo.processInfo.environment["LENKER_RECORDINGS"].map { URL(filePath: $0) }
    ?? URL(filePath: #filePath).appending(path: "../../../../../shared").standardized

  /// One of its folders, such as `rides`.
  public static func folder(_ name: String) -> URL { folder.appending(path: name) }

  /// Whether that is there.
  public static func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder(name).path)
  }
}
