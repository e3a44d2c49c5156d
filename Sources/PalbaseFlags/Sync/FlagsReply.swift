import ClientCore
import Palbase

/// A read of the service, as the sync asks for it.
enum FlagsQuery: Sendable, Equatable {
  /// All flags; with an ETag only if they are others than the ones it names.
  case snapshot(etag: String?)
  /// What is different from a version.
  case delta(since: Int64)
}

/// What came back from a read, as far as the sync must tell it apart.
enum FlagsReply: Sendable {
  case snapshot(SnapshotAnswer)
  case delta(DeltaAnswer)
  /// 304, with the version that the service named.
  case notModified(version: Int64?)
  /// 410: the version named is no base for a delta.
  case gone(PalbaseError, retryAfter: Duration?)
  case failed(PalbaseError, retryAfter: Duration?)

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - result: The answer, or why there is none.
  ///   - query: What was asked.
  ///   - ledger: Knows which exposures were recorded.
  ///   - wallClock: Read for a `Retry-After` date in an answer without a date of its own.
  init(
    _ result: Result<TransportResponse, PalbaseError>, to query: FlagsQuery, ledger: ExposureLedger,
    wallClock: any WallClock
  ) {
    switch result {
    case .failure(let error): self = .failed(error, retryAfter: nil)
    case .success(let response):
      switch response.status {
      case 200: self = FlagsReply(good: response, to: query, ledger)
      case 304: self = .notModified(version: Int64(versionHeader: response.header("X-Flags-Version")))
      case 410:
        self = .gone(
          PalbaseError(response), retryAfter: RetryAfter.delay(of: response, wallClock: wallClock))
      default:
        self = .failed(
          PalbaseError(response), retryAfter: RetryAfter.delay(of: response, wallClock: wallClock))
      }
    }
  }

  private init(good response: TransportResponse, to query: FlagsQuery, _ ledger: ExposureLedger) {
    let reply: FlagsReply? =
      switch query {
      case .snapshot: SnapshotAnswer(response, ledger: ledger).map(FlagsReply.snapshot)
      case .delta: DeltaAnswer(response, ledger: ledger).map(FlagsReply.delta)
      }
    self = reply ?? .failed(Self.undecodable, retryAfter: nil)
  }

  private static let undecodable = PalbaseError.transport(
    message: "the body of the answer is not what this read is answered with")

  /// How many flags of the answer were skipped because they do not decode.
  var skippedFlags: Int {
    switch self {
    case .snapshot(let answer): answer.values.undecodable.count
    case .delta(let answer): answer.changed.undecodable.count
    case .notModified, .gone, .failed: 0
    }
  }
}

extension Int64 {
  /// Reads a version from a header field; nil for anything but digits.
  fileprivate init?(versionHeader text: String?) {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let version = Int64(text)
    else { return nil }
    self = version
  }
}
