package import Bytes

/// Apple Media Service (AMS) and its characteristics.
///
/// AMS Specification, Service Characteristics.
extension UUID {
  package static var mediaService: UUID {
    UUID(0x89D3_502B_0F36_433A, 0x8EF4_C502_AD55_F8DC)
  }
  package static var remoteCommand: UUID {
    UUID(0x9B3C_81D8_57B1_4A8A, 0xB8DF_0E56_F7CA_51C2)
  }
  package static var entityUpdate: UUID {
    UUID(0x2F7C_ABCE_808D_411F, 0x9A0C_BB92_BA96_C102)
  }
}
