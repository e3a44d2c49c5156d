import Foundation
import Testing

@Suite struct ScenarioTests {
  private struct Summary: Decodable {
    let name: String
    let description: String
    let thresholds: [String: [Threshold]]?
    let require: [Requirement]?

    enum Threshold: Decodable {
      case any
      init(from decoder: any Decoder) throws { self = .any }
    }
    enum Requirement: Decodable {
      case any
      init(from decoder: any Decoder) throws { self = .any }
    }
  }

  private static let shipped = Repository.files.filter {
    $0.isBelow("Scenarios") && $0.path.hasSuffix(".json")
  }
  private static let special = Repository.files.filter {
    $0.isBelow("Tests/Mutants/Scenarios") && $0.path.hasSuffix(".json")
  }

  private func summary(_ file: Repository.File) throws -> Summary {
    try JSONDecoder().decode(Summary.self, from: Data(file.text.utf8))
  }

  @Test func `the scenarios of the first version are shipped`() {
    let names = Set(Self.shipped.map(\.name))
    for name in [
      "cold-cache", "warm-cache", "ttl-expiry", "store-switch", "cancelled-callers", "fleet-cold-start",
    ] { #expect(names.contains("\(name).json")) }
  }

  @Test func `each shipped scenario is named as its file and says what it proves`() throws {
    for file in Self.shipped {
      let summary = try summary(file)
      #expect(file.name == "\(summary.name).json")
      #expect(
        summary.description.count >= 40 && summary.description.hasSuffix("."), "\(file.path): description")
    }
  }

  @Test func `each shipped scenario can fail`() throws {
    for file in Self.shipped {
      let summary = try summary(file)
      #expect(summary.thresholds?.isEmpty == false, "\(file.path) has no threshold")
      #expect(summary.require?.isEmpty == false, "\(file.path) requires no invariant to be exercised")
    }
  }

  @Test func `each scenario of a mutant has a description and a name of its own`() throws {
    let names = try (Self.shipped + Self.special).map { try summary($0).name }
    #expect(Set(names).count == names.count)
    for file in Self.special {
      let summary = try summary(file)
      #expect(summary.name.hasPrefix("mutant-"), "\(file.path)")
      #expect(!summary.description.isEmpty, "\(file.path)")
    }
  }
}
