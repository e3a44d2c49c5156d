import Simulation
import Synchronization

/// The engine's benchmark: many tasks that only sleep, so that nothing but scheduler, clock and record is measured.
///
/// `simpy_engine.py` runs the very same sleeps in SimPy. An event is one sleep.
public struct EngineWorkload: Sendable {
  /// How many tasks sleep side by side.
  public let tasks: Int
  /// How often each of them sleeps.
  public let sleeps: Int

  /// Creates a workload.
  ///
  /// - Parameters:
  ///   - tasks: How many tasks sleep side by side.
  ///   - sleeps: How often each of them sleeps.
  public init(tasks: Int, sleeps: Int) {
    self.tasks = tasks
    self.sleeps = sleeps
  }

  /// What a run gave.
  public struct Outcome: Sendable, Equatable {
    /// Sleeps that ended.
    public let events: Int
    /// The virtual time of the last one, in nanoseconds.
    public let endNanoseconds: Int64
    /// The digest of the run, 16 hexadecimal digits.
    public let digest: String
    /// Scheduler steps.
    public let steps: UInt64
  }

  /// Returns the length of one sleep in nanoseconds: from 1 µs to 1 ms, and different for neighbours.
  ///
  /// - Parameters:
  ///   - task: The number of the task, from 0.
  ///   - sleep: The number of its sleep, from 0.
  /// - Returns: Nanoseconds.
  public static func nanoseconds(task: Int, sleep: Int) -> Int {
    1000 + (task * 7919 + sleep * 104_729) % 1_000_000
  }

  /// Runs the workload in a simulator of its own, the digest on as it always is.
  ///
  /// - Complexity: O(n log t) in the number of sleeps n and tasks t.
  /// - Parameter strategy: How the next task is picked. What SimPy does is `fifo`.
  /// - Returns: What the run gave.
  public func run(strategy: Strategy = .fifo) -> Outcome {
    let simulator = Simulator(seed: 1, strategy: strategy)
    let (clock, finished) = (simulator.clock, Tally())
    let (tasks, sleeps) = (tasks, sleeps)
    let outcome = simulator.run {
      // A tree: one group of 100,000 children would be quadratic (DESIGN §3).
      await withDiscardingTaskGroup { branches in
        for first in stride(from: 0, to: tasks, by: EngineWorkload.branchSize) {
          let members = first..<min(first + EngineWorkload.branchSize, tasks)
          branches.addTask { await EngineWorkload.branch(members, sleeps, clock, finished) }
        }
      }
    }
    let simulated = outcome.simulated.components
    return Outcome(
      events: finished.sleeps.load(ordering: .relaxed),
      endNanoseconds: simulated.seconds * 1_000_000_000 + simulated.attoseconds / 1_000_000_000,
      digest: outcome.digest.hexadecimal, steps: outcome.steps)
  }

  private static let branchSize = 128

  /// Counts the sleeps of tasks that did all of theirs.
  private final class Tally: Sendable {
    let sleeps = Atomic<Int>(0)
  }

  private static func branch(_ tasks: Range<Int>, _ sleeps: Int, _ clock: VirtualClock, _ finished: Tally)
    async
  {
    await withDiscardingTaskGroup { group in
      for task in tasks {
        group.addTask {
          for sleep in 0..<sleeps {
            let duration = Duration.nanoseconds(nanoseconds(task: task, sleep: sleep))
            guard (try? await clock.sleep(for: duration)) != nil else { return }
          }
          finished.sleeps.add(sleeps, ordering: .relaxed)
        }
      }
    }
  }
}
