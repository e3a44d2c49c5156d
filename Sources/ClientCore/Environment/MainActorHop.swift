import Synchronization

/// Takes work to the main actor without waiting for it: the only way by which a client gets there.
///
/// Work arrives in the order in which it was handed over, also when it is handed over on the main actor
/// itself: it is never run within the call, so a client may hop while it holds nothing but its own stack.
public protocol MainActorHop: Sendable {
  /// Hands over work for the main actor and returns at once.
  ///
  /// - Parameter work: What to run, once.
  func hop(_ work: @escaping @MainActor @Sendable () -> Void)
}

/// A hop that keeps the work until a test runs it.
public final class ControllableMainActorHop: MainActorHop {
  private let waiting = Mutex<[@MainActor @Sendable () -> Void]>([])

  /// Creates a hop without work.
  public init() {}

  /// How much work waits to be run.
  public var waitingCount: Int { waiting.withLock { $0.count } }

  /// Keeps the work.
  ///
  /// - Parameter work: What `runAll()` runs.
  public func hop(_ work: @escaping @MainActor @Sendable () -> Void) {
    waiting.withLock { $0.append(work) }
  }

  /// Runs the work that waits, in order; what it hands over meanwhile waits for the next call.
  ///
  /// - Returns: How much was run.
  @MainActor
  @discardableResult
  public func runAll() -> Int {
    // Taken out first: work may hop again, and the lock must not be held while foreign code runs.
    let work = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for piece in work { piece() }
    return work.count
  }
}

/// A hop that must not be used.
public struct UnimplementedMainActorHop: MainActorHop {
  private let onUse: @Sendable (UnimplementedUse) -> Void

  /// Creates a hop that reports each use.
  ///
  /// - Parameter onUse: Called once for each use; by default the process ends with a message.
  public init(onUse: @escaping @Sendable (UnimplementedUse) -> Void = UnimplementedUse.trap) {
    self.onUse = onUse
  }

  /// Reports the use and drops the work.
  ///
  /// - Parameter work: What is not run.
  public func hop(_ work: @escaping @MainActor @Sendable () -> Void) {
    onUse(UnimplementedUse(effect: "MainActorHop", operation: "hop(_:)"))
  }
}
