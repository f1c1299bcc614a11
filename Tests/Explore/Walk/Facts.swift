import Device
import Responder
import VirtualAir
import VirtualDevice

/// What is known of the types that a walk looks at.
struct Facts {
  let device: Program
  /// The part of the device from which is drawn, and the state of its random numbers.
  let drawn: Range<Int>
  /// The part that is a copy of the disk.
  let copyOfDisk: Range<Int>
  let generator: Int
  private let world, controller, phone, security, central, sensor: Program

  /// What changes nothing that comes out.
  ///
  /// It was told, counted or written down. The lots are the same in each step.
  private static let excluded: Set<String> = [
    "Device.log", "Device.record", "Device.recorder", "Device.board", "Host.droppedCount",
    "SeededCrypto.generator",
    "PanelOutput.pictureCount", "PanelOutput.flush", "VirtualController.commands",
    "VirtualController.initiations",
    "VirtualController.advertisingSpells", "VirtualController.appointments",
    "VirtualController.framesOnSecondLinks", "VirtualController.dataPackets",
    "VirtualController.overruns",
    "VirtualController.phone", "VirtualController.others", "VirtualController.sensors",
    "VirtualController.centrals", "VirtualController.cancelRace",
    "VirtualController.supportedCommands",
    "VirtualPhone.requests", "VirtualPhone.answers", "VirtualPhone.security",
    "VirtualSecurity.codes",
  ]

  init() {
    let type = Metadata(unsafeBitCast(Device<SeededCrypto>.self, to: UnsafeRawPointer.self))
    let compiler = Compiler(excluded: Facts.excluded)
    device = compiler.program(type)
    let all = type.fields()
    let fields = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.offset) })
    guard let home = fields["home"], let store = fields["store"],
      let size = all.first(where: { $0.name == "store" })?.type.size,
      let generator = Facts.offset(of: ["host", "cryptography", "generator", "state"], type)
    else { fatal("the device has other fields than were expected") }
    drawn = home..<store
    copyOfDisk = store..<store + size
    self.generator = generator
    world = compiler.object(Facts.metadata(World.self), "world", only: ["disk", "panel"])
    controller = compiler.object(Facts.metadata(VirtualController.self), "controller")
    phone = compiler.object(Facts.metadata(VirtualPhone.self), "phone")
    security = compiler.object(Facts.metadata(VirtualSecurity.self), "security")
    central = compiler.object(
      Facts.metadata(VirtualCentral.self), "central",
      only: ["waiting", "left", "deeds", "isServed", "pairing", "wrongKey", "isEncrypted"])
    sensor = compiler.object(
      Facts.metadata(VirtualSensor.self), "sensor",
      only: ["openLinkError", "isEncrypted", "agreedMTU", "reading", "leavingReason"])
  }

  private static func metadata(_ type: Any.Type) -> Metadata {
    Metadata(unsafeBitCast(type, to: UnsafeRawPointer.self))
  }

  private static func offset(of path: [String], _ type: Metadata) -> Int? {
    var (offset, type) = (0, type)
    for name in path {
      guard let field = type.fields(where: { $0 == name }).first else { return nil }
      (offset, type) = (offset + field.offset, field.type)
    }
    return offset
  }

  /// The objects of the air, and what counts of each.
  func air(of company: Company) -> [(UnsafeRawPointer, Program)] {
    func place(_ object: AnyObject) -> UnsafeRawPointer {
      UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
    return [
      (place(company.world), world), (place(company.world.controller), controller),
      (place(company.strap), sensor),
    ] + company.people.flatMap { [(place($0.phone), phone), (place($0.security), security)] }
      + [company.phonesOwn, company.strangersOwn].map { (place($0), central) }
      + [company.strap.security].compactMap { $0.map { (place($0), security) } }
  }
}
