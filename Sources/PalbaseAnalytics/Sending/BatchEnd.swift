import ClientCore
import Palbase

/// What became of one attempt to send a batch.
struct BatchEnd: Sendable, Equatable {
  /// What the events may expect.
  enum Fate: Sendable, Equatable {
    /// The service has taken them.
    case accepted
    /// They were too many for one request.
    case tooLarge
    /// The service will never take them.
    case refused
    /// They may be taken another time.
    case failed
  }

  let fate: Fate
  /// How long the service asks to be left alone; nil if it did not ask.
  let patience: Duration?

  init(_ fate: Fate, patience: Duration? = nil) {
    self.fate = fate
    self.patience = patience
  }

  /// Reads how an attempt ended (BEHAVIOUR rule 1.6 and §3, "Analytics").
  ///
  /// Only 202 is an acknowledgement: a proxy's page with 200 is not the service's word, and counts as an answer that was
  /// lost. Status 401 says that the credential is no longer good. The present reader's will be renewed, a former reader's
  /// never, so its events are given up.
  /// - Parameters:
  ///   - outcome: The answer, or why there was none.
  ///   - isPresentReader: Whether the events are of the reader who is there now.
  ///   - wallClock: Read only for a `Retry-After` date in an answer without a date of its own.
  init(
    _ outcome: Result<TransportResponse, PalbaseError>, isPresentReader: Bool, wallClock: any WallClock
  ) {
    switch outcome {
    case .failure: self.init(.failed)
    case .success(let response):
      let fate: Fate =
        switch response.status {
        case 202: .accepted
        case 401: isPresentReader ? .failed : .refused
        case 413: .tooLarge
        case 408, 410, 429: .failed
        case 400..<500: .refused
        default: .failed
        }
      self.init(
        fate, patience: fate == .accepted ? nil : RetryAfter.delay(of: response, wallClock: wallClock))
    }
  }
}
