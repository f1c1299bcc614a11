@testable import Replaying

/// The device of today, after it has heard what that of then heard.
func replayed(_ recording: Recording) throws -> Player {
  var player = Player(
    try recording.board(), version: recording.version ?? "", recording)
  try player.play(report: recording)
  return player
}
