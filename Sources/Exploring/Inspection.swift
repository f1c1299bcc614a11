import ATT
import Bytes
import Link

/// Goes through all that a device has: services, characteristics, descriptors, and their values.
///
/// Core Specification, Vol 3, Part G, 4.4.1, 4.6.1, 4.7.1, 4.8.1 and 4.12.1. Only the first
/// entry of each answer is used, and the others are requested again: so nothing needs to be kept, however much
/// the device has. Each answer must lead to higher handles, so that a device cannot prolong the inspection.
///
/// | state | asks for | then |
/// |---|---|---|
/// | `service` | the next service | its first `characteristic`; `done` if there is none |
/// | `characteristic` | the next one of the service | its `value`, or its first `descriptor` |
/// | `value` | the value, part by part | the first `descriptor` |
/// | `descriptor` | the next attribute | `descriptorValue` or next `descriptor`; at a declaration `characteristic` |
/// | `descriptorValue` | the value, part by part | the next `descriptor` |
struct Inspection: ~Copyable {
  enum State: Equatable {
    case service(from: UInt16)
    case characteristic(HandleRange)
    /// With the rest of the service, `nil` if there is none.
    case value(handle: UInt16, rest: HandleRange?)
    case descriptor(HandleRange)
    case descriptorValue(handle: UInt16, rest: HandleRange?)
    case done
  }

  enum Outcome: Equatable {
    case nothing
    case service(UUID, HandleRange)
    case characteristic(handle: UInt16, CharacteristicDeclaration)
    case descriptor(handle: UInt16, UUID)
    /// The value of the attribute is in `value`.
    case value(handle: UInt16)
    case valueRefused(handle: UInt16, AttributeError)
    /// The device refuses to list its services.
    case refused(AttributeError)
  }

  private(set) var state = State.service(from: 1)
  private var reading = LongRead()
  /// The last handle of the service that is being looked at.
  private var serviceEnd: UInt16 = 0
  /// Whether values are read.
  private let reads: Bool

  init(reads: Bool) { self.reads = reads }

  /// The value that was read last.
  var value: Span<UInt8> { reading.value.bytes }

  /// The next request; `nil` at the end.
  var request: Request? {
    switch state {
    case .service(let first): .readByGroupType(HandleRange(first, .max))
    case .characteristic(let range): .readByType(range, .characteristic)
    case .value(let handle, _), .descriptorValue(let handle, _): reading.request(handle: handle)
    case .descriptor(let range): .findInformation(range)
    case .done: nil
    }
  }

  /// Receives the answer to `request`; an answer that makes no sense counts as a refusal.
  mutating func receive(_ answer: ServerPDU) -> Outcome {
    do throws(ParseError) {
      switch (state, answer) {
      case (.service(let first), .readByGroupType(let groups)):
        return try foundService(groups, from: first)
      case (.characteristic(let range), .readByType(let values)):
        return try foundCharacteristic(values, in: range)
      case (.descriptor(let range), .findInformation(let information)):
        return try foundDescriptor(information, in: range)
      case (_, .read(let part)), (_, .readBlob(let part)): return read(part)
      case (_, .error(_, _, let code)): return refuse(code)
      default: return refuse(.invalidPDU)
      }
    } catch {
      return refuse(.invalidPDU)
    }
  }

  private mutating func refuse(_ code: AttributeError) -> Outcome {
    switch state {
    case .service:
      state = .done
      // Attribute Not Found means that there are no more services.
      if code != .attributeNotFound { return .refused(code) }
    case .characteristic, .descriptor: nextService()
    case .value(let handle, let rest), .descriptorValue(let handle, let rest):
      if reading.receiveRefusal() { return .nothing }
      reading.cancel()
      descriptors(in: rest)
      return .valueRefused(handle: handle, code)
    case .done: break
    }
    return .nothing
  }

  // MARK: - What was found

  private mutating func foundService(
    _ groups: ReadGroups, from first: UInt16
  ) throws(ParseError) -> Outcome {
    let (range, uuid) = try groups[0]
    guard range.isValid, range.start >= first else { throw .invalid }
    serviceEnd = range.end
    if let rest = range.after(range.start) { state = .characteristic(rest) } else { nextService() }
    return .service(uuid, range)
  }

  private mutating func foundCharacteristic(
    _ values: ReadValues, in range: HandleRange
  ) throws(ParseError) -> Outcome {
    let handle = try values.handle(at: 0)
    let declaration = try CharacteristicDeclaration(parsing: values.value(at: 0))
    guard handle >= range.start, declaration.valueHandle > handle,
      declaration.valueHandle <= range.end
    else { throw .invalid }
    let rest = range.after(declaration.valueHandle)
    if reads, declaration.isReadable {
      state = .value(handle: declaration.valueHandle, rest: rest)
      reading.begin()
    } else {
      descriptors(in: rest)
    }
    return .characteristic(handle: handle, declaration)
  }

  private mutating func foundDescriptor(
    _ information: FoundInformation, in range: HandleRange
  ) throws(ParseError) -> Outcome {
    let (handle, type) = try information[0]
    guard handle >= range.start, handle <= range.end else { throw .invalid }
    guard type != .characteristic else {
      state = .characteristic(HandleRange(handle, range.end))
      return .nothing
    }
    let rest = range.after(handle)
    if reads {
      state = .descriptorValue(handle: handle, rest: rest)
      reading.begin()
    } else {
      descriptors(in: rest)
    }
    return .descriptor(handle: handle, type)
  }

  /// Receives a part of a value: at most 22 bytes, unless the device asks for a larger MTU.
  private mutating func read(_ part: Span<UInt8>) -> Outcome {
    switch state {
    case .value(let handle, let rest), .descriptorValue(let handle, let rest):
      if reading.receive(part, partCount: 22) == .unfinished { return .nothing }
      descriptors(in: rest)
      return .value(handle: handle)
    default: return refuse(.invalidPDU)
    }
  }

  // MARK: - The way on

  private mutating func descriptors(in rest: HandleRange?) {
    if let rest { state = .descriptor(rest) } else { nextService() }
  }

  private mutating func nextService() {
    state = serviceEnd < .max ? .service(from: serviceEnd + 1) : .done
  }
}

extension CharacteristicDeclaration {
  /// Core Specification, Vol 3, Part G, 3.3.1.1.
  fileprivate var isReadable: Bool { properties & 0x02 != 0 }
}
