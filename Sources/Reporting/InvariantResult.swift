/// What one judge found in a run.
public struct InvariantResult: Sendable, Equatable {
  /// What became of an invariant.
  public enum Status: String, Sendable, Hashable, CaseIterable {
    /// It was checked and held every time.
    case passed
    /// It did not hold.
    case violated
    /// Nothing happened in the run that it speaks of: not the same as passed.
    case notExercised = "not-exercised"
    /// It is not about this run: it speaks of another client, or of bounds that the scenario does not set.
    case notApplicable = "not-applicable"
  }

  /// The first time that an invariant did not hold.
  public struct Violation: Sendable, Equatable {
    /// When it was, in nanoseconds of the run's clock.
    public var nanoseconds: Int64
    /// The scheduler's step; nil on the wall clock.
    public var step: UInt64?
    /// The reader that was served wrongly, numbered from 0; nil if it is about none.
    public var reader: Int?
    /// The app instance, numbered from 0; nil if it is about none.
    public var instance: Int?
    /// What was wrong, in a sentence or two.
    public var message: String
    /// The command that shows it again; nil on the wall clock, where nothing is sure to.
    public var replay: String?

    /// Creates a violation.
    public init(
      nanoseconds: Int64,
      step: UInt64?,
      reader: Int?,
      instance: Int?,
      message: String,
      replay: String?
    ) {
      self.nanoseconds = nanoseconds
      self.step = step
      self.reader = reader
      self.instance = instance
      self.message = message
      self.replay = replay
    }
  }

  /// The invariant, as `single-flight`.
  public var id: String
  /// What became of it.
  public var status: Status
  /// How often it was checked; the unit is the judge's.
  public var checks: Int64
  /// The first time that it did not hold.
  public var firstViolation: Violation?

  /// Creates a result.
  public init(id: String, status: Status, checks: Int64, firstViolation: Violation? = nil) {
    self.id = id
    self.status = status
    self.checks = checks
    self.firstViolation = firstViolation
  }
}
