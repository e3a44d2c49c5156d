import Events

/// A log on the wall clock, sorted so that the judges can ask what is certain.
///
/// **What is certain.** A caller registers with its client somewhere between its `begin` and its `end`; a flight begins
/// before its request's `started` and is over after its `ended`; any step may be late by any time. So "before" is
/// only claimed where one interval ends before another begins, and everything else is read in the client's favour.
///
/// **What follows.** A request may supply a call if it started before the call's end, unless the call began after
/// another, later request of the same instance and full request had started: that one's flight had taken its place.
/// That holds only as long as flights end by answers. Once an instance was invalidated, or somebody asking for the
/// same was cancelled or waited for a whole deadline, a request may start later than its successor, and every
/// earlier one counts.
struct IntervalIndex {
  /// The calls and requests of one instance for one full request.
  struct Group {
    let instance: InstanceID
    /// Positions in the log, in the order of `begin` and of `started`.
    var calls: [Int] = []
    var requests: [Int] = []
    /// The earliest time at which a flight may have ended otherwise than by an answer: a call was cancelled, or had
    /// waited for a whole deadline; the largest number if there was none.
    var firstAbandoned = Int64.max
    /// The calls that may have begun a flight which met its deadline, by the earliest time of that, each with the
    /// latest time up to it at which such a flight may still have taken waiters.
    var timeouts: [(deadline: Int64, over: Int64)] = []
  }

  private struct Name: Hashable {
    let instance: InstanceID
    let request: Int32
  }

  let log: IntervalLog
  let facts: RunFacts
  private(set) var groups: [Group] = []
  private var names: [Name: Int] = [:]
  private var requestOfSerial: [Serial: Int] = [:]
  /// For each instance the invalidations that returned, by their ends, each with the latest begin up to it.
  private var fences: [InstanceID: [(end: Int64, begin: Int64)]] = [:]
  private(set) var invalidated: Set<InstanceID> = []

  /// Sorts a log.
  ///
  /// - Complexity: O(n log n).
  init(_ log: IntervalLog, facts: RunFacts) {
    self.log = log
    self.facts = facts
    for (position, call) in log.calls.enumerated() {
      guard let group = group(call.instance, call.key) else { continue }
      groups[group].calls.append(position)
    }
    for (position, request) in log.requests.enumerated() {
      if let serial = request.serial { requestOfSerial[serial] = position }
      guard let group = group(request.instance, request.key) else { continue }
      groups[group].requests.append(position)
    }
    for index in groups.indices {
      groups[index].calls.sort { (log.calls[$0].begin, $0) < (log.calls[$1].begin, $1) }
      groups[index].requests.sort {
        (log.requests[$0].started, log.requests[$0].id.rawValue) < (
          log.requests[$1].started, log.requests[$1].id.rawValue
        )
      }
    }
    for index in groups.indices { findTimeouts(&groups[index]) }
    sortInvalidations()
  }

  private mutating func group(_ instance: InstanceID, _ key: RequestKey?) -> Int? {
    guard let key else { return nil }
    let name = Name(instance: instance, request: key.request)
    if let group = names[name] { return group }
    names[name] = groups.count
    groups.append(Group(instance: instance))
    return groups.count - 1
  }

  /// The first caller of a flight that met its deadline waited for at least that long, unless it was cancelled.
  private func findTimeouts(_ group: inout Group) {
    var over = Int64.min
    for position in group.calls {
      let call = log.calls[position]
      let deadline = call.begin + facts.requestTimeout
      let end = call.end ?? .max
      guard call.cancelled != nil || end >= deadline else { continue }
      over = call.cancelled != nil ? .max : max(over, end)
      group.timeouts.append((deadline, over))
      group.firstAbandoned = min(group.firstAbandoned, deadline, call.cancelled ?? .max)
    }
  }

  private mutating func sortInvalidations() {
    for invalidation in log.invalidations.sorted(by: {
      ($0.end ?? .max, $0.begin) < ($1.end ?? .max, $1.begin)
    }) {
      invalidated.insert(invalidation.instance)
      guard let end = invalidation.end else { continue }
      let latest = fences[invalidation.instance]?.last?.begin ?? .min
      fences[invalidation.instance, default: []].append((end, max(latest, invalidation.begin)))
    }
  }

  /// The request whose answer carried a serial to a client; nil when none did.
  func request(of serial: Serial) -> IntervalLog.Request? {
    requestOfSerial[serial].map { log.requests[$0] }
  }

  /// The latest begin of an invalidation of an instance that had surely returned before a time; nil if there is none.
  ///
  /// - Complexity: O(log n).
  func fence(_ instance: InstanceID, before time: Int64) -> Int64? {
    guard let sorted = fences[instance] else { return nil }
    let count = partition(sorted.count) { sorted[$0].end < time }
    return count > 0 ? sorted[count - 1].begin : nil
  }

  private func group(of call: IntervalLog.Call) -> Group? {
    guard let key = call.key else { return nil }
    return names[Name(instance: call.instance, request: key.request)].map { groups[$0] }
  }

  /// The requests, as positions in the log, that a call may have waited for.
  ///
  /// - Complexity: O(log n + k).
  func candidates(of call: IntervalLog.Call) -> ArraySlice<Int> {
    guard let group = group(of: call) else { return [] }
    let requests = group.requests
    let end = call.end ?? .max
    let upper = partition(requests.count) { log.requests[requests[$0]].started <= end }
    if invalidated.contains(call.instance) || group.firstAbandoned <= call.begin { return requests[..<upper] }
    let begun = partition(requests.count) { log.requests[requests[$0]].started < call.begin }
    return requests[max(0, begun - 1)..<upper]
  }

  /// Returns whether a call may have waited for a flight that met its deadline.
  ///
  /// The request of such a flight need not have started: on a busy machine the deadline may come first.
  /// - Complexity: O(log n).
  func mayHaveTimedOut(_ call: IntervalLog.Call) -> Bool {
    guard let group = group(of: call) else { return false }
    let end = call.end ?? .max
    let count = partition(group.timeouts.count) { group.timeouts[$0].deadline <= end }
    return count > 0 && group.timeouts[count - 1].over >= call.begin
  }

  /// The number of leading indices for which a condition holds that holds for no index after one for which it fails.
  private func partition(_ count: Int, _ holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension IntervalLog.Call {
  /// The reader, what it called and when.
  var subject: String { "reader \(reader.rawValue): \(operation.name), called at \(seconds(begin))," }

  /// The answers of the single keys; empty for any other outcome.
  var answers: [KeyAnswer] {
    if case .answered(let answers)? = outcome { answers } else { [] }
  }
}

extension Docket {
  /// Writes down a violation that a call on the wall clock proves.
  mutating func convict(
    _ call: IntervalLog.Call, request: RequestID? = nil, _ message: @autoclosure () -> String
  ) {
    convict(
      at: Stamp(nanoseconds: call.end ?? call.begin, step: 0), reader: call.reader, instance: call.instance,
      request: request, "\(call.subject) \(message())")
  }
}
