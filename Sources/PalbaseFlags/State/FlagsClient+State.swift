import Palbase

extension FlagsClient {
  /// The flags for views, on the main actor.
  ///
  /// The same object for as long as the client is open; it costs nothing until it is first asked for. Configure the client
  /// before: a state of a client without a configuration gives defaults, and is not told of changes.
  @MainActor public var state: FlagsState {
    FlagsStore.of(number)?.observedState() ?? FlagsState(self)
  }

  /// What is held and how current it is.
  ///
  /// - Complexity: O(1).
  public var status: FlagsStatus { FlagsStore.of(number)?.status ?? FlagsStatus() }

  /// The debug console, if it is open for this reader.
  ///
  /// The flag `palbase.debug_console`, true as the user's own value, opens it; from any other source it does not (seed).
  /// - Complexity: O(n log n) in the number of flags while it is open, else O(1).
  public var debugConsole: FlagsDebugConsole? {
    guard let store = FlagsStore.of(number) else { return nil }
    return ThreadCopies.read(number) { $0.opensConsole ? $0 : nil }
      .map { FlagsDebugConsole(record: $0, status: store.status) }
  }
}

extension FlagsStore {
  /// The observable state, made when it is first asked for.
  @MainActor func observedState() -> FlagsState {
    if let observed = keptState { return observed }
    // Made outside the lock, and on the main actor only, so that no two are made.
    let made = FlagsState(FlagsClient(number: number))
    keep(made)
    return made
  }

  private var keptState: FlagsState? { state.withLock { $0.observed } }

  private func keep(_ made: FlagsState) {
    state.withLock { if $0.machine.phase != .closed { $0.observed = made } }
  }

  /// What is held and how current it is.
  var status: FlagsStatus {
    let now = core.environment.clock.now
    let isPresent = core.epoch
    return state.withLock { state in
      let machine = state.machine
      var status = FlagsStatus()
      if machine.record.epoch == isPresent {
        status.version = machine.record.version
        status.flagCount = machine.record.values.count
        status.opensConsole = machine.record.opensConsole
        status.sinceLastSync = machine.lastSuccess.map { last in
          .nanoseconds(now.nanoseconds - last.nanoseconds)
        }
      }
      status.isFetching = machine.flight != nil
      status.waitingRefreshes = (machine.flight?.waiters.count ?? 0) + machine.parked.count
      status.isWriting = state.writer.isBusy || state.writer.pending != nil
      status.failedWrites = state.writer.failures
      status.skippedFlags = machine.skippedFlags
      status.discardedRecords = machine.discardedRecords
      return status
    }
  }
}
