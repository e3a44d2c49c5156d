import ClientCore
import Palbase

// What callers of `pb.flags` wait for. A waiter's continuation belongs to its caller alone: cancelling the caller's task
// resumes it at once, whatever the flight does (BEHAVIOUR rule 1.2).

extension FlagsStore {
  /// How a call of `refresh()` or `start()` ended.
  enum Outcome: Sendable {
    case done
    case failed(PalbaseError)
    case cancelled
  }

  /// The module of a client, started if it must be; nil while the client is unconfigured, closed or gone.
  ///
  /// - Parameter number: The client.
  /// - Returns: The module.
  static func of(_ number: UInt64) -> FlagsStore? {
    PalbaseClient.client(number: number)?.module(.flags) { client, core in
      FlagsStore(core, number: client.number)
    }
  }

  /// Waits for current values.
  ///
  /// - Throws: `PalbaseError`; `CancellationError` if the calling task is cancelled.
  func refresh() async throws {
    let now = core.environment.clock.now
    let outcome = await wait { machine, waiter in
      let isJoined = machine.flight != nil
      let actions = machine.refresh(waiter, at: now)
      return (actions, isJoined)
    }
    switch outcome {
    case .done: return
    case .failed(let error): throw error
    case .cancelled: throw CancellationError()
    }
  }

  /// Waits until the record of the device has been read, or nothing can come of it any more.
  func waitForDevice() async {
    _ = await wait { machine, waiter in (machine.wait(waiter), false) }
  }

  private func wait(
    _ input: (inout FlagsMachine, WaiterID) -> (actions: [FlagsAction], isJoined: Bool)
  ) async -> Outcome {
    let id = state.withLock { WaiterID(number: $0.machine.makeNumber()) }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        var isCancelled = false
        var hasJoined = false
        step { state in
          // A task is marked cancelled before its handler runs: either this sees the mark or `leave` finds the waiter.
          isCancelled = Task.isCancelled
          if isCancelled { return [] }
          state.waiters[id] = waiter
          let (actions, isJoined) = input(&state.machine, id)
          hasJoined = isJoined
          return actions
        }
        if isCancelled { waiter.resume(returning: .cancelled) }
        if hasJoined { core.environment.observe?(.joinedFlight) }
      }
    } onCancel: {
      leave(id)
    }
  }

  private func leave(_ id: WaiterID) {
    var left: Waiter?
    var abandons = false
    step { state in
      left = state.waiters.removeValue(forKey: id)
      let actions = state.machine.leave(id)
      abandons = !actions.isEmpty
      return actions
    }
    if abandons { core.environment.observe?(.abandonedFlight) }
    left?.resume(returning: .cancelled)
  }

  // MARK: Listeners

  /// Enlists a listener for changed keys.
  func subscribe() -> UInt64 { state.withLock { $0.hub.subscribe() } }

  /// Removes a listener.
  func unsubscribe(_ listener: UInt64) { state.withLock { $0.hub.unsubscribe(listener) }?.resume() }

  /// Waits for changed keys.
  ///
  /// - Parameter listener: Who asks.
  /// - Returns: The keys that have changed since the last call; nil after the close and when the task is cancelled.
  func nextKeys(for listener: UInt64) async -> Set<String>? {
    while !Task.isCancelled {
      switch state.withLock({ $0.hub.take(listener) }) {
      case .keys(let keys): return keys
      case .ended: return nil
      case .nothing: await sleep(listener)
      }
    }
    return nil
  }

  private func sleep(_ listener: UInt64) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: ChangeHub.Waiter) in
        let woken = state.withLock { state in
          Task.isCancelled ? waiter : state.hub.wait(listener, waiter)
        }
        woken?.resume()
      }
    } onCancel: {
      state.withLock { $0.hub.wake(listener) }?.resume()
    }
  }
}
