import Testing

@Suite struct PackageTests {
  /// Apart from the expectations, which would print the whole manifest.
  private func declares(_ target: String, _ manifest: String) -> Bool {
    let dense = manifest.filter { !$0.isWhitespace }
    return dense.contains("name:\"\(target)\"") || dense.contains("test(\"\(target)\"")
      || manifest.contains("test(\n      \"\(target)\"")
  }

  @Test func `every folder of tests is a target`() throws {
    let manifest = try #require(Repository.text(of: "Package.swift"))
    for folder in Repository.folders(in: "Tests") where folder != "Mutants" {
      let isDeclared = declares(folder, manifest)
      #expect(isDeclared, "Tests/\(folder): a folder that no target builds")
    }
  }

  @Test func `every target of sources has a folder`() throws {
    let manifest = try #require(Repository.text(of: "Package.swift"))
    for target in Repository.folders(in: "Sources") {
      let isDeclared = declares(target, manifest)
      #expect(isDeclared, "Sources/\(target) is no target of Package.swift")
    }
  }

  @Test func `every test is in a folder of tests and its name is a sentence`() {
    for file in Repository.swiftFiles where file.isBelow("Tests") {
      let tokens = SwiftTokens.of(file.text)
      for (index, token) in tokens.enumerated() where token.text == "Test" && index > 0 {
        guard tokens[index - 1].text == "@" else { continue }
        let rest = tokens[index...].prefix { $0.text != "{" }.map(\.text)
        guard let name = rest.firstIndex(of: "func").map({ rest.index(after: $0) }), name < rest.endIndex
        else {
          continue
        }
        #expect(
          rest[name] == "`", "\(file.path):\(token.line): the name of a test is a sentence in backticks")
      }
    }
  }

  @Test func `the launcher and the scripts can be started`() {
    for path in ["simulate", ".ci/run", ".ci/packages", "Tests/Mutants/mutants.py", "Benchmarks/bench.py"] {
      #expect(Repository.text(of: path)?.hasPrefix("#!/usr/bin/env ") == true, "\(path) says no interpreter")
      #expect(Repository.isExecutable(path), "\(path) is not executable")
    }
  }
}
