import Metrics
import Reporting
import Testing

@Suite struct VerdictTests {
  @Test func `the codes are those of the contract`() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 5, 6, 64, 130, 143])
  }

  @Test func `the worst code wins in the order of the contract`() {
    let worstFirst: [ExitCode] = [
      .internalError, .violation, .threshold, .inconclusive, .noBaseline, .interrupted, .passed,
    ]
    for (position, worse) in worstFirst.enumerated() {
      for better in worstFirst[position...] {
        #expect(ExitCode.worst(of: [better, worse]) == worse)
        #expect(ExitCode.worst(of: [worse, better]) == worse)
      }
    }
    #expect(ExitCode.worst(of: []) == .passed)
    #expect(ExitCode.worst(of: [.terminated, .noBaseline]) == .noBaseline)
    #expect(ExitCode.worst(of: [.interrupted, .terminated]) == .interrupted)
    #expect(ExitCode.worst(of: [.terminated, .interrupted]) == .terminated)
  }

  private let passed = InvariantResult(id: "single-flight", status: .passed, checks: 3)
  private let violated = InvariantResult(id: "single-flight", status: .violated, checks: 1)
  private let idle = InvariantResult(id: "single-flight", status: .notExercised, checks: 0)

  private func threshold(_ status: ThresholdResult.Status, isFailure: Bool) -> ThresholdResult {
    .init(
      metric: "requests",
      expression: "count==1",
      observed: status == .noData ? nil : 2,
      limit: 1,
      unit: .count,
      status: status,
      samples: 2,
      isFailure: isFailure
    )
  }

  private func code(
    _ endReason: RunResult.EndReason,
    _ invariant: InvariantResult,
    requires minChecks: Int64? = nil,
    _ threshold: ThresholdResult? = nil,
    signal: Verdict.Signal? = nil
  ) -> ExitCode {
    let verdicts = Verdict.judge(
      endReason: endReason,
      invariants: [invariant],
      requirements: minChecks.map { [.init(id: "single-flight", minChecks: $0)] } ?? [],
      thresholds: threshold.map { [$0] } ?? [],
      signal: signal
    )
    return ExitCode.worst(of: verdicts.map(\.exitCode))
  }

  @Test func `each part of a whole run counts`() {
    #expect(code(.completed, passed) == .passed)
    #expect(code(.completed, passed, requires: 3) == .passed)
    #expect(code(.completed, passed, requires: 4) == .inconclusive)
    #expect(code(.completed, idle) == .passed)
    #expect(code(.completed, idle, requires: 1) == .inconclusive)
    #expect(code(.completed, idle, requires: 0) == .inconclusive)
    #expect(code(.completed, idle, requires: 1, threshold(.failed, isFailure: true)) == .threshold)
    #expect(code(.completed, passed, threshold(.noData, isFailure: true)) == .threshold)
    #expect(code(.completed, passed, threshold(.noData, isFailure: false)) == .passed)
    #expect(code(.threshold, passed, threshold(.failed, isFailure: true)) == .threshold)
    #expect(code(.completed, violated, threshold(.failed, isFailure: true)) == .violation)
    #expect(code(.violation, violated) == .violation)
    #expect(code(.internal, violated) == .internalError)
  }

  @Test func `a requirement of an invariant that no judge reported is not met`() {
    let verdicts = Verdict.judge(
      endReason: .completed,
      invariants: [],
      requirements: [.init(id: "ttl")],
      thresholds: []
    )
    #expect(verdicts.map(\.exitCode) == [.passed, .inconclusive])
  }

  @Test func `what a cut-off run did not reach is not judged, what it broke is`() {
    #expect(code(.signal, idle, requires: 1, threshold(.failed, isFailure: true)) == .interrupted)
    #expect(code(.signal, idle, threshold(.noData, isFailure: true), signal: .terminate) == .terminated)
    #expect(code(.signal, violated) == .violation)
    let verdicts = Verdict.judge(
      endReason: .signal,
      invariants: [idle],
      requirements: [.init(id: "single-flight")],
      thresholds: [threshold(.failed, isFailure: true), threshold(.passed, isFailure: false)],
      signal: .interrupt
    )
    #expect(verdicts.map(\.status) == [.interrupted, .notExercised, .notJudged, .notJudged, .passed])
    #expect(
      verdicts.map(\.id) == [
        "SIGINT", "single-flight", "single-flight", "requests: count==1", "requests: count==1",
      ]
    )
  }

  @Test func `the exit code of a result is the worst of its verdicts`() throws {
    #expect(try Fixtures.coldCache().exitCode == .passed)
    #expect(try Fixtures.troubled().exitCode == .violation)
    #expect(try Fixtures.interrupted().exitCode == .interrupted)
  }
}
