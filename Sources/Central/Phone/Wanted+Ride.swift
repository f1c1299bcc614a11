import ATT
import Bond
package import Bytes
package import Link
import PhoneServices

/// The link to the phone, with a line of its table for each characteristic.
package typealias PhoneLink = Link<11, 1024, 521>

extension Wanted {
  /// What a ride needs: another service is one more line.
  ///
  /// The first line is the `characteristic` that says the way; whether it is read at once is decided for each link
  /// (`Host.makeLink`). Music and notifications are for riders who want to see them. The zone comes before the time,
  /// which is reported with it.
  package static func forRide(
    _ characteristic: UUID, of service: UUID, music hasMusic: Bool = false,
    notifications hasNotifications: Bool = false
  ) -> PhoneLink.Table {
    let music = hasMusic ? Security.confidential : .unwanted
    let notifications = hasNotifications ? Security.confidential : .unwanted
    return [
      Wanted(
        characteristic, by: .discovery(in: service, .notifications), need: .found,
        security: .demanded, keptAs: .value, identifiedBy: Instruction.identifierCount),
      Wanted(
        .serviceChanged, by: .discovery(in: .genericAttribute, .indications),
        isFirstIfSecure: true, keptAs: .serviceChanged),
      Wanted(.deviceName, by: .type, isRead: true),
      Wanted(.batteryLevel, by: .type, isRead: true, security: .awaited),
      Wanted(.localTimeInformation, by: .type, isRead: true, security: .confidential),
      Wanted(
        .currentTime, by: .discovery(in: .currentTimeService, .notifications), isRead: true,
        security: .confidential),
      // The phone notifies the allowed commands at once, so before there is a track.
      Wanted(
        .remoteCommand, by: .discovery(in: .mediaService, .notifications), security: music),
      Wanted(
        .entityUpdate, by: .discovery(in: .mediaService, .notifications), security: music),
      // News is asked about at once, so Control Point and Data Source come before Notification Source.
      Wanted(
        .controlPoint, by: .discovery(in: .notificationService, nil), security: notifications),
      Wanted(
        .dataSource, by: .discovery(in: .notificationService, .notifications),
        security: notifications),
      Wanted(
        .notificationSource, by: .discovery(in: .notificationService, .notifications),
        security: notifications),
    ]
  }
}
