import ClientCore
import Simulation

/// Starts the client's tasks inside a simulation.
public struct SimulatedSpawner: Spawner {
  private let simulator: Simulator

  /// Creates a spawner.
  ///
  /// - Parameter simulator: Runs the tasks.
  public init(simulator: Simulator) { self.simulator = simulator }

  /// Starts a task of the simulation; cancelling what it returns cancels the task.
  public func spawn(_ operation: @escaping @Sendable () async -> Void) -> SpawnedTask {
    let task = simulator.spawn(operation)
    return SpawnedTask { task.cancel() }
  }
}
