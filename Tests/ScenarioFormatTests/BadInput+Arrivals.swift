// Mistakes in open models and in the inbox.

extension BadInput {
  /// Groups whose iterations begin at planned times.
  static let arrivals: [BadInput] = [
    .group(
      "\"executor\": \"constant-arrival-rate\", \"readers\": 5, \"do\": [\"evaluate\"]",
      "readers.launch.rate: required, but missing; write \"rate\": 10",
      "readers.launch.duration: required, but missing; write \"duration\": \"10s\"",
      "readers.launch.preAllocatedReaders: required, but missing; write \"preAllocatedReaders\": 10",
      """
      readers.launch.readers: unknown key for a group with the executor "constant-arrival-rate"; it belongs \
      to the executor "per-reader-iterations"
      """
    ),
    .group(
      """
      "executor": "constant-arrival-rate", "rate": 0, "timeUnit": "0s", "duration": "0s", \
      "preAllocatedReaders": 5, "maxReaders": 4, "do": ["evaluate"]
      """,
      "readers.launch.rate: 0 is out of range; write a whole number from 1 to 1000000000",
      "readers.launch.timeUnit: a rate in no time; write more than zero",
      "readers.launch.duration: no time for any iteration; write more than zero",
      "readers.launch.maxReaders: 4 readers at most, but 5 from the start; write at least 5"
    ),
    .group(
      """
      "executor": "constant-arrival-rate", "rate": 1000000000, "timeUnit": "1ns", "duration": "3650d", \
      "preAllocatedReaders": 5, "do": ["evaluate"]
      """,
      """
      readers.launch.rate: 315360000000000000000000000 iterations are planned; plan at most 1000000000000: a \
      lower rate, or a shorter time
      """
    ),
    .group(
      """
      "executor": "ramping-arrival-rate", "startRate": -1, "preAllocatedReaders": 0, "stages": [{ \
      "duration": "1s", "target": 1000000001 }], "do": ["evaluate"]
      """,
      "readers.launch.startRate: -1 is out of range; write a whole number from 0 to 1000000000",
      "readers.launch.preAllocatedReaders: 0 is out of range; write a whole number from 1 to 10000000",
      "readers.launch.stages[0].target: 1000000001 is out of range; write a whole number from 0 to 1000000000"
    ),
    // A rate that is reached by a jump at the very end is the rate of no time.
    .group(
      """
      "executor": "ramping-arrival-rate", "preAllocatedReaders": 1, "stages": [{ "duration": "1s", \
      "target": 0 }, { "duration": "0s", "target": 9 }], "do": ["evaluate"]
      """,
      "readers.launch.stages: no whole iteration ever begins; write a higher target or a longer stage"
    ),
    .group(
      """
      "executor": "ramping-arrival-rate", "timeUnit": "1m", "preAllocatedReaders": 1, "stages": [{ \
      "duration": "59s", "target": 2 }], "do": ["evaluate"]
      """,
      "readers.launch.stages: no whole iteration ever begins; write a higher target or a longer stage"
    ),
    .group(
      """
      "executor": "ramping-arrival-rate", "preAllocatedReaders": 1, "stages": [{ "duration": "0s", \
      "target": 9 }], "do": ["evaluate"]
      """,
      "readers.launch.stages: the stages together take no time; write more than zero and at most 3650d"
    ),
  ]

  /// The inbox, and who may look into it.
  static let inbox: [BadInput] = [
    .add(
      "\"service\": { \"inbox\": { \"items\": 10001, \"cursors\": \"positon\", \"emptyCursor\": 1 } }",
      "service.inbox.items: 10001 is out of range; write a whole number from 0 to 10000",
      "service.inbox.cursors: there is no \"positon\"; did you mean \"position\"?",
      "service.inbox.emptyCursor: expected true or false, found a number"
    ),
    .add("\"service\": { \"inbox\": 5 }", "service.inbox: \"inbox\" is an object, not a number"),
    .steps(
      "[\"evaluate\", \"mark-read\", \"list-notifications\"]",
      """
      readers.launch.do[1]: the inbox takes a bearer token only, and the client authorizes by a fixed header; \
      set client.auth to {"bearer": {}}
      """
    ),
    .bearer(
      steps: """
        [{ "step": "list-notifications", "status": "unred", "limit": 101, "atMost": 0 }, { "step": \
        "mark-read", "limit": 5 }]
        """,
      "readers.launch.do[0].status: there is no \"unred\"; did you mean \"unread\"?",
      "readers.launch.do[0].limit: 101 is out of range; write a whole number from 1 to 100",
      "readers.launch.do[0].atMost: 0 is out of range; write a whole number from 1 to 1000000",
      """
      readers.launch.do[1].limit: unknown key for the step "mark-read"; it belongs to the step \
      "list-notifications"
      """
    ),
    .auth(
      "\"bearer\"",
      """
      client.auth: expected "header" or an object with "bearer", found "bearer"; write "header" or \
      {"bearer": {}}
      """
    ),
    .auth(
      "true",
      """
      client.auth: expected "header" or an object with "bearer", found a boolean; write "header" or \
      {"bearer": {}}
      """
    ),
    .auth("{}", "client.auth.bearer: required, but missing; write \"bearer\": {…}"),
    .auth("{ \"bearer\": 1 }", "client.auth.bearer: \"bearer\" is an object, not a number"),
    .auth("{ \"baerer\": {} }", "client.auth.baerer: unknown key; did you mean \"bearer\"?"),
    .auth(
      "{ \"bearer\": { \"latency\": 5, \"lifetime\": \"0s\" } }",
      "client.auth.bearer.latency: the duration 5 has no unit; write \"5ms\"",
      "client.auth.bearer.lifetime: a token that is never valid; write more than zero"
    ),
  ]

  private static func auth(_ auth: String, _ lines: String...) -> BadInput {
    var input = BadInput(auth, Sample.smallest("\"kind\"", "\"auth\": \(auth), \"kind\""))
    input.lines = lines
    return input
  }

  private static func bearer(steps: String, _ lines: String...) -> BadInput {
    var input = BadInput(steps, Sample.bearer("\"do\": [\"evaluate\"]", "\"do\": \(steps)"))
    input.lines = lines
    return input
  }
}
