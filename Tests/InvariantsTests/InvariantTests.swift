import Invariants
import Testing

@Suite struct InvariantTests {
  @Test func `the judged invariants are known and in the order of the table`() {
    #expect(
      Invariant.judged.map(\.id) == [
        "single-flight", "answers-once", "cancel-isolated", "ttl", "degrade-order", "invalidation",
        "request-economy", "monotonic-version", "state-matches-service", "delta-base", "gone-recovers",
        "etag-honest", "gate-closed", "one-snapshot-per-read", "disk-honest", "exposure-once",
        "exposure-true", "batch-bounds", "no-event-lost", "no-event-twice", "retry-after", "backoff",
        "request-budget", "nothing-left", "no-escape", "observers", "well-formed", "liveness", "fleet",
      ])
    #expect(Invariant.known == Invariant.known.sorted())
    #expect(Set(Invariant.known).count == Invariant.known.count)
    #expect(Set(Invariant.known.map(\.id)).count == 29)
  }

  @Test func `an invariant is found by its exact id`() {
    #expect(Invariant.named("ttl") == .ttl)
    #expect(Invariant.named("TTL") == nil)
  }

  @Test(arguments: [
    ("singel-flight", "single-flight"), ("answer-once", "answers-once"), ("no-escapes", "no-escape"),
    ("cancelisolated", "cancel-isolated"), ("TTL", "ttl"),
  ])
  func `a misspelt id finds its neighbour`(typed: String, meant: String) {
    #expect(Invariant.nearest(to: typed)?.id == meant)
  }

  @Test func `a text that is near nothing finds nothing`() {
    #expect(Invariant.nearest(to: "checkout") == nil)
    #expect(Invariant.nearest(to: "") == nil)
  }

  @Test func `every invariant explains itself and every judged one its unit`() {
    for invariant in Invariant.known { #expect(invariant.summary.hasSuffix(".")) }
    for invariant in Invariant.judged { #expect(invariant.unit?.isEmpty == false) }
  }
}
