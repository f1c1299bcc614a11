import BondFile
package import Bytes
import Device
package import DeviceState
import Linux

/// The file or device of the bond, opened and locked.
public struct Store: ~Copyable {
  private var file: BondFile?

  package init() {}

  /// Opens it and puts what it holds into `contents`, to be wiped after use.
  package mutating func open(
    _ path: Span<UInt8>, into contents: inout FixedBuffer<1024>
  ) throws(Errno) -> StoreFacts {
    close()
    let opened = try BondFile(path: path, size: BondStore.size)
    try opened.read(into: &contents)
    let facts = StoreFacts(
      isDevice: opened.isDevice, isFree: opened.isDevice ? try opened.isFree() : true,
      isOpenToOthers: opened.protection == .open)
    file = consume opened
    return facts
  }

  /// Sets the file aside and makes a new one; returns whether others can read the new one.
  package mutating func setAside() throws(Errno) -> Bool {
    try file?.setAside()
    return file.withValue { $0.protection == .open } ?? false
  }

  /// Writes a part and waits until the disk has it.
  package mutating func write(_ bytes: Span<UInt8>, at offset: Int) throws(Errno) {
    guard try file?.write(bytes, at: offset) != nil else { throw .noSuchFile }
  }

  package mutating func close() { file = nil }
}
