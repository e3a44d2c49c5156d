import Events

/// How a sync request ended for the client, and which outcomes of a `refresh()` that explains.
struct SyncEnd: Sendable {
  let request: RequestID
  let epoch: Int
  /// The answer that reached the client; nil where none did.
  private let answer: SyncAnswer?
  /// Whether the client may have given up waiting in the same instant.
  private let isTied: Bool
  /// Whether the answer may change nothing, so that the client may have called it a failure.
  private let isDoubtful: Bool
  /// Whether the client may ask again before it tells those who wait.
  let mayBeRepeated: Bool

  /// Reads the end out of a request that is over, of a device that has taken the event in.
  init(_ record: SyncRecord, _ device: DeviceRecord, isTied: Bool) {
    request = record.id
    epoch = record.epoch
    self.isTied = isTied || record.cancelled != nil
    guard case .answered = record.completion else {
      answer = nil
      isDoubtful = false
      mayBeRepeated = false
      return
    }
    let answer = SyncAnswer(record)
    self.answer = answer
    let isOlder = device.held.mayHold { answer.isOlder(than: $0) }
    var isMisfit = answer.isDoubtful
    if case .delta(let since, _, _) = answer.kind {
      isMisfit =
        isMisfit || !device.held.mayHold { $0.base == .valid && $0.version == since }
        || since != record.query?.since
    }
    isDoubtful = isOlder || isMisfit
    mayBeRepeated = answer.isGood && (isOlder || answer.version < device.noticed)
  }

  /// Whether a call that waited for the request may be given this.
  func explains(_ outcome: CallOutcome) -> Bool {
    guard let answer else { return outcome.isTransportFailure }
    if isTied, outcome.isTransportFailure { return true }
    switch (answer.kind, outcome) {
    case (.snapshot, .finished), (.delta, .finished), (.notModified, .finished), (.nothingNewer, .finished):
      return true
    case (.snapshot, .failed), (.delta, .failed), (.notModified, .failed), (.nothingNewer, .failed):
      return isDoubtful && outcome.isVagueFailure
    case (.notModifiedUnasked, _), (.gone, _): return outcome.isVagueFailure
    case (.failure(let status?), .failed(let kind, let given)) where status != 200:
      if answer.isDoubtful, outcome.isVagueFailure { return true }
      switch status {
      case 401: return kind == .unauthorized
      case 403: return kind == .forbidden
      case 429: return kind == .rateLimited
      default: return kind == .server && given == status
      }
    case (.failure, _): return outcome.isVagueFailure
    default: return false
    }
  }

  /// What became of the request, as a predicate.
  var words: String {
    guard let answer else { return "is over without an answer" }
    switch answer.kind {
    case .snapshot, .delta: return "was answered with version \(answer.version)"
    case .notModified, .nothingNewer, .notModifiedUnasked: return "was answered with a 304"
    case .gone: return "was answered with a 410"
    case .failure(let status):
      return "was answered with " + (status.map { "status \($0)" } ?? "a body of no use")
    }
  }
}

extension CallOutcome {
  fileprivate var isTransportFailure: Bool {
    if case .failed(.transport, _) = self { true } else { false }
  }

  /// Whether it is an error that says no more than that the answer was no use.
  fileprivate var isVagueFailure: Bool {
    switch self {
    case .failed(.transport, _), .failed(.server, _): true
    default: false
    }
  }
}
