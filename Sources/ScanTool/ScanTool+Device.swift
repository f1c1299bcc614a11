import ATT
import BoardFile
import Bytes
import Controller
import Events
import Exploring
import HCI
import Places

/// Reports the device that the tool inspects or switches.
extension ScanTool {
  mutating func takeExplorerEvents(at now: Instant) {
    while let event = explorer.takeEvent() { handle(event, at: now) }
  }

  private mutating func handle(_ event: ExplorerEvent, at now: Instant) {
    switch event {
    case .listening: pauseOrResumeTraining(at: now)
    case .failed(let failure): failed(failure, at: now)
    case .connecting(let address):
      write("link", .radio, at: now) {
        $0.field("state", literal: "connecting")
        $0.field("handle", address: address)
      }
    case .connected: write("link", .radio, at: now) { $0.field("state", literal: "connected") }
    case .service(let uuid, let range):
      service = uuid
      write("service", .radio, at: now) {
        $0.field("uuid", uuid: uuid)
        $0.field("first", number: Int64(widening: Int(range.start)))
        $0.field("last", number: Int64(widening: Int(range.end)))
      }
    case .characteristic(_, let declaration): report(declaration, at: now)
    case .descriptor(let handle, let uuid):
      let owner = characteristic
      write("descriptor", .radio, at: now) {
        $0.field("characteristic", uuid: owner)
        $0.field("uuid", uuid: uuid)
        $0.field("attribute", number: Int64(widening: Int(handle)))
      }
    case .value(let handle): reportValue(of: handle, at: now)
    case .valueRefused(let handle, let code):
      write("value", .radio, at: now) {
        $0.field("attribute", number: Int64(widening: Int(handle)))
        $0.field("error", number: Int64(widening: Int(code.rawValue)))
      }
    case .written: write("switched", .radio, at: now) { _ in }
    case .finished: finish(.done, at: now)
    case .refused(let code): finish(.refused(code.rawValue), at: now)
    case .writeRefused(let code): finish(.switchRefused(code.rawValue), at: now)
    case .characteristicMissing: finish(.noSwitch, at: now)
    case .notHeard: finish(.notHeard, at: now)
    case .noLink: finish(.noLink, at: now)
    case .unanswered: finish(.unanswered, at: now)
    case .endless: finish(.endless, at: now)
    case .lost(let reason): finish(.lost(reason.rawValue), at: now)
    }
  }

  /// The explorer starts the controller again, or is over: then the program ends.
  private mutating func failed(_ failure: HostFailure, at now: Instant) {
    pauseOrResumeTraining(at: now)
    if explorer.isOver { finish(.controller(failure), at: now) }
  }

  private mutating func report(_ declaration: CharacteristicDeclaration, at now: Instant) {
    characteristic = declaration.uuid
    let owner = service
    write("characteristic", .radio, at: now) {
      $0.field("service", uuid: owner)
      $0.field("uuid", uuid: declaration.uuid)
      $0.field("attribute", number: Int64(widening: Int(declaration.valueHandle)))
      $0.fieldOfProperties(declaration.properties)
    }
  }

  private mutating func reportValue(of handle: UInt16, at now: Instant) {
    var line = begin("value", at: now)
    line.field("attribute", number: Int64(widening: Int(handle)))
    line.field("bytes", bytes: explorer.value)
    if !explorer.value.isEmpty, isPlainText(explorer.value) {
      line.field("text", text: explorer.value)
    }
    end(&line, .radio)
  }
}

extension JSONLine {
  /// Writes the names of the bits that are set.
  ///
  /// Core Specification, Vol 3, Part G, 3.3.1.1.
  fileprivate mutating func fieldOfProperties(_ properties: UInt8) {
    beginList("properties")
    for bit: UInt8 in 0..<8 where properties & 1 << bit != 0 {
      let name =
        switch bit {
        case 0: "broadcast"
        case 1: "read"
        case 2: "write-without-response"
        case 3: "write"
        case 4: "notify"
        case 5: "indicate"
        case 6: "signed-write"
        default: "extended"
        }
      item(name)
    }
    endList()
  }
}
