import Bytes
import TestSupport
import Testing

@Suite struct DeviceAddressTests {
  @Test func anAddressPrintsItsMostSignificantByteFirst() {
    var text = FixedBuffer<32>()
    text.append(text: DeviceAddress(0x00AB_CDEF_0109, .public))
    let printed = String(decoding: array(text.bytes), as: UTF8.self)
    #expect(printed == "00:AB:CD:EF:01:09")
  }

  /// Core Specification, Vol 6, Part B, 1.3.2: the two top bits say what a random address is.
  @Test(
    arguments: [
      (0x4000_0000_0000, .random, true, false), (0x7FFF_FFFF_FFFF, .random, true, false),
      (0xC000_0000_0000, .random, false, true), (0x3FFF_FFFF_FFFF, .random, false, false),
      (0x4000_0000_0000, .public, false, true),
    ] as [(UInt64, AddressType, Bool, Bool)])
  func theTopBitsSayWhetherItChanges(
    _ value: UInt64, _ type: AddressType, _ isResolvable: Bool, _ isFixed: Bool
  ) {
    let address = DeviceAddress(value, type)
    #expect(address.isResolvable == isResolvable)
    #expect(address.isFixed == isFixed)
  }
}
