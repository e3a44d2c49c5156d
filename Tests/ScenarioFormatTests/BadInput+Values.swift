// Mistakes outside of the readers.

extension BadInput {
  /// Values of the scenario, the client, the service and the timeline.
  static let values: [BadInput] = [
    .change(
      "a reserved name",
      "\"small\"",
      "\"bench\"",
      "name: the name \"bench\" is reserved for a folder below Reports; choose another one"
    ),
    .change("a number as name", "\"small\"", "5", "name: expected a string, found a number"),
    .change(
      "a blank description",
      "\"Small.\"",
      "\" \"",
      "description: an empty string; write a string that says something"
    ),
    .add(
      "\"seed\": 9007199254740992",
      "seed: 9007199254740992 is out of range; write a whole number from 0 to 9007199254740991"
    ),
    .add("\"seed\": 1.5", "seed: 1.5 is not a whole number; write one from 0 to 9007199254740991"),
    .add("\"seed\": 1e400", "seed: 1e400 is out of range; write a whole number from 0 to 9007199254740991"),
    .add("\"seed\": \"1\"", "seed: expected a whole number, found a string"),
    .add("\"clock\": \"wal\"", "clock: there is no \"wal\"; did you mean \"wall\"?"),
    .add("\"clock\": 1", "clock: expected a string, found a number; known: virtual, wall"),
    .add("\"schedule\": \"lifo\"", "schedule: there is no \"lifo\"; did you mean \"fifo\"?"),
    .add("\"thresholds\": []", "thresholds: \"thresholds\" is an object of lists by metric, not an array"),
    .add("\"timeline\": {}", "timeline: expected an array, found an object; put it in [ ]"),
    .add(
      "\"timeline\": [{ \"at\": \"1s\" }]",
      """
      timeline[0].do: required, but missing; write "do": "publish" or "do": "roll-back" or "do": "notify" or \
      "do": "invalidate" or "do": "switch-user" or "do": "flush" or "do": "clock-forward" or \
      "do": "clock-back" or "do": "close"
      """
    ),
    .add(
      "\"timeline\": [{ \"at\": \"1s\", \"do\": \"sign-out\" }]",
      """
      timeline[0].do: "sign-out" belongs to the client "flags"; actions: publish, roll-back, notify, \
      invalidate, switch-user, flush, clock-forward, clock-back, close
      """
    ),
    .add(
      "\"timeline\": [{ \"at\": \"1s\", \"do\": \"notfy\" }]",
      "timeline[0].do: there is no \"notfy\"; did you mean \"notify\"?"
    ),
    .add(
      "\"timeline\": [{ \"at\": \"1s\", \"do\": \"publish\", \"count\": 2 }]",
      """
      timeline[0].count: unknown key for an entry "publish" of the timeline; it belongs to an entry "notify" \
      of the timeline
      """
    ),
    .add(
      "\"timeline\": [{ \"at\": \"1s\", \"do\": \"notify\", \"cuont\": 2 }]",
      "timeline[0].cuont: unknown key; did you mean \"count\"?"
    ),
    .add(
      "\"timeline\": [{ \"at\": \"1s\", \"do\": \"notify\", \"count\": 0 }]",
      "timeline[0].count: 0 is out of range; write a whole number from 1 to 10000"
    ),
    .add(
      """
      "timeline": [{ "at": "1s", "do": "clock-back", "by": "0s" }, { "at": "1s", "do": "clock-forward" }]
      """,
      "timeline[0].by: a clock that stays where it is; write more than zero",
      "timeline[1].by: required, but missing; write \"by\": \"10s\""
    ),
    .add(
      """
      "timeline": [{ "at": "1s", "do": "clock-back", "by": "3650d" }, \
      { "at": "1s", "do": "clock-forward", "by": "1ns" }]
      """,
      "timeline: the jumps of the clocks are together too long; at most 3650d, forward and back"
    ),
    .add("\"timeline\": [5]", "timeline[0]: an entry of the timeline is an object, not a number"),
    .add(
      "\"service\": { \"flags\": 0 }",
      "service.flags: 0 is out of range; write a whole number from 1 to 1000000"
    ),
    .change("more keys than flags", "\"kind\"", "\"keys\": [\"a\", \"b\"], \"kind\"").adding(
      "\"service\": { \"flags\": 1 }",
      "service.flags: 1 flags for the client's 2 keys; write at least 2"
    ),
    .change(
      "no keys",
      "\"kind\"",
      "\"keys\": [], \"kind\"",
      "client.keys: an empty list; write at least one element"
    ),
    .change(
      "a key twice",
      "\"kind\"",
      "\"keys\": [\"a\", \"a\"], \"kind\"",
      "client.keys[1]: the key \"a\" stands here twice; leave it out"
    ),
    .change(
      "more instances than readers",
      "\"kind\"",
      "\"instances\": 11, \"kind\"",
      "client.instances: 11 instances for 10 readers; write 1 to 10"
    ),
    .change(
      "no instance",
      "\"kind\"",
      "\"instances\": 0, \"kind\"",
      "client.instances: 0 is out of range; write a whole number from 1 to 10000000"
    ),
    .change(
      "a wrong population",
      "\"kind\"",
      "\"subjects\": \"each\", \"stores\": 0, \"kind\"",
      "client.subjects: there is no \"each\"; write \"shared\", \"per-reader\" or a number",
      "client.stores: 0 is out of range; write a whole number from 1 to 10000000"
    ),
  ]
}

extension BadInput {
  /// Latencies.
  static let latencies: [BadInput] = [
    .add("\"network\": { \"latency\": 80 }", "network.latency: the duration 80 has no unit; write \"80ms\""),
    .add(
      "\"network\": { \"latency\": [] }",
      """
      network.latency: expected a latency, found an array; write "80ms", {"min", "max"}, {"median", "p99"} \
      or {"boundary": true}
      """
    ),
    .add(
      "\"network\": { \"latency\": {} }",
      """
      network.latency: none of the four forms of a latency; write "80ms", {"min", "max"}, {"median", \
      "p99"} or {"boundary": true}
      """
    ),
    .add(
      "\"network\": { \"latency\": { \"mdian\": \"1s\" } }",
      "network.latency: none of the four forms of a latency; did you mean \"median\"?"
    ),
    .add(
      "\"network\": { \"latency\": { \"min\": \"1s\" } }",
      "network.latency.max: required, but missing; write \"max\": \"10s\""
    ),
    .add(
      "\"network\": { \"latency\": { \"min\": \"2s\", \"max\": \"1s\" } }",
      "network.latency: \"min\" is longer than \"max\": 2s > 1s; swap them"
    ),
    .add(
      "\"network\": { \"latency\": { \"median\": \"2s\", \"p99\": \"1s\" } }",
      "network.latency: \"median\" is longer than \"p99\": 2s > 1s; swap them"
    ),
    .add(
      "\"network\": { \"latency\": { \"median\": \"0s\", \"p99\": \"1s\" } }",
      "network.latency: the median of a lognormal latency is zero; write \"0ms\" alone"
    ),
    .add(
      "\"network\": { \"latency\": { \"boundary\": false } }",
      """
      network.latency: "boundary" can only be true; write "80ms", {"min", "max"}, {"median", "p99"} or \
      {"boundary": true}
      """
    ),
    .add(
      "\"network\": { \"latency\": { \"min\": \"1s\", \"max\": \"2s\", \"p99\": \"3s\" } }",
      "network.latency.p99: unknown key for a latency between two bounds; it belongs to a lognormal latency"
    ),
  ]
}
