import Metrics

// The words that several reports share, so that they all say the same.

extension MetricUnit {
  /// Returns a value of this unit as people read it.
  func text(of value: Double) -> String {
    switch self {
    case .count: Figures.decimal(value)
    case .nanoseconds: Figures.duration(nanoseconds: value)
    case .ratio: Figures.percent(value)
    case .bytes: Figures.bytes(value)
    }
  }

  /// Returns a value of this unit with all its digits.
  fileprivate func exactText(of value: Double) -> String {
    self == .nanoseconds ? Figures.exactDuration(nanoseconds: value) : JSONValue.text(of: value)
  }
}

extension ThresholdResult {
  /// What was observed, as people read it: to the last digit where a rounded number would look like the limit.
  var observedText: String {
    guard let observed else { return "no data" }
    let rounded = unit.text(of: observed)
    return rounded == limitText && observed != limit ? unit.exactText(of: observed) : rounded
  }

  /// The limit, as people read it.
  var limitText: String { unit.text(of: limit) }
}

extension RunResult.Clock {
  /// The clock's name in a sentence.
  var name: String {
    switch self {
    case .virtual: "virtual clock"
    case .wall: "wall clock"
    }
  }

  /// What time of this clock is called.
  var timeName: String {
    switch self {
    case .virtual: "virtual time"
    case .wall: "real time"
    }
  }
}

extension InvariantResult.Violation {
  /// Where it was: time to the nanosecond, step, reader, instance, as far as they are known.
  func place(clock: RunResult.Clock) -> String {
    var parts = ["at \(Figures.exactDuration(nanoseconds: Double(nanoseconds))) of \(clock.timeName)"]
    if let step { parts.append("step \(Figures.whole(step))") }
    if let reader { parts.append("reader \(reader)") }
    if let instance { parts.append("instance \(instance)") }
    return parts.joined(separator: ", ")
  }

  /// Everything that is known, a line each.
  func details(clock: RunResult.Clock) -> String {
    [message, place(clock: clock), replay.map { "to see it again: \($0)" }].compactMap { $0 }
      .joined(separator: "\n")
  }
}
