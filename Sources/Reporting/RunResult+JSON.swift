import Metrics

extension RunResult {
  /// Returns the text of `result.json`: the fields of DESIGN §5 in a fixed order, described by ``resultSchema``.
  ///
  /// Equal results have equal texts. What is absent is null.
  /// - Complexity: O(n) in the size of the result.
  /// - Returns: The text, ending in a line break.
  public func jsonText() -> String { json.fileText() }

  private var json: JSONValue {
    .object([
      .init("schemaVersion", .integer(Int64(schemaVersion))),
      .init("tool", tool.json),
      .init("scenario", scenario.json),
      .init("endReason", .string(endReason.rawValue)),
      .init("digest", .string(digest)),
      .init("window", window.json),
      .init("simulated_ns", .integer(simulatedNanoseconds)),
      .init("steps", .integer(steps.map { Int64(clamping: $0) })),
      .init("machine", machine.json),
      .init("metrics", .array(metrics.map(\.json))),
      .init("series", .object(series.map { .init($0.metric.name, $0.json) })),
      .init("invariants", .array(invariants.map(\.json))),
      .init("thresholds", .array(thresholds.map(\.json))),
      .init("notExercised", .strings(notExercised)),
      .init("verdicts", .array(verdicts.map(\.json))),
      .init("exitCode", .integer(Int64(exitCode.rawValue))),
    ])
  }
}

extension RunResult.Tool {
  var json: JSONValue { .object([.init("version", .string(version)), .init("build", .string(build))]) }
}

extension RunResult.ScenarioIdentity {
  fileprivate var json: JSONValue {
    .object([
      .init("name", .string(name)),
      .init("hash", .string(hash)),
      .init("seed", .integer(Int64(clamping: seed))),
      .init("clock", .string(clock.rawValue)),
      .init("overrides", .strings(overrides)),
    ])
  }
}

extension RunResult.Window {
  fileprivate var json: JSONValue {
    .object([
      .init("warmup_ns", .integer(warmupNanoseconds)),
      .init("measured_ns", .integer(measuredNanoseconds)),
      .init("drain_ns", .integer(drainNanoseconds)),
    ])
  }
}

extension Machine {
  fileprivate var json: JSONValue {
    .object([
      .init("wall_ns", .integer(wallNanoseconds)),
      .init(
        "environment",
        .object([
          .init("os", .string(environment.os)),
          .init("cpu", .string(environment.cpu)),
          .init("cores", .integer(Int64(environment.cores))),
          .init("swift", .string(environment.swift)),
          .init("allocator", .string(environment.allocator)),
        ])
      ),
      .init("resident_bytes", .integer(residentBytes)),
      .init("bytes_per_reader", .integer(bytesPerReader)),
    ])
  }
}

extension MetricRow {
  fileprivate var json: JSONValue {
    .object([
      .init("name", .string(name)),
      .init("tags", .object(tags.pairs.map { .init($0.name, .string($0.value)) })),
      .init("type", .string(kind.rawValue)),
      .init("unit", .string(unit.rawValue)),
      .init("count", .integer(count)),
      .init("rate", .number(rate)),
      .init("value", .number(value)),
      .init("min", .integer(min)),
      .init("avg", .number(avg)),
      .init("med", .integer(med)),
      .init("p90", .integer(p90)),
      .init("p95", .integer(p95)),
      .init("p99", .integer(p99)),
      .init("max", .integer(max)),
      .init("invalid", .integer(invalid)),
    ])
  }
}

extension MetricSeries {
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("bucket_ns", .integer(bucketNanoseconds)),
      .init("count", .array(points.map { .integer($0.count) })),
    ]
    switch metric.kind {
    case .counter, .gauge: break
    case .rate: members.append(.init("rate", .array(points.map { .number(mean(of: $0)) })))
    case .trend:
      members.append(.init("avg", .array(points.map { .number(mean(of: $0)) })))
      members.append(.init("max", .array(points.map { .integer($0.count == 0 ? nil : $0.max) })))
    }
    return .object(members)
  }

  private func mean(of point: Point) -> Double? {
    point.count == 0 ? nil : Double(point.sum) / Double(point.count)
  }
}

extension InvariantResult {
  fileprivate var json: JSONValue {
    .object([
      .init("id", .string(id)),
      .init("status", .string(status.rawValue)),
      .init("checks", .integer(checks)),
      .init("firstViolation", firstViolation.map { .object($0.members) } ?? .null),
    ])
  }
}

extension InvariantResult.Violation {
  var members: [JSONValue.Member] {
    [
      .init("time_ns", .integer(nanoseconds)),
      .init("step", .integer(step.map { Int64(clamping: $0) })),
      .init("reader", .integer(reader.map { Int64($0) })),
      .init("instance", .integer(instance.map { Int64($0) })),
      .init("message", .string(message)),
      .init("replay", .string(replay)),
    ]
  }
}

extension ThresholdResult {
  fileprivate var json: JSONValue {
    .object([
      .init("metric", .string(metric)),
      .init("expression", .string(expression)),
      .init("observed", .number(observed)),
      .init("limit", .number(limit)),
      .init("status", .string(status.rawValue)),
      .init("samples", .integer(samples)),
    ])
  }
}

extension Verdict {
  fileprivate var json: JSONValue {
    .object([
      .init("kind", .string(kind.rawValue)),
      .init("id", .string(id)),
      .init("status", .string(status.rawValue)),
      .init("exitCode", .integer(Int64(exitCode.rawValue))),
    ])
  }
}
