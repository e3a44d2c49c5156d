import ScenarioFormat

/// When the iterations of an open model begin, in nanoseconds from the group's start, in order.
///
/// With a constant rate the k-th of them (from 0) begins k spacings after the start. With a changing one the planned
/// number is the area below the line of rates; the k-th begins when that area reaches k + 1, so a ramp from zero begins
/// with its first whole iteration.
struct ArrivalPlan: Sequence, IteratorProtocol, Sendable {
  private enum Shape: Sendable {
    case constant(rate: Int64, unit: Int64, duration: Int64)
    case ramp([Piece])
  }

  /// One straight piece of the line of rates.
  private struct Piece: Sendable {
    /// When it begins and how long it takes, in nanoseconds.
    let start: Int64
    let length: Int64
    /// Iterations in each nanosecond at its ends.
    let from: Double
    let to: Double
    /// The area below the line up to its beginning.
    let before: Double

    /// The area below the whole piece.
    var area: Double { (from + to) / 2 * Double(length) }

    /// When the area below the line reaches a number that it reaches within this piece.
    func time(reaching number: Double) -> Int64 {
      let wanted = number - before
      let slope = (to - from) / Double(length)
      // The positive root of from·t + slope·t²/2 = wanted, in the form that loses no digits where slope is small.
      let root = Swift.max(0, from * from + 2 * slope * wanted).squareRoot()
      let elapsed = from + root > 0 ? 2 * wanted / (from + root) : Double(length)
      return start + Swift.min(length, Int64(elapsed.rounded()))
    }
  }

  private let shape: Shape
  private var count: Int64 = 0
  private var piece = 0

  /// The plan of a constant rate: `rate` iterations in every `unit`, until `duration`.
  init(rate: Int, unit: Duration, duration: Duration) {
    shape = .constant(rate: Int64(rate), unit: unit.nanoseconds, duration: duration.nanoseconds)
  }

  /// The plan of a rate that goes from `startRate` through the targets of the stages.
  init(startRate: Int, unit: Duration, stages: [RampStage]) {
    var pieces: [Piece] = []
    var start: Int64 = 0
    var rate = Double(startRate) / Double(unit.nanoseconds)
    var before = 0.0
    for stage in stages {
      let target = Double(stage.target) / Double(unit.nanoseconds)
      let length = stage.duration.nanoseconds
      if length > 0 {
        pieces.append(Piece(start: start, length: length, from: rate, to: target, before: before))
        before += pieces[pieces.count - 1].area
        start += length
      }
      rate = target
    }
    shape = .ramp(pieces)
  }

  /// The next beginning; nil when there is none before the end.
  ///
  /// - Complexity: O(1), amortised over the pieces of a ramp.
  mutating func next() -> Int64? {
    switch shape {
    case .constant(let rate, let unit, let duration):
      let (high, low) = count.multipliedFullWidth(by: unit)
      let time = rate.dividingFullWidth((high, low)).quotient
      guard time < duration else { return nil }
      count += 1
      return time
    case .ramp(let pieces):
      let wanted = Double(count + 1)
      while piece < pieces.count, pieces[piece].before + pieces[piece].area < wanted { piece += 1 }
      guard piece < pieces.count else { return nil }
      count += 1
      return pieces[piece].time(reaching: wanted)
    }
  }
}
