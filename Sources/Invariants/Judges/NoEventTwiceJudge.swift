import Events

/// Judges `no-event-twice` (BEHAVIOUR §2, "Exposure buffer").
///
/// **Statement.** Each event is in at most one request: a failed batch is never tried again.
///
/// **Unit of a check.** An event in a request.
///
/// **Red.** An event that another request of the run, or the same one, has carried before.
///
/// **Why a correct client is never red.** The workload makes every event unique. Only what the client handed
/// to its transport counts; a network that brings a request twice is none of its doing.
///
/// **Not seen.** What the service counts.
struct NoEventTwiceJudge: Judge {
  static let invariant = Invariant.noEventTwice
  static let interests: Moments = .others

  private var carriers: [UInt64: RequestID] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    guard case .batchSent(let request, let numbers) = event else { return }
    let instance = shadow.lines[request.rawValue]?.instance
    docket.check(numbers.count)
    for number in numbers {
      guard let earlier = carriers.updateValue(request, forKey: number) else { continue }
      docket.convict(
        at: stamp, instance: instance, request: request,
        earlier == request
          ? "event \(number) is in request \(request.rawValue) more than once"
          : "event \(number) is in request \(request.rawValue) and was in request \(earlier.rawValue) before")
    }
  }
}
