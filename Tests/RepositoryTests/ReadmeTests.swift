import Foundation
import Testing

/// What the README says, held against the repository.
@Suite struct ReadmeTests {
  @Test func `the Swift sample of the README is the one that a test compiles and runs`() throws {
    let readme = try #require(Repository.text(of: "README.md"))
    let file = try #require(Repository.text(of: "Tests/SimulationTests/ReadmeSampleTests.swift"))
    let sample = try #require(file.components(between: "// sample\n", and: "// end of sample"))
    let shown = try #require(readme.components(between: "```swift\nimport Simulation\n\n", and: "```"))
    #expect(shown == sample)
  }

  @Test func `every target of make that the README names exists`() throws {
    let readme = try #require(Repository.text(of: "README.md"))
    let makefile = try #require(Repository.text(of: "Makefile"))
    for line in readme.split(separator: "\n") where line.hasPrefix("| `make ") {
      let target = line.dropFirst("| `make ".count).prefix { $0 != "`" && $0 != " " }
      let isThere = makefile.contains("\n\(target):")
      #expect(isThere, "make \(target) is in the README but not in the Makefile")
    }
  }

  @Test func `every shipped scenario is in the README`() throws {
    let readme = try #require(Repository.text(of: "README.md"))
    for file in Repository.files where file.path.hasPrefix("Scenarios/") {
      let name = file.path.dropFirst("Scenarios/".count).prefix { $0 != "." }
      let isNamed = readme.contains("`\(name)`")
      #expect(isNamed, "\(file.path) is not in the README")
    }
  }
}

/// The table of reported bugs, held against the tests that it names.
@Suite struct ReportedBugsTableTests {
  @Test func `every test that the table of reported bugs names exists`() throws {
    let table = try #require(Repository.text(of: "docs/reported-bugs.md"))
    let tests = Repository.swiftFiles.filter { $0.isBelow("Tests") }.map(\.text).joined(separator: "\n")
    let names = table.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
      .filter { $0.contains(" ") && !$0.hasPrefix("make ") }
    #expect(names.count > 30)
    for name in names { #expect(tests.contains("func `\(name)`("), "there is no test \(name)") }
  }
}

extension String {
  /// The text between the first occurrence of one mark and the next of another.
  fileprivate func components(between first: String, and last: String) -> String? {
    guard let start = range(of: first)?.upperBound else { return nil }
    let rest = self[start...]
    guard let end = rest.range(of: last)?.lowerBound else { return nil }
    return String(rest[..<end])
  }
}
