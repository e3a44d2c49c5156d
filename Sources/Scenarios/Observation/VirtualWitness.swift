import Events
import Invariants
import Simulation

/// The witness of a virtual run: numbers what happens, adds it to the digest, shows it to the judges at once, and ends
/// the run at the first violation.
///
/// `@unchecked Sendable`: like everything in a simulation it is touched only by the thread that runs it.
final class VirtualWitness: Witness, @unchecked Sendable {
  private let simulator: Simulator
  private let keepsGoing: Bool
  private(set) var court: Court
  private(set) var trail = EventTrail(capacity: 200)
  /// The trail up to the first violation; what follows it no longer matters to whoever looks for its cause.
  private(set) var trailAtViolation: [EventTrail.Entry]?
  private(set) var choicesAtViolation: ChoiceLog?
  /// Whether the run is over: what is then cancelled to free its memory is nobody's doing and is not judged.
  private(set) var isFrozen = false
  private var calls: UInt64 = 0
  private(set) var requests: UInt64 = 0
  /// The open call of each reader, 0 for none: a reader has at most one.
  private var openCalls: [UInt64]

  init(_ simulator: Simulator, court: Court, readers: Int, keepsGoing: Bool) {
    self.simulator = simulator
    self.court = court
    self.keepsGoing = keepsGoing
    // One more for what the timeline does.
    openCalls = Array(repeating: 0, count: readers + 1)
  }

  private func record(_ event: Event) {
    if isFrozen { return }
    simulator.record(event)
    let stamp = simulator.stamp
    trail.append(event, at: stamp)
    court.observe(event, at: stamp)
    stopAtViolation()
  }

  private func stopAtViolation() {
    guard trailAtViolation == nil, court.firstViolation != nil else { return }
    trailAtViolation = trail.entries
    choicesAtViolation = simulator.choices
    if !keepsGoing {
      simulator.stop()
      isFrozen = true
    }
  }

  // MARK: What the run itself tells

  /// Takes no more notice of anything but what `afterwards` is told.
  func freeze() { isFrozen = true }

  func timeAdvances(from stamp: Stamp) {
    if isFrozen { return }
    court.timeAdvances(from: stamp)
    stopAtViolation()
  }

  func escaped(_ escape: Escape) { record(.escaped(escape)) }

  func finish() {
    court.finish(at: simulator.stamp)
    stopAtViolation()
  }

  /// Shows the judges what only became known after the run; it is no part of the run's digest.
  func afterwards(_ event: Event) {
    trail.append(event, at: simulator.stamp)
    court.observe(event, at: simulator.stamp)
    stopAtViolation()
  }

  // MARK: Witness

  func callBegan(
    _ reader: ReaderID, _ instance: InstanceID, _ operation: Operation, _ key: RequestKey?
  ) -> OpenCall {
    calls += 1
    let call = OpenCall(
      id: CallID(calls), reader: reader, instance: instance, operation: operation, key: key,
      began: simulator.stamp.nanoseconds)
    openCalls[Int(reader.rawValue)] = calls
    record(.callBegan(call.id, reader, instance, operation, key))
    return call
  }

  func callCancelled(_ call: OpenCall) { record(.callCancelled(call.id)) }

  func callReturned(_ call: OpenCall, _ outcome: CallOutcome) {
    openCalls[Int(call.reader.rawValue)] = 0
    record(.callReturned(call.id, outcome))
  }

  func readersInterrupted(_ readers: Range<Int>) {
    for reader in readers where openCalls[reader] != 0 { record(.callCancelled(CallID(openCalls[reader]))) }
  }

  func flightBegan(_ instance: InstanceID, _ endpoint: Endpoint, _ key: RequestKey?) -> RequestID {
    requests += 1
    let id = RequestID(requests)
    record(.flightBegan(id, instance, endpoint, key))
    return id
  }

  func requestStarted(
    _ id: RequestID?, _ instance: InstanceID, _ endpoint: Endpoint, _ key: RequestKey?
  ) -> RequestID {
    if id == nil { requests += 1 }
    let id = id ?? RequestID(requests)
    record(.requestStarted(id, instance, endpoint, key))
    return id
  }

  func requestArrived(_ request: RequestID) { record(.requestArrived(request)) }

  func answerProduced(_ request: RequestID, _ serial: Serial, status: Int) {
    record(.answerProduced(request, serial, status: status))
  }

  func requestCancelled(_ request: RequestID) { record(.requestCancelled(request)) }

  func requestCompleted(_ request: RequestID, _ completion: RequestCompletion) {
    record(.requestCompleted(request, completion))
  }

  func published(_ version: Int64) { record(.published(version: version)) }

  func instanceClosed(_ instance: InstanceID) { record(.instanceClosed(instance)) }

  func leftover(_ instance: InstanceID?, _ kind: Leftover, _ count: Int) {
    record(.leftover(instance, kind, count: count))
  }

  func note(_ event: Event) { record(event) }
}
