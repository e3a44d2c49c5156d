import Events
import Invariants

// A small flags client, project, network and crowd of readers in one state machine, to make legal histories by the thousand.
//
// Whatever a client may do in one step or in several is left to chance: how many steps lie between an answer and its
// application, between a call and its registration, between a deadline and its effect, and in which order everything that is
// ready happens. Latencies are drawn around 0 and the deadline, where ties are. A `FlagsBug` spoils one rule, to show that the
// judges see it in such histories as well.

/// One random run of devices, judged while it happens.
struct FlagsReferenceRun {
  enum Step {
    case act(device: Int)
    case find(device: Int, process: Int)
    case load(device: Int, process: Int)
    case hurry(device: Int, process: Int)
    case fetch(device: Int, epoch: Int)
    case begin(request: Int)
    case arrive(request: Int)
    case deliver(request: Int)
    case apply(request: Int)
    case expire(request: Int)
    case abandon(request: Int)
    case register(call: Int)
    case leave(call: Int)
    case resume(call: Int, CallOutcome)
    case relaunch(device: Int)
  }

  /// What a client holds, on the device or in memory.
  struct Record: Equatable {
    var values: [Int32: FlagValue] = [:]
    var version: Int64?
    var etag: UInt64?

    var content: ContentDigest { ContentDigest(values.values) }
  }

  struct Device {
    var process = 0
    var epoch = 0
    var subject = Subject.user(0)
    var context: Int32 = 0
    var isRunning = false
    var isLoading = false
    var awaitsLoad = false
    var record = Record()
    var former = Record()
    var isBase = false
    var flight: Int?
    var noticed: Int64 = 0
    var retryAt: Int64 = .min
    var parked: [Int] = []
    var disk: (stored: StoredFlags, record: Record)?
    var earlierDisk: (stored: StoredFlags, record: Record)?
    var found: Record?
    var actsLeft = 40
  }

  struct Request {
    let device: Int
    let process: Int
    let epoch: Int
    let query: FlagsQuery
    var waiters: [Int]
    var isBackground: Bool
    let isFollowUp: Bool
    var isStarted = false
    var isConcluded = false
    var isCancelled = false
    var isCompleted = false
    var status = 0
    var served: ServedFlags?
    var damage = AnswerDamage.none
    var isLost = false
    var patience: Int64?
  }

  struct Call {
    let device: Int
    let process: Int
    var isOpen = true
    var isResuming = false
    var isCancelled = false
  }

  static let judged: [Invariant] = [
    .singleFlight, .answersOnce, .monotonicVersion, .stateMatchesService, .deltaBase, .goneRecovers,
    .etagHonest, .gateClosed, .oneSnapshotPerRead,
  ]

  var court: Court
  var history: [(stamp: Stamp, event: Event)] = []
  let bug: FlagsBug?
  let keepsHistory: Bool
  let timeout: Int64
  let isRough: Bool
  var dice: Dice
  var project: ReferenceProject
  var now: Int64 = 0
  var step: UInt64 = 0
  var ready: [Step] = []
  var timers: [(at: Int64, step: Step)] = []
  var devices: [Device]
  var requests: [Request] = []
  var calls: [Call] = []
  var writes: UInt64 = 0
  var touched: Set<Int> = []

  init(seed: UInt64, bug: FlagsBug? = nil, keepsHistory: Bool = false) {
    dice = Dice(seed)
    self.bug = bug
    self.keepsHistory = keepsHistory
    timeout = dice.pick([5, 20, 50])
    isRough = dice.chance(70)
    project = ReferenceProject()
    court = Court(
      judging: Self.judged, facts: RunFacts(clientKind: .flags, cacheTTL: 100, requestTimeout: timeout))
    devices = Array(repeating: Device(), count: dice.pick([1, 1, 2]))
    for device in devices.indices { ready.append(.relaunch(device: device)) }
  }

  /// Runs to the end, or to the first violation.
  mutating func run() {
    while court.violationCount == 0 {
      if ready.isEmpty {
        look()
        guard let next = timers.map(\.at).min() else { break }
        if next > now { court.timeAdvances(from: Stamp(nanoseconds: now, step: step)) }
        now = next
        ready = timers.filter { $0.at == next }.map(\.step)
        timers.removeAll { $0.at == next }
        continue
      }
      step += 1
      ready.swapAt(dice.below(ready.count), ready.count - 1)
      perform(ready.removeLast())
    }
    guard court.violationCount == 0 else { return }
    touched = Set(devices.indices)
    look()
    for device in devices.indices where devices[device].isRunning { emit(.instanceClosed(place(device))) }
    court.finish(at: Stamp(nanoseconds: now, step: step))
  }

  mutating func emit(_ event: Event) {
    if keepsHistory { history.append((Stamp(nanoseconds: now, step: step), event)) }
    court.observe(event, at: Stamp(nanoseconds: now, step: step))
  }

  mutating func emit(_ event: DeviceEvent) { emit(.device(event)) }

  /// The history as text, one event a line.
  var text: String {
    history.map { "\($0.stamp.nanoseconds)/\($0.stamp.step) \($0.event)" }.joined(separator: "\n")
  }

