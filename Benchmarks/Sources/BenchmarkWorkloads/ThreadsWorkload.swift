import ClientCore
import Foundation
import Palbase
import PalbaseFlags
import Synchronization

/// The test of threads: two of them read while refreshes apply, one new version after the other.
///
/// Every version has a flag that is always on, and two more that carry the version. A read is wrong if the flag is off, if
/// a version is older than the one that the thread has read before, or if `all` shows two versions at once. Real
/// threads, the real pool; only project and disk are in process.
public struct ThreadsWorkload: Sendable {
  /// What a run gave.
  public struct Outcome: Sendable, Equatable {
    /// Reads of all threads.
    public var reads = 0
    /// Those of them that gave something that was never published so.
    public var wrong = 0
    /// How often the record was seen to have moved between two reads of one thread.
    public var moves = 0
    /// Refreshes that have applied a version of their own.
    public var refreshes = 0
  }

  private let refreshes: Int
  private let leastReads: Int

  /// Creates a workload.
  ///
  /// - Parameters:
  ///   - refreshes: How many versions are published and fetched, one after the other.
  ///   - leastReads: How many reads each of the two threads makes at least; they also go on until the last refresh is done.
  public init(refreshes: Int, leastReads: Int) {
    self.refreshes = refreshes
    self.leastReads = leastReads
  }

  private final class Tally: Sendable {
    let isOver = Atomic<Bool>(false)
    let reads = Atomic<Int>(0)
    let wrong = Atomic<Int>(0)
    let moves = Atomic<Int>(0)
    let running = Atomic<Int>(0)
  }

  /// Runs the workload with a client of its own.
  ///
  /// The refreshes are spread over the reads: each waits until its share of the reads is made.
  /// - Returns: What the run gave.
  /// - Throws: `PalbaseError` if a refresh fails.
  public func run() async throws -> Outcome {
    let feed = FlagsFeed { version in
      let others = (0..<97).map { ("flag_\($0)", "\((Int64($0) + version) % 2 == 0)") }
      return others + [("always_on", "true"), ("left", "\(version)"), ("right", "\(version)")]
    }
    let client = PalbaseClient(
      BenchmarkProject.configuration, signedInAs: BenchmarkProject.user,
      environment: BenchmarkProject.environment(feed))
    let flags = client.flags
    try await flags.refresh()

    let (tally, threads) = (Tally(), 2)
    tally.running.store(threads, ordering: .releasing)
    let leastReads = leastReads
    for _ in 0..<threads {
      Thread.detachNewThread {
        Self.read(flags, atLeast: leastReads, tally)
        tally.running.subtract(1, ordering: .acquiringAndReleasing)
      }
    }
    var outcome = Outcome()
    for refresh in 0..<refreshes {
      let share = threads * leastReads * refresh / refreshes
      while tally.reads.load(ordering: .acquiring) < share { await Task.yield() }
      let version = flags.status.version ?? 0
      feed.publish()
      try await flags.refresh()
      if flags.status.version == version + 1 { outcome.refreshes += 1 }
    }
    tally.isOver.store(true, ordering: .releasing)
    while tally.running.load(ordering: .acquiring) > 0 { await Task.yield() }
    await client.close()
    outcome.reads = tally.reads.load(ordering: .acquiring)
    outcome.wrong = tally.wrong.load(ordering: .acquiring)
    outcome.moves = tally.moves.load(ordering: .acquiring)
    return outcome
  }

  private static func read(_ flags: FlagsClient, atLeast least: Int, _ tally: Tally) {
    var (reads, newest) = (0, 0)
    while reads < least || !tally.isOver.load(ordering: .acquiring) {
      var wrong = 0
      for _ in 0..<250 {
        if !flags.bool("always_on", default: false) { wrong += 1 }
      }
      let version = flags.int("left", default: -1)
      if version < newest { wrong += 1 }
      let all = flags.all
      if all["left"] == nil || all["left"] != all["right"] { wrong += 1 }
      if version > newest { tally.moves.add(1, ordering: .relaxed) }
      newest = max(newest, version)
      reads += 252
      tally.wrong.add(wrong, ordering: .relaxed)
      tally.reads.add(252, ordering: .releasing)
    }
  }
}
