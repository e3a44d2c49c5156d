import Foundation
import Invariants
import ScenarioFormat
import Testing

/// The scenarios that are shipped.
@Suite struct ShippedScenarioTests {
  @Test func `every file of the folder is known here`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Sample.shippedFolder.path)
    #expect(files.filter { $0.hasSuffix(".json") }.sorted() == Sample.shipped.map { "\($0).json" })
  }

  @Test(arguments: Sample.shipped)
  func `each is valid, named like its file, and watched by every judge`(name: String) throws {
    let loaded = ScenarioFile.load(try Sample.shipped(name), file: name)
    #expect(loaded.problems.map(\.description) == [])
    let scenario = try #require(loaded.scenario)
    #expect(scenario.name == name)
    #expect(scenario.invariants == .all)
    #expect(!scenario.requirements.isEmpty)
    #expect(!scenario.thresholds.isEmpty)
    #expect(load(scenario.canonicalJSON(includingSeed: true)).scenario == scenario)
  }

  @Test(arguments: Sample.shipped, [10, 100, 100_000, 1_000_000])
  func `each can be scaled`(name: String, readers: Int) throws {
    // Its fault is about the first hundred devices.
    if name == "kill-switch", readers < 100 { return }
    let loaded = ScenarioFile.load(try Sample.shipped(name), file: name, overrides: [.readers("\(readers)")])
    #expect(loaded.problems.map(\.description) == [])
    #expect(loaded.scenario?.readerCount == readers)
  }

  @Test(arguments: Sample.shipped)
  func `each can also be put on the wall clock`(name: String) throws {
    let loaded = ScenarioFile.load(try Sample.shipped(name), file: name, overrides: [.clock("wall")])
    #expect(loaded.problems.map(\.description) == [])
  }

  @Test func `cold-cache is the scenario of the design`() throws {
    let scenario = try #require(ScenarioFile.load(try Sample.shipped("cold-cache"), file: "f").scenario)
    #expect(scenario.description == "5,000 readers ask at once on a cold cache: one request may leave.")
    #expect(scenario.seed == 1)
    #expect(
      scenario.groups.map(\.executor) == [
        .perReaderIterations(readers: 5_000, iterations: 1, maxDuration: .seconds(600))
      ]
    )
    #expect(scenario.service.latency == .lognormal(median: .milliseconds(80), p99: .milliseconds(400)))
    #expect(scenario.requirements.map(\.invariant).contains(.singleFlight))
    let thresholds = scenario.thresholds.map { "\($0.metric) \($0.expression)" }
    #expect(thresholds.contains("requests{endpoint:evaluate} count==1"))
    #expect(thresholds.contains("evaluation_duration max<3s"))
  }
}
