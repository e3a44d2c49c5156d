/// Keeps the requests of one endpoint back until the time that the service asked for has passed.
///
/// A pure value, generic over what an endpoint remembers of the refusal, so that a call that is kept back can be told
/// why (BEHAVIOUR rule 1.6).
public struct RetryGate<Refusal: Sendable>: Sendable {
  private var refusal: Refusal?
  private var opens = MonotonicInstant(nanoseconds: .min)

  /// Creates an open gate.
  public init() {}

  /// Keeps requests back for a time.
  ///
  /// A gate that is closed for longer already stays so.
  ///
  /// - Parameters:
  ///   - delay: How long from `now`.
  ///   - now: The present instant.
  ///   - refusal: What to tell those who are kept back.
  public mutating func close(for delay: Duration, from now: MonotonicInstant, because refusal: Refusal) {
    let end = now.advanced(by: delay)
    guard end > opens else { return }
    opens = end
    self.refusal = refusal
  }

  /// Tells why a request may not start now.
  ///
  /// - Parameter now: The present instant; at the very end of the delay the gate is open.
  /// - Returns: What the gate was closed because of; nil if a request may start.
  public func refusal(at now: MonotonicInstant) -> Refusal? { now < opens ? refusal : nil }
}
