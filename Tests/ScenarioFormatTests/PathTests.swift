import Foundation
import ScenarioFormat
import Testing

/// Finding scenario files.
@Suite struct PathTests {
  /// A file system of these paths; what ends in `/` is a folder.
  private func tree(_ paths: String..., unreadable: Set<String> = []) -> FileTree {
    let files = paths.filter { !$0.hasSuffix("/") }
    @Sendable func normal(_ path: String) -> String {
      let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
      return path.hasPrefix("/") ? "/" + parts : parts
    }
    @Sendable func names(_ folder: String) -> [String] {
      let prefix = folder == "." ? "" : normal(folder) == "/" ? "/" : normal(folder) + "/"
      let inside = paths.filter { $0.hasPrefix(prefix) && $0.hasPrefix("/") == prefix.hasPrefix("/") }
      return Array(
        Set(inside.compactMap { $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init) })
      )
    }
    return FileTree(
      kind: { path in
        if files.contains(normal(path)), !path.hasSuffix("/") { return .file }
        return normal(path).isEmpty || paths.contains { $0.hasPrefix(normal(path) + "/") } ? .folder : nil
      },
      names: { names($0) },
      read: { path, _ in
        if unreadable.contains(path) { return .failure(.init(reason: "permission denied")) }
        return .success(Array(Sample.smallest.utf8))
      }
    )
  }

  private func problem(_ path: String, _ tree: FileTree) -> String? {
    do throws(Problem) {
      let found = try ScenarioPath.find(path, in: tree)
      Issue.record("found \(found)")
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    ("Scenarios/cold-cache.json", "Scenarios/cold-cache.json"),
    ("scenarios/cold-cache.json", "Scenarios/cold-cache.json"),
    ("./scenarios/Cold-Cache.JSON", "./Scenarios/cold-cache.json"),
    ("cold-cache.json", "Scenarios/cold-cache.json"),
    ("COLD-CACHE.json", "Scenarios/cold-cache.json"),
    ("mine.json", "mine.json"),
    ("MINE.json", "mine.json"),
    ("more/deep.json", "Scenarios/More/deep.json"),
    ("/srv/s.json", "/srv/s.json"),
    ("/SRV/S.json", "/srv/s.json"),
  ])
  func `a path is taken as given, then without regard to case, then below Scenarios`(
    path: String,
    found: String
  ) throws {
    let tree = tree(
      "mine.json",
      "Scenarios/cold-cache.json",
      "Scenarios/mine.json",
      "Scenarios/More/deep.json",
      "/srv/s.json"
    )
    #expect(try ScenarioPath.find(path, in: tree) == found)
  }

  @Test func `of names that differ in case only the exact one goes first, then the one that leads on`() throws
  {
    let tree = tree("A/y.json", "a/x.json", "B.json", "b.json")
    #expect(try ScenarioPath.find("a/X.json", in: tree) == "a/x.json")
    #expect(try ScenarioPath.find("a/Y.json", in: tree) == "A/y.json")
    #expect(try ScenarioPath.find("b.json", in: tree) == "b.json")
    #expect(try ScenarioPath.find("b.JSON", in: tree) == "B.json")
  }

  @Test func `a missing file is answered with the nearest`() {
    let files = tree("Scenarios/cold-cache.json", "Scenarios/warm-cache.json", "other/x.json")
    #expect(
      problem("scenarios/cold-cahce.json", files)
        == "scenarios/cold-cahce.json: error: there is no such file; did you mean Scenarios/cold-cache.json?"
    )
    #expect(
      problem("cold-cache", files)
        == "cold-cache: error: there is no such file; did you mean Scenarios/cold-cache.json?"
    )
    #expect(
      problem("other/y.json", files)
        == "other/y.json: error: there is no such file; did you mean other/x.json?"
    )
    #expect(
      problem("qqqqqqqqqqqqqqq", files)
        == "qqqqqqqqqqqqqqq: error: there is no such file; there is Scenarios/cold-cache.json, "
        + "Scenarios/warm-cache.json"
    )
    #expect(problem("x.json", tree("y/")) == "x.json: error: there is no such file")
    // The folder it was looked for in may be that of the shipped ones: each file is named once.
    #expect(
      problem("Scenarios/qqqqqqqqqqqqqqq", tree("Scenarios/x.json"))
        == "Scenarios/qqqqqqqqqqqqqqq: error: there is no such file; there is Scenarios/x.json")
    #expect(problem("", files) == "\"\": error: an empty path; name a file")
  }

  @Test func `a folder is no scenario`() {
    let files = tree("Scenarios/cold-cache.json", "Scenarios/warm-cache.json", "empty/")
    #expect(
      problem("scenarios", files)
        == "scenarios: error: is a folder, not a scenario file; name a file in it, such as Scenarios/cold-cache.json"
    )
    #expect(problem("empty", files) == "empty: error: is a folder, not a scenario file; name a file")
  }

  @Test func `a file that cannot be read is one problem`() {
    let loaded = ScenarioFile.load(path: "a.json", files: tree("a.json", unreadable: ["a.json"]))
    #expect(loaded.problems.map(\.description) == ["a.json: error: cannot be read: permission denied"])
    #expect(loaded.scenario == nil)
  }

  @Test func `problems name the file that was found`() {
    let loaded = ScenarioFile.load(
      path: "COLD.json",
      overrides: [.seed("x")],
      files: tree("Scenarios/cold.json")
    )
    #expect(loaded.file == "Scenarios/cold.json")
    #expect(loaded.problems.map(\.file) == ["Scenarios/cold.json"])
  }

  @Test func `the real file system tells files, folders and nothing apart`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("path-tests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Small.json")
    try Data(Sample.smallest.utf8).write(to: file)
    #expect(ScenarioFile.load(path: file.path).problems.isEmpty)
    let otherCase = folder.appendingPathComponent("small.JSON").path
    #expect(ScenarioFile.load(path: otherCase).scenario?.name == "small")
    #expect(
      ScenarioFile.load(path: folder.path).problems.map(\.message) == ["is a folder, not a scenario file"]
    )
    let missing = folder.appendingPathComponent("smal.json").path
    #expect(ScenarioFile.load(path: missing).problems.map(\.message) == ["there is no such file"])
    #expect(ScenarioFile.load(path: missing).problems.first?.suggestion?.hasSuffix("/Small.json?") == true)
    #expect(FileTree.current.kind(folder.path) == .folder)
    #expect(FileTree.current.kind(file.path) == .file)
    #expect(FileTree.current.kind(missing) == nil)
    guard case .failure(let failure) = FileTree.current.read(missing, 10) else {
      Issue.record("read a file that is not there")
      return
    }
    #expect(failure.reason == "No such file or directory")
    #expect(FileTree.current.read(file.path, 5) == .success(Array(Sample.smallest.utf8.prefix(5))))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/zero")))
  func `an endless file is cut off`() {
    #expect(
      ScenarioFile.load(path: "/dev/zero").problems.map(\.message) == ["the file is larger than 16 MB"]
    )
  }
}
