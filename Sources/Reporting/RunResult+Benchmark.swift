import Metrics

extension RunResult {
  /// Returns the run's figures as `customSmallerIsBetter` JSON, the form in which benchmark dashboards take them.
  ///
  /// Only what a client should have less of is in it: requests, arrivals, allocations, waiting. Durations are in milliseconds.
  /// - Complexity: O(m) in the number of metrics.
  /// - Returns: An array of entries `{"name", "unit", "value", "extra"}`, ending in a line break.
  public func benchmarkText() -> String {
    let totals = metrics.filter { $0.tags.isEmpty || $0.kind == .gauge }
    var entries: [JSONValue] = []
    func add(_ name: String, _ unit: String, _ value: Double) {
      entries.append(
        .object([
          .init("name", .string("\(scenario.name): \(name)")), .init("unit", .string(unit)),
          .init("value", .number(value)),
          .init("extra", .string("seed \(scenario.seed), \(scenario.clock.name), build \(tool.build)")),
        ]))
    }
    for row in totals where RunResult.countedAsCost.contains(row.name) {
      if let value = row.kind == .gauge ? row.value : row.count.map(Double.init) {
        add(row.name, "count", value)
      }
    }
    for row in totals where row.kind == .trend && row.unit == .nanoseconds {
      for (part, value) in [("med", row.med), ("p95", row.p95), ("p99", row.p99), ("max", row.max)] {
        if let value { add("\(row.name) \(part)", "ms", Double(value) / 1e6) }
      }
    }
    return JSONValue.array(entries).fileText()
  }

  private static let countedAsCost: Set = [
    "requests", "arrivals", "peak_arrivals", "allocations_per_evaluation", "dropped_arrivals",
  ]
}
