/// Everything that is wrong with the text of a threshold.
public struct ThresholdError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One thing that is wrong, with its remedy.
  public struct Problem: Sendable, Hashable {
    /// The half of a threshold that a problem is in.
    public enum Part: Sendable, Hashable {
      /// The metric with its tags.
      case metric
      /// The expression.
      case expression
    }

    /// Where the problem is.
    public let part: Part
    /// What is wrong and what to do, in one line without a full stop.
    public let message: String
    /// The valid name, operator or text that was probably meant, if one is near.
    public let suggestion: String?

    /// Creates a problem.
    ///
    /// - Parameters:
    ///   - part: Where the problem is.
    ///   - message: What is wrong and what to do, in one line without a full stop.
    ///   - suggestion: The valid text that was probably meant, if one is near.
    public init(part: Part, message: String, suggestion: String? = nil) {
      self.part = part
      self.message = message
      self.suggestion = suggestion
    }
  }

  /// The problems, at least one.
  public let problems: [Problem]

  /// Creates an error.
  ///
  /// - Parameter problems: The problems, at least one.
  public init(problems: [Problem]) { self.problems = problems }

  /// The messages, a line each.
  ///
  /// - Complexity: O(n) in the number of problems.
  public var description: String { problems.map(\.message).joined(separator: "\n") }
}
