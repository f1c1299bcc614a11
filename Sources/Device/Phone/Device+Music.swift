import ATT
import BoardFile
import Bytes
import Central
import DeviceState
import PhoneServices
import Recording

/// What the phone plays: its page, and what a press does there.
extension Device {
  mutating func hearMusic(_ event: MusicEvent, at now: Instant) {
    switch event {
    case .found: note(.found, at: now)
    case .written: note(.accepted, at: now)
    case .refused(let code):
      if phone.takeMusicRefusal() { musicRefused(code, at: now) }
      note(.refused, at: now)
    case .update: phone.hear(track: host.value)
    case .commandRefused: note(.commandRefused, at: now)
    case .commands: phone.hearCommands()
    case .gone: phone.musicIsGone()
    }
  }

  private mutating func note(_ event: MusicPlayer.Event, at now: Instant) {
    guard phone.hear(event) else { return }
    host.step(.ask(.music(ShortValue { MusicPlayer.request(into: &$0) }, to: .update)), at: now)
  }

  private mutating func musicRefused(_ code: AttributeError, at now: Instant) {
    var message = Explanation()
    message.append("the phone does not let its music be seen: error 0x")
    message.append(hex: UInt64(widening: UInt32(code.rawValue)), atLeast: 2)
    fail(.phone, message.bytes, at: now)
  }

  /// Has the phone play the next title, or play or pause, if it would.
  mutating func tellPlayer(_ command: MusicPlayer.Command, at now: Instant) {
    switch phone.tellPlayer(command) {
    case .remoteCommand?:
      host.step(.ask(.music(ShortValue { $0.append(command.rawValue) }, to: .command)), at: now)
    case .gadgetbridge(let command)?: say(.music(command), at: now)
    case nil: break
    }
  }
}
