/// The GATT service by which komoot's app tells the next turn.
///
/// UUIDs stand in the order in which ATT and advertising data send them: the
/// last byte of the text first. Core Specification, Vol 3, Part F, 3.2.1 and
/// Vol 3, Part C, 11.
public enum NavigationService {
  /// The primary service, 71C1E128-D92F-4FA8-A2B2-0F171DB3436C.
  public static let uuid: InlineArray<16, UInt8> = [
    0x6C, 0x43, 0xB3, 0x1D, 0x17, 0x0F, 0xB2, 0xA2, 0xA8, 0x4F, 0x2F, 0xD9, 0x28, 0xE1, 0xC1, 0x71,
  ]

  /// Its only characteristic, 503DD605-9BCB-4F6E-B235-270A57483026: read and notify.
  public static let characteristicUUID: InlineArray<16, UInt8> = [
    0x26, 0x30, 0x48, 0x57, 0x0A, 0x27, 0x35, 0xB2, 0x6E, 0x4F, 0xCB, 0x9B, 0x05, 0xD6, 0x3D, 0x50,
  ]
}
