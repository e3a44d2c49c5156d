import Foundation

// Mistakes in scenarios of the client `flags`, and what of one client stands in a scenario of the other.

extension BadInput {
  /// What belongs to the other client, in both directions.
  static let foreign: [BadInput] = [
    .change(
      "a key of flags",
      "\"kind\"",
      "\"language\": \"en\", \"kind\"",
      """
      client.language: unknown key for the client "feature-control"; it belongs to the client "flags"
      """
    ),
    .add(
      "\"service\": { \"project\": {} }",
      """
      service.project: unknown key for the client "feature-control"; it belongs to the client "flags"
      """
    ),
    .steps(
      "[{ \"step\": \"read\", \"as\": \"all\" }, { \"step\": \"cancel\", \"as\": \"all\" }]",
      "readers.launch.do[0].step: \"read\" belongs to the client \"flags\"; steps: \(featureControlSteps)",
      """
      readers.launch.do[1].as: unknown key for the step "cancel"; it belongs to the step "read" of the client "flags"
      """
    ),
    .add(
      "\"timeline\": [{ \"at\": \"1s\", \"do\": \"delete\", \"key\": \"a\" }]",
      "timeline[0].do: \"delete\" belongs to the client \"flags\"; actions: \(featureControlActions)"
    ),
    .add(
      "\"timeline\": [{ \"at\": \"1s\", \"do\": \"publish\", \"keys\": [\"a\"] }]",
      """
      timeline[0].keys: unknown key for the client "feature-control"; it belongs to the client "flags"
      """
    ),
    .add(
      "\"timeline\": [{ \"at\": \"1s\", \"do\": \"flush\", \"within\": \"1s\" }]",
      """
      timeline[0].within: unknown key for the client "feature-control"; it belongs to the client "flags"
      """
    ),
    .add(
      "\"timeline\": [{ \"at\": \"1s\", \"do\": \"evaluate\" }]",
      "timeline[0].do: \"evaluate\" belongs to the steps of readers; actions: \(featureControlActions)"
    ),
    .fault(
      "\"gone\": \"context_changed\"",
      """
      faults[0].gone: unknown key for the client "feature-control"; it belongs to the client "flags"
      """
    ),
    .fault(
      "\"hang\": true, \"match\": { \"endpoint\": \"delta\" }",
      """
      faults[0].match.endpoint: "delta" belongs to the client "flags"; endpoints: evaluate, notifications, read, \
      read-all, telemetry
      """
    ),
    .flagsClient(
      "\"stores\": 2, \"cacheTTL\": \"1s\", \"auth\": \"header\", \"environment\": \"x\"",
      """
      client.stores: unknown key for the client "flags"; it belongs to the client "feature-control"
      """,
      """
      client.cacheTTL: unknown key for the client "flags"; it belongs to the client "feature-control"
      """,
      """
      client.auth: unknown key for the client "flags"; it belongs to the client "feature-control"
      """,
      """
      client.environment: unknown key for the client "flags"; it belongs to the client "feature-control"
      """
    ),
    .flags(
      "\"service\": { \"inbox\": { \"items\": 1 } }",
      """
      service.inbox: unknown key for the client "flags"; it belongs to the client "feature-control"
      """
    ),
    .flagsSteps(
      "[\"evaluate\", { \"step\": \"cancel\", \"switchStore\": true, \"keys\": [\"banner\"] }]",
      "readers.app.do[0]: \"evaluate\" belongs to the client \"feature-control\"; steps: \(flagsSteps)",
      """
      readers.app.do[1].switchStore: unknown key for the client "flags"; it belongs to the client "feature-control"
      """,
      """
      readers.app.do[1].keys: unknown key for the client "flags"; it belongs to the client "feature-control"
      """
    ),
    .flagsTimeline(
      "{ \"at\": \"1s\", \"do\": \"invalidate\" }, { \"at\": \"1s\", \"do\": \"read\" }",
      "timeline[0].do: \"invalidate\" belongs to the client \"feature-control\"; actions: \(flagsActions)",
      "timeline[1].do: \"read\" belongs to the steps of readers; actions: \(flagsActions)"
    ),
    .flagsFault(
      "\"authorization\": \"none\"",
      """
      faults[0].authorization: unknown key for the client "flags"; it belongs to the client "feature-control"
      """
    ),
    .flagsFault(
      "\"body\": \"missing-flag\"",
      """
      faults[0].body: "missing-flag" belongs to the client "feature-control"; known: garbled, truncated, \
      error-envelope, html, undecodable-flag, duplicate-names, unknown-fields
      """
    ),
    .flagsFault(
      "\"hang\": true, \"match\": { \"endpoint\": [\"delta\", \"evaluate\"], \"group\": \"app\" }",
      """
      faults[0].match.endpoint[1]: "evaluate" belongs to the client "feature-control"; endpoints: snapshot, delta, \
      events, realtime
      """,
      """
      faults[0].match.group: unknown key for the client "flags"; it belongs to the client "feature-control"
      """
    ),
  ]