  /// Does something in this step or in a later one of this instant.
  mutating func soon(_ next: Step) {
    if dice.chance(50) { perform(next) } else { ready.append(next) }
  }

  mutating func after(_ delay: Int64, _ next: Step) { timers.append((now + delay, next)) }

  func place(_ device: Int) -> InstanceID { InstanceID(Int32(device)) }

  /// Looks at the devices on which something has happened, now that nothing else runs.
  private mutating func look() {
    for device in touched.sorted() where devices[device].isRunning {
      let record = devices[device].record
      emit(.held(place(device), HeldFlags(version: record.version, content: record.content)))
    }
    touched = []
  }

  mutating func perform(_ next: Step) {
    switch next {
    case .act(let device): act(device)
    case .find(let device, let process): find(device, process)
    case .load(let device, let process): load(device, process)
    case .hurry(let device, let process): hurry(device, process)
    case .fetch(let device, let epoch): fetch(device, epoch)
    case .begin(let request): begin(request)
    case .arrive(let request): arrive(request)
    case .deliver(let request): deliver(request)
    case .apply(let request): apply(request)
    case .expire(let request): expire(request)
    case .abandon(let request): abandon(request)
    case .register(let call): register(call)
    case .leave(let call): leave(call)
    case .resume(let call, let outcome): resume(call, outcome)
    case .relaunch(let device): relaunch(device)
    }
  }
}

// MARK: - Readers

extension FlagsReferenceRun {
  mutating func act(_ device: Int) {
    guard devices[device].actsLeft > 0 else { return }
    devices[device].actsLeft -= 1
    let pause = dice.pick([0, 0, 1, 2, 7, timeout, 30] as [Int64])
    if pause == 0 { ready.append(.act(device: device)) } else { after(pause, .act(device: device)) }
    guard devices[device].isRunning else { return }
    switch dice.below(100) {
    case 0..<12: project.publish(&dice)
    case 12..<50: read(device)
    case 50..<68: beginRefresh(device)
    case 68..<75: cancelSomeCall(of: device)
    case 75..<82: change(device)
    case 82..<92: notice(device)
    case 92..<95: kill(device)
    default: fetch(device, devices[device].epoch)
    }
  }

  private mutating func read(_ device: Int) {
    let methods: [ReadMethod] = [.bool, .string, .number, .int, .decode, .value, .all, .source]
    let method = dice.pick(methods)
    let flag = method == .all ? -1 : Int32(dice.below(7))
    let record = devices[device].record
    let value = record.values[flag]
    var fits: Bool
    switch method {
    case .bool: fits = value?.type == .bool
    case .string: fits = value?.type == .string
    case .number: fits = value?.type == .integer || value?.type == .fraction
    case .int: fits = value?.type == .integer
    case .decode, .value, .all, .source: fits = true
    }
    if bug == .coercesTypes { fits = true }
    let result: ReadResult
    switch method {
    case .all: result = .all(record.content)
    case .source: result = value.map { .source($0.source) } ?? .absent
    default: result = fits ? value.map { .value($0.digest) } ?? .absent : .absent
    }
    emit(
      .read(
        FlagRead(
          instance: place(device), reader: ReaderID(Int32(device)), method: method, flag: flag,
          result: result)))
  }

  private mutating func beginRefresh(_ device: Int) {
    calls.append(Call(device: device, process: devices[device].process))
    let call = calls.count - 1
    emit(.callBegan(CallID(UInt64(call)), ReaderID(Int32(device)), place(device), .refresh, nil))
    soon(.register(call: call))
  }

  private mutating func cancelSomeCall(of device: Int) {
    let open = calls.indices.filter {
      calls[$0].isOpen && calls[$0].device == device && !calls[$0].isCancelled
        && calls[$0].process == devices[device].process
    }
    guard !open.isEmpty else { return }
    let call = dice.pick(open)
    calls[call].isCancelled = true
    emit(.callCancelled(CallID(UInt64(call))))
    soon(.leave(call: call))
  }

  private mutating func notice(_ device: Int) {
    devices[device].noticed = max(devices[device].noticed, project.version)
    emit(.noticed(place(device), version: project.version, isProjectWide: dice.chance(50)))
    after(dice.pick([0, 1, 3]), .fetch(device: device, epoch: devices[device].epoch))
  }

  mutating func answer(_ call: Int, _ outcome: CallOutcome) {
    guard calls[call].isOpen, !calls[call].isResuming else { return }
    if bug == .lostWaiter, dice.chance(10) { return }
    calls[call].isResuming = true
    soon(.resume(call: call, outcome))
  }

  mutating func resume(_ call: Int, _ outcome: CallOutcome) {
    guard calls[call].process == devices[calls[call].device].process,
      devices[calls[call].device].isRunning
    else { return }
    if bug == .neverReturns, dice.chance(5) { return }
    calls[call].isOpen = false
    emit(.callReturned(CallID(UInt64(call)), outcome))
    if bug == .returnsTwice, dice.chance(5) { emit(.callReturned(CallID(UInt64(call)), outcome)) }
  }
}
