/// Starts tasks on the cooperative pool.
public struct LiveSpawner: Spawner {
  /// Creates a spawner.
  public init() {}

  /// Starts an unstructured task.
  ///
  /// - Parameter operation: What the task does.
  /// - Returns: The handle to cancel it by.
  public func spawn(_ operation: @escaping @Sendable () async -> Void) -> SpawnedTask {
    let task = Task { await operation() }
    return SpawnedTask { task.cancel() }
  }
}
