import Reporting
import Scenarios
import Synchronization

// One line on the terminal that tells how far a run is. It appears only once a run has taken a second, since most are
// over by then, and it is gone before anything else is written.

/// The progress line of one run.
final class ProgressDisplay: Sendable {
  /// How long a run must have taken before the line appears.
  static let delayNanoseconds: Int64 = 1_000_000_000

  private struct State {
    var isDrawn = false
    /// Nothing is drawn any more: on many threads a last word may come after the end.
    var isOver = false
  }

  private let console: Console
  private let columns: Int
  private let label: String
  private let now: @Sendable () -> Int64
  private let start: Int64
  private let state = Mutex(State())

  /// Creates the line of a run that starts now.
  init(console: Console, columns: Int, label: String, now: @escaping @Sendable () -> Int64) {
    self.console = console
    self.columns = columns
    self.label = label
    self.now = now
    self.start = now()
  }

  /// Draws how far the run is, if it has taken long enough.
  func show(_ progress: RunProgress) {
    let elapsed = now() - start
    guard elapsed >= Self.delayNanoseconds else { return }
    let line = ProgressLine(
      elapsedNanoseconds: elapsed,
      fraction: progress.fraction,
      stepsPerSecond: progress.steps == 0 ? nil : Double(progress.steps) / (Double(elapsed) / 1e9),
      requests: progress.requests,
      violations: Int64(progress.violations)
    )
    // A line as wide as the terminal would move the cursor to the next one.
    let room = columns - 1
    let prefix = "\(label) · "
    let text =
      prefix.count + 20 <= room
      ? prefix + line.text(columns: room - prefix.count) : line.text(columns: room)
    state.withLock { state in
      guard !state.isOver else { return }
      state.isDrawn = true
      console.tell("\r\(text)\u{1B}[K")
    }
  }

  /// Takes the line away, if there is one, for good.
  func erase() {
    state.withLock { state in
      if state.isDrawn { console.tell("\r\u{1B}[K") }
      state.isDrawn = false
      state.isOver = true
    }
  }
}
