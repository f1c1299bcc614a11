package import Bytes

/// The GATT service by which komoot's app sends the next turn.
package enum NavigationService {
  package static var uuid: UUID { UUID(0x71C1_E128_D92F_4FA8, 0xA2B2_0F17_1DB3_436C) }

  /// Its only characteristic: read and notify.
  package static var characteristic: UUID { UUID(0x503D_D605_9BCB_4F6E, 0xB235_270A_5748_3026) }
}