  /// Values of the client, the project and the readers of flags.
  static let flagsWorld: [BadInput] = [
    BadInput(
      "no keys of flags",
      Sample.smallestFlags(", \"keys\": [\"banner\", \"limit\"]", ""),
      "client.keys: required, but missing; write \"keys\": […]"
    ),
    .flagsClient(
      "\"language\": \" \", \"signedIn\": 1, \"consent\": \"yes\", \"realtime\": null, \"languge\": \"en\"",
      "client.language: an empty string; write a string that says something",
      "client.signedIn: expected true or false, found a number",
      "client.consent: expected true or false, found a string",
      "client.realtime: expected true or false, found null",
      "client.languge: unknown key; did you mean \"language\"?"
    ),
    .flags(
      """
      "service": { "project": { "experiments": ["baner"], "deletionLog": 10001, "audiences": 1, "conditions": [], \
      "deletions": 1 } }
      """,
      "service.project.experiments[0]: \"baner\" is not one of the client's keys; did you mean \"banner\"?",
      "service.project.deletionLog: 10001 is out of range; write a whole number from 0 to 10000",
      "service.project.audiences: expected true or false, found a number",
      "service.project.conditions: expected true or false, found an array",
      "service.project.deletions: unknown key; did you mean \"deletionLog\"?"
    ),
    .flags(
      "\"service\": { \"project\": { \"experiments\": [\"limit\", 5, \"limit\"] } }",
      "service.project.experiments[1]: expected a flag key, found a number",
      "service.project.experiments[2]: the key \"limit\" stands here twice; leave it out"
    ),
    .flagsSteps(
      "[{ \"step\": \"read\", \"keys\": [\"limits\"], \"as\": \"typd\", \"count\": 0, \"key\": 1 }]",
      "readers.app.do[0].keys[0]: \"limits\" is not one of the client's keys; did you mean \"limit\"?",
      "readers.app.do[0].as: there is no \"typd\"; did you mean \"typed\"?",
      "readers.app.do[0].count: 0 is out of range; write a whole number from 1 to 100000",
      "readers.app.do[0].key: unknown key; did you mean \"keys\"?"
    ),
    .flagsSteps(
      "[\"consent\", { \"step\": \"consent\" }, { \"step\": \"consent\", \"given\": 1 }]",
      """
      readers.app.do[0]: the step "consent" needs "given"; write {"step": "consent", "given": true}
      """,
      "readers.app.do[1].given: required, but missing; write \"given\": true",
      "readers.app.do[2].given: expected true or false, found a number"
    ),
    .flagsSteps(
      """
      [{ "step": "relaunch", "record": "lost", "version": "" }, { "step": "capture", "count": 10001 }, \
      { "step": "refresh", "record": "torn" }, { "step": "cancel", "after": 5 }]
      """,
      "readers.app.do[0].record: there is no \"lost\"; known: intact, torn, stale, foreign, missing",
      "readers.app.do[0].version: an empty string; write a string that says something",
      "readers.app.do[1].count: 10001 is out of range; write a whole number from 1 to 10000",
      """
      readers.app.do[2].record: unknown key for the step "refresh"; it belongs to the step "relaunch"
      """,
      "readers.app.do[3].after: the duration 5 has no unit; write \"5ms\""
    ),
  ]

