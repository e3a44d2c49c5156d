import Testing

@Suite struct UnsafeCodeTests {
  /// The files that may step outside the compiler's proofs, each with its reason.
  private static let allowed: [(path: String, reason: String)] = [
    ("Sources/Simulation/", "owns raw storage and jobs on the one thread that runs a simulation"),
    ("Sources/URLSessionTransport/", "bridges a delegate of Foundation"),
    ("Sources/CTaskHooks/", "C"),
    ("Sources/CJemalloc/", "C"),
    (
      "Sources/PalbaseFlags/Store/ThreadCopies.swift",
      "counts references by hand in a table that one thread owns"
    ),
    ("Sources/Reporting/AtomicFile.swift", "calls open, write, fsync and rename"),
    ("Sources/Reporting/FileCalls.swift", "the C functions that AtomicFile calls"),
    (
      "Sources/Scenarios/Observation/VirtualWitness.swift",
      "touched only by the thread that runs the simulation"
    ),
    (
      "Sources/Scenarios/Flags/MainActorStandIn.swift",
      "runs an app's main-actor work where the program's main thread waits: one piece at a time, in order"
    ),
    ("Sources/Scenarios/Runs/VirtualRun.swift", "touched only by the thread that runs the simulation"),
    ("Sources/Scenarios/Runs/ProcessMemory.swift", "asks the system for the resident size"),
    ("Sources/Command/System/", "signals, terminal and machine facts of the C library"),
    ("Sources/simulate/", "reads jemalloc's counters"),
  ]

  private static let constructs = [
    "@unchecked Sendable", "@unchecked", "nonisolated(unsafe)", "unsafe", "@unsafe", "@safe", "unsafeBitCast",
    "unsafeDowncast", "Unmanaged", "@preconcurrency",
  ]

  private static func findings(in file: Repository.File) -> [String] {
    let tokens = SwiftTokens.of(file.text)
    let named = tokens.filter { $0.text.hasPrefix("Unsafe") || $0.text.hasPrefix("withUnsafe") }
      .map { ($0.line, $0.text) }
    let listed = constructs.flatMap { construct in tokens.lines(of: construct).map { ($0, construct) } }
    return (named + listed).map { "\(file.path):\($0): \($1)" }
  }

  @Test func `unsafe code stays in the shims`() {
    for file in Repository.swiftFiles where file.isBelow("Sources") {
      guard !Self.allowed.contains(where: { file.path.hasPrefix($0.path) }) else { continue }
      for finding in Self.findings(in: file) {
        Issue.record("\(finding) outside the shims (UnsafeCodeTests.swift)")
      }
    }
  }

  @Test func `every shim in the table exists`() {
    for (path, reason) in Self.allowed {
      #expect(
        Repository.files.contains { $0.path.hasPrefix(path) }, "\(path) is gone, but allowed: \(reason)")
    }
  }

  @Test(arguments: [
    "@unchecked Sendable", "nonisolated(unsafe) var x", "UnsafeMutablePointer<Int>", "unsafe f()",
  ])
  func `unsafe code is found`(code: String) {
    #expect(!Self.findings(in: Repository.File(path: "canary", text: "a \(code) b")).isEmpty)
  }

  @Test func `pure targets promise memory safety to the compiler`() throws {
    let manifest = try #require(Repository.text(of: "Package.swift"))
    for target in [
      "ClientCore", "Events", "Metrics", "LCFeatureControl", "Palbase", "PalbaseAnalytics", "PalbaseFlags",
      "ScenarioFormat", "Invariants", "Reporting",
    ] {
      // A declaration ends with its settings.
      let declarations =
        manifest.ranges(of: ".target(name: \"\(target)\"").map { $0.lowerBound }
        + manifest.ranges(of: ".target(\n      name: \"\(target)\"").map { $0.lowerBound }
      let declaration = try #require(declarations.first, "\(target) is no target of Package.swift")
      let settings = try #require(manifest[declaration...].range(of: "swiftSettings: "))
      #expect(manifest[settings.upperBound...].hasPrefix("pure"), "\(target) is not declared pure")
    }
  }
}
