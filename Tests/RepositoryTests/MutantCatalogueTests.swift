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

  /// The ids of the invariants that have a judge: `CancelIsolatedJudge.swift` judges `cancel-isolated`.
  private func judged() -> [String] {
    let suffix = "Judge.swift"
    let files = Repository.files.filter { $0.target == "Invariants" && $0.name.hasSuffix(suffix) }
    return files.filter { $0.name != suffix }.map { file in
      let words = file.name.dropLast(suffix.count)
      return zip(" " + words, words).map { previous, letter in
        (letter.isUppercase && previous.isLowercase ? "-" : "") + letter.lowercased()
      }.joined()
    }
  }

  @Test func `judges are told by the names of their files`() {
    #expect(judged().contains("single-flight") && judged().contains("ttl") && judged().count >= 8)
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
    let expected = Set(try catalogue().map(\.expects))
    #expect(expected.subtracting(judged()).isEmpty, "a mutant for an invariant that nobody judges")
    for invariant in judged() { #expect(expected.contains(invariant), "no mutant turns \(invariant) red") }
  }

  @Test func `every scenario of a mutant is used`() throws {
    let used = Set(try catalogue().map(\.scenario))
    for file in Repository.files where file.isBelow("Tests/Mutants/Scenarios") {
      #expect(used.contains(file.name), "\(file.path) is used by no mutant")
    }
  }
}