  /// The timeline of flags.
  static let flagsEntries: [BadInput] = [
    .flagsTimeline(
      """
      { "at": "1s", "do": "publish", "keys": [] }, { "at": "1s", "do": "delete" }, \
      { "at": "1s", "do": "define", "key": " " }, { "at": "1s", "do": "start-experiment", "key": 5 }
      """,
      "timeline[0].keys: an empty list; write at least one element",
      "timeline[1].key: required, but missing; write \"key\": \"…\"",
      "timeline[2].key: an empty string; write a string that says something",
      "timeline[3].key: expected a string, found a number"
    ),
    .flagsTimeline(
      """
      { "at": "1s", "do": "give-user", "key": "a", "user": 1, "value": null }, \
      { "at": "1s", "do": "give-user", "key": "a", "value": { "x": 1 } }, \
      { "at": "1s", "do": "give-user", "key": "a", "value": 1e999 }, \
      { "at": "1s", "do": "take-user", "key": "a", "user": -1, "value": true }
      """,
      "timeline[0].user: there is no user 1; write 0, or set client.subjects",
      "timeline[0].value: expected a value of a flag, found null; write true, false, a number or a string",
      "timeline[1].value: expected a value of a flag, found an object; write true, false, a number or a string",
      "timeline[2].value: 1e999 is out of range; write a number that a floating-point number can hold",
      "timeline[3].user: -1 is out of range; write a whole number from 0 to 9999999",
      """
      timeline[3].value: unknown key for an entry "take-user" of the timeline; it belongs to an entry "give-user" of \
      the timeline
      """
    ),
    .flagsTimeline(
      """
      { "at": "1s", "do": "sign-in", "within": "0s" }, { "at": "1s", "do": "refresh", "within": 5 }, \
      { "at": "1s", "do": "close", "within": "1s" }, { "at": "1s", "do": "relaunch", "record": 5 }, \
      { "at": "1s", "do": "consent" }, { "at": "1s", "do": "backgrond", "within": "1s" }
      """,
      "timeline[0].within: spread over no time; write more than zero",
      "timeline[1].within: the duration 5 has no unit; write \"5ms\"",
      """
      timeline[2].within: unknown key for an entry "close" of the timeline; it belongs to an entry "switch-user" of \
      the timeline
      """,
      "timeline[3].record: expected a string, found a number; known: intact, torn, stale, foreign, missing",
      "timeline[4].given: required, but missing; write \"given\": true",
      "timeline[5].do: there is no \"backgrond\"; did you mean \"background\"?"
    ),
  ]

  /// Faults of flags.
  static let flagsFaults: [BadInput] = [
    .flagsFault(
      "\"gone\": \"context\"",
      """
      faults[0].gone: there is no "context"; known: context_changed, audiences_changed, deletions_expired
      """
    ),
    .flagsFault(
      "\"gone\": \"context_changed\", \"match\": { \"endpoint\": \"snapshot\" }",
      """
      faults[0].match: this effect is about "delta" and nothing else; write "endpoint": "delta", or leave it out
      """
    ),
    .flagsFault(
      "\"notModified\": false",
      """
      faults[0].notModified: "notModified" can only be true; leave the fault out, or set its "probability" to 0
      """
    ),
    .flagsFault(
      "\"notModified\": true, \"match\": { \"endpoint\": [\"delta\", \"events\"] }",
      """
      faults[0].match: this effect is about "snapshot" and "delta" only; write "endpoint": ["snapshot", "delta"], or \
      leave it out
      """
    ),
    .flagsFault(
      "\"duplicate\": true, \"match\": { \"endpoint\": \"realtime\" }",
      """
      faults[0].match: this effect is about "snapshot", "delta" and "events" only; write "endpoint": ["snapshot", \
      "delta", "events"], or leave it out
      """
    ),
    .flagsFault(
      "\"realtime\": \"refusd\"", "faults[0].realtime: there is no \"refusd\"; did you mean \"refused\"?"),
    .flagsFault("\"earlyNotice\": 5", "faults[0].earlyNotice: the duration 5 has no unit; write \"5ms\""),
    .flagsFault(
      "\"disk\": \"ful\"", "faults[0].disk: there is no \"ful\"; did you mean \"full\"?"),
    .flagsFault(
      "\"disk\": \"slow\"", "faults[0].disk: a slow disk needs a latency; write {\"slow\": \"1s\"}"),
    .flagsFault(
      "\"disk\": { \"slwo\": \"1s\" }", "faults[0].disk.slwo: unknown key; did you mean \"slow\"?"),
    .flagsFault(
      "\"disk\": 5",
      """
      faults[0].disk: expected a string, found a number; an object with "slow", or one of: full, torn, unreadable
      """
    ),
    .flagsFault(
      "\"disk\": \"full\", \"match\": { \"endpoint\": \"snapshot\" }",
      """
      faults[0].match: a disk is no endpoint, and this effect is about nothing else; leave "endpoint" out
      """
    ),
    .flagsFault("\"from\": \"1s\"", "faults[0]: a fault without an effect; effects: \(flagsEffects)"),
    .withoutSocket(
      "\"timeline\": [{ \"at\": \"1s\", \"do\": \"drop-sockets\" }]",
      "timeline[0]: the client has no socket that could break; set client.realtime to true"
    ),
    .withoutSocket(
      """
      "faults": [{ "name": "x", "realtime": "dropped" }, { "name": "y", "earlyNotice": "1s" }, \
      { "name": "z", "match": { "endpoint": "realtime" }, "hang": true }, { "name": "good", "hang": true }]
      """,
      "faults[0]: the client has no socket that could fail; set client.realtime to true",
      "faults[1]: the client has no socket that could fail; set client.realtime to true",
      "faults[2]: the client has no socket that could fail; set client.realtime to true"
    ),
  ]

