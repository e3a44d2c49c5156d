import ClientCore
import Simulation

/// The clients of one play of a story, in virtual time, with everything they reach in the story's hands.
public protocol VirtualStage: AnyObject, Sendable {
  /// Runs the play.
  var simulator: Simulator { get }

  /// What of the clients is still there, in words; nothing once they are closed.
  var leftovers: [String] { get }

  /// Closes the clients, whatever the story was about.
  func close() async
}

extension VirtualStage {
  /// Lets everything happen that can happen at this instant.
  public func idle() async { await simulator.idle() }

  /// Lets time pass, and everything happen that happens until then.
  ///
  /// - Parameter duration: How long.
  /// - Throws: `CancellationError` if the story's task was cancelled.
  public func pass(_ duration: Duration) async throws {
    await idle()
    try await simulator.clock.sleep(for: duration)
    await idle()
  }

  /// The time since the beginning of the play.
  public var now: Duration { .nanoseconds(simulator.clock.now.nanoseconds) }

  /// Starts a call in a task of its own.
  ///
  /// - Parameter body: The call.
  /// - Returns: What comes of it.
  @discardableResult
  public func ask<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> Asked<Value> {
    let call = Asked<Value>()
    call.start(on: simulator, body)
    return call
  }
}

/// What went wrong in a play.
public struct Complaint: Sendable, CustomStringConvertible {
  /// The seed of the play.
  public let seed: UInt64
  /// What the story threw; nil if it is something else.
  public let thrown: (any Error)?
  /// The complaint in words.
  public let words: String

  /// The seed and the words.
  public var description: String { "seed \(seed): \(words)" }
}

/// Plays a story in virtual time: with seed 0 in the order of events, with others shuffled.
///
/// At the end of each play the clients are closed and must have left nothing behind (BEHAVIOUR rule 1.9).
/// - Parameters:
///   - seeds: One play for each.
///   - make: Sets the stage.
///   - story: The story.
/// - Returns: What went wrong, in order; nothing if all went well.
public func plays<Stage: VirtualStage>(
  _ seeds: Range<UInt64>, on make: (Simulator, UInt64) -> Stage,
  _ story: @escaping @Sendable (Stage) async throws -> Void
) -> [Complaint] {
  var complaints: [Complaint] = []
  for seed in seeds {
    let simulator = Simulator(seed: seed, strategy: seed == 0 ? .fifo : .random)
    let stage = make(simulator, seed)
    let told = Asked<Void>()
    let outcome = simulator.run(stepLimit: 1_000_000) {
      await told.record { try await story(stage) }
      await stage.close()
      await stage.idle()
    }
    func complain(_ words: String, if isWrong: Bool, thrown: (any Error)? = nil) {
      if isWrong { complaints.append(Complaint(seed: seed, thrown: thrown, words: words)) }
    }
    complain(
      "the story threw \(String(describing: told.thrown))", if: told.thrown != nil, thrown: told.thrown)
    complain("the story did not end", if: outcome.end != .finished)
    complain("tasks are left", if: outcome.unfinishedTasks != 0)
    complain("timers are left", if: outcome.armedTimers != 0)
    complain("work left the simulation", if: outcome.escapes != 0)
    for left in stage.leftovers { complain("left behind: \(left)", if: true) }
  }
  return complaints
}
