import Dispatch

/// The hop to the real main actor.
public struct LiveMainActorHop: MainActorHop {
  /// Creates the hop.
  public init() {}

  /// Puts the work on the main queue, which keeps its order; unstructured tasks promise none.
  ///
  /// - Parameter work: What to run, once. It waits for ever in a process whose main thread serves no main
  ///   queue.
  public func hop(_ work: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated(work) }
  }
}
