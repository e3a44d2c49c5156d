import ClientCore
import Events
import ScenarioFormat
import Synchronization

/// The disk of one device, which outlives the processes of the app.
///
/// A write takes effect as a whole at its end, as a file that is written aside and renamed; one whose process is killed
/// before has none. Faults fill the disk, slow it down, leave half of a write, or let a reading fail.
final class DeviceStorage: Sendable {
  private struct State {
    var records: [RecordName: [UInt8]] = [:]
    /// The record of flags before the present one, for a restored backup.
    var earlier: [UInt8]?
    /// The digests of all records of flags that the client has given to be written.
    var whole: Set<UInt64> = []
    /// The digest of the record that a foreign version has left.
    var foreign: UInt64?
    var operations: UInt64 = 0
    var busyUntil = Int64.min
    private var tears = 0

    /// What is left of a write that broke off half-way: in turn the half alone, and the half before the rest of what was
    /// there, which may well parse.
    mutating func torn(_ bytes: [UInt8], over old: [UInt8]?) -> [UInt8] {
      tears += 1
      let half = bytes.count / 2
      guard tears.isMultiple(of: 2), let old, old.count > half else { return Array(bytes[..<half]) }
      return Array(bytes[..<half] + old[half...])
    }
  }

  /// The name under which the client keeps its values.
  static let flagsRecord: RecordName = "palbase.flags"

  private let instance: InstanceID
  private let state = Mutex(State())

  init(_ instance: InstanceID) { self.instance = instance }

  /// Does to the record of flags what has happened to the device between two launches.
  func prepare(_ state: RecordState) {
    self.state.withLock { disk in
      let name = Self.flagsRecord
      switch state {
      case .intact: break
      case .torn: disk.records[name] = disk.records[name].map { disk.torn($0, over: disk.earlier) }
      case .stale: if let earlier = disk.earlier { disk.records[name] = earlier }
      case .foreign:
        disk.records[name] = disk.records[name].map(StoredRecord.ofForeignSchema)
        disk.foreign = disk.records[name].map(Vocabulary.number(of:))
      case .missing: disk.records[name] = nil
      }
    }
  }

  /// When the last operation that has begun ends, in nanoseconds of the run.
  var busyUntil: Int64 { state.withLock { $0.busyUntil } }

  fileprivate func isBusy(until end: Int64) { state.withLock { $0.busyUntil = max($0.busyUntil, end) } }

  fileprivate func read(_ name: RecordName) -> [UInt8]? { state.withLock { $0.records[name] } }

  fileprivate func replace(_ name: RecordName, with bytes: [UInt8]?) {
    state.withLock { state in
      if name == Self.flagsRecord {
        if let old = state.records[name] { state.earlier = old }
        if let bytes { state.whole.insert(Vocabulary.number(of: bytes)) }
      }
      state.records[name] = bytes
    }
  }

  fileprivate func tear(_ name: RecordName, with bytes: [UInt8]) {
    state.withLock { state in
      let old = state.records[name]
      if let old { state.earlier = old }
      // The rest of what was there may be the very bytes that are missing: then nothing is wrong with the record.
      state.whole.insert(Vocabulary.number(of: bytes))
      state.records[name] = state.torn(bytes, over: old)
    }
  }

  /// What a reading of the record of flags has found.
  fileprivate func finding(_ bytes: [UInt8]?, _ vocabulary: Vocabulary) -> RecordFinding {
    guard let bytes else { return .missing }
    let digest = Vocabulary.number(of: bytes)
    let (isWhole, isForeign) = state.withLock { ($0.whole.contains(digest), $0.foreign == digest) }
    if isForeign { return .unknownSchema }
    return isWhole ? .whole(StoredRecord.content(bytes, vocabulary)) : .damaged
  }

  /// The number of an operation, unique in the run.
  fileprivate func number() -> UInt64 {
    let own = state.withLock { state in
      state.operations += 1
      return state.operations
    }
    return UInt64(UInt32(bitPattern: instance.rawValue)) << 32 | own
  }
}

/// The disk of a device as one process of the app uses it.
struct ProcessStorage: Storage {
  let world: FlagsWorld
  let instance: InstanceID
  let disk: DeviceStorage
  let gate: ProcessGate

  func read(_ name: RecordName) async throws -> [UInt8]? {
    let fault = world.faults.disk(instance, world.basis)
    try await wait(fault)
    let bytes = disk.read(name)
    let isFlags = name == DeviceStorage.flagsRecord
    // Only the record of values is at stake: a device whose identity is lost is another device.
    if fault.isUnreadable, isFlags, bytes != nil {
      tell(.recordFound(instance, .damaged))
      throw StorageError(.readFailed, "record \(name): the disk does not give it")
    }
    if isFlags { tell(.recordFound(instance, disk.finding(bytes, world.vocabulary))) }
    return bytes
  }

  func replace(_ name: RecordName, with bytes: [UInt8]) async throws {
    try await write(name, bytes)
  }

  func remove(_ name: RecordName) async throws { try await write(name, nil) }

  private func write(_ name: RecordName, _ bytes: [UInt8]?) async throws {
    let fault = world.faults.disk(instance, world.basis)
    let number = disk.number()
    let isFlags = name == DeviceStorage.flagsRecord
    if isFlags {
      let stored = bytes.map { StoredRecord.content($0, world.vocabulary) }
      tell(.recordWriteBegan(instance, write: number, stored))
    }
    try await wait(fault)
    if fault.isFull, isFlags, bytes != nil {
      tell(.recordWriteEnded(instance, write: number, isDone: false))
      throw StorageError(.full, "record \(name): no space left on its disk")
    }
    if fault.isTorn, isFlags, let bytes {
      disk.tear(name, with: bytes)
    } else {
      disk.replace(name, with: bytes)
    }
    if isFlags { tell(.recordWriteEnded(instance, write: number, isDone: true)) }
  }

  /// Takes the time of an operation, which no cancellation cuts short but the end of the process.
  private func wait(_ fault: DiskInjection) async throws {
    if fault.delay > 0 {
      let end = world.stage.now + fault.delay
      disk.isBusy(until: end)
      let stage = world.stage
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        _ = stage.spawn {
          try? await stage.sleep(until: end)
          continuation.resume()
        }
      }
    }
    if !gate.isAlive { throw StorageError(.writeFailed, "the process was killed") }
  }

  private func tell(_ event: DeviceEvent) {
    if gate.isAlive { world.witness.note(.device(event)) }
  }
}
