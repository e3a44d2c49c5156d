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

extension MetricRow {
  /// The one figure that a row is about, as people read it.
  var valueText: String {
    switch kind {
    case .counter, .trend: Figures.whole(count ?? 0)
    case .gauge: value.map(unit.text(of:)) ?? "–"
    case .rate: rate.map(Figures.percent) ?? "–"
    }
  }
}

/// How a run came out, for people.
struct Outcome {
  /// How it is to be taken.
  enum Tone {
    case good
    case warning
    case bad
  }

  let sign: String
  let words: String
  let tone: Tone
}

extension RunResult {
  /// How the run came out.
  var outcome: Outcome {
    switch exitCode {
    case .passed: Outcome(sign: "✓", words: "passed", tone: .good)
    case .internalError: Outcome(sign: "✗", words: "internal error", tone: .bad)
    case .threshold: Outcome(sign: "✗", words: "threshold failed", tone: .bad)
    case .violation: Outcome(sign: "✗", words: "invariant violated", tone: .bad)
    case .noBaseline: Outcome(sign: "✗", words: "no baseline", tone: .bad)
    case .inconclusive: Outcome(sign: "○", words: "inconclusive", tone: .warning)
    case .usage: Outcome(sign: "✗", words: "invalid", tone: .bad)
    case .interrupted, .terminated: Outcome(sign: "○", words: "interrupted", tone: .warning)
    }
  }
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
