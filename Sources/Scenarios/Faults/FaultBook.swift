import Events
import ScenarioFormat
import Synchronization

/// Decides which faults strike, and remembers which did.
///
/// Whether a fault strikes is drawn from the stream `fault`, and so is how strong it is: a scenario with one more fault
/// leaves every other choice where it was, and a fault of probability 0 draws nothing at all.
final class FaultBook: Sendable {
  private struct State {
    /// How many requests each fault has struck.
    var struck: [Int]
    /// The faults whose end has been told.
    var ended: Set<Int> = []
  }

  private let faults: [FaultSpec]
  private let groups: [String]
  private let state: Mutex<State>
  private let isHealed = Atomic<Bool>(false)

  init(_ scenario: Scenario) {
    faults = scenario.faults
    groups = scenario.groups.map(\.name)
    state = Mutex(State(struck: scenario.faults.map { _ in 0 }))
  }

  /// Ends all faults for good.
  func heal() { isHealed.store(true, ordering: .relaxed) }

  /// What strikes a request that is about to be sent.
  func strike(_ subject: FaultSubject, _ basis: Basis) -> Injection {
    var injection = Injection()
    if faults.isEmpty { return injection }
    forEachStriking(subject, basis, where: { $0.target == .request }) { fault in
      injection.hasStruck = true
      switch fault.effect {
      case .status(let status, let retryAfter, let code):
        injection.decide(.status(status, retryAfter: retryAfter, code: code))
      case .lose(let part): injection.decide(.lose(part))
      case .body(let body): injection.decide(.body(body))
      case .hang: injection.decide(.hang)
      case .offline: injection.decide(.offline)
      case .flapping: injection.decide(.offline)
      case .latency(let latency): injection.addedLatency += sample(latency, basis)
      case .late(let latency): injection.late = sample(latency, basis)
      case .duplicate: injection.isDuplicated = true
      case .reorder:
        injection.heldBack = Int64(basis.stage.draw(upTo: UInt64(max(1, basis.requestTimeout)), .fault))
      case .lag(let versions): injection.lag = max(injection.lag, versions)
      case .gone(let reason): injection.decide(.gone(reason))
      case .notModified: injection.decide(.notModified)
      case .authorization, .realtime, .earlyNotice, .disk: break
      }
    }
    return injection
  }

  /// What strikes the authorization of a request.
  ///
  /// - Returns: nil if nothing does.
  func authorization(_ subject: FaultSubject, _ basis: Basis) -> AuthorizationInjection? {
    if faults.isEmpty { return nil }
    var result: AuthorizationInjection?
    forEachStriking(subject, basis, where: { $0.target == .authorization }) { fault in
      guard case .authorization(let effect) = fault.effect else { return }
      var injection = result ?? AuthorizationInjection()
      switch effect {
      case .none: injection.refuses = true
      case .throwing:
        if !injection.refuses { injection.isThrown = true }
        injection.refuses = true
      case .slow(let latency): injection.delay += sample(latency, basis)
      }
      result = injection
    }
    return result
  }

  /// What strikes a frame of a device's socket, or its opening.
  ///
  /// - Parameters:
  ///   - moment: What is happening to the socket.
  ///   - subject: On which device.
  ///   - basis: What the run stands on.
  /// - Returns: Whether such a fault strikes.
  func strikes(_ moment: RealtimeFault, _ subject: FaultSubject, _ basis: Basis) -> Bool {
    if faults.isEmpty { return false }
    var isStruck = false
    forEachStriking(subject, basis, where: { $0.effect == .realtime(moment) }) { _ in isStruck = true }
    return isStruck
  }

  /// How long before its data a notice reaches a device, in nanoseconds; 0 if it comes in time.
  func noticeLead(_ subject: FaultSubject, _ basis: Basis) -> Int64 {
    if faults.isEmpty { return 0 }
    var lead: Int64 = 0
    forEachStriking(subject, basis, where: { $0.target == .notice }) { fault in
      guard case .earlyNotice(let latency) = fault.effect else { return }
      lead = max(lead, sample(latency, basis))
    }
    return lead
  }

  /// What strikes an operation of a device's storage.
  func disk(_ instance: InstanceID, _ basis: Basis) -> DiskInjection {
    var injection = DiskInjection()
    if faults.isEmpty { return injection }
    let subject = FaultSubject(endpoint: .realtime, group: -1, instance: instance)
    forEachStriking(subject, basis, where: { $0.target == .disk }) { fault in
      guard case .disk(let effect) = fault.effect else { return }
      switch effect {
      case .full: injection.isFull = true
      case .torn: injection.isTorn = true
      case .unreadable: injection.isUnreadable = true
      case .slow(let latency): injection.delay += sample(latency, basis)
      }
    }
    return injection
  }

