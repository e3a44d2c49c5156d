import Events
import Invariants

// The client of a `FlagsReferenceRun`: its record, its reader and its life.

extension FlagsReferenceRun {
  // MARK: Life

  mutating func relaunch(_ device: Int) {
    let isFirst = devices[device].process == 0
    devices[device].process += 1
    devices[device].epoch += 1
    devices[device].isRunning = true
    devices[device].isLoading = true
    devices[device].awaitsLoad = true
    devices[device].record = Record()
    devices[device].former = Record()
    devices[device].isBase = false
    devices[device].flight = nil
    devices[device].noticed = 0
    devices[device].retryAt = .min
    devices[device].parked = []
    if dice.chance(20) { devices[device].context = Int32(dice.below(2)) }
    if dice.chance(20) { devices[device].subject = .user(Int32(dice.below(2))) }
    let subject = devices[device].subject
    emit(.launched(place(device), subject, context: devices[device].context))
    let process = devices[device].process
    after(dice.pick([0, 0, 2, 20]), .find(device: device, process: process))
    after(8, .hurry(device: device, process: process))
    if isFirst { ready.append(.act(device: device)) }
  }

  mutating func kill(_ device: Int) {
    emit(.killed(place(device)))
    devices[device].isRunning = false
    for request in requests.indices where requests[request].device == device {
      requests[request].isConcluded = true
      guard requests[request].isStarted, !requests[request].isCompleted, dice.chance(50) else { continue }
      requests[request].isCompleted = true
      emit(.requestCompleted(RequestID(UInt64(request)), .cancelled))
    }
    after(dice.pick([0, 5, 40]), .relaunch(device: device))
  }

  func isCurrent(_ device: Int, _ process: Int) -> Bool {
    devices[device].isRunning && devices[device].process == process
  }

  mutating func find(_ device: Int, _ process: Int) {
    guard isCurrent(device, process) else { return }
    let disk = dice.chance(10) ? devices[device].earlierDisk : devices[device].disk
    let isDamaged = isRough && dice.chance(10)
    let finding: RecordFinding = isDamaged ? .damaged : disk.map { .whole($0.stored) } ?? .missing
    emit(.recordFound(place(device), finding))
    devices[device].found = nil
    if !isDamaged, let disk, disk.stored.subject == devices[device].subject {
      var record = disk.record
      if disk.stored.context != devices[device].context, bug != .otherContextBase {
        record.version = nil
        if bug != .etagOfOtherContext { record.etag = nil }
      }
      devices[device].found = record
    }
    soon(.load(device: device, process: process))
  }

  mutating func load(_ device: Int, _ process: Int) {
    guard isCurrent(device, process) else { return }
    touched.insert(device)
    if devices[device].awaitsLoad || bug == .loadsOverNewer, let found = devices[device].found {
      devices[device].record = found
      devices[device].isBase = found.version != nil
    }
    let isWaiting = devices[device].awaitsLoad
    devices[device].awaitsLoad = false
    if isWaiting { emit(.started(place(device))) }
    if devices[device].isLoading { start(device) }
  }

  /// The first fetch waits for the record no longer.
  mutating func hurry(_ device: Int, _ process: Int) {
    guard isCurrent(device, process), devices[device].isLoading else { return }
    start(device)
  }

  private mutating func start(_ device: Int) {
    devices[device].isLoading = false
    let parked = devices[device].parked
    devices[device].parked = []
    fly(device, parked, isBackground: true)
  }

  // MARK: Readers

  mutating func change(_ device: Int) {
    let next: Subject = dice.chance(25) ? .install(place(device)) : .user(Int32(dice.below(2)))
    emit(.readerChanging(place(device), to: next))
    let keys = devices[device].record.values.keys.sorted()
    let flight = devices[device].flight
    var waiters = devices[device].parked
    if let flight {
      waiters += requests[flight].waiters
      if bug != .appliesOldReaders { requests[flight].isConcluded = true }
    }
    devices[device].epoch += 1
    devices[device].subject = next
    devices[device].former = devices[device].record
    if bug != .keepsValuesOfReader { devices[device].record = Record() }
    devices[device].isBase = false
    devices[device].flight = nil
    devices[device].parked = []
    devices[device].isLoading = false
    let isStarting = devices[device].awaitsLoad
    devices[device].awaitsLoad = false
    if bug != .oldWaitersWait { for call in waiters { answer(call, .failed(.readerChanged, status: 0)) } }
    if let flight { soon(.abandon(request: flight)) }
    emit(.readerChanged(place(device)))
    if !keys.isEmpty { emit(.told(place(device), subscriber: 0, flags: keys)) }
    if isStarting { emit(.started(place(device))) }
    if bug == .writesOldRecord, dice.chance(30) {
      write(devices[device].former, of: device)
    } else {
      write(nil, of: device)
    }
    touched.insert(device)
    fly(device, [], isBackground: true)
  }

  // MARK: The record

  mutating func replace(_ device: Int, _ record: Record) {
    let old = devices[device].record
    devices[device].awaitsLoad = false
    devices[device].record = record
    let keys = ReferenceProject.flags.filter { record.values[$0] != old.values[$0] }
    if !keys.isEmpty { emit(.told(place(device), subscriber: 0, flags: keys)) }
    if record != old { write(record, of: device) }
  }

  private mutating func write(_ record: Record?, of device: Int) {
    writes += 1
    let stored = record.flatMap { record in
      record.version.map {
        StoredFlags(
          subject: devices[device].subject, context: devices[device].context, version: $0,
          content: record.content)
      }
    }
    emit(.recordWriteBegan(place(device), write: writes, stored))
    if !dice.chance(10) {
      if let disk = devices[device].disk { devices[device].earlierDisk = disk }
      devices[device].disk = nil
      if let stored, let record { devices[device].disk = (stored, record) }
    }
    emit(.recordWriteEnded(place(device), write: writes, isDone: true))
  }

  // MARK: Calls

  mutating func register(_ call: Int) {
    let device = calls[call].device
    guard calls[call].isOpen, !calls[call].isResuming, isCurrent(device, calls[call].process) else { return }
    if calls[call].isCancelled { return answer(call, .cancelled) }
    if let flight = devices[device].flight, bug != .twoFlights || dice.chance(60) {
      requests[flight].waiters.append(call)
    } else if now < devices[device].retryAt {
      answer(call, .failed(.rateLimited, status: 0))
    } else if devices[device].isLoading {
      devices[device].parked.append(call)
    } else {
      fly(device, [call], isBackground: false)
    }
  }

  mutating func leave(_ call: Int) {
    let device = calls[call].device
    guard calls[call].isOpen, !calls[call].isResuming, isCurrent(device, calls[call].process) else { return }
    devices[device].parked.removeAll { $0 == call }
    answer(call, .cancelled)
    guard let flight = devices[device].flight, requests[flight].waiters.contains(call) else { return }
    requests[flight].waiters.removeAll { $0 == call }
    guard requests[flight].waiters.isEmpty, !requests[flight].isBackground else { return }
    requests[flight].isConcluded = true
    devices[device].flight = nil
    abandon(flight)
  }
}
