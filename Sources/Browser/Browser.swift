import BoardFile
import Buttons
import Bytes
import Device
import Graphics
import Panel
import PanelModel
import VirtualAir

/// What the page calls and reads; this folder's other files know nothing of the page.
///
/// The page writes a text where `place` says, calls a function that reads it, and reads what that left.
@main enum Browser {
  /// A page has no program that runs to its end; it calls the functions below.
  static func main() {}
}

// The page's one thread calls in, and nothing here runs by itself.
nonisolated(unsafe) private var demonstration: Demonstration?
nonisolated(unsafe) private var exchange = Exchange()
nonisolated(unsafe) private var app = RidingApp.komoot

/// The bytes that one side has left for the other.
@safe private struct Exchange {
  /// Where the bytes are; the place stays until it is too short.
  private(set) var place = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4_096)
  private(set) var count = 0

  mutating func reserve(_ capacity: Int) {
    guard unsafe capacity > place.count else { return }
    unsafe place.deallocate()
    unsafe place = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
  }

  mutating func leave(_ bytes: Span<UInt8>) {
    reserve(bytes.count)
    for index in bytes.indices { unsafe place[index] = bytes[index] }
    count = bytes.count
  }

  func read(_ count: Int) -> [UInt8] { unsafe [UInt8](place.prefix(max(0, count))) }
}

/// Where a text of `count` bytes goes, and where the answers are.
@_expose(wasm, "place") @_cdecl("page_place")
func place(count: Int32) -> UnsafeMutablePointer<UInt8>? {
  unsafe exchange.reserve(Int(count))
  return unsafe exchange.place.baseAddress
}

// MARK: - The device

/// Switches the device on with the board file that the page has written; answers the length of the error
/// message, or 0.
///
/// The first device has met its phone before, if it remembers phones at all.
@_expose(wasm, "start") @_cdecl("page_start")
func start(count: Int32) -> Int32 {
  var parser = BoardParser()
  do throws(BoardError) {
    let file = unsafe exchange.read(Int(count))
    try parser.read(file: file.span)
    let board = try parser.finish()
    let app = unsafe app
    if let demonstration = unsafe demonstration, demonstration.rider.app == app {
      demonstration.restart(board)
    } else if let other = unsafe demonstration {
      unsafe demonstration = other.withAnotherPhone(app, board)
    } else {
      unsafe demonstration = .meeting(board, app)
    }
    return 0
  } catch {
    var message = FixedBuffer<512>()
    let name = "board.conf".utf8
    error.write(file: name.span, to: &message)
    unsafe exchange.leave(message.bytes)
    return Int32(message.count)
  }
}

/// Lets this time pass.
@_expose(wasm, "pass") @_cdecl("page_pass")
func pass(milliseconds: Int32) { unsafe demonstration?.advance(by: Int64(milliseconds)) }

/// Presses or releases button A, which is 0, or B.
@_expose(wasm, "touch") @_cdecl("page_touch")
func touch(button: Int32, isPressed: Int32) {
  unsafe demonstration?.touch(button == 0 ? .a : .b, isPressed: isPressed != 0)
}

// MARK: - The phone

/// Which phone it is from the next start on: 0 has komoot, 1 OsmAnd and Gadgetbridge.
@_expose(wasm, "choosePhone") @_cdecl("page_choose_phone")
func choosePhone(number: Int32) { unsafe app = RidingApp(rawValue: number) ?? .komoot }

/// Begins the ride whose file the page has written; answers 0, or 16 times the line plus the problem.
@_expose(wasm, "ride") @_cdecl("page_ride")
func ride(count: Int32) -> Int32 {
  do throws(RideError) {
    let steps = try RideReader.read(unsafe exchange.read(Int(count)))
    unsafe demonstration?.withRider { rider, now in rider.begin(steps, at: now) }
    return 0
  } catch {
    return error.line << 4 | error.problem.rawValue
  }
}

@_expose(wasm, "rideAgain") @_cdecl("page_ride_again")
func rideAgain() {
  unsafe demonstration?.withRider { rider, now in rider.begin(rider.ride.steps, at: now) }
}

@_expose(wasm, "setSpeed") @_cdecl("page_set_speed")
func setSpeed(speed: Int32) {
  unsafe demonstration?.withRider { rider, now in rider.ride.setSpeed(Int64(speed), at: now) }
}

@_expose(wasm, "setNear") @_cdecl("page_set_near")
func setNear(isNear: Int32) { unsafe demonstration?.setPhone(isNear: isNear != 0) }

@_expose(wasm, "setTunnel") @_cdecl("page_set_tunnel")
func setTunnel(isInTunnel: Int32) {
  unsafe demonstration?.withRider { rider, _ in rider.isInTunnel = isInTunnel != 0 }
}

@_expose(wasm, "setPaused") @_cdecl("page_set_paused")
func setPaused(isPaused: Int32) {
  unsafe demonstration?.withRider { rider, now in rider.pause(isPaused != 0, at: now) }
}

/// Goes on to the finish, out of a tunnel and a pause too.
@_expose(wasm, "arrive") @_cdecl("page_arrive")
func arrive() {
  unsafe demonstration?.withRider { rider, now in
    rider.isInTunnel = false
    rider.pause(false, at: now)
    rider.ride.skipToFinish(at: now)
  }
}

/// Somebody calls, whose name the page has written.
@_expose(wasm, "ring") @_cdecl("page_ring")
func ring(count: Int32) {
  let caller = unsafe exchange.read(Int(count))
  unsafe demonstration?.withRider { rider, _ in rider.extras.ring(from: caller) }
}

