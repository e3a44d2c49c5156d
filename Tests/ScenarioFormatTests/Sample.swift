import Foundation
import ScenarioFormat

/// Texts to test with.
enum Sample {
  /// The smallest scenario there is.
  static let smallest = """
    { "name": "small", "description": "Small.", "client": { "kind": "feature-control" },
      "readers": { "launch": { "executor": "per-reader-iterations", "readers": 10, "do": ["evaluate"] } } }
    """

  /// A scenario that uses every key.
  static let largest = """
    {
      "$schema": "scenario.schema.json",
      "name": "large", "description": "Everything at once: \\u00e9, \\ud83d\\ude00.",
      "seed": 7, "clock": "virtual", "schedule": "fifo",
      "client": {
        "kind": "feature-control", "instances": 4, "subjects": "per-reader", "stores": 3, "cacheTTL": "1.5m",
        "requestTimeout": "2s", "keys": ["a", "b", "c"], "environment": "staging", "platform": "android",
        "appVersion": "2.3.4"
      },
      "service": { "flags": 50, "latency": { "median": "80ms", "p99": "400ms" } },
      "network": { "latency": { "min": "1ms", "max": "20ms" } },
      "readers": {
        "launch": {
          "executor": "per-reader-iterations", "readers": 20, "iterations": 3, "maxDuration": "5m",
          "startTime": "1s", "gracefulStop": "10s", "think": { "boundary": true },
          "do": ["evaluate", { "step": "sleep", "duration": "10s", "think": "1s" }, "invalidate", "cancel"]
        },
        "steady": {
          "executor": "constant-readers", "readers": 10, "duration": "2m", "think": "500ms",
          "do": [
            { "step": "evaluate", "weight": 3, "keys": ["b"], "switchStore": true },
            { "step": "evaluate-or-throw", "weight": 1 },
            { "step": "cancel", "weight": 1, "after": { "min": "0ms", "max": "100ms" }, "keys": ["c", "a"] }
          ]
        },
        "ramp": {
          "executor": "ramping-readers", "startReaders": 2, "gracefulRampDown": "5s",
          "stages": [{ "duration": "30s", "target": 8 }, { "duration": "0s", "target": 1 }],
          "do": ["evaluate-or-throw", { "step": "sleep", "duration": { "median": "1s", "p99": "2s" } }]
        }
      },
      "warmup": "250us",
      "timeline": [{ "at": "20s", "do": "invalidate" }, { "at": "10s", "do": "publish" }],
      "faults": [],
      "invariants": ["single-flight", "ttl", "answers-once"],
      "require": ["single-flight", { "id": "ttl", "minChecks": 5 }],
      "thresholds": {
        "requests{endpoint:evaluate}": ["count<=100", "rate<10"],
        "evaluation_duration": [
          { "threshold": "p(99.9)<3s", "abortOnFail": true, "delayAbortEval": "10s", "allowEmpty": true }
        ]
      }
    }
    """

  /// Returns the smallest scenario with one piece of text replaced.
  static func smallest(_ old: String, _ new: String) -> String {
    precondition(smallest.contains(old), "the sample has no \(old)")
    return smallest.replacingOccurrences(of: old, with: new)
  }

  /// Returns the smallest scenario with more members.
  static func smallest(adding members: String) -> String {
    smallest("\"description\"", members + ", \"description\"")
  }

  /// The folder of the scenarios that are shipped.
  static let shippedFolder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Scenarios")

  /// The names of the scenario files that are shipped.
  static let shipped = [
    "app-update", "auth-refresh-burst", "cancelled-callers", "clock-jump", "cold-cache", "consent-withdrawn",
    "day-in-the-life", "debug-console", "delta-stream", "experiment-flip", "exposure-batches",
    "exposure-once",
    "exposure-overflow", "first-launch", "fleet-cold-start", "flush-overlap", "gone-410", "gone-storm",
    "inbox-paging", "kill-switch", "mixed-feature-control", "mixed-flags", "outage-degrade", "publish-herd",
    "rate-limited", "realtime-refused", "reconnect-herd", "relaunch-offline", "retry-after-forms",
    "same-user-again", "sign-in-out-gate", "sign-out-in-flight", "silent-socket", "slow-service",
    "store-switch-leak", "store-switch", "torn-record", "ttl-expiry", "warm-cache", "week-of-a-fleet",
  ]

  /// Returns the bytes of a shipped scenario.
  static func shipped(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: shippedFolder.appendingPathComponent("\(name).json")))
  }
}

extension LoadedScenario {
  /// The problems without the name of the file, a line each.
  var lines: [String] { problems.map { String($0.description.dropFirst("\(file):".count)) } }
}

/// Loads a text under the name `f`.
func load(_ text: String, _ overrides: [Override] = []) -> LoadedScenario {
  ScenarioFile.load(text, file: "f", overrides: overrides)
}
