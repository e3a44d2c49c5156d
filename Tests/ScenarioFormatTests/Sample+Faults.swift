import Foundation

extension Sample {
  /// Returns the smallest scenario, authorized by a bearer token, with one piece of text replaced.
  static func bearer(_ old: String, _ new: String) -> String {
    smallest("\"kind\"", "\"auth\": { \"bearer\": {} }, \"kind\"").replacingOccurrences(of: old, with: new)
  }

  /// A scenario that uses every key that `largest` leaves out: faults, an inbox, exposures, open models.
  static let faulty = """
    {
      "name": "faulty", "description": "Everything that goes wrong.",
      "client": {
        "kind": "feature-control", "instances": 4, "subjects": "per-reader",
        "auth": { "bearer": { "latency": "5ms", "lifetime": "5m" } }
      },
      "service": { "inbox": { "items": 25, "cursors": "item", "emptyCursor": true } },
      "readers": {
        "steady": {
          "executor": "constant-arrival-rate", "rate": 50, "timeUnit": "1m", "duration": "2m",
          "preAllocatedReaders": 4, "maxReaders": 20,
          "do": [
            "evaluate", "record-exposure", { "step": "record-exposure", "count": 3 }, "flush", "switch-user"
          ]
        },
        "rush": {
          "executor": "ramping-arrival-rate", "startRate": 5, "timeUnit": "2s", "preAllocatedReaders": 6,
          "stages": [{ "duration": "30s", "target": 80 }, { "duration": "0s", "target": 0 }],
          "do": [
            "list-notifications", "mark-read", "mark-all-read",
            { "step": "list-notifications", "status": "unread", "limit": 10, "atMost": 30 }
          ]
        }
      },
      "timeline": [
        { "at": "1s", "do": "publish" }, { "at": "2s", "do": "roll-back" },
        { "at": "3s", "do": "notify", "count": 7 }, { "at": "4s", "do": "invalidate" },
        { "at": "5s", "do": "switch-user" }, { "at": "6s", "do": "flush" },
        { "at": "7s", "do": "clock-forward", "by": "1d" }, { "at": "8s", "do": "clock-back", "by": "2d" },
        { "at": "9m", "do": "close" }
      ],
      "faults": [
        { "name": "overload", "match": { "endpoint": "evaluate", "group": "steady", "instances": 2 },
          "from": "10s", "until": "20s", "firstN": 9, "probability": 0.25, "status": 503,
          "retryAfter": "3s", "code": "overloaded" },
        { "name": "busy", "status": 429, "retryAfter": { "http-date": "5s" } },
        { "name": "busy-2", "status": 429, "retryAfter": { "bare-date": "5s" } },
        { "name": "busy-3", "status": 429, "retryAfter": { "iso-8601": "5s" } },
        { "name": "busy-4", "status": 429, "retryAfter": { "seconds": "5s" } },
        { "name": "busy-5", "status": 429, "retryAfter": "garbled" },
        { "name": "gone", "match": { "endpoint": ["read", "telemetry"], "group": ["rush"],
          "instances": { "from": 1, "to": 3 } }, "status": 404 },
        { "name": "deaf", "lose": "request" }, { "name": "mute", "lose": "answer", "probability": 1e-6 },
        { "name": "noise", "body": "garbled" }, { "name": "hole", "body": "missing-flag" },
        { "name": "open-end", "hang": true, "probability": 0 },
        { "name": "slow", "latency": { "median": "1s", "p99": "4s" } },
        { "name": "late", "late": { "boundary": true } },
        { "name": "twice", "duplicate": true }, { "name": "mixed", "reorder": true },
        { "name": "tunnel", "offline": true }, { "name": "train", "flapping": { "up": "5s", "down": "2s" } },
        { "name": "no-token", "authorization": "none" }, { "name": "thrown", "authorization": "throws" },
        { "name": "sleepy", "authorization": { "slow": "4s" } },
        { "name": "replica", "match": { "endpoint": "evaluate" }, "lag": 2 }
      ],
      "heal": "8m",
      "fleet": { "alpha": 2.5, "beta": 1.125, "jitterWindow": "30s" }
    }
    """
}

/// The scenarios that use every key together, by a name that a list of tests can show.
enum RichSample: CaseIterable {
  case largest
  case faulty
  case flags

  var text: String {
    switch self {
    case .largest: Sample.largest
    case .faulty: Sample.faulty
    case .flags: Sample.flags
    }
  }
}
