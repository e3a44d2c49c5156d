import Events

/// One proven breach of an invariant.
public struct Violation: Sendable, Equatable {
  /// The invariant that was broken.
  public let invariant: Invariant
  /// When the event came that proves it.
  public let stamp: Stamp
  /// The reader whose call shows it, where one call does.
  public let reader: ReaderID?
  /// The app instance concerned, where one is.
  public let instance: InstanceID?
  /// The call that shows it, where one does.
  public let call: CallID?
  /// The request concerned, where one is.
  public let request: RequestID?
  /// One line in the reader's words: what happened, and what should have.
  public let message: String

  /// Creates a violation.
  public init(
    invariant: Invariant,
    stamp: Stamp,
    reader: ReaderID? = nil,
    instance: InstanceID? = nil,
    call: CallID? = nil,
    request: RequestID? = nil,
    message: String
  ) {
    self.invariant = invariant
    self.stamp = stamp
    self.reader = reader
    self.instance = instance
    self.call = call
    self.request = request
    self.message = message
  }
}

/// What a judge found in a whole run.
public struct InvariantVerdict: Sendable, Equatable {
  /// How an invariant fared; the raw values are those of `result.json` (DESIGN §5).
  public enum Status: String, Sendable, Equatable {
    /// At least one check, no violation.
    case passed
    /// At least one violation.
    case violated
    /// No check, no violation: the run never met the rule's antecedent, which proves nothing.
    case notExercised = "not-exercised"
    /// The rule is not about this kind of client or run.
    case notApplicable = "not-applicable"
  }

  /// The invariant judged.
  public let invariant: Invariant
  /// How it fared.
  public let status: Status
  /// How often the antecedent held; the unit is `invariant.unit`.
  public let checks: Int
  /// How many violations were proven.
  public let violations: Int
  /// The first of them.
  public let firstViolation: Violation?

  /// Creates a verdict.
  public init(
    invariant: Invariant,
    status: Status,
    checks: Int,
    violations: Int,
    firstViolation: Violation?
  ) {
    self.invariant = invariant
    self.status = status
    self.checks = checks
    self.violations = violations
    self.firstViolation = firstViolation
  }

  /// Creates the verdict on an invariant that is not about this kind of client or run.
  init(notApplicable invariant: Invariant) {
    self.init(invariant: invariant, status: .notApplicable, checks: 0, violations: 0, firstViolation: nil)
  }
}