  /// A sentence for each fault that struck nothing.
  var missed: [String] {
    let struck = state.withLock { $0.struck }
    return zip(faults, struck).filter { $0.1 == 0 }.map { "faults.\($0.0.name) struck nothing" }
  }

  // MARK: Which strike

  private func forEachStriking(
    _ subject: FaultSubject, _ basis: Basis, where isMeant: (FaultSpec) -> Bool,
    _ body: (FaultSpec) -> Void
  ) {
    let now = basis.stage.now
    let isOver = isHealed.load(ordering: .relaxed)
    for (number, fault) in faults.enumerated() {
      if isOver || fault.until.map({ now >= $0.nanoseconds }) == true {
        tellEnd(of: number, to: basis)
        continue
      }
      let elapsed = now - fault.from.nanoseconds
      guard elapsed >= 0, isMeant(fault), fault.match.includes(subject, groups), fault.isDown(after: elapsed),
        isDrawn(fault.probability, basis), claim(number)
      else { continue }
      body(fault)
    }
  }

  private func isDrawn(_ probability: Probability, _ basis: Basis) -> Bool {
    if probability.millionths <= 0 { return false }
    if probability.millionths >= 1_000_000 { return true }
    // 0, the simplest choice, is no fault.
    return basis.stage.draw(upTo: 1_000_000, .fault) >= UInt64(1_000_000 - probability.millionths)
  }

  /// Counts a strike, unless the fault has had all that it may have.
  private func claim(_ number: Int) -> Bool {
    state.withLock { state in
      if let limit = faults[number].firstN, state.struck[number] >= limit { return false }
      state.struck[number] += 1
      return true
    }
  }

  /// Tells once, at the first request after it, that a fault which has struck is over: clients that were kept waiting
  /// come back now.
  private func tellEnd(of number: Int, to basis: Basis) {
    let isNews = state.withLock { state in
      guard state.struck[number] > 0, faults[number].until != nil else { return false }
      return state.ended.insert(number).inserted
    }
    if isNews { basis.witness.note(.marked(.faultEnded)) }
  }

  private func sample(_ latency: Latency, _ basis: Basis) -> Int64 {
    basis.sampler.sample(latency, on: basis.stage, .fault)
  }
}

extension Injection {
  /// Decides the outcome, unless it is decided.
  fileprivate mutating func decide(_ decision: Decision) {
    if self.decision == nil { self.decision = decision }
  }
}

extension FaultSpec {
  /// What the fault strikes.
  fileprivate var target: FaultTarget {
    switch effect {
    case .authorization: .authorization
    case .realtime: .socket
    case .earlyNotice: .notice
    case .disk: .disk
    case .status, .lose, .body, .hang, .latency, .late, .duplicate, .reorder, .offline, .flapping, .lag,
      .gone, .notModified:
      .request
    }
  }

  /// Whether the fault is at work so long after its beginning: always, but for a network that comes and goes.
  fileprivate func isDown(after elapsed: Int64) -> Bool {
    guard case .flapping(let up, let down) = effect else { return true }
    return elapsed % (up.nanoseconds + down.nanoseconds) >= up.nanoseconds
  }
}

/// The kinds of things that faults strike.
private enum FaultTarget {
  case request
  case authorization
  case socket
  case notice
  case disk
}

extension FaultMatch {
  /// Whether a request meets every condition.
  fileprivate func includes(_ subject: FaultSubject, _ names: [String]) -> Bool {
    if !endpoints.isEmpty, !endpoints.contains(subject.endpoint.word) { return false }
    if !groups.isEmpty {
      guard names.indices.contains(subject.group), groups.contains(names[subject.group]) else { return false }
    }
    return instances?.contains(Int(subject.instance.rawValue)) ?? true
  }
}

extension Endpoint {
  /// The endpoint as scenario files and metrics call it.
  var word: RequestEndpoint {
    switch self {
    case .evaluate: .evaluate
    case .notifications: .notifications
    case .read: .read
    case .readAll: .readAll
    case .telemetry: .telemetry
    case .snapshot: .snapshot
    case .delta: .delta
    case .events: .events
    case .realtime: .realtime
    }
  }
}
