public import Bytes

extension Errno {
  /// What it means of the file or device of the bond and what to do about it, as the second half of
  /// a sentence.
  public var storeExplanation: String {
    switch self {
    case .wouldBlock: "another lenker has it: stop that one, or give each a store of its own"
    case .noSuchFile: "no such folder or device: make the folder, or correct the path"
    case .symbolicLink: "the path is a symbolic link: give the file or device itself"
    case .noSpace: "no room: make room on the disk, or give a device of at least 8 KiB"
    case .busy: "it is mounted: give a partition for the bond alone, or a path on a mounted one"
    default: explanation(for: .file)
    }
  }
}
