import Foundation

// Mistakes in faults, in healing and in what is asked of a fleet.

extension BadInput {
  static let effects =
    "status, lose, body, hang, latency, late, duplicate, reorder, offline, flapping, authorization, lag"

  /// Whom faults strike, and when.
  static let faults: [BadInput] = [
    .add("\"faults\": [1]", "faults[0]: a fault is an object, not a number"),
    .add("\"faults\": {}", "faults: expected an array, found an object; put it in [ ]"),
    .fault("\"hang\": true, \"form\": \"1s\"", "faults[0].form: unknown key; did you mean \"from\"?"),
    .add(
      "\"faults\": [{ \"hang\": true }, { \"name\": \"A b\", \"hang\": true }, { \"name\": \"\", \"hang\": true }]",
      "faults[0].name: required, but missing; write \"name\": \"…\"",
      """
      faults[1].name: a fault's name has a–z, 0–9 and "-" only, at most 128; reports name the fault by it
      """,
      "faults[2].name: an empty string; write a string that says something"
    ),
    .add(
      "\"faults\": [{ \"name\": \"x\", \"hang\": true }, { \"name\": \"x\", \"offline\": true }]",
      "faults[1].name: another fault has the name \"x\" already; names are unique"
    ),
    .fault(
      "\"hang\": true, \"from\": 5, \"until\": \"-1s\", \"firstN\": 0, \"probability\": \"1\"",
      "faults[0].from: the duration 5 has no unit; write \"5ms\"",
      "faults[0].until: the duration \"-1s\" is negative; write zero or more, such as \"0s\"",
      "faults[0].firstN: 0 is out of range; write a whole number from 1 to 1000000000000",
      "faults[0].probability: expected a number, found a string"
    ),
    .fault(
      "\"hang\": true, \"from\": \"2s\", \"until\": \"2000ms\"",
      "faults[0].until: it ends at 2s, but begins at 2s; let it end later than it begins"
    ),
    .fault(
      "\"hang\": true, \"until\": \"0s\"",
      "faults[0].until: it ends at 0s, but begins at 0s; let it end later than it begins"
    ),
    .fault(
      "\"hang\": true, \"probability\": 1.5",
      "faults[0].probability: 1.5 is out of range; write a number from 0 to 1, with at most 6 decimals"
    ),
    .fault(
      "\"hang\": true, \"probability\": -0.1",
      "faults[0].probability: -0.1 is out of range; write a number from 0 to 1, with at most 6 decimals"
    ),
    .fault(
      "\"hang\": true, \"probability\": 0.0000001",
      "faults[0].probability: 0.0000001 is too fine; write a number from 0 to 1, with at most 6 decimals"
    ),
    .fault(
      "\"hang\": true, \"probability\": 1e400",
      "faults[0].probability: 1e400 is out of range; write a number from 0 to 1, with at most 6 decimals"
    ),
    .fault("\"hang\": true, \"match\": []", "faults[0].match: \"match\" is an object, not an array"),
    .match(
      "\"endpoint\": \"evalute\", \"group\": \"lunch\", \"instances\": 1",
      "faults[0].match.endpoint: there is no \"evalute\"; did you mean \"evaluate\"?",
      "faults[0].match.group: there is no group \"lunch\"; did you mean \"launch\"?",
      "faults[0].match.instances: 1 is out of range; write a whole number from 0 to 0"
    ),
    .match(
      "\"endpoint\": [], \"group\": []",
      "faults[0].match.endpoint: an empty list matches nothing; leave \"endpoint\" out to match all",
      "faults[0].match.group: an empty list matches nothing; leave \"group\" out to match all"
    ),
    .match(
      "\"endpoint\": [\"read\", \"read\"], \"group\": [\"launch\", 5, \"launch\"]",
      "faults[0].match.endpoint[1]: \"read\" stands here twice; leave it out",
      "faults[0].match.group[1]: expected a group's name, found a number",
      "faults[0].match.group[2]: \"launch\" stands here twice; leave it out"
    ),
    .match(
      "\"instances\": \"all\"",
      """
      faults[0].match.instances: expected an instance's number or a range, found a string; write a number or \
      {"from": 0, "to": 9}
      """
    ),
    .match(
      "\"instances\": { \"from\": 0 }",
      "faults[0].match.instances.to: required, but missing; write \"to\": 10"
    ),
    BadInput.match(
      "\"instances\": { \"from\": 3, \"to\": 2 }",
      "faults[0].match.instances: the range ends before it begins: 2 < 3; swap them"
    ).with(instances: 4),
    BadInput.match(
      "\"instances\": { \"from\": -1, \"to\": 4 }",
      "faults[0].match.instances.from: -1 is out of range; write a whole number from 0 to 3",
      "faults[0].match.instances.to: 4 is out of range; write a whole number from 0 to 3"
    ).with(instances: 4),
    .add(
      """
      "faults": [{ "name": "x", "hang": true }, { "name": "y", "from": "2s", "hang": true }], "heal": "0s"
      """,
      "faults[0]: it begins at 0s, but from 0s on no fault strikes; let it begin before \"heal\"",
      "faults[1].from: it begins at 2s, but from 0s on no fault strikes; let it begin before \"heal\""
    ),
    .add("\"heal\": 5", "heal: the duration 5 has no unit; write \"5ms\""),
    .add(
      "\"fleet\": { \"alpha\": 0, \"beta\": 1.2345, \"jitterWindow\": \"0s\" }",
      "fleet.alpha: 0 is out of range; write a number more than 0, at most 1000000, with at most 3 decimals",
      "fleet.beta: 1.2345 is too fine; write a number more than 0, at most 1000000, with at most 3 decimals",
      "fleet.jitterWindow: no time to spread anything over; write more than zero"
    ),
    .add(
      "\"fleet\": { \"alhpa\": 2 }",
      "fleet.beta: required, but missing; write \"beta\": 0.5",
      "fleet.alhpa: unknown key; did you mean \"alpha\"?"
    ),
  ]

  /// A fault in the smallest scenario.
  static func fault(_ members: String, _ lines: String...) -> BadInput {
    var input = BadInput(members, Sample.smallest(adding: "\"faults\": [{ \"name\": \"x\", \(members) }]"))
    input.lines = lines
    return input
  }

  private static func match(_ members: String, _ lines: String...) -> BadInput {
    var input = fault("\"hang\": true, \"match\": { \(members) }")
    input.lines = lines
    return input
  }

  private func with(instances: Int) -> BadInput {
    var input = self
    input.text = text.replacingOccurrences(of: "\"kind\"", with: "\"instances\": \(instances), \"kind\"")
    return input
  }
}
