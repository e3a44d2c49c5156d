import ScenarioFormat

/// Runs scenarios.
public enum ScenarioRunner {
  /// Runs a scenario on the clock it names.
  ///
  /// Blocks the calling thread until the run has ended and come to rest. Writes nothing.
  /// - Parameters:
  ///   - scenario: What to run.
  ///   - options: How.
  /// - Returns: Everything that the run gave, also when it was interrupted or ended early.
  public static func run(_ scenario: Scenario, options: RunOptions = RunOptions()) -> RunReport {
    switch scenario.clock {
    case .virtual: VirtualRun.run(scenario, options: options)
    case .wall: WallRun.run(scenario, options: options)
    }
  }
}
