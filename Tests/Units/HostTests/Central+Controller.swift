import VirtualAir

extension Central: HCIReceiver {}

extension VirtualController {
  /// Stands at the other end of the central's transport from now on.
  func attach(to central: Central) {
    central.controller = { [self] central, packet in take(packet, central) }
  }
}
