import Metrics

// Latencies: a duration, or an object whose keys say which of the three other forms it is.

extension ScenarioDecoder {
  /// Returns a latency.
  mutating func latency(_ key: String, in object: ObjectReader) -> Latency? {
    object.value(key).flatMap { latency($0) }
  }

  /// Returns a latency.
  mutating func latency(_ value: LocatedValue) -> Latency? {
    switch value.json.content {
    case .object(let members): return latency(of: members, in: value)
    case .string, .number: return duration(value).map { .fixed($0) }
    case .null, .bool, .array:
      log.report("expected a latency, found \(value.json.kindName)", at: value, suggestion: Self.latencyForms)
      return nil
    }
  }

  private static let latencyForms =
    "write \"80ms\", {\"min\", \"max\"}, {\"median\", \"p99\"} or {\"boundary\": true}"

  private mutating func latency(of members: [JSONMember], in value: LocatedValue) -> Latency? {
    // The form is the one most of whose keys are there: a half-written one then hears what it lacks.
    let forms = FieldTable.latencies.map { table in
      (table: table, hits: members.count { table.field($0.key) != nil })
    }
    guard let best = forms.max(by: { $0.hits < $1.hits }), best.hits > 0 else {
      let known = FieldTable.latencies.flatMap { $0.fields.map(\.key) }
      let mistyped = members.lazy.compactMap { Spelling.nearest(to: $0.key, among: known) }.first
      log.report(
        "none of the four forms of a latency",
        at: value,
        suggestion: mistyped.map { "did you mean \"\($0)\"?" } ?? Self.latencyForms
      )
      return nil
    }
    guard let object = open(value, as: best.table, foreign: FieldTable.latencyOwners[nil]) else { return nil }
    switch best.table.fields[0].key {
    case "min": return uniform(object)
    case "median": return lognormal(object)
    default: return boundary(object)
    }
  }

  private mutating func uniform(_ object: ObjectReader) -> Latency? {
    let (min, max) = (duration("min", in: object), duration("max", in: object))
    guard let min, let max else { return nil }
    guard min <= max else {
      log.report(
        "\"min\" is longer than \"max\": \(DurationText.text(of: min)) > \(DurationText.text(of: max))",
        at: object.object,
        suggestion: "swap them"
      )
      return nil
    }
    return .uniform(min: min, max: max)
  }

  private mutating func lognormal(_ object: ObjectReader) -> Latency? {
    let (median, p99) = (duration("median", in: object), duration("p99", in: object))
    guard let median, let p99 else { return nil }
    guard median > .zero else {
      log.report(
        "the median of a lognormal latency is zero",
        at: object.object,
        suggestion: "write \"0ms\" alone"
      )
      return nil
    }
    guard median <= p99 else {
      log.report(
        "\"median\" is longer than \"p99\": \(DurationText.text(of: median)) > \(DurationText.text(of: p99))",
        at: object.object,
        suggestion: "swap them"
      )
      return nil
    }
    return .lognormal(median: median, p99: p99)
  }

  private mutating func boundary(_ object: ObjectReader) -> Latency? {
    guard let flag = boolean("boundary", in: object) else { return nil }
    guard flag else {
      log.report("\"boundary\" can only be true", at: object.object, suggestion: Self.latencyForms)
      return nil
    }
    return .boundary
  }
}
