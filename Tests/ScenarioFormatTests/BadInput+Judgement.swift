import Invariants

// Mistakes in what a run is judged by.

extension BadInput {
  private static let notOfThisClient =
    "is not about the client \"feature-control\"; invariants: single-flight, answers-once, cancel-isolated, ttl, "
    + "degrade-order, invalidation, request-economy, state-matches-service, batch-bounds, no-event-lost, "
    + "no-event-twice, retry-after, nothing-left, no-escape, well-formed, liveness, fleet"

  private static let noBounds =
    "the scenario says no bounds to judge \"fleet\" by; add \"fleet\": {\"alpha\": 3, \"beta\": 1.5}"

  /// Invariants, requirements and thresholds.
  static let judgement: [BadInput] = [
    .add(
      "\"invariants\": [\"all\", \"ttl\"]",
      "invariants[0]: \"all\" next to other invariants; write [\"all\"], or leave it out"
    ),
    .add(
      "\"invariants\": [\"tll\", 5]",
      "invariants[0]: unknown invariant \"tll\"; did you mean \"ttl\"?",
      "invariants[1]: expected an invariant's id, found a number"
    ),
    .add(
      "\"invariants\": [\"delta-base\"]",
      "invariants[0]: the invariant \"delta-base\" \(notOfThisClient)"
    ),
    .add("\"invariants\": [\"ttl\", \"ttl\"]", "invariants[1]: \"ttl\" stands here twice; leave it out"),
    .add(
      "\"require\": [\"single-flihgt\", \"backoff\"]",
      "require[0]: unknown invariant \"single-flihgt\"; did you mean \"single-flight\"?",
      "require[1]: the invariant \"backoff\" \(notOfThisClient)"
    ),
    .add(
      "\"require\": [{ \"id\": \"ttl\", \"minChecks\": 0 }]",
      "require[0].minChecks: 0 is out of range; write a whole number from 1 to 1000000000000"
    ),
    .add(
      "\"require\": [\"ttl\", { \"id\": \"ttl\" }]",
      "require[1]: \"ttl\" stands here twice; leave it out"
    ),
    .add(
      "\"invariants\": [\"single-flight\"], \"require\": [\"ttl\"]",
      "require[0]: \"ttl\" is required but not among \"invariants\"; add it there"
    ),
    .add(
      "\"invariants\": [\"ttl\", \"fleet\"], \"require\": [\"fleet\"]",
      "invariants[1]: \(noBounds)"
    ),
    .add("\"require\": [\"ttl\", { \"id\": \"fleet\" }]", "require[1]: \(noBounds)"),
    .add(
      "\"thresholds\": { \"requests\": \"count==1\" }",
      "thresholds.requests: expected an array, found a string; write [\"count==1\"]"
    ),
    .add(
      "\"thresholds\": { \"requests\": [] }",
      "thresholds.requests: no condition on this metric; write [\"count==1\"]"
    ),
    .add(
      "\"thresholds\": { \"requests\": [{ \"threshold\": \"count==1\", \"abortOnFial\": true }] }",
      "thresholds.requests[0].abortOnFial: unknown key; did you mean \"abortOnFail\"?"
    ),
  ]
}
