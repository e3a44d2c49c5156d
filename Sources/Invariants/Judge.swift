import Events

/// The judge of one invariant.
///
/// A judge keeps what only it needs; everything else it reads from the shadow, which has already taken in the event.
/// *Never*-clauses are judged at the event, *exactly*- and *eventually*-clauses when virtual time is about to move
/// (BEHAVIOUR §4).
protocol Judge: Sendable {
  /// The invariant judged.
  static var invariant: Invariant { get }

  /// The moments that the judge wants to see; `finish` comes to all.
  static var interests: Moments { get }

  /// Creates a judge that has seen nothing.
  init()

  /// Judges an event other than a return.
  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket)

  /// Judges the return of a call, which the shadow has not yet forgotten.
  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket)

  /// Judges an instant of which everything has happened, and the calls that it leaves asleep.
  mutating func timeAdvances(
    from stamp: Stamp, _ sleepers: [Sleeper], _ shadow: inout Shadow, _ docket: inout Docket)

  /// Judges what never came.
  mutating func finish(at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket)
}

/// Kinds of moments of a run.
struct Moments: OptionSet, Sendable {
  let rawValue: UInt8

  /// Calls that begin or are cancelled, and returns of calls that are not open.
  static let calls = Moments(rawValue: 1)
  /// Returns of open calls.
  static let replies = Moments(rawValue: 2)
  /// Flights and requests that begin, arrive, are cancelled or end.
  static let requests = Moments(rawValue: 4)
  /// All other events.
  static let others = Moments(rawValue: 8)
  /// Time that is about to move.
  static let time = Moments(rawValue: 16)
}

extension Judge {
  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {}
  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {}
  mutating func timeAdvances(
    from stamp: Stamp, _ sleepers: [Sleeper], _ shadow: inout Shadow, _ docket: inout Docket
  ) {}
  mutating func finish(at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {}
}

/// Where a judge writes down its checks and what it proves.
struct Docket: Sendable {
  let invariant: Invariant
  private(set) var checks = 0
  private(set) var violations = 0
  private(set) var firstViolation: Violation?

  init(_ invariant: Invariant) { self.invariant = invariant }

  /// Counts checks whose antecedent held.
  mutating func check(_ count: Int = 1) { checks += count }

  /// Writes down a violation whose words were made earlier.
  mutating func convict(_ violation: Violation) {
    violations += 1
    if firstViolation == nil { firstViolation = violation }
  }

  /// Writes down a violation.
  ///
  /// - Parameters:
  ///   - stamp: When the event came that proves it.
  ///   - reader: The reader concerned.
  ///   - instance: The app instance concerned.
  ///   - call: The call concerned.
  ///   - request: The request concerned.
  ///   - message: One line for people; made for the first violation only.
  mutating func convict(
    at stamp: Stamp,
    reader: ReaderID? = nil,
    instance: InstanceID? = nil,
    call: CallID? = nil,
    request: RequestID? = nil,
    _ message: @autoclosure () -> String
  ) {
    violations += 1
    guard firstViolation == nil else { return }
    firstViolation = Violation(
      invariant: invariant, stamp: stamp, reader: reader, instance: instance, call: call, request: request,
      message: message())
  }

  /// Writes down a violation that the return of a call proves.
  mutating func convict(
    _ reply: Reply, at stamp: Stamp, request: RequestID? = nil, _ message: @autoclosure () -> String
  ) {
    convict(
      at: stamp, reader: reply.call.reader, instance: reply.call.instance, call: reply.id, request: request,
      "\(reply.subject) \(message())")
  }

  /// Writes down a violation that a sleeper proves.
  mutating func convict(_ sleeper: Sleeper, at stamp: Stamp, _ remark: String? = nil) {
    convict(
      at: stamp, reader: sleeper.call.reader, instance: sleeper.call.instance, call: sleeper.id,
      request: sleeper.request,
      "\(sleeper.call.subject), called at \(seconds(sleeper.call.began)), still waits although request "
        + "\(sleeper.request.rawValue) is over" + (remark.map { "; " + $0 } ?? ""))
  }

  /// The verdict on the run so far.
  var verdict: InvariantVerdict {
    let status: InvariantVerdict.Status =
      violations > 0 ? .violated : checks > 0 ? .passed : .notExercised
    return InvariantVerdict(
      invariant: invariant, status: status, checks: checks, violations: violations,
      firstViolation: firstViolation)
  }
}
