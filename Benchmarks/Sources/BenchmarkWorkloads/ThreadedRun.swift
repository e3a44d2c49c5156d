import Foundation
import Synchronization

/// The same work on several threads of the system at once, from one starting shot on.
public enum ThreadedRun {
  private final class Board: Sendable {
    let ready = Atomic<Int>(0)
    let isStarted = Atomic<Bool>(false)
    let results = Mutex<[(span: Range<ContinuousClock.Instant>, value: Int)]>([])
  }

  /// Runs work and waits for its end; blocks the calling thread.
  ///
  /// - Parameters:
  ///   - threads: How many threads.
  ///   - warmUp: Runs on each thread before the start.
  ///   - work: Runs on each thread; given the number of the thread, from 0.
  /// - Returns: The time from the first thread's start to the last one's end, and the sum of what the threads gave.
  public static func run(
    threads: Int, warmUp: @escaping @Sendable () -> Void = {}, _ work: @escaping @Sendable (Int) -> Int
  ) -> (wall: Duration, sum: Int) {
    let (board, done, clock) = (Board(), DispatchSemaphore(value: 0), ContinuousClock())
    for number in 0..<threads {
      Thread.detachNewThread {
        warmUp()
        board.ready.add(1, ordering: .releasing)
        while !board.isStarted.load(ordering: .acquiring) {}
        let start = clock.now
        let value = work(number)
        let end = clock.now
        board.results.withLock { $0.append((start..<end, value)) }
        done.signal()
      }
    }
    while board.ready.load(ordering: .acquiring) < threads { Thread.sleep(forTimeInterval: 0.0002) }
    board.isStarted.store(true, ordering: .releasing)
    for _ in 0..<threads { done.wait() }
    let results = board.results.withLock { $0 }
    guard let start = results.map(\.span.lowerBound).min(), let end = results.map(\.span.upperBound).max()
    else { return (.zero, 0) }
    return (start.duration(to: end), results.reduce(0) { $0 + $1.value })
  }
}
