import ScenarioFormat

/// When each reader of a ramping group is active: a number of readers that changes linearly within each stage.
///
/// Reader k (from 0) is active while the planned number is above k. Times are nanoseconds from the group's start.
struct RampPlan: Sendable {
  /// A stretch in which one reader is active, from its start up to but not including its end.
  struct Stretch: Equatable, Sendable {
    var start: Int64
    var end: Int64
  }

  private struct Point {
    let time: Int64
    let count: Int
  }

  private let points: [Point]

  init(startReaders: Int, stages: [RampStage]) {
    var points = [Point(time: 0, count: startReaders)]
    var time: Int64 = 0
    for stage in stages {
      time += stage.duration.nanoseconds
      points.append(Point(time: time, count: stage.target))
    }
    self.points = points
  }

  /// The end of the last stage.
  var end: Int64 { points.last?.time ?? 0 }

  /// The stretches of reader `index`, in order, none empty.
  ///
  /// - Complexity: O(s) in the number of stages.
  func stretches(of index: Int) -> [Stretch] {
    var result: [Stretch] = []
    var activeSince: Int64? = points.first.flatMap { $0.count > index ? $0.time : nil }
    for (from, to) in zip(points, points.dropFirst()) {
      if let start = activeSince, to.count <= index {
        result.append(Stretch(start: start, end: crossing(from, to, index)))
        activeSince = nil
      } else if activeSince == nil, to.count > index {
        activeSince = crossing(from, to, index)
      }
    }
    if let start = activeSince { result.append(Stretch(start: start, end: end)) }
    return result.filter { $0.start < $0.end }
  }

  /// When the planned number passes `index` between two points: rising, the first time it exceeds it; falling, the
  /// first time it no longer does.
  private func crossing(_ from: Point, _ to: Point, _ index: Int) -> Int64 {
    if from.time == to.time { return to.time }
    // The number rounds down, so reader `index` joins when the line reaches index + 1 and leaves just below it.
    let numerator = Double(index + 1 - from.count) / Double(to.count - from.count)
    return from.time + Int64((Double(to.time - from.time) * min(1, max(0, numerator))).rounded())
  }
}
