import Foundation
import Invariants
import Metrics
import Reporting
import Testing

@testable import Command

@Suite struct `list, validate, schema and explain` {
  private let world = World(sources: [
    "Scenarios/b.json": ScenarioText.valid("b"), "Scenarios/a.json": ScenarioText.valid("a"),
    "Scenarios/notes.txt": "", "bad.json": ScenarioText.valid("a", extra: #", "x": 1, "warmup": 3"#),
  ])

  @Test func `list shows what is shipped, in order`() {
    #expect(world.run("list") == .passed)
    #expect(
      world.output == """
        Scenarios/a.json
          Readers ask at once: one request may leave.

        Scenarios/b.json
          Readers ask at once: one request may leave.

        """)
  }

  @Test func `list wraps to the terminal`() {
    let narrow = Terminal(isTerminal: true, columns: 30, allowsColor: false, allowsRedrawing: true)
    #expect(SimulateCommand.run(["list"], in: world.surroundings(outputTerminal: narrow)) == .passed)
    #expect(world.output.split(separator: "\n").allSatisfy { $0.count <= 30 })
  }

  @Test func `list finds the scenarios beside the executable's package`() {
    var surroundings = World(sources: ["/opt/s/Scenarios/a.json": ScenarioText.valid("a")]).surroundings()
    surroundings.output = world.surroundings().output
    surroundings.executable = "/opt/s/.build/release/simulate"
    #expect(SimulateCommand.run(["list"], in: surroundings) == .passed)
    #expect(world.output.hasPrefix("/opt/s/Scenarios/a.json\n"))
  }

  @Test func `list without scenarios says where it looked`() {
    let empty = World()
    #expect(empty.run("list") == .usage)
    #expect(empty.errors.contains("no scenarios"))
    #expect(empty.run("list", "x") == .usage)
  }

  @Test func `validate tells one line for each file and every problem`() {
    #expect(world.run("validate", "scenarios/a.json", "bad.json") == .usage)
    #expect(
      world.output
        == "Scenarios/a.json: valid: a, 5,000 readers, virtual clock\nbad.json: 2 problems\n")
    #expect(world.errorLines.count == 2)
    #expect(world.log.isEmpty)
  }

  @Test func `validate passes what is valid`() {
    #expect(world.run("validate", "Scenarios/a.json", "Scenarios/b.json") == .passed)
    #expect(world.errors.isEmpty)
    #expect(world.run("validate") == .usage)
  }

  @Test(arguments: [[], ["scenario"], ["result"]]) func `a schema is JSON`(_ names: [String]) throws {
    #expect(SimulateCommand.run(["schema"] + names, in: world.surroundings()) == .passed)
    let schema = try JSONSerialization.jsonObject(with: Data(world.output.utf8)) as? [String: Any]
    #expect(schema?["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
  }

  @Test func `an unknown schema names the nearest`() {
    #expect(world.run("schema", "results") == .usage)
    #expect(world.errors.contains("did you mean result?"))
  }

  @Test func `explain tells statement, unit and source of an invariant`() {
    #expect(world.run("explain", "single-flight") == .passed)
    let text = world.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains(Invariant.singleFlight.summary))
    #expect(text.contains(Invariant.singleFlight.unit ?? "?"))
    #expect(text.contains("BEHAVIOUR §4"))
  }

  @Test(arguments: [
    ("etag-honest", "runs of client.kind flags"), ("ttl", "runs of client.kind feature-control"),
    ("single-flight", "runs of client.kind feature-control and flags"),
  ])
  func `explain says in whose runs an invariant is judged`(id: String, clients: String) {
    #expect(world.run("explain", id) == .passed)
    #expect(world.output.contains(clients))
  }

  @Test func `explain tells kind, unit and tags of a metric`() {
    #expect(world.run("explain", "cache_hits") == .passed)
    for word in ["counter", "count", "state", "fresh, stale, default", "group"] {
      #expect(world.output.contains(word))
    }
  }

  @Test(arguments: [
    ("singel-flight", "single-flight"), ("request", "requests"), ("cache-hits", "cache_hits"),
  ])
  func `explain names the nearest on a typo`(_ name: String, _ meant: String) {
    #expect(world.run("explain", name) == .usage)
    #expect(world.errors.contains("did you mean \(meant)?"))
  }

  @Test func `everything that can be explained is listed and fits`() {
    #expect(world.run("explain") == .passed)
    for metric in Metric.catalogue { #expect(world.output.contains(metric.name)) }
    for invariant in Invariant.known { #expect(world.output.contains(invariant.id)) }
    #expect(world.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    for name in Metric.catalogue.map(\.name) + Invariant.known.map(\.id) {
      #expect(world.run("explain", name) == .passed)
    }
    #expect(world.output.split(separator: "\n").allSatisfy { $0.count <= 80 && $0.last != " " })
  }
}