  private static let featureControlSteps =
    "evaluate, evaluate-or-throw, invalidate, cancel, sleep, record-exposure, flush, list-notifications, mark-read, "
    + "mark-all-read, switch-user"
  private static let featureControlActions =
    "publish, roll-back, notify, invalidate, switch-user, flush, clock-forward, clock-back, close"
  private static let flagsSteps =
    "cancel, sleep, flush, switch-user, read, refresh, sign-in, sign-out, background, foreground, relaunch, "
    + "consent, capture"
  private static let flagsActions =
    "publish, roll-back, switch-user, flush, clock-forward, clock-back, close, delete, define, give-user, "
    + "take-user, start-experiment, stop-experiment, change-audiences, rotate-etags, sign-in, sign-out, "
    + "same-user-again, background, foreground, relaunch, consent, refresh, drop-sockets"
  private static let flagsEffects =
    "status, lose, body, hang, latency, late, duplicate, reorder, offline, flapping, lag, gone, notModified, "
    + "realtime, earlyNotice, disk"
}

extension BadInput {
  private static func flags(_ old: String, _ new: String, _ lines: [String]) -> BadInput {
    var input = BadInput(new, Sample.smallestFlags(old, new))
    input.lines = lines
    return input
  }

  /// An addition to the smallest scenario of flags.
  private static func flags(_ members: String, _ lines: String...) -> BadInput {
    flags("\"description\"", members + ", \"description\"", lines)
  }

  /// More keys for the client of the smallest scenario of flags.
  private static func flagsClient(_ members: String, _ lines: String...) -> BadInput {
    flags("\"kind\"", members + ", \"kind\"", lines)
  }

  /// Other steps for the group of the smallest scenario of flags.
  private static func flagsSteps(_ steps: String, _ lines: String...) -> BadInput {
    flags("\"do\": [\"read\"]", "\"do\": \(steps)", lines)
  }

  /// A timeline for the smallest scenario of flags.
  private static func flagsTimeline(_ entries: String, _ lines: String...) -> BadInput {
    flags("\"description\"", "\"timeline\": [\(entries)], \"description\"", lines)
  }

  /// A fault in the smallest scenario of flags.
  private static func flagsFault(_ members: String, _ lines: String...) -> BadInput {
    flags("\"description\"", "\"faults\": [{ \"name\": \"x\", \(members) }], \"description\"", lines)
  }

  /// An addition to the smallest scenario of flags, whose client has no socket.
  private static func withoutSocket(_ members: String, _ lines: String...) -> BadInput {
    var input = flags("\"kind\"", "\"realtime\": false, \"kind\"", lines)
    input.name = members
    input.text = input.text.replacingOccurrences(of: "\"description\"", with: members + ", \"description\"")
    return input
  }
}
