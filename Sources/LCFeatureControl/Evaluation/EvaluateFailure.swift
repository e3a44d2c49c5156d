/// Why a flight failed.
struct EvaluateFailure: Error, Sendable {
  /// What its waiters are told.
  let error: FeatureControlError
  /// How long the service wants to be left alone.
  let retryAfter: Duration?

  init(_ error: FeatureControlError, retryAfter: Duration? = nil) {
    self.error = error
    self.retryAfter = retryAfter
  }
}
