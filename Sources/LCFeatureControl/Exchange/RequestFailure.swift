import ClientCore

/// Why a request failed.
struct RequestFailure: Error, Sendable {
  /// What those who wait are told.
  let error: FeatureControlError
  /// How long the service wants to be left alone.
  let retryAfter: Duration?

  init(_ error: FeatureControlError, retryAfter: Duration? = nil) {
    self.error = error
    self.retryAfter = retryAfter
  }

  /// The failure that an answer means.
  ///
  /// Whatever the status: an error in a 200 may ask for patience too.
  init(_ error: FeatureControlError, _ response: TransportResponse, wallClock: any WallClock) {
    self.init(error, retryAfter: RetryAfter.delay(of: response, wallClock: wallClock))
  }
}
