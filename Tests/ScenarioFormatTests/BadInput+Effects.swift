// Mistakes in what faults do.

extension BadInput {
  /// Effects, and what belongs to them.
  static let effectsOfFaults: [BadInput] = [
    .fault("\"from\": \"1s\"", "faults[0]: a fault without an effect; effects: \(effects)"),
    .fault("\"retryAfter\": \"1s\"", "faults[0]: a fault without an effect; effects: \(effects)"),
    .fault("\"statsu\": 503", "faults[0].statsu: unknown key; did you mean \"status\"?"),
    .fault(
      "\"disk\": \"full\"",
      """
      faults[0].disk: unknown key for the client "feature-control"; it belongs to the client "flags"
      """
    ),
    .fault(
      "\"status\": 503, \"lose\": \"anser\", \"hang\": true",
      "faults[0].lose: a second effect beside \"status\"; write another fault: several may strike one request",
      "faults[0].lose: there is no \"anser\"; did you mean \"answer\"?",
      "faults[0].hang: a second effect beside \"status\"; write another fault: several may strike one request"
    ),
    .fault(
      "\"lose\": \"request\", \"code\": \"x\", \"retryAfter\": \"1s\"",
      "faults[0].code: unknown key for a fault with the effect \"lose\"; it belongs to the effect \"status\"",
      """
      faults[0].retryAfter: unknown key for a fault with the effect "lose"; it belongs to the effect "status"
      """
    ),
    .fault("\"status\": 200", "faults[0].status: 200 is no refusal; spoil a good answer with \"body\""),
    .fault(
      "\"status\": 600, \"code\": \" \", \"retryAfter\": 5",
      "faults[0].status: 600 is out of range; write a whole number from 100 to 599",
      "faults[0].code: an empty string; write a string that says something",
      "faults[0].retryAfter: the duration 5 has no unit; write \"5ms\""
    ),
    .fault(
      "\"status\": 503, \"retryAfter\": \"grabled\"",
      "faults[0].retryAfter: there is no \"grabled\"; did you mean \"garbled\"?"
    ),
    .fault(
      "\"status\": 503, \"retryAfter\": \"tomorrow\"",
      """
      faults[0].retryAfter: there is no "tomorrow"; a duration, or one of: garbled, negative, past, huge, zero
      """
    ),
    .fault(
      "\"status\": 503, \"retryAfter\": \"-5s\"",
      "faults[0].retryAfter: the duration \"-5s\" is negative; write zero or more, such as \"0s\""
    ),
    .fault(
      "\"status\": 503, \"retryAfter\": true",
      """
      faults[0].retryAfter: expected a Retry-After, found a boolean; write "30s", {"http-date": "30s"}, another \
      form of a date, or one of garbled, negative, past, huge, zero
      """
    ),
    .fault(
      "\"status\": 503, \"retryAfter\": { \"second\": \"1s\" }",
      "faults[0].retryAfter: none of the forms of a Retry-After; did you mean \"seconds\"?"
    ),
    .fault(
      "\"status\": 503, \"retryAfter\": {}",
      """
      faults[0].retryAfter: none of the forms of a Retry-After; forms: seconds, http-date, bare-date, iso-8601
      """
    ),
    .fault(
      "\"status\": 503, \"retryAfter\": { \"seconds\": \"1s\", \"iso-8601\": \"1s\" }",
      """
      faults[0].retryAfter.iso-8601: unknown key for a Retry-After as "seconds"; it belongs to a Retry-After \
      as "iso-8601"
      """
    ),
    .fault("\"body\": \"htm\"", "faults[0].body: there is no \"htm\"; did you mean \"html\"?"),
    .fault("\"body\": 5", "faults[0].body: expected a string, found a number; known: \(bodies)"),
    .fault(
      "\"hang\": false",
      """
      faults[0].hang: "hang" can only be true; leave the fault out, or set its "probability" to 0
      """
    ),
    .fault(
      "\"offline\": \"1s\"",
      """
      faults[0].offline: "offline" can only be true; leave the fault out, or set its "probability" to 0
      """
    ),
    .fault("\"latency\": 5", "faults[0].latency: the duration 5 has no unit; write \"5ms\""),
    .fault(
      "\"late\": { \"min\": \"1s\" }", "faults[0].late.max: required, but missing; write \"max\": \"10s\""),
    .fault(
      "\"flapping\": { \"up\": \"0s\", \"down\": \"0s\" }",
      "faults[0].flapping.up: a network that is never there; write more than zero",
      "faults[0].flapping.down: a network that is never gone; write more than zero"
    ),
    .fault("\"flapping\": true", "faults[0].flapping: \"flapping\" is an object, not a boolean"),
    .fault(
      "\"authorization\": \"none\"",
      """
      faults[0].authorization: the client authorizes by a fixed header, which it need not ask anybody for; \
      set client.auth to {"bearer": {}}
      """
    ),
    .authorization("\"thrws\"", "faults[0].authorization: there is no \"thrws\"; did you mean \"throws\"?"),
    .authorization(
      "\"slow\"",
      "faults[0].authorization: a slow authorization needs a latency; write {\"slow\": \"1s\"}"
    ),
    .authorization(
      "1",
      """
      faults[0].authorization: expected a string, found a number; an object with "slow", or one of: none, throws
      """
    ),
    .authorization(
      "{ \"slow\": 1 }",
      "faults[0].authorization.slow: the duration 1 has no unit; write \"1ms\""
    ),
    .fault("\"lag\": 65", "faults[0].lag: 65 is out of range; write a whole number from 1 to 64"),
    .fault("\"lag\": 1, \"match\": { \"endpoint\": \"read\" }", aboutFlags),
    .fault("\"body\": \"missing-flag\", \"match\": { \"endpoint\": [\"evaluate\", \"read\"] }", aboutFlags),
  ]

  private static let bodies =
    "garbled, truncated, error-envelope, html, undecodable-flag, missing-flag, duplicate-names, unknown-fields"

  private static let aboutFlags =
    """
    faults[0].match: only answers to "evaluate" have flags, and this effect is about nothing else; write \
    "endpoint": "evaluate", or leave it out
    """

  private static func authorization(_ value: String, _ lines: String...) -> BadInput {
    let faults = "\"faults\": [{ \"name\": \"x\", \"authorization\": \(value) }]"
    var input = BadInput(value, Sample.bearer("\"description\"", faults + ", \"description\""))
    input.lines = lines
    return input
  }
}
