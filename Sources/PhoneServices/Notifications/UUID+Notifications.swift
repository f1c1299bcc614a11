package import Bytes

/// Apple Notification Center Service (ANCS) and its characteristics.
///
/// ANCS Specification, Service Characteristics.
extension UUID {
  package static var notificationService: UUID {
    UUID(0x7905_F431_B5CE_4E99, 0xA40F_4B1E_122D_00D0)
  }
  package static var notificationSource: UUID {
    UUID(0x9FBF_120D_6301_42D9, 0x8C58_25E6_99A2_1DBD)
  }
  package static var controlPoint: UUID {
    UUID(0x69D1_D8F3_45E1_49A8, 0x9821_9BBD_FDAA_D9D9)
  }
  package static var dataSource: UUID {
    UUID(0x22EA_C6E9_24D6_4BB5, 0xBE44_B36A_CE7C_7BFB)
  }
}
