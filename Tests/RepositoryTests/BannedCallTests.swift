import Testing

@Suite struct BannedCallTests {
  private func file(_ text: String, path: String = "Sources/ClientCore/Canary.swift") -> Repository.File {
    Repository.File(path: path, text: text)
  }

  @Test func `client code reaches outside through its environment only`() {
    let files = Repository.swiftFiles.filter(BannedCall.applies(to:))
    #expect(files.count > 20, "the clients are not where this test looks for them")
    for file in files {
      for violation in BannedCall.violations(in: file) { Issue.record("\(violation)") }
    }
  }

  @Test(arguments: BannedCall.all.map(\.code))
  func `each banned call is found`(code: String) {
    let found = BannedCall.violations(in: file("struct Canary {\n  func sing() { \(code) }\n}\n"))
    #expect(found.contains { $0.contains(":2: `\(code)`") })
  }

  @Test(arguments: BannedCall.all.map(\.code))
  func `a banned call in a comment or a string is not found`(code: String) {
    #expect(BannedCall.violations(in: file("// \(code)\n/* \(code) */\nlet text = #\"\(code)\"#\n")).isEmpty)
  }

  @Test(arguments: [
    "SpawnedTask {}", "HTTPDate(text)", "Task.isCancelled", "Task.checkCancellation()", "unreadDate()",
  ])
  func `what only looks like a banned call is let pass`(code: String) {
    #expect(BannedCall.violations(in: file(code)).isEmpty)
  }

  @Test func `live effects and other targets are exempt`() {
    #expect(!BannedCall.applies(to: file("", path: "Sources/ClientCore/Environment/LiveSpawner.swift")))
    #expect(!BannedCall.applies(to: file("", path: "Sources/Simulation/Simulator.swift")))
    #expect(BannedCall.applies(to: file("", path: "Sources/LCFeatureControl/LiveFlags.swift")))
  }
}
