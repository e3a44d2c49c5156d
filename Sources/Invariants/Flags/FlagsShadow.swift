import Events

// What a run of the flags client looks like from outside, kept once for all judges.
//
// The shadow knows which process, epoch, subject and context each device is in, and of every request what it asked, when,
// in which epoch, and what became of it. It never believes the client: what a device must hold follows from the answers
// that reached it and from the rules by which they are applied.

/// What the shadow knows of all devices of a run.
struct FlagsShadow: Sendable {
  let facts: RunFacts
  /// The devices by their number.
  private(set) var devices: [DeviceRecord] = []
  /// The requests that matter still, by their number; one that carries no batch is forgotten when the instant in which
  /// it was completed is over.
  private(set) var requests: [RequestID: SyncRecord] = [:]
  /// Where each `refresh()` that has not returned was called.
  private var refreshes: [CallID: InstanceID] = [:]
  /// The devices whose record may have changed in this instant, by their number.
  private var touched: [Int] = []
  /// The sync requests that were completed in this instant.
  private var completed: [RequestID] = []

  init(facts: RunFacts) { self.facts = facts }

  /// What is known of a device; a fresh record if nothing is.
  func device(_ instance: InstanceID) -> DeviceRecord {
    let number = Int(instance.rawValue)
    return number < devices.count ? devices[number] : DeviceRecord(instance)
  }

  // MARK: Events

  /// Takes in an event, before the judges see it.
  mutating func enter(_ event: Event, at stamp: Stamp) {
    switch event {
    case .callBegan(let call, _, let instance, .refresh, _): refreshes[call] = instance
    case .callReturned(let call, _): refreshes[call] = nil
    case .callCancelled(let call):
      // A flight that nobody is left to want is given up, its answer too if that has come in this instant.
      guard let instance = refreshes[call] else { return }
      update(instance) {
        $0.refreshCancelled = stamp.nanoseconds
        $0.held.doubtInputs()
      }
    case .requestStarted(let id, let instance, let endpoint, _):
      begin(id, instance, endpoint, at: stamp)
    case .requestArrived(let id): requests[id]?.hasArrived = true
    case .answerProduced(let id, let serial, let status):
      requests[id]?.serial = serial
      requests[id]?.status = status
    case .requestCancelled(let id):
      guard let record = requests[id] else { return }
      if record.cancelled == nil { requests[id]?.cancelled = stamp.nanoseconds }
      update(record.instance) { device in
        device.outstanding.removeAll { $0 == id }
        device.held.doubtInputs(of: id)
      }
    case .requestCompleted(let id, let completion):
      requests[id]?.completed = stamp.nanoseconds
      requests[id]?.completion = completion
      complete(id, at: stamp)
    case .instanceClosed(let instance):
      update(instance) {
        $0.isClosed = true
        $0.held.doubtInputs()
      }
    case .device(let event): enter(event, at: stamp)
    default: break
    }
  }

  private mutating func enter(_ event: DeviceEvent, at stamp: Stamp) {
    switch event {
    case .launched(let instance, let subject, let context):
      update(instance) { $0.launch(subject, context, at: stamp.nanoseconds) }
    case .killed(let instance): update(instance) { $0.end() }
    case .readerChanging(let instance, let subject):
      update(instance) { $0.beginChange(to: subject, at: stamp.nanoseconds) }
    case .readerChanged(let instance): update(instance) { $0.endChange() }
    case .consentChanged(let instance, let isGiven): update(instance) { $0.hasConsent = isGiven }
    case .analyticsUsed(let instance): update(instance) { $0.usesAnalytics = true }
    case .started(let instance):
      update(instance) {
        $0.hasStarted = true
        $0.held.settle()
      }
    case .queried(let id, let query):
      requests[id]?.query = query
      // A flight ends in the step in which its answer is taken, so whoever begins the next one has taken it.
      if let record = requests[id] { update(record.instance) { $0.held.settleAnswers() } }
    case .noticed(let instance, let version, _):
      update(instance) { $0.noticed = max($0.noticed, version) }
    case .recordFound(let instance, .whole(let stored)): find(stored, on: instance)
    case .recordWriteBegan(let instance, _, let stored?): update(instance) { $0.held.wrote(stored) }
    case .held(let instance, _): update(instance) { $0.held.settle() }
    case .served(let id, let served): requests[id]?.serve(served)
    case .damaged(let id, let damage): requests[id]?.damage = damage
    case .batchSent(let id, let batch): requests[id]?.batch = batch
    default: break
    }
  }

