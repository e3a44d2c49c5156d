import ClientCore
import Synchronization

/// Races every request against its deadline, the cancellation of its caller's task and the closing of the client.
///
/// Whoever is first ends it, in one step; what comes later finds it ended, so a late answer reaches nobody (BEHAVIOUR
/// rule 1.7). Two tasks and a continuation and not a task group, because a group would wait for a transport that does not
/// heed its cancellation.
final class ExchangeDesk: Sendable {
  typealias Outcome = Result<TransportResponse, PalbaseError>
  private typealias Waiter = CheckedContinuation<Outcome, Never>

  private struct Open {
    let waiter: Waiter
    var tasks: [SpawnedTask] = []
  }

  private struct State {
    var open: [UInt64: Open] = [:]
    var count: UInt64 = 0
    var isClosed = false
  }

  private let wiring: Wiring
  private let state = Mutex(State())

  init(_ wiring: Wiring) { self.wiring = wiring }

  private var environment: ClientEnvironment { wiring.environment }
  private var timeout: Duration { wiring.configuration.requestTimeout }

  /// Makes a request and waits for its end.
  ///
  /// - Parameters:
  ///   - request: Makes the request when it is about to be sent; nil if that cannot be.
  ///   - admit: Asked in the very step in which the request is handed to the transport: why it may not go.
  /// - Returns: The answer, or why there is none.
  func run(
    _ request: @escaping @Sendable () async -> (@Sendable () -> TransportRequest)?,
    admit: @escaping @Sendable () -> PalbaseError?
  ) async -> Outcome {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        let refused = state.withLock { state -> PalbaseError? in
          // A task is marked cancelled before its handler runs: either this sees the mark or `end` finds the request.
          if Task.isCancelled { return Self.cancelled }
          if state.isClosed { return .closed }
          state.open[number] = Open(waiter: waiter)
          return nil
        }
        if let refused { waiter.resume(returning: .failure(refused)) } else { start(number, request, admit) }
      }
    } onCancel: {
      end(number, .failure(Self.cancelled))
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
      request.waiter.resume(returning: .failure(.closed))
    }
  }

  private static var cancelled: PalbaseError { .transport(message: "the call was cancelled") }

  private func start(
    _ number: UInt64, _ request: @escaping @Sendable () async -> (@Sendable () -> TransportRequest)?,
    _ admit: @escaping @Sendable () -> PalbaseError?
  ) {
    let deadline = environment.clock.now.advanced(by: timeout)
    let requestTask = environment.spawner.spawn { [self] in
      end(number, await exchange(number, request, admit))
    }
    let deadlineTask = environment.spawner.spawn { [self, clock = environment.clock] in
      guard (try? await clock.sleep(until: deadline)) != nil else { return }
      end(number, .failure(.transport(message: "no answer within \(timeout)")))
    }
    let isOver = state.withLock { state in
      state.open[number]?.tasks = [requestTask, deadlineTask]
      return state.open[number] == nil
    }
    if isOver { for task in [requestTask, deadlineTask] { task.cancel() } }
  }

  private func exchange(
    _ number: UInt64, _ request: @Sendable () async -> (@Sendable () -> TransportRequest)?,
    _ admit: @Sendable () -> PalbaseError?
  ) async -> Outcome {
    guard let request = await request() else { return .failure(Self.cancelled) }
    // Ended while the install's identity was loaded: nobody waits, so nothing is sent.
    guard isOpen(number), !Task.isCancelled else { return .failure(Self.cancelled) }
    if let refusal = admit() { return .failure(refusal) }
    do {
      return .success(try await environment.transport.send(request()))
    } catch {
      return .failure(.transport(message: "no answer: \(error)"))
    }
  }

  private func isOpen(_ number: UInt64) -> Bool { state.withLock { $0.open[number] != nil } }

  private func end(_ number: UInt64, _ outcome: Outcome) {
    guard let open = state.withLock({ $0.open.removeValue(forKey: number) }) else { return }
    for task in open.tasks { task.cancel() }
    open.waiter.resume(returning: outcome)
  }
}
