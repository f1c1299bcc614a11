import VirtualAir

/// How an iPhone says all of that, and gets the device's wishes: by Apple's services for notifications and media.
struct AppleExtras {
  /// Categories and flags of notifications (ANCS, appendix A).
  private static let (incomingCall, social): (UInt8, UInt8) = (1, 4)
  private static let (bothActions, negativeAction): (UInt8, UInt8) = (0x18, 0x10)
  private static let (added, removed): (UInt8, UInt8) = (0, 2)
  /// Attributes of a track, and two commands (AMS, appendix A).
  private static let (artist, title): (UInt8, UInt8) = (0, 2)
  private static let (toggle, next): (UInt8, UInt8) = (2, 3)

  private var identifier: UInt8 = 0
  private var ringing: UInt8?
  /// How much was read of what the device has written.
  private var (readQuestions, readCommands) = (0, 0)
  private var isSongSent = false

  /// Receives what the device has written.
  mutating func receive(_ phone: VirtualPhone, _ extras: inout Extras) {
    for value in phone.notifications.written[readQuestions...]
    where value.first == 2 && value.count == 6 && value[1] == ringing {
      extras.endRinging(value[5] == 0 ? .taken : .refused)
    }
    readQuestions = phone.notifications.written.count
    for command in phone.music.commands[readCommands...] {
      if command == [Self.next] { extras.playNext() }
      if command == [Self.toggle] { extras.pause(!extras.isPaused) }
    }
    readCommands = phone.music.commands.count
  }

  /// What it notifies now: PDUs of its attribute server.
  mutating func say(_ extras: inout Extras, _ phone: VirtualPhone) -> [[UInt8]] {
    var said: [[UInt8]] = []
    for outcome in extras.takeOutcomes() {
      switch outcome {
      case .call(let caller):
        said += add(caller, [], Self.incomingCall, Self.bothActions, phone)
        ringing = identifier
      case .ringingEnds: said += removeCall(phone)
      case .notification(let title, let message):
        said += add(title, message, Self.social, Self.negativeAction, phone)
      case .song: isSongSent = false
      }
    }
    while let answer = phone.notifications.takeAnswer() { said.append(answer) }
    return said + sayWhatPlays(extras, phone)
  }

  private mutating func add(
    _ title: [UInt8], _ message: [UInt8], _ category: UInt8, _ flags: UInt8, _ phone: VirtualPhone
  ) -> [[UInt8]] {
    identifier &+= 1
    phone.notifications.texts[identifier] = VirtualNotifications.Texts(
      String(decoding: title, as: UTF8.self), String(decoding: message, as: UTF8.self))
    let news = phone.notifications.news(Self.added, flags: flags, category: category, identifier)
    return news.map { [$0] } ?? []
  }

  private mutating func removeCall(_ phone: VirtualPhone) -> [[UInt8]] {
    guard let identifier = ringing else { return [] }
    ringing = nil
    phone.notifications.texts[identifier] = nil
    let news = phone.notifications.news(
      Self.removed, flags: Self.bothActions, category: Self.incomingCall, identifier)
    return news.map { [$0] } ?? []
  }

  /// Title and artist, once for each subscription, and again when they change.
  private mutating func sayWhatPlays(_ extras: Extras, _ phone: VirtualPhone) -> [[UInt8]] {
    guard !phone.music.asked.isEmpty else {
      isSongSent = false
      return []
    }
    guard !isSongSent else { return [] }
    isSongSent = true
    return [
      phone.music.news(Self.artist, extras.song?.artist ?? []),
      phone.music.news(Self.title, extras.song?.title ?? []),
    ].compactMap { $0 }
  }
}
