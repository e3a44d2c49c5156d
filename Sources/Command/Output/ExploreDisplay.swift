/// The progress line of an exploration, on the terminal and gone before anything else is written.
final class ExploreDisplay {
  private let console: Console
  private let columns: Int
  private let label: String
  private let now: () -> Int64
  private let start: Int64
  private var lastDrawn: Int64
  private var isDrawn = false

  /// Creates the line of an exploration that starts now.
  init(console: Console, columns: Int, label: String, now: @escaping () -> Int64) {
    self.console = console
    self.columns = columns
    self.label = label
    self.now = now
    start = now()
    lastDrawn = start
  }

  /// Draws how far the exploration is, at most four times a second and not before it has taken one.
  func show(_ exploration: Exploration, of seeds: UInt64) {
    let time = now()
    guard time - start >= ProgressDisplay.delayNanoseconds, time - lastDrawn >= 250_000_000 else { return }
    lastDrawn = time
    isDrawn = true
    let rate = Double(exploration.seedsRun) / (Double(time - start) / 1e9)
    let text =
      "\(label) · \(exploration.seedsRun) of \(seeds) seeds · \(Int(rate)) per second · "
      + "\(exploration.findings.count) found"
    console.tell("\r\(text.prefix(max(0, columns - 1)))\u{1B}[K")
  }

  /// Takes the line away, if there is one.
  func erase() {
    if isDrawn { console.tell("\r\u{1B}[K") }
    isDrawn = false
  }
}
