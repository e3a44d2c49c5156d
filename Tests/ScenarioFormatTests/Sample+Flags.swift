import Foundation

extension Sample {
  /// The smallest scenario of the client `flags`.
  static let smallestFlags = """
    { "name": "small-flags", "description": "Small.", "client": { "kind": "flags", "keys": ["banner", "limit"] },
      "readers": { "app": { "executor": "per-reader-iterations", "readers": 10, "do": ["read"] } } }
    """

  /// A scenario that uses every key that only the client `flags` has.
  static let flags = """
    {
      "name": "flags", "description": "A project of flags.",
      "client": {
        "kind": "flags", "instances": 4, "subjects": 3, "requestTimeout": "5s", "keys": ["a", "b", "c"],
        "platform": "android", "appVersion": "4.5.6", "language": "de", "signedIn": false, "consent": false,
        "realtime": true, "launchWithin": "3s"
      },
      "service": {
        "flags": 50, "latency": "20ms",
        "project": { "experiments": ["a", "c"], "deletionLog": 7, "audiences": false, "conditions": false }
      },
      "readers": {
        "app": {
          "executor": "per-reader-iterations", "readers": 8,
          "do": [
            "read", { "step": "read", "keys": ["b"], "as": "all", "count": 5 }, "refresh",
            { "step": "cancel", "after": "1s" }, "sign-in", "sign-out", "switch-user", "background", "foreground",
            "relaunch", { "step": "relaunch", "record": "torn", "version": "5.0.0" },
            { "step": "consent", "given": false }, "capture", { "step": "capture", "count": 3 }, "flush",
            { "step": "sleep", "duration": "2s" }
          ]
        }
      },
      "timeline": [
        { "at": "1s", "do": "publish" }, { "at": "2s", "do": "publish", "keys": ["a", "x"] },
        { "at": "3s", "do": "delete", "key": "a" }, { "at": "4s", "do": "define", "key": "x" },
        { "at": "5s", "do": "roll-back" }, { "at": "6s", "do": "give-user", "key": "b" },
        { "at": "7s", "do": "give-user", "key": "b", "user": 1, "value": 1.5 },
        { "at": "8s", "do": "take-user", "key": "b" }, { "at": "9s", "do": "take-user", "key": "b", "user": 2 },
        { "at": "10s", "do": "start-experiment", "key": "b" }, { "at": "11s", "do": "stop-experiment", "key": "a" },
        { "at": "12s", "do": "change-audiences" }, { "at": "13s", "do": "rotate-etags" },
        { "at": "14s", "do": "sign-in", "within": "5s" }, { "at": "15s", "do": "sign-out" },
        { "at": "16s", "do": "switch-user", "within": "1m" }, { "at": "17s", "do": "same-user-again" },
        { "at": "18s", "do": "background" }, { "at": "19s", "do": "foreground" },
        { "at": "20s", "do": "relaunch", "record": "stale", "version": "9" },
        { "at": "21s", "do": "consent", "given": true }, { "at": "22s", "do": "refresh" },
        { "at": "23s", "do": "flush" }, { "at": "24s", "do": "drop-sockets" },
        { "at": "25s", "do": "clock-forward", "by": "1h" }, { "at": "26s", "do": "clock-back", "by": "1h" },
        { "at": "9m", "do": "close" }
      ],
      "faults": [
        { "name": "context", "gone": "context_changed" },
        { "name": "unasked", "match": { "endpoint": "snapshot" }, "notModified": true },
        { "name": "deaf", "realtime": "silent" }, { "name": "early", "earlyNotice": "3s" },
        { "name": "no-room", "disk": "full" }, { "name": "slow-disk", "disk": { "slow": "1s" } },
        { "name": "replica", "lag": 2 }, { "name": "hole", "body": "undecodable-flag" },
        { "name": "noise", "body": "garbled" },
        { "name": "busy", "match": { "endpoint": ["events", "realtime"], "instances": 0 }, "status": 503 }
      ]
    }
    """

  /// Returns the smallest scenario of the client `flags` with one piece of text replaced.
  static func smallestFlags(_ old: String, _ new: String) -> String {
    precondition(smallestFlags.contains(old), "the sample has no \(old)")
    return smallestFlags.replacingOccurrences(of: old, with: new)
  }
}
