import Foundation
import Reporting
import ScenarioFormat
import Scenarios
import Testing

@testable import Command

@Suite struct `Replaying a failure` {
  private let world: World
  private let path = "Reports/cold-cache/failure.json"

  init() {
    world = World(sources: ["a.json": ScenarioText.valid()])
    _ = world.run("a.json", "--readers", "300") { scenario, _ in .violated(scenario) }
    world.state.withLock {
      $0.output = ""
      $0.errors = ""
      $0.log = []
      $0.runs = []
      $0.options = []
    }
  }

  @Test func `the scenario, its seed and its choices are run again`() {
    let code = world.run("replay", path) { scenario, options in
      #expect(scenario.readerCount == 300)
      #expect(options.replay != nil)
      #expect(options.replay == RunReport.violated(scenario).choices)
      return .violated(scenario)
    }
    #expect(code == .violation)
    #expect(world.output.contains("The same violation came back: single-flight, at the same time and step."))
    #expect(world.output.contains("simulate replay \(path)"))
    #expect(world.output.contains("--readers 300"))
    #expect(world.log.isEmpty)
  }

  @Test func `a violation that does not come back is told plainly`() {
    #expect(world.run("replay", path) == .passed)
    #expect(world.output.contains("The violation did not come back: single-flight held this time."))
  }

  @Test func `another violation is not the same`() {
    #expect(world.run("replay", path) { scenario, _ in .violated(scenario, .ttl) } == .violation)
    #expect(world.output.contains("Another violation came: ttl. Recorded was single-flight."))
    world.state.withLock { $0.output = "" }
    #expect(world.run("replay", path) { scenario, _ in .violated(scenario, message: "else") } == .violation)
    #expect(world.output.contains("violated again, but not in the same way"))
  }

  @Test func `reports are written only where they are asked for`() {
    #expect(world.run("replay", path, "--reports", "out") == .passed)
    #expect(world.written["out/cold-cache/result.json"] != nil)
    #expect(world.written[path] != nil)
  }

  @Test(arguments: [
    ("not json", "this is no JSON object"), ("{}", "is missing"), (#"{"schemaVersion": 99}"#, "is 99"),
  ])
  func `what is no failure file is told`(_ text: String, _ message: String) {
    world.state.withLock { $0.sources["f.json"] = text }
    #expect(world.run("replay", "f.json") == .usage)
    #expect(world.errorLines.allSatisfy { $0.hasPrefix("f.json: error: ") })
    #expect(world.errors.contains(message))
    #expect(world.runs.isEmpty)
  }

  @Test func `damaged choices and a foreign seed are told`() throws {
    var failure = try FailureFile(bytes: Array(#require(world.written[path]).utf8))
    failure.choices = "AAA="
    let damaged = try failure.jsonText()
    failure.choices = ""
    failure.seed = 99
    let foreign = try failure.jsonText()
    world.state.withLock {
      $0.sources["damaged.json"] = damaged
      $0.sources["foreign.json"] = foreign
    }
    #expect(world.run("replay", "damaged.json") == .usage)
    #expect(world.errors.contains("its choices are damaged; run it again: simulate run a.json --seed 1"))
    #expect(world.run("replay", "foreign.json") == .usage)
    #expect(world.errors.contains("its seed and that of its scenario differ"))
  }

  @Test func `a run on the wall clock cannot be replayed`() {
    _ = world.run("a.json", "--clock", "wall", "--reports", "wall") { scenario, _ in .violated(scenario) }
    #expect(world.run("replay", "wall/cold-cache/failure.json") == .usage)
    #expect(world.errors.contains("simulate run a.json --seed 1 --clock wall"))
  }

  @Test func `a folder, a missing file and no file are told`() {
    #expect(world.run("replay", "Reports") == .usage)
    #expect(world.run("replay", "none.json") == .usage)
    #expect(world.run("replay") == .usage)
    #expect(world.errorLines.count == 3)
  }
}