/// The caller gives up.
@_expose(wasm, "hangUp") @_cdecl("page_hang_up")
func hangUp() {
  unsafe demonstration?.withRider { rider, _ in rider.extras.endRinging(.none) }
}

/// A notification comes, of which the page has written a line of title and one of text.
@_expose(wasm, "notify") @_cdecl("page_notify")
func notify(count: Int32) {
  let lines = unsafe exchange.read(Int(count)).split(
    separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
  unsafe demonstration?.withRider { rider, _ in
    rider.extras.notify(Array(lines[0]), lines.count > 1 ? Array(lines[1]) : [])
  }
}

/// Plays music, or stops it.
@_expose(wasm, "play") @_cdecl("page_play")
func play(isPlaying: Int32) {
  unsafe demonstration?.withRider { rider, _ in rider.extras.play(isPlaying != 0) }
}

@_expose(wasm, "playNext") @_cdecl("page_play_next")
func playNext() {
  unsafe demonstration?.withRider { rider, _ in rider.extras.playNext() }
}

// MARK: - The sensors

/// Switches a sensor on or off: the strap is 0, then come wheel, crank and radar.
@_expose(wasm, "setSensor") @_cdecl("page_set_sensor")
func setSensor(number: Int32, isOn: Int32) {
  guard let kind = RidingSensorKind(rawValue: number) else { return }
  unsafe demonstration?.setSensor(kind, isOn: isOn != 0)
}

/// What a sensor is to measure: beats a minute, km/h, turns a minute.
@_expose(wasm, "setFigure") @_cdecl("page_set_figure")
func setFigure(number: Int32, figure: Int32) {
  guard let kind = RidingSensorKind(rawValue: number) else { return }
  unsafe demonstration?.withSensor(kind) { sensor, now in
    sensor.setFigure(Int64(figure), at: now)
  }
}

@_expose(wasm, "vehicleComes") @_cdecl("page_vehicle_comes")
func vehicleComes() {
  unsafe demonstration?.withSensor(.radar) { sensor, now in sensor.vehicleComes(at: now) }
}

// MARK: - What is seen

/// Goes up with each change of the glass.
@_expose(wasm, "glassNumber") @_cdecl("page_glass_number")
func glassNumber() -> Int32 { unsafe demonstration?.glassNumber ?? 0 }

/// Leaves what the glass shows: eight rows of a column in a byte, 128 columns in a page, 16 pages.
@_expose(wasm, "glass") @_cdecl("page_glass")
func glass() {
  var pages = InlineArray<2048, UInt8>(repeating: 0)
  unsafe demonstration?.glass.copy(to: &pages)
  unsafe exchange.leave(pages.span)
}

/// Width and height of the glass and how it is mounted: 16 bits, 8 bits, and quarters of a turn.
@_expose(wasm, "shape") @_cdecl("page_shape")
func shape() -> Int32 {
  guard let demonstration = unsafe demonstration else { return 0 }
  let size = demonstration.device.board.panel.size
  return Int32(size.width << 16 | size.height << 8)
    | Int32(demonstration.device.board.rotation.rawValue)
}

@_expose(wasm, "contrast") @_cdecl("page_contrast")
func contrast() -> Int32 { Int32(unsafe demonstration?.panel.contrast ?? 0) }

@_expose(wasm, "isAlertHigh") @_cdecl("page_is_alert_high")
func isAlertHigh() -> Int32 { unsafe demonstration?.isAlertHigh == true ? 1 : 0 }

/// Thousandths of the ride that are over.
@_expose(wasm, "progress") @_cdecl("page_progress")
func progress() -> Int32 { unsafe demonstration?.rider.ride.permille ?? 0 }

/// The number that the phone shows, or showed last, in a pairing.
@_expose(wasm, "digits") @_cdecl("page_digits")
func digits() -> Int32 { Int32(unsafe demonstration?.rider.security.digits ?? 0) }

/// What has become of the call: 0 is none, 1 rings, 2 was taken, 3 was refused.
@_expose(wasm, "call") @_cdecl("page_call")
func call() -> Int32 { unsafe demonstration?.rider.extras.call.rawValue ?? 0 }

/// Leaves a line of the song's title and one of its artist; answers their length, or 0 if nothing plays.
@_expose(wasm, "song") @_cdecl("page_song")
func song() -> Int32 {
  guard let song = unsafe demonstration?.rider.extras.song else { return 0 }
  let lines = song.title + [0x0A] + song.artist
  unsafe exchange.leave(lines.span)
  return Int32(lines.count)
}

@_expose(wasm, "isSensorLinked") @_cdecl("page_is_sensor_linked")
func isSensorLinked(number: Int32) -> Int32 {
  guard let kind = RidingSensorKind(rawValue: number) else { return 0 }
  return unsafe demonstration?.isLinked(kind) == true ? 1 : 0
}

/// Leaves the events since the last call, a line each with its topic before it; answers their length.
@_expose(wasm, "events") @_cdecl("page_events")
func events() -> Int32 {
  guard let demonstration = unsafe demonstration else { return 0 }
  unsafe exchange.leave(demonstration.events.span)
  demonstration.removeEvents()
  return Int32(unsafe exchange.count)
}

/// Leaves the words of the picture that was drawn last; answers their length.
@_expose(wasm, "words") @_cdecl("page_words")
func words() -> Int32 {
  #if arch(wasm32)
    guard let demonstration = unsafe demonstration else { return 0 }
    unsafe exchange.leave(demonstration.device.words)
    return Int32(unsafe exchange.count)
  #else
    return 0
  #endif
}
