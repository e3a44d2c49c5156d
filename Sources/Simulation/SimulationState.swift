/// What a `Simulator` keeps besides its scheduler: whether to stop, and the spawned tasks that have not ended.
///
/// `@unchecked Sendable`: only the thread that runs the simulation touches it, as with `Scheduler`.
final class SimulationState: @unchecked Sendable {
  var hasRun = false
  var isStopped = false
  private var live: [Int: Task<Void, Never>?] = [:]
  private var nextNumber = 0

  var liveCount: Int { live.count }

  func begin() -> Int {
    nextNumber += 1
    live[nextNumber] = .some(nil)
    return nextNumber
  }

  func keep(_ task: Task<Void, Never>, _ number: Int) {
    if live[number] != nil { live[number] = task }
  }

  func end(_ number: Int) { live[number] = nil }

  /// Cancels in the order of spawning, so that the steps that follow are the same in every process.
  func cancelAll() {
    for number in live.keys.sorted() { live[number]??.cancel() }
  }
}

/// Carries the closure's value from the root task to the caller of `run`, on one thread.
final class ResultBox<Value>: @unchecked Sendable {
  private(set) var value: Value?
  private(set) var isFilled = false

  func fill(_ value: Value) {
    self.value = value
    isFilled = true
  }
}
