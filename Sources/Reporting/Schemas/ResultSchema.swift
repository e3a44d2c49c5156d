import Metrics

extension RunResult {
  /// The JSON Schema (2020-12) of `result.json`.
  ///
  /// Later changes are additive and raise `schemaVersion`. The words of the enumerations are those of the types, so
  /// that the schema cannot fall behind them.
  public static let resultSchema = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Result of one run of simulate",
      "description": "All durations are whole nanoseconds. What is absent is null, never NaN.",
      "type": "object",
      "additionalProperties": false,
      "required": [
        "schemaVersion", "tool", "scenario", "endReason", "digest", "window", "simulated_ns", "steps", "machine",
        "metrics", "series", "invariants", "thresholds", "notExercised", "verdicts", "exitCode"
      ],
      "properties": {
        "schemaVersion": { "const": \(currentSchemaVersion) },
        "tool": {
          "type": "object",
          "additionalProperties": false,
          "required": ["version", "build"],
          "properties": { "version": { "type": "string" }, "build": { "type": "string" } }
        },
        "scenario": {
          "type": "object",
          "additionalProperties": false,
          "required": ["name", "hash", "seed", "clock", "overrides"],
          "properties": {
            "name": { "type": "string", "pattern": "^[a-z0-9-]+$" },
            "hash": {
              "type": "string",
              "pattern": "^[0-9a-f]{16}$",
              "description": "Of the canonical effective scenario without seed and description."
            },
            "seed": { "type": "integer", "minimum": 0, "maximum": 9007199254740991 },
            "clock": { "enum": [\(words(Clock.self))] },
            "overrides": { "type": "array", "items": { "type": "string" } }
          }
        },
        "endReason": { "enum": [\(words(EndReason.self))] },
        "digest": {
          "type": ["string", "null"],
          "pattern": "^[0-9a-f]{16}$",
          "description": "Of everything that happened, independent of report options; null on the wall clock."
        },
        "window": {
          "type": "object",
          "additionalProperties": false,
          "required": ["warmup_ns", "measured_ns", "drain_ns"],
          "properties": {
            "warmup_ns": { "type": "integer", "minimum": 0 },
            "measured_ns": { "type": "integer", "minimum": 0 },
            "drain_ns": { "type": "integer", "minimum": 0 }
          }
        },
        "simulated_ns": { "type": ["integer", "null"], "minimum": 0 },
        "steps": { "type": ["integer", "null"], "minimum": 0 },
        "machine": {
          "type": "object",
          "description": "Everything that may differ between two runs of one seed, and nothing else.",
          "additionalProperties": false,
          "required": ["wall_ns", "environment", "resident_bytes", "bytes_per_reader"],
          "properties": {
            "wall_ns": { "type": "integer", "minimum": 0 },
            "environment": {
              "type": "object",
              "additionalProperties": false,
              "required": ["os", "cpu", "cores", "swift", "allocator"],
              "properties": {
                "os": { "type": "string" },
                "cpu": { "type": "string" },
                "cores": { "type": "integer", "minimum": 1 },
                "swift": { "type": "string" },
                "allocator": { "type": "string" }
              }
            },
            "resident_bytes": { "type": ["integer", "null"], "minimum": 0 },
            "bytes_per_reader": { "type": ["integer", "null"] }
          }
        },
        "metrics": {
          "type": "array",
          "description": "A row for each name and full set of tags, and one without tags as total.",
          "items": { "$ref": "#/$defs/metric" }
        },
        "series": {
          "type": "object",
          "description": "By metric: stretches of bucket_ns from time 0, up to the last with a sample.",
          "additionalProperties": { "$ref": "#/$defs/series" }
        },
        "invariants": { "type": "array", "items": { "$ref": "#/$defs/invariant" } },
        "thresholds": { "type": "array", "items": { "$ref": "#/$defs/threshold" } },
        "notExercised": {
          "type": "array",
          "description": "Faults and timeline entries that met nothing.",
          "items": { "type": "string" }
        },
        "verdicts": { "type": "array", "items": { "$ref": "#/$defs/verdict" } },
        "exitCode": { "$ref": "#/$defs/exitCode" }
      },
      "$defs": {
        "exitCode": { "enum": [\(ExitCode.allCases.map { String($0.rawValue) }.joined(separator: ", "))] },
        "metric": {
          "type": "object",
          "additionalProperties": false,
          "required": [
            "name", "tags", "type", "unit", "count", "rate", "value", "min", "avg", "med", "p90", "p95", "p99", "max",
            "invalid"
          ],
          "properties": {
            "name": { "type": "string", "pattern": "^[a-z][a-z0-9_]*$" },
            "tags": { "type": "object", "additionalProperties": { "type": "string" } },
            "type": { "enum": [\(words(MetricKind.self))] },
            "unit": { "enum": [\(words(MetricUnit.self))], "description": "Of the values." },
            "count": {
              "type": ["integer", "null"],
              "minimum": 0,
              "description": "A counter's value; the number of samples of a trend or a rate."
            },
            "rate": {
              "type": ["number", "null"],
              "minimum": 0,
              "description": "A counter's growth per second of the measured window; a rate's share of hits."
            },
            "value": { "type": ["number", "null"], "description": "A gauge's value." },
            "min": { "type": ["integer", "null"], "minimum": 0 },
            "avg": { "type": ["number", "null"], "minimum": 0 },
            "med": { "type": ["integer", "null"], "minimum": 0 },
            "p90": { "type": ["integer", "null"], "minimum": 0 },
            "p95": { "type": ["integer", "null"], "minimum": 0 },
            "p99": { "type": ["integer", "null"], "minimum": 0 },
            "max": { "type": ["integer", "null"], "minimum": 0 },
            "invalid": {
              "type": "integer",
              "minimum": 0,
              "description": "Samples refused because they make no sense; they are in no other figure."
            }
          }
        },
        "series": {
          "type": "object",
          "additionalProperties": false,
          "required": ["bucket_ns", "count"],
          "properties": {
            "bucket_ns": { "type": "integer", "minimum": 1 },
            "count": { "type": "array", "items": { "type": "integer", "minimum": 0 } },
            "rate": { "type": "array", "items": { "type": ["number", "null"] } },
            "avg": { "type": "array", "items": { "type": ["number", "null"] } },
            "max": { "type": "array", "items": { "type": ["integer", "null"] } }
          }
        },
        "invariant": {
          "type": "object",
          "additionalProperties": false,
          "required": ["id", "status", "checks", "firstViolation"],
          "properties": {
            "id": { "type": "string", "pattern": "^[a-z-]+$" },
            "status": { "enum": [\(words(InvariantResult.Status.self))] },
            "checks": { "type": "integer", "minimum": 0 },
            "firstViolation": {
              "type": ["object", "null"],
              "additionalProperties": false,
              "required": ["time_ns", "step", "reader", "instance", "message", "replay"],
              "properties": {
                "time_ns": { "type": "integer", "minimum": 0 },
                "step": { "type": ["integer", "null"], "minimum": 0 },
                "reader": { "type": ["integer", "null"], "minimum": 0 },
                "instance": { "type": ["integer", "null"], "minimum": 0 },
                "message": { "type": "string" },
                "replay": { "type": ["string", "null"], "description": "The command that shows it again." }
              }
            }
          }
        },
        "threshold": {
          "type": "object",
          "additionalProperties": false,
          "required": ["metric", "expression", "observed", "limit", "status", "samples"],
          "properties": {
            "metric": { "type": "string" },
            "expression": { "type": "string" },
            "observed": { "type": ["number", "null"], "description": "In nanoseconds where it is a time." },
            "limit": { "type": "number", "minimum": 0, "description": "In the unit of observed." },
            "status": { "enum": [\(words(ThresholdResult.Status.self))] },
            "samples": { "type": "integer", "minimum": 0 }
          }
        },
        "verdict": {
          "type": "object",
          "additionalProperties": false,
          "required": ["kind", "id", "status", "exitCode"],
          "properties": {
            "kind": { "enum": [\(words(Verdict.Kind.self))] },
            "id": { "type": "string" },
            "status": { "enum": [\(words(Verdict.Status.self))] },
            "exitCode": { "$ref": "#/$defs/exitCode" }
          }
        }
      }
    }

    """

  /// Returns the words of an enumeration as the inside of a JSON array.
  private static func words<Word>(_ type: Word.Type) -> String
  where Word: CaseIterable & RawRepresentable, Word.RawValue == String {
    type.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  }
}
