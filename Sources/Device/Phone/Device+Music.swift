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

  /// Has the phone play the next title, if it would.
  mutating func playNext(at now: Instant) {
    switch phone.skip {
    case .byRemoteCommand?:
      let command = MusicPlayer.Command.next
      host.step(.ask(.music(ShortValue { $0.append(command.rawValue) }, to: .command)), at: now)
    case .byGadgetbridge?: say(.music(.next), at: now)
    case nil: break
    }
  }
}
