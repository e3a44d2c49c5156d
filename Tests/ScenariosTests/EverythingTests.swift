import Events
import Metrics
import Scenarios
import Testing

/// Runs in which everything happens at once.
@Suite struct EverythingTests {
  /// Every step and every fault, at the instants where the client's behaviour changes.
  private static let everything = """
    "client": { "kind": "feature-control", "instances": 3, "subjects": 2, "stores": 2, "cacheTTL": "2s",
      "requestTimeout": "1s", "keys": ["a", "b", "c"],
      "auth": { "bearer": { "latency": { "min": "0ms", "max": "20ms" }, "lifetime": "5s" } } },
    "service": { "flags": 5, "latency": { "min": "1ms", "max": "80ms" }, "inbox": { "items": 9, "emptyCursor": true } },
    "network": { "latency": { "min": "0ms", "max": "40ms" } },
    "readers": {
      "shoppers": { "executor": "per-reader-iterations", "readers": 8, "iterations": 4, "think": { "boundary": true },
        "do": ["evaluate", "cancel", { "step": "evaluate-or-throw", "switchStore": true }, "record-exposure", "flush",
          { "step": "list-notifications", "limit": 4 }, "mark-read", "mark-all-read", "switch-user", "invalidate"] },
      "passers-by": { "executor": "constant-arrival-rate", "rate": 3, "duration": "8s", "preAllocatedReaders": 2,
        "maxReaders": 6, "do": ["evaluate", { "step": "record-exposure", "count": 3 }] },
      "crowd": { "executor": "ramping-arrival-rate", "startRate": 0, "preAllocatedReaders": 2,
        "stages": [{ "duration": "4s", "target": 6 }, { "duration": "2s", "target": 0 }], "do": ["evaluate", "flush"] } },
    "timeline": [
      { "at": "1s", "do": "publish" }, { "at": "2s", "do": "notify", "count": 2 }, { "at": "2s", "do": "invalidate" },
      { "at": "3s", "do": "clock-forward", "by": "24h" }, { "at": "4s", "do": "roll-back" },
      { "at": "5s", "do": "switch-user" }, { "at": "6s", "do": "flush" }, { "at": "7s", "do": "clock-back", "by": "48h" }],
    "faults": [
      { "name": "slow", "latency": { "boundary": true }, "probability": 0.3 },
      { "name": "refused", "status": 503, "probability": 0.05 },
      { "name": "busy", "status": 429, "retryAfter": { "bare-date": "1s" }, "probability": 0.05 },
      { "name": "lost", "lose": "answer", "probability": 0.05 },
      { "name": "garbled", "body": "garbled", "probability": 0.05 },
      { "name": "hole", "body": "missing-flag", "probability": 0.05 },
      { "name": "hang", "hang": true, "probability": 0.05 }, { "name": "late", "late": "50ms", "probability": 0.05 },
      { "name": "twice", "duplicate": true, "probability": 0.05 }, { "name": "held", "reorder": true, "probability": 0.05 },
      { "name": "old", "lag": 1, "probability": 0.1 }, { "name": "tokens", "authorization": "throws", "probability": 0.05 },
      { "name": "train", "flapping": { "up": "2s", "down": "300ms" } }]
    """

  @Test(arguments: 1...5, ["random", "fifo"])
  func `two runs of one seed are one and the same, and nothing is violated`(seed: Int, schedule: String)
    throws
  {
    func everything() throws -> RunReport {
      try run("\"seed\": \(seed), \"schedule\": \"\(schedule)\", " + Self.everything)
    }
    let first = try everything()
    let second = try everything()
    #expect(first.endReason == .completed)
    #expect(first.digest != nil)
    #expect(second.digest == first.digest)
    #expect(second.steps == first.steps)
    #expect(second.choices == first.choices)
    #expect(second.metrics.rows() == first.metrics.rows())
    #expect(second.verdicts == first.verdicts)
    #expect(second.notExercised == first.notExercised)
  }

  @Test func `every seed is a run of its own`() throws {
    let digests = try (1...10).map { try run("\"seed\": \($0), " + Self.everything).digest }
    #expect(Set(digests).count == 10)
  }

  @Test func `a run is repeated in the same process with the same digest`() throws {
    let report = try run(Self.everything, options: RunOptions(rerunStepLimit: .max))
    let noEscape = try #require(report.verdicts.first { $0.invariant.id == "no-escape" })
    #expect(noEscape.status == .passed)
    #expect(noEscape.checks >= 2)
  }

  @Test func `a run is replayed from its choices`() throws {
    let first = try run("\"seed\": 3, " + Self.everything)
    let choices = try #require(first.choices)
    let replayed = try run("\"seed\": 3, " + Self.everything, options: RunOptions(replay: choices))
    #expect(replayed.digest == first.digest)
    #expect(replayed.metrics.rows() == first.metrics.rows())
  }
}
