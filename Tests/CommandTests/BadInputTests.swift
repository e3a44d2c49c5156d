import Foundation
import Reporting
import Testing

@testable import Command

/// A bad scenario, and a part of what is said about it.
struct BadInput: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var text: String
  var message: String
}

@Suite struct `Bad input` {
  static let inputs = [
    BadInput(
      testDescription: "a misspelt key",
      text: ScenarioText.valid(extra: #", "treshold": {}"#), message: "thresholds"),
    BadInput(
      testDescription: "a negative duration",
      text: ScenarioText.valid(extra: #", "warmup": "-1s""#), message: "warmup"),
    BadInput(
      testDescription: "p(150)",
      text: ScenarioText.valid(extra: #", "thresholds": { "evaluation_duration": ["p(150)<1s"] }"#),
      message: "150"),
    BadInput(
      testDescription: "an unknown metric",
      text: ScenarioText.valid(extra: #", "thresholds": { "request": ["count==1"] }"#), message: "requests"),
    BadInput(
      testDescription: "a duration without a unit",
      text: ScenarioText.valid(extra: #", "warmup": 5"#), message: "warmup"),
    BadInput(
      testDescription: "a key that is there twice",
      text: ScenarioText.valid(extra: #", "seed": 2"#), message: "twice"),
    BadInput(testDescription: "an empty file", text: "", message: "empty"),
    BadInput(
      testDescription: "ten million brackets", text: String(repeating: "[", count: 10_000_000),
      message: "deep"),
  ]

  @Test(arguments: inputs) func `a bad scenario is one clear message and nothing else`(_ input: BadInput) {
    let world = World(sources: ["Scenarios/bad.json": input.text])
    #expect(world.run("scenarios/bad.json") == .usage)
    #expect(world.errorLines.count == 1, "\(world.errors)")
    let line = world.errorLines.first ?? ""
    #expect(line.hasPrefix("Scenarios/bad.json:"))
    #expect(line.contains(": error: "))
    #expect(line.lowercased().contains(input.message), "\(line)")
    #expect(line.count < 400)
    #expect(world.output.isEmpty)
    #expect(world.log.isEmpty)
    #expect(world.runs.isEmpty)
  }

  @Test func `a folder and a missing file are told apart`() {
    let world = World(sources: ["Scenarios/cold-cache.json": ScenarioText.valid()])
    #expect(world.run("Scenarios", "Scenarios/cold-cach.json") == .usage)
    #expect(world.errorLines.count == 2)
    #expect(world.errorLines[0].contains("is a folder"))
    #expect(world.errorLines[1].contains("did you mean Scenarios/cold-cache.json?"))
    #expect(world.log.isEmpty)
  }

  @Test func `an override that meets nothing is told`() {
    let world = World(sources: ["a.json": ScenarioText.valid()])
    #expect(world.run("a.json", "--set", "client.cacheTLL=3s") == .usage)
    #expect(world.errorLines.count == 1)
    #expect(world.errors.contains("cacheTTL"))
  }

  @Test func `a command without a file is told what to write`() {
    let world = World()
    #expect(world.run() == .usage)
    #expect(world.errors.contains("simulate scenarios/cold-cache.json"))
    #expect(world.errorLines.count == 1)
  }

  @Test func `a mistyped command is one problem`() {
    let world = World()
    #expect(world.run("valdate") == .usage)
    #expect(world.errorLines == ["simulate: error: there is no command valdate; did you mean validate?"])
  }

  @Test func `a command in the wrong place is told`() {
    let world = World(sources: ["a.json": ScenarioText.valid()])
    #expect(world.run("a.json", "validate") == .usage)
    #expect(
      world.errorLines == [
        "simulate: error: the command comes first; write simulate validate and then the rest"
      ])
  }

  @Test func `a file of a command's name is a file`() {
    let world = World(sources: ["a.json": ScenarioText.valid("a"), "valdate": ScenarioText.valid("b")])
    #expect(world.run("valdate", "a.json") == .passed)
    #expect(world.runs == ["b", "a"])
  }
}