  /// Takes in that the judges have seen an event.
  mutating func leave(_ event: Event, at stamp: Stamp) {
    switch event {
    case .device(.read(let read)):
      update(read.instance) { $0.held.narrow { $0.gives(read) } }
    case .device(.held(let instance, let held)):
      update(instance) {
        $0.held.narrow { $0.shows(held) }
        $0.held.endLook()
      }
    default: break
    }
  }

  /// Fixes what an instant has brought.
  mutating func settle(at stamp: Stamp) {
    for number in touched { devices[number].held.endInstant() }
    touched.removeAll(keepingCapacity: true)
  }

  /// Forgets what no later event can concern, after the judges have seen the settled instant.
  mutating func forget(at stamp: Stamp) {
    for id in completed { requests[id] = nil }
    completed.removeAll(keepingCapacity: true)
  }

  // MARK: What is held

  /// An answer, or the news that there is none, has reached the client.
  private mutating func complete(_ id: RequestID, at stamp: Stamp) {
    guard let record = requests[id], record.endpoint != .events else { return }
    completed.append(id)
    guard record.endpoint.family == .flags else { return }
    let now = stamp.nanoseconds
    let timeout = facts.requestTimeout
    update(record.instance) { device in
      device.outstanding.removeAll { $0 == id }
      guard device.isRunning, !device.isClosed, record.process == device.process else { return }
      if case .answered = record.completion, !record.isLate(at: now) {
        let isTied =
          record.cancelled != nil || now - record.started >= timeout || device.refreshCancelled == now
        device.held.take(
          SyncAnswer(record), epoch: record.epoch,
          isCurrent: record.epoch == device.epoch || device.isChanging,
          isCertain: !isTied)
      }
    }
    touched.append(Int(record.instance.rawValue))
  }

  /// The client has found a record, which it uses if it is of the reader that the process was launched for.
  private mutating func find(_ stored: StoredFlags, on instance: InstanceID) {
    update(instance) { device in
      guard device.isRunning, !device.isClosed, device.epoch == device.firstEpoch,
        stored.subject == device.subject
      else { return }
      let known: [HeldState?] = device.held.known(stored)
      let records = (known.isEmpty ? [nil] : known).map { known in
        HeldState(
          stored, known: known, epoch: device.epoch, isOfThisContext: stored.context == device.context)
      }
      device.held.take(records, epoch: device.epoch, isCertain: true)
    }
    touched.append(Int(instance.rawValue))
  }

  private mutating func begin(_ id: RequestID, _ instance: InstanceID, _ endpoint: Endpoint, at stamp: Stamp)
  {
    update(instance) { _ in }
    let device = device(instance)
    requests[id] = SyncRecord(
      id: id, instance: instance, endpoint: endpoint, epoch: device.epoch, process: device.process,
      started: stamp.nanoseconds)
    if endpoint.family == .flags { update(instance) { $0.outstanding.append(id) } }
  }

  mutating func update(_ instance: InstanceID, _ change: (inout DeviceRecord) -> Void) {
    while devices.count <= Int(instance.rawValue) {
      devices.append(DeviceRecord(InstanceID(Int32(devices.count))))
    }
    change(&devices[Int(instance.rawValue)])
  }
}
