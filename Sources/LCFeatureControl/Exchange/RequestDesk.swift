import ClientCore
import Synchronization

/// Runs requests that belong to one caller each, all of one endpoint: the inbox has one, telemetry another.
///
/// Each request races its answer, its deadline, the cancellation of its caller's task and the closing of the client;
/// whoever is first ends it, in one step that also takes note of a `Retry-After`. What comes later finds it ended: a late
/// answer changes nothing and closes no gate (BEHAVIOUR rules 1.6 and 1.7). Two tasks and a continuation and not a task
/// group, because a group would wait for a transport that does not heed its cancellation.
final class RequestDesk<Answer: Sendable>: Sendable {
  /// How a request ended.
  enum Outcome: Sendable {
    /// With a good answer.
    case answered(Answer)
    /// Without one; `wasSent` tells whether it had been handed to the transport.
    case failed(FeatureControlError, wasSent: Bool)
    /// Unsent, because the service has asked to be left alone.
    case withheld(FeatureControlError)
    /// By the cancellation of its caller's task.
    case cancelled(wasSent: Bool)
  }

  private typealias Waiter = CheckedContinuation<Outcome, Never>

  private struct Open {
    let waiter: Waiter
    var tasks: [SpawnedTask] = []
    var wasSent = false
  }

  private struct State {
    var open: [UInt64: Open] = [:]
    var count: UInt64 = 0
    var gate = RetryGate<FeatureControlError>()
    var isClosed = false
  }

  private let exchange: Exchange
  private let state = Mutex(State())

  init(_ exchange: Exchange) { self.exchange = exchange }

  static var closedError: FeatureControlError { .transport(message: "the client is closed") }

  /// Why no request may start now; nil if one may.
  func refusal() -> FeatureControlError? {
    let now = exchange.environment.clock.now
    return state.withLock { $0.gate.refusal(at: now) }
  }

  /// Makes a request and waits for its end.
  ///
  /// - Parameters:
  ///   - request: Makes the request.
  ///   - read: Reads a good answer; throws what another one means.
  /// - Returns: How it ended.
  func run(
    _ request: @escaping @Sendable () throws -> TransportRequest,
    read: @escaping @Sendable (TransportResponse) throws(FeatureControlError) -> Answer
  ) async -> Outcome {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        let now = exchange.environment.clock.now
        let refused = state.withLock { state -> Outcome? in
          // A task is marked cancelled before its handler runs: either this sees the mark or `end` finds the request.
          if Task.isCancelled { return .cancelled(wasSent: false) }
          if state.isClosed { return .failed(Self.closedError, wasSent: false) }
          if let refusal = state.gate.refusal(at: now) { return .withheld(refusal) }
          state.open[number] = Open(waiter: waiter)
          return nil
        }
        if let refused {
          waiter.resume(returning: refused)
        } else {
          start(number, request, read)
        }
      }
    } onCancel: {
      end(number) { .cancelled(wasSent: $0) }
    }
  }

  /// Ends every request for good.
  func close() {
    let open = state.withLock { state in
      state.isClosed = true
      let open = state.open.sorted { $0.key < $1.key }.map(\.value)
      state.open = [:]
      return open
    }
    for request in open {
      for task in request.tasks { task.cancel() }
      request.waiter.resume(returning: .failed(Self.closedError, wasSent: request.wasSent))
    }
  }

  private func start(
    _ number: UInt64, _ request: @escaping @Sendable () throws -> TransportRequest,
    _ read: @escaping @Sendable (TransportResponse) throws(FeatureControlError) -> Answer
  ) {
    let deadline = exchange.environment.clock.now.advanced(by: exchange.timeout)
    let requestTask = exchange.environment.spawner.spawn { [self] in
      var refusal: FeatureControlError?
      let result = await exchange.send(request) {
        refusal = admit(number)
        return refusal
      }
      if let refusal {
        end(number) { _ in .withheld(refusal) }
      } else {
        conclude(number, result, read)
      }
    }
    let deadlineTask = exchange.environment.spawner.spawn { [self] in
      guard (try? await exchange.environment.clock.sleep(until: deadline)) != nil else { return }
      let error = exchange.timeoutFailure.error
      end(number) { .failed(error, wasSent: $0) }
    }
    let isOver = state.withLock { state in
      state.open[number]?.tasks = [requestTask, deadlineTask]
      return state.open[number] == nil
    }
    if isOver { for task in [requestTask, deadlineTask] { task.cancel() } }
  }

  /// Lets a request out, or tells why it may not go.
  private func admit(_ number: UInt64) -> FeatureControlError? {
    let now = exchange.environment.clock.now
    return state.withLock { state in
      if let refusal = state.gate.refusal(at: now) { return refusal }
      // Ended while the app was asked for its authorization: nobody waits, so nothing is sent.
      guard state.open[number] != nil else { return Self.closedError }
      state.open[number]?.wasSent = true
      return nil
    }
  }

  private func conclude(
    _ number: UInt64, _ result: Result<TransportResponse, RequestFailure>,
    _ read: (TransportResponse) throws(FeatureControlError) -> Answer
  ) {
    switch result {
    case .failure(let failure): end(number) { .failed(failure.error, wasSent: $0) }
    case .success(let response):
      do throws(FeatureControlError) {
        let answer = try read(response)
        end(number) { _ in .answered(answer) }
      } catch {
        let failure = RequestFailure(error, response, wallClock: exchange.environment.wallClock)
        end(number, closingFor: failure) { .failed(error, wasSent: $0) }
      }
    }
  }

  private func end(
    _ number: UInt64, closingFor failure: RequestFailure? = nil, _ outcome: (_ wasSent: Bool) -> Outcome
  ) {
    let now = exchange.environment.clock.now
    let ended = state.withLock { state -> Open? in
      guard let open = state.open.removeValue(forKey: number) else { return nil }
      if let failure, let delay = failure.retryAfter {
        state.gate.close(for: delay, from: now, because: failure.error)
      }
      return open
    }
    guard let ended else { return }
    for task in ended.tasks { task.cancel() }
    ended.waiter.resume(returning: outcome(ended.wasSent))
  }
}
