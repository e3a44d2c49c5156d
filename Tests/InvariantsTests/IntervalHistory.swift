import Events
import Invariants

// Turns a random history of the reference client into what a wall-clock run would have logged of it, with every
// delay that real threads allow.

extension ReferenceRun {
  /// The last events, for a failing test.
  var text: String {
    history.suffix(60).map { "\($0.stamp.nanoseconds) #\($0.stamp.step) \($0.event)" }.joined(separator: "\n")
  }

  /// The facts in the units of `intervals(_:)`.
  var intervalFacts: RunFacts {
    var scaled = facts
    scaled.cacheTTL *= ReferenceRun.unit
    scaled.requestTimeout *= ReferenceRun.unit
    return scaled
  }

  /// One nanosecond of the history in nanoseconds of the log, which leaves room for the order within an instant.
  private static var unit: Int64 { 1_000_000 }

  /// The history as a log: callers note their begins early and their ends late, cancellations reach the transport late.
  func intervals(_ dice: inout Dice) -> IntervalLog {
    var log = IntervalLog()
    var calls: [CallID: Int] = [:]
    var invalidations: [CallID: Int] = [:]
    var requests: [RequestID: Int] = [:]
    for (number, entry) in history.enumerated() {
      let now = entry.stamp.nanoseconds * ReferenceRun.unit + Int64(number)
      func delay() -> Int64 { dice.pick([0, 0, 1, 20, 3_000_000]) }
      switch entry.event {
      case .callBegan(let id, let reader, let instance, .invalidate, _):
        _ = reader
        log.begun += 1
        invalidations[id] = log.invalidations.count
        log.invalidations.append(IntervalLog.Invalidation(instance: instance, begin: now - delay(), end: nil))
      case .callBegan(let id, let reader, let instance, let operation, let key):
        log.begun += 1
        calls[id] = log.calls.count
        log.calls.append(
          IntervalLog.Call(
            reader: reader, instance: instance, operation: operation, key: key, begin: now - delay(),
            end: nil,
            outcome: nil))
      case .callCancelled(let id):
        if let call = calls[id], log.calls[call].end == nil { log.calls[call].cancelled = now - delay() }
      case .callReturned(let id, let outcome):
        log.returned += 1
        if let call = calls[id] {
          log.calls[call].end = now + delay()
          log.calls[call].outcome = outcome
        } else if let invalidation = invalidations[id] {
          log.invalidations[invalidation].end = now + delay()
        }
      case .flightBegan(let id, let instance, _, let key), .requestStarted(let id, let instance, _, let key):
        guard requests[id] == nil else { break }
        requests[id] = log.requests.count
        log.requests.append(IntervalLog.Request(id: id, instance: instance, key: key, started: now))
      case .authorized(let id, nil):
        guard let request = requests[id] else { break }
        log.requests[request].ended = now
        log.requests[request].completion = .lost
        log.requests[request].lacksToken = true
      case .requestCancelled(let id):
        if let request = requests[id] { log.requests[request].cancelRequested = now + delay() }
      case .requestCompleted(let id, let completion):
        guard let request = requests[id] else { break }
        log.requests[request].ended = now
        log.requests[request].completion = completion
      case .instanceClosed(let instance):
        log.closed[instance] = now - delay()
      case .leftover(let instance, let kind, let count):
        log.leftovers.append(IntervalLog.Remainder(instance: instance, kind: kind, count: count))
      default:
        break
      }
    }
    gatherHits(&log, dice.chance(50))
    return log
  }

  /// Sums up the pure fresh hits, as a driver does.
  private func gatherHits(_ log: inout IntervalLog, _ isWanted: Bool) {
    guard isWanted else { return }
    var rest: [IntervalLog.Call] = []
    var hits: [IntervalLog.FreshHits] = []
    for call in log.calls {
      guard case .answered(let answers)? = call.outcome, let serial = answers.first?.serial,
        answers.allSatisfy({ $0.origin == .fresh && $0.serial == serial }), call.cancelled == nil,
        (call.end ?? .max) - call.begin < intervalFacts.requestTimeout
      else {
        rest.append(call)
        continue
      }
      if let index = hits.firstIndex(where: { $0.instance == call.instance && $0.serial == serial }) {
        hits[index].count += 1
        hits[index].latestBegin = max(hits[index].latestBegin, call.begin)
      } else {
        hits.append(
          IntervalLog.FreshHits(instance: call.instance, serial: serial, count: 1, latestBegin: call.begin))
      }
    }
    log.calls = rest
    log.freshHits = hits
  }
}
