import Foundation
import Invariants
import Reporting
import ScenarioFormat
import Scenarios
import Testing

@testable import Command

/// A folder of its own for a test, with an executable that speaks as a worker does.
final class WorkerFolder {
  let path: String

  /// Creates the folder.
  ///
  /// - Parameter special: What the worker does at a seed, in the shell's language, where `$seed` is the seed; nothing by
  ///   itself.
  /// - Throws: What keeps the folder from being made.
  init(at special: String) throws {
    // A worker that is gone must not take the test with it, as it does not take the command.
    signal(SIGPIPE, SIG_IGN)
    path = FileManager.default.temporaryDirectory.appending(path: "worker-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let script = """
      #!/bin/sh
      printf 'invariants\\tsingle-flight\\tttl\\n'
      while read -r first count; do
        seed=$first
        while [ "$seed" -lt $((first + count)) ]; do
          printf 'begun\\t%s\\n' "$seed"
          \(special)
          printf 'passed\\t%s\\t10\\t2,0\\t\\n' "$seed"
          seed=$((seed + 1))
        done
      done
      """
    try script.write(toFile: executable, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: executable)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var executable: String { path + "/worker" }

  /// Does something at one seed.
  static func atSeed(_ seed: Int, _ what: String) -> String { "if [ \"$seed\" = \(seed) ]; then \(what); fi" }
}

@Suite struct `The crew of an exploration` {
  /// Explores with a worker; time stands still, until a file of the given name is there, from when on it rushes.
  private func explore(
    _ special: String, count: UInt64 = 24, jobs: Int, keepsGoing: Bool = false,
    rushingAfter mark: String? = nil
  ) throws -> WorkerCrew {
    let folder = try WorkerFolder(at: special.replacing("MARK", with: mark ?? ""))
    let marked = mark.map { folder.path + "/" + $0 }
    var time: Int64 = 0
    let crew = WorkerCrew(
      Exploration(first: 0, count: count, jobs: jobs, keepsGoing: keepsGoing), executable: folder.executable,
      arguments: [folder.path], jobs: jobs, timeout: 30_000_000_000,
      now: {
        if let marked, FileManager.default.fileExists(atPath: marked) { time += 5_000_000_000 }
        return time
      }, isInterrupted: { false })
    try crew.run { _ in }
    return crew
  }

  @Test(arguments: [1, 2, 5]) func `every seed is run`(jobs: Int) throws {
    let crew = try explore(":", count: 100, jobs: jobs)
    #expect(crew.exploration.seedsRun == 100)
    #expect(crew.exploration.steps == 1000)
    #expect(crew.exploration.checks == [200, 0])
    #expect(crew.exploration.exercised == [100, 0])
    #expect(crew.exploration.findings == [])
    #expect(crew.strayLine == nil)
  }

  @Test(arguments: [1, 3]) func `a crash is a finding with the last words`(jobs: Int) throws {
    let crew = try explore(
      WorkerFolder.atSeed(7, "echo 'Fatal error: out of range' >&2; kill -9 $$"), jobs: jobs)
    let finding = try #require(crew.exploration.firstFinding)
    #expect(finding.kind == .crash)
    #expect(finding.seed == 7)
    #expect(finding.message.contains("signal 9"))
    #expect(finding.lastWords == ["Fatal error: out of range"])
  }

  @Test func `an exit in the middle is a crash, too`() throws {
    let crew = try explore(WorkerFolder.atSeed(0, "exit 5"), jobs: 2)
    #expect(crew.exploration.firstFinding?.kind == .crash)
    #expect(crew.exploration.firstFinding?.message == "the process ended: exit 5")
    #expect(crew.exploration.firstFinding?.seed == 0)
  }

  @Test(arguments: [1, 3]) func `after a crash the other seeds are run all the same, if it keeps going`(
    jobs: Int
  ) throws {
    let crew = try explore(
      "case $seed in 3|4|17) kill -9 $$ ;; esac", jobs: jobs, keepsGoing: true)
    #expect(crew.exploration.findings.map(\.seed).sorted() == [3, 4, 17])
    #expect(crew.exploration.seedsRun == 24)
    #expect(crew.exploration.checks == [42, 0])
  }

  @Test(arguments: [1, 2]) func `a worker that says nothing for too long hangs`(jobs: Int) throws {
    let crew = try explore(
      WorkerFolder.atSeed(5, ": > \"$1/MARK\"; exec tail -f /dev/null"), count: 8, jobs: jobs,
      rushingAfter: "hangs")
    let finding = try #require(crew.exploration.firstFinding)
    #expect(finding.kind == .hang)
    #expect(finding.seed == 5)
    #expect(finding.message.contains("30 s"))
  }

  @Test(arguments: [1, 2, 4]) func `of several violations the lowest seed's is the first`(jobs: Int) throws {
    let crew = try explore(
      """
      case $seed in 9|10|20)
        printf 'violated\\t%s\\t10\\t2,1\\t\\tttl\\t5\\t6\\tat %s\\n' "$seed" "$seed"; seed=$((seed + 1)); continue ;;
      esac
      """, jobs: jobs)
    #expect(
      crew.exploration.firstFinding == Finding(kind: .violation, seed: 9, invariant: "ttl", message: "at 9"))
  }

  @Test func `what is no line of the protocol is kept to be shown`() throws {
    let crew = try explore(WorkerFolder.atSeed(2, "echo 'print me'"), jobs: 1)
    #expect(crew.strayLine == "print me")
    #expect(crew.exploration.seedsRun == 24)
  }

  @Test func `nothing is run once somebody interrupts`() throws {
    let folder = try WorkerFolder(at: ":")
    let crew = WorkerCrew(
      Exploration(first: 0, count: 10, jobs: 1, keepsGoing: false), executable: folder.executable,
      arguments: [],
      jobs: 1, timeout: 1, now: { 0 }, isInterrupted: { true })
    try crew.run { _ in }
    #expect(crew.exploration.seedsRun == 0)
  }

  @Test func `a program that is not there cannot be started`() {
    let crew = WorkerCrew(
      Exploration(first: 0, count: 10, jobs: 1, keepsGoing: false), executable: "/nowhere/simulate",
      arguments: [],
      jobs: 1, timeout: 1, now: { 0 }, isInterrupted: { false })
    #expect(throws: (any Error).self) { try crew.run { _ in } }
  }
}

@Suite struct `The command explore` {
  private let world = World(sources: ["a.json": ScenarioText.valid("a")])

  private func explore(
    _ special: String, _ arguments: [String] = ["--seeds", "12", "--jobs", "1"],
    run: @escaping @Sendable (Scenario, RunOptions) -> RunReport = { scenario, _ in .clean(scenario) }
  ) throws -> ExitCode {
    let folder = try WorkerFolder(at: special)
    var surroundings = world.surroundings(run: run)
    surroundings.executable = folder.executable
    return SimulateCommand.run(["explore", "a.json"] + arguments, in: surroundings)
  }

  private func json() throws -> [String: Any] {
    let text = try #require(world.written["Reports/a/explore.json"])
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private static func violating(_ seed: Int) -> String {
    WorkerFolder.atSeed(
      seed,
      #"printf 'violated\t%s\t10\t2,1\t\tttl\t5\t6\ttoo old\n' "$seed"; seed=$((seed + 1)); continue"#)
  }

  @Test func `nothing found is told and passes`() throws {
    #expect(try explore(":") == .passed)
    #expect(world.output.hasPrefix("✓ NOTHING FOUND · a · seeds 1 to 12\n"))
    #expect(world.output.contains("single-flight  24 checks in 12 seeds"))
    #expect(world.output.contains("not exercised by any seed: ttl"))
    #expect(world.errors.isEmpty)
    #expect(try json()["seedsRun"] as? Int == 12)
    #expect(world.runs == [])
  }

  @Test func `a violation is run again here and leaves its reports`() throws {
    #expect(try explore(Self.violating(4), run: { scenario, _ in .violated(scenario, .ttl) }) == .violation)
    #expect(world.runs == ["a"])
    #expect(world.written["Reports/a/failure.json"]?.contains("--seed 4") == true)
    let findings = try #require(try json()["findings"] as? [[String: Any]])
    #expect(findings.count == 1)
    #expect(findings[0]["kind"] as? String == "violation")
    #expect(findings[0]["invariant"] as? String == "ttl")
    #expect(findings[0]["seed"] as? Int == 4)
    #expect(findings[0]["command"] as? String == "simulate run a.json --seed 4")
  }

  @Test func `a violation that does not come back here is an error`() throws {
    #expect(try explore(Self.violating(4)) == .internalError)
    #expect(world.errors.contains("seed 4 violated ttl in a child process and not here"))
  }

  @Test func `a crash is told with the last words and the command that shows it`() throws {
    let code = try explore(WorkerFolder.atSeed(3, "echo 'Fatal error: index' >&2; kill -9 $$"))
    #expect(code == .internalError)
    #expect(world.errors.contains("  Fatal error: index\n"))
    #expect(world.output.contains("simulate run a.json --seed 3"))
    #expect(world.output.contains("✗ crash by seed 3"))
    #expect(world.runs == [], "it would crash here, too")
  }

  @Test func `what a client prints is shown`() throws {
    #expect(try explore(WorkerFolder.atSeed(3, "printf 'debug\\033[31m\\n'")) == .passed)
    #expect(
      world.errors.contains("a client wrote to standard output while it was explored: debug\\u{1B}[31m"))
  }

  @Test func `quiet is quiet`() throws {
    #expect(try explore(":", ["--seeds", "2", "--quiet"]) == .passed)
    #expect(world.output.isEmpty && world.errors.isEmpty)
    #expect(world.written.keys.sorted() == ["Reports/a/explore.json"])
  }

  @Test(arguments: [
    ([], "explore takes one FILE"), (["a.json", "b.json"], "explore takes one FILE"),
    (["a.json", "--seeds", "0"], "--seeds 0"), (["a.json", "--clock", "wall"], "--clock"),
    (["a.json", "--set", "clock=wall"], "explore runs in virtual time only"),
    (["a.json", "--first-seed", "9007199254740991"], "the seeds would pass"),
    (["missing.json"], "missing.json"), (["a.json", "--seed", "3"], "--seed"),
  ])
  func `wrong arguments start nothing`(arguments: [String], message: String) {
    let code = SimulateCommand.run(["explore"] + arguments, in: world.surroundings())
    #expect(code == .usage)
    #expect(world.errors.contains(message), "\(world.errors)")
    #expect(world.log == [])
  }

  @Test func `all that is wrong is told at once`() {
    let arguments = ["explore", "--seeds=0", "--jobs=0", "--nothing"]
    #expect(SimulateCommand.run(arguments, in: world.surroundings()) == .usage)
    #expect(world.errorLines.count == 4)
  }

  @Test func `a program that does not know where it is cannot explore`() {
    #expect(SimulateCommand.run(["explore", "a.json"], in: world.surroundings()) == .internalError)
    #expect(world.errors.contains("the path of this program is not known"))
  }
}
