import Foundation
import Testing

/// The catalogue of mutants fits the sources it mutates and the judges it is for.
@Suite struct MutantCatalogueTests {
  private struct Catalogue: Decodable {
    let mutants: [Mutant]
  }

  private struct Mutant: Decodable {
    let name: String
    let description: String
    let expects: String
    let scenario: String
    let maxSeeds: Int
    let edits: [Edit]
  }

  private struct Edit: Decodable {
    let file: String
    let anchor: [String]
    let replacement: [String]
  }

  private func catalogue() throws -> [Mutant] {
    let text = try #require(Repository.text(of: "Tests/Mutants/catalogue.json"))
    return try JSONDecoder().decode(Catalogue.self, from: Data(text.utf8)).mutants
  }

  /// A judge: of which client, and of which invariant.
  private struct Judge: Hashable, CustomStringConvertible {
    let client: String
    let invariant: String
    var description: String { "\(invariant) of \(client)" }
  }

  private struct Scenario: Decodable {
    struct Client: Decodable { let kind: String? }
    let client: Client
  }

  /// The judges that exist: those of the flags client have a folder of their own, and each names its invariant.
  private func judges() -> Set<Judge> {
    let mark = "static let invariant = Invariant."
    let files = Repository.files.filter { $0.target == "Invariants" && $0.name.hasSuffix("Judge.swift") }
    return Set(
      files.compactMap { file in
        guard let name = file.text.split(separator: mark).dropFirst().first?.prefix(while: \.isLetter) else {
          return nil
        }
        let id = name.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
        return Judge(
          client: file.isBelow("Sources/Invariants/Flags") ? "flags" : "feature-control", invariant: id)
      })
  }

  /// Which client's run a mutant is expected to turn red, and in which invariant.
  private func target(of mutant: Mutant) throws -> Judge {
    let text = try #require(Repository.text(of: "Tests/Mutants/Scenarios/\(mutant.scenario)"))
    let kind = try JSONDecoder().decode(Scenario.self, from: Data(text.utf8)).client.kind
    return Judge(client: kind ?? "feature-control", invariant: mutant.expects)
  }

  @Test func `judges are found by their files`() {
    let judges = judges()
    #expect(judges.contains(Judge(client: "feature-control", invariant: "single-flight")))
    #expect(judges.contains(Judge(client: "flags", invariant: "one-snapshot-per-read")))
    #expect(judges.count >= 35)
  }

  @Test func `every anchor occurs in its file exactly once`() throws {
    for mutant in try catalogue() {
      for edit in mutant.edits {
        let text = try #require(Repository.text(of: edit.file), "\(mutant.name): \(edit.file) is gone")
        let anchor = edit.anchor.joined(separator: "\n")
        #expect(text.ranges(of: anchor).count == 1, "\(mutant.name): \(edit.file): \(anchor)")
      }
    }
  }

  @Test func `every mutant asks whether it is active and leaves the original beside the bug`() throws {
    for mutant in try catalogue() {
      let replacement = mutant.edits.flatMap(\.replacement).joined(separator: "\n")
      #expect(replacement.contains("MUTANT"), "\(mutant.name) is never switched off")
      #expect(mutant.edits.allSatisfy { $0.file.hasPrefix("Sources/") }, "\(mutant.name)")
    }
  }

  @Test func `names are unique and every mutant says what is wrong`() throws {
    let mutants = try catalogue()
    #expect(Set(mutants.map(\.name)).count == mutants.count)
    for mutant in mutants {
      #expect(mutant.description.hasSuffix("."), "\(mutant.name)")
      #expect(mutant.maxSeeds > 0, "\(mutant.name)")
      #expect(
        Repository.text(of: "Tests/Mutants/Scenarios/\(mutant.scenario)") != nil,
        "\(mutant.name): there is no scenario \(mutant.scenario)")
    }
  }

  @Test func `every judge has a mutant that turns it red`() throws {
    let targets = Set(try catalogue().map(target))
    for judge in targets.subtracting(judges()) { Issue.record("a mutant for \(judge), which nobody judges") }
    for judge in judges().subtracting(targets) { Issue.record("no mutant turns \(judge) red") }
  }

  @Test func `every scenario of a mutant is used`() throws {
    let used = Set(try catalogue().map(\.scenario))
    for file in Repository.files where file.isBelow("Tests/Mutants/Scenarios") {
      #expect(used.contains(file.name), "\(file.path) is used by no mutant")
    }
  }
}
