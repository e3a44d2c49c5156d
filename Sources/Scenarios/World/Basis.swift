import Events
import ScenarioFormat
import Synchronization

/// What every run of a scenario stands on, whichever client it drives.
final class Basis: Sendable {
  let scenario: Scenario
  let stage: any Stage
  let witness: any Witness
  let ledger: Ledger
  let sampler: LatencySampler
  let faults: FaultBook
  let times: TimesOfDay
  let requestTimeout: Int64
  /// Gives everything that readers record a number of its own, from 1.
  let recordings = Atomic<UInt64>(0)
  private let longestWait = Atomic<Int64>(0)
  private let healed = Atomic<Bool>(false)

  init(_ scenario: Scenario, stage: any Stage, witness: any Witness, ledger: Ledger) {
    self.scenario = scenario
    self.stage = stage
    self.witness = witness
    self.ledger = ledger
    requestTimeout = scenario.client.requestTimeout.nanoseconds
    sampler = LatencySampler(
      ttl: scenario.client.cacheTTL.nanoseconds, timeout: requestTimeout,
      retryDelays: scenario.strikingFaults.compactMap(\.retryDelay))
    faults = FaultBook(scenario)
    times = TimesOfDay(stage)
  }

  /// Remembers how long something took on the network or at the service, in nanoseconds.
  func note(latency: Int64) {
    if latency > longestWait.load(ordering: .relaxed) { longestWait.store(latency, ordering: .relaxed) }
  }

  /// The longest of these so far.
  var largestLatency: Int64 { longestWait.load(ordering: .relaxed) }

  /// Whether all faults are over.
  var isHealed: Bool { healed.load(ordering: .relaxed) }

  /// Ends all faults for good and tells it, once.
  func heal() {
    if healed.exchange(true, ordering: .relaxed) { return }
    faults.heal()
    if !scenario.strikingFaults.isEmpty { witness.note(.healed(largestLatency: largestLatency)) }
  }
}

extension Scenario {
  /// Whether a run ends with a recovery: only what was hurt can get well.
  var hasRecovery: Bool { !strikingFaults.isEmpty }
}
