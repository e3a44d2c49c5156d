/// A task that was started through a `Spawner`.
public struct SpawnedTask: Sendable {
  private let onCancel: @Sendable () -> Void

  /// Creates the handle of a task.
  ///
  /// - Parameter cancel: Cancels the task; may be called at any time and more than once.
  public init(cancel: @escaping @Sendable () -> Void) { onCancel = cancel }

  /// Cancels the task.
  ///
  /// It may go on until it notices.
  public func cancel() { onCancel() }
}

/// Starts the tasks that belong to a client and not to a caller of it.
///
/// A client never writes `Task {}` itself: a task that prefers no executor runs on the global pool, out of reach of a
/// simulator, and one that nobody counts cannot be shown to have ended.
public protocol Spawner: Sendable {
  /// Starts a task.
  ///
  /// - Parameter operation: What the task does. It must end soon after it is cancelled.
  /// - Returns: The handle to cancel it by.
  func spawn(_ operation: @escaping @Sendable () async -> Void) -> SpawnedTask
}

/// A spawner that must not be used: it starts nothing.
public struct UnimplementedSpawner: Spawner {
  private let onUse: @Sendable (UnimplementedUse) -> Void

  /// Creates a spawner that reports each use.
  ///
  /// - Parameter onUse: Told of each use; traps unless replaced.
  public init(onUse: @escaping @Sendable (UnimplementedUse) -> Void = UnimplementedUse.trap) {
    self.onUse = onUse
  }

  /// Reports the use and starts nothing.
  ///
  /// - Parameter operation: Dropped.
  /// - Returns: A handle that cancels nothing.
  public func spawn(_ operation: @escaping @Sendable () async -> Void) -> SpawnedTask {
    onUse(UnimplementedUse(effect: "Spawner", operation: "spawn(_:)"))
    return SpawnedTask {}
  }
}
