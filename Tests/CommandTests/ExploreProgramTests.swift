import Foundation
import Testing

/// `simulate explore` as it is built, with its own child processes.
@Suite struct `The program explores` {
  /// The program beside the tests.
  ///
  /// A test run builds it only together with the whole package, so a run of these tests alone may lack it.
  static let program: String? = {
    let arguments = CommandLine.arguments
    let named = arguments.firstIndex(of: "--test-bundle-path").map { arguments[$0 + 1] }
    // The bundle is one file on Linux and a folder on macOS; the program is beside it.
    var folder = URL(fileURLWithPath: named ?? arguments[0])
    for _ in 0..<4 {
      folder.deleteLastPathComponent()
      let candidate = folder.appending(path: "simulate").path
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue {
        return candidate
      }
    }
    return nil
  }()

  private struct Outcome {
    var code: Int32
    var output: String
    var files: [String: String]

    func json() throws -> [String: Any] {
      let text = try #require(files["explore.json"])
      return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
  }

  private func explore(_ extra: String, _ arguments: String...) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appending(path: "explore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = """
      { "name": "tiny", "description": "A few readers.", "client": { "kind": "feature-control" },
        "readers": { "a": { "executor": "per-reader-iterations", "readers": 5, "iterations": 2, "think": "10s",
          "do": ["evaluate"] } }\(extra) }
      """
    try text.write(to: folder.appending(path: "tiny.json"), atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.program))
    process.currentDirectoryURL = folder
    process.arguments = ["explore", "tiny.json"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let reports = folder.appending(path: "Reports/tiny")
    var files: [String: String] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: reports.path)) ?? [] {
      files[name] = try String(contentsOf: reports.appending(path: name), encoding: .utf8)
    }
    return Outcome(
      code: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self), files: files)
  }

  @Test(.enabled(if: program != nil, "the program is not built"), arguments: [1, 3])
  func `many seeds of a sound client show nothing`(jobs: Int) throws {
    let outcome = try explore("", "--seeds", "30", "--jobs", "\(jobs)")
    #expect(outcome.code == 0, "\(outcome.output)")
    let json = try outcome.json()
    #expect(json["seedsRun"] as? Int == 30)
    #expect((json["findings"] as? [Any])?.isEmpty == true)
    let invariants = try #require(json["invariants"] as? [[String: Any]])
    let singleFlight = try #require(invariants.first { $0["id"] as? String == "single-flight" })
    // Four of five readers join a request, in each seed.
    #expect(singleFlight["checks"] as? Int == 120)
    #expect(singleFlight["seeds"] as? Int == 30)
    #expect(outcome.files.keys.sorted() == ["explore.json"])
    #expect(outcome.output.contains("NOTHING FOUND"))
  }

  @Test(.enabled(if: program != nil, "the program is not built"))
  func `what it tells does not depend on how many processes there are`() throws {
    let faults = """
      , "faults": [{ "name": "f", "status": 503, "probability": 0.5 }, { "name": "never", "offline": true, "from": "1h" }]
      """
    func content(_ jobs: String) throws -> [String: String] {
      var json = try explore(faults, "--seeds", "40", "--jobs", jobs).json()
      json["machine"] = nil
      return json.mapValues { "\($0)" }.filter {
        $0.key != "tool" && $0.key != "invariants" && $0.key != "scenario"
      }
    }
    let one = try content("1")
    #expect(one == (try content("4")))
    #expect(one["notExercised"]?.contains("faults.never struck nothing") == true)
  }

  /// A bound that no run can keep to.
  private static let impossible = #", "fleet": { "alpha": 0.001, "beta": 0.001 }"#

  @Test(.enabled(if: program != nil, "the program is not built"), arguments: ["1", "4"])
  func `a violation is told by its lowest seed and recorded`(jobs: String) throws {
    let outcome = try explore(Self.impossible, "--seeds", "40", "--first-seed", "5", "--jobs", jobs)
    #expect(outcome.code == 3, "\(outcome.output)")
    let findings = try #require(try outcome.json()["findings"] as? [[String: Any]])
    #expect(findings.first?["seed"] as? Int == 5)
    #expect(findings.first?["invariant"] as? String == "fleet")
    #expect(findings.first?["command"] as? String != nil)
    #expect(outcome.files["failure.json"] != nil)
    #expect(outcome.files["result.json"] != nil)
    #expect(outcome.output.contains("fleet violated by seed 5"))
  }

  @Test(.enabled(if: program != nil, "the program is not built"))
  func `one that keeps going runs every seed`() throws {
    let outcome = try explore(Self.impossible, "--seeds", "20", "--jobs", "2", "--keep-going")
    #expect(outcome.code == 3)
    let json = try outcome.json()
    #expect(json["seedsRun"] as? Int == 20)
    #expect((json["findings"] as? [Any])?.count == 20)
    #expect(outcome.output.contains("by 19 more"))
  }
}
