import Metrics
import Scenarios

/// A stretch of a run's time in which something was counted.
struct Moment: Equatable, CustomStringConvertible {
  /// When it begins, in milliseconds.
  let time: Int64
  let count: Int64

  init(_ time: Int64, _ count: Int64 = 1) {
    self.time = time
    self.count = count
  }

  var description: String { "\(count) at \(time) ms" }
}

extension RunReport {
  /// The stretches in which something of a metric was counted, in order.
  ///
  /// They are a millisecond long in runs of less than 600 ms, and get longer with the run.
  func moments(_ metric: Metric) -> [Moment] {
    guard let series = metrics.series().first(where: { $0.metric == metric }) else { return [] }
    return series.points.enumerated().filter { $0.element.count > 0 }.map { place, point in
      Moment(Int64(place) * series.bucketNanoseconds / 1_000_000, point.count)
    }
  }

  /// How many requests ended with a status, of those that a fault struck or of the others.
  func requests(_ status: String, injected: Bool) -> Int64 {
    count(.requests, ["status": status, "injected": injected ? "true" : "false"])
  }
}
