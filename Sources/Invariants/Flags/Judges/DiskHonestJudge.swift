import Events

/// Judges `disk-honest` (BEHAVIOUR rule 1.5 and §3, "Persistence").
///
/// **Statement.** A record on the device is what its client held: whole, of the reader and context that it names. The version
/// written never falls within an epoch. Writes come one after the other, so that a kill at any step leaves the old
/// record or the new one, and at a change of reader the old reader's record goes. What is loaded was written whole.
///
/// **Unit of a check.** A record that a client wrote or found, or removed at a change of reader.
///
/// **Red.**
/// 1. An operation on the record begins while another of the same process is under way.
/// 2. A record is written whose version and values the device has not held in its epoch, or that names another reader
///    or context than the device's.
/// 3. A record is written with a smaller version than the one before it in the same epoch.
/// 4. A whole record is found that no client of the device ever began to write.
/// 5. Time moves after a change of reader, the client has read its record, no operation is under way, and the old reader's
///    record was neither replaced nor begun to be removed.
///
/// **Why a correct client is never red.** A write is judged by what it says at its beginning, when it may lag behind the
/// memory: any of the latest records of the epoch will do. A client that has not yet read its record may remove it later.
/// After an operation that failed nobody knows what is on the device, so clause 5 waits for the next one.
///
/// **Not seen.** What a client does with a record that it has loaded: `state-matches-service` and `gate-closed` see that.
/// A record that is older than the last one written, as from a restored backup, is accepted.
struct DiskHonestJudge: FlagsJudge {
  static let invariant = Invariant.diskHonest
  static let interests: Moments = [.others, .time]

  private struct Disk {
    var process = 0
    /// The operation under way in this process.
    var operation: (number: UInt64, StoredFlags?)?
    /// The latest record that was written in the epoch of this number.
    var latest: (epoch: Int, version: Int64)?
    /// Whether the disk may hold a record of an earlier epoch of this process.
    var holdsRecord = false
    var mustGo = false
    /// The latest records that were begun to be written, each once, the newest last.
    var written: [StoredFlags] = []

    mutating func remember(_ stored: StoredFlags) {
      written.removeAll { $0 == stored }
      written.append(stored)
      if written.count > DiskHonestJudge.mostKept { written.removeFirst() }
    }
  }

  /// How many records of a device are remembered: a backup that is restored is not older than that.
  private static let mostKept = 16

  private var disks: [InstanceID: Disk] = [:]
  /// The devices on which the old reader's record has to go, in the order of the changes.
  private var changed: [InstanceID] = []

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    guard case .device(let event) = event else { return }
    switch event {
    case .launched(let instance, _, _):
      disks[instance, default: Disk()].process = shadow.device(instance).process
      disks[instance]?.operation = nil
      disks[instance]?.latest = nil
      disks[instance]?.holdsRecord = false
      disks[instance]?.mustGo = false
    case .recordFound(let instance, let finding): find(finding, on: instance, at: stamp, shadow, &docket)
    case .recordWriteBegan(let instance, let number, let stored):
      begin(number, stored, on: instance, at: stamp, shadow, &docket)
    case .recordWriteEnded(let instance, let number, let isDone):
      guard let operation = disks[instance]?.operation, operation.number == number else { return }
      disks[instance]?.operation = nil
      // What is there after a failure nobody knows.
      if !isDone { disks[instance]?.holdsRecord = false }
      if !isDone { disks[instance]?.mustGo = false }
    case .readerChanged(let instance):
      let device = shadow.device(instance)
      guard device.hasStarted, !device.isClosed, let disk = disks[instance] else { return }
      guard disk.holdsRecord, !disk.mustGo else { return }
      disks[instance]?.mustGo = true
      changed.append(instance)
      docket.check()
    default: break
    }
  }

  mutating func timeAdvances(from stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    guard !changed.isEmpty else { return }
    for instance in changed {
      guard let disk = disks[instance], disk.mustGo, disk.operation == nil else { continue }
      let device = shadow.device(instance)
      if device.isRunning, !device.isClosed, disk.process == device.process {
        docket.convict(
          at: stamp, instance: instance,
          "instance \(instance.rawValue): the reader has changed, and the former reader's record stays on the device"
        )
      }
      disks[instance]?.mustGo = false
    }
    changed.removeAll { disks[$0]?.mustGo != true }
  }

  // MARK: Judging

  private mutating func find(
    _ finding: RecordFinding, on instance: InstanceID, at stamp: Stamp, _ shadow: FlagsShadow,
    _ docket: inout Docket
  ) {
    guard case .whole(let stored) = finding else { return }
    // A record that is not the reader's counts as absent, and nobody has to remove it.
    disks[instance, default: Disk()].holdsRecord = stored.subject == shadow.device(instance).subject
    docket.check()
    guard disks[instance]?.written.contains(stored) != true else { return }
    docket.convict(
      at: stamp, instance: instance,
      "instance \(instance.rawValue): \(finding) was found, which was never written")
  }

  private mutating func begin(
    _ number: UInt64, _ stored: StoredFlags?, on instance: InstanceID, at stamp: Stamp,
    _ shadow: FlagsShadow, _ docket: inout Docket
  ) {
    let device = shadow.device(instance)
    var disk = disks[instance] ?? Disk()
    var fault: String?
    if let other = disk.operation {
      fault = "began while operation \(other.number) was under way"
    }
    if let stored {
      docket.check()
      fault = fault ?? self.fault(of: stored, device, disk)
      if !device.isChanging { disk.latest = (device.epoch, stored.version) }
      disk.remember(stored)
    }
    disk.operation = (number, stored)
    disk.holdsRecord = stored != nil
    disk.mustGo = false
    disks[instance] = disk
    guard let fault else { return }
    docket.convict(
      at: stamp, instance: instance,
      "instance \(instance.rawValue): operation \(number) on the record, "
        + (stored.map { "\($0)" } ?? "its removal") + ", \(fault)")
  }

  private func fault(of stored: StoredFlags, _ device: DeviceRecord, _ disk: Disk) -> String? {
    if device.isChanging { return nil }
    if stored.subject != device.subject {
      return "names another reader than \(device.subject.map { "\($0)" } ?? "none")"
    }
    if stored.context != device.context { return "names another context than the app's" }
    if let latest = disk.latest, latest.epoch == device.epoch, stored.version < latest.version {
      return "has a smaller version than the one before it, \(latest.version)"
    }
    let isHeld = device.held.mayHold { $0.isStored(as: stored) }
    if !isHeld, !device.held.recent.contains(where: { $0.isStored(as: stored) }) {
      return "is none that the device has held"
    }
    return nil
  }
}
