// swift-tools-version: 6.2
import PackageDescription

// The floors of the house: a target imports only targets of its own floor or of a lower one.
// A repository test reads the imports and holds them to this.

/// Everywhere: a warning is an error.
let shim: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]

/// Targets that promise memory safety: every unsafe use in them must be spelled `unsafe`.
let pure: [SwiftSetting] = shim + [.strictMemorySafety()]

/// The scheduler: its async functions stay on their caller's executor, which saves a hop for every sleep.
let engine: [SwiftSetting] = shim + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
  name: "Stampede",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ClientCore", targets: ["ClientCore"]),
    .library(name: "LCFeatureControl", targets: ["LCFeatureControl"]),
    .library(name: "Palbase", targets: ["Palbase"]),
    .library(name: "PalbaseAnalytics", targets: ["PalbaseAnalytics"]),
    .library(name: "PalbaseFlags", targets: ["PalbaseFlags"]),
    .library(name: "Simulation", targets: ["Simulation"]),
    .executable(name: "simulate", targets: ["simulate"]),
  ],
  traits: [
    .default(enabledTraits: ["Jemalloc"]),
    .trait(name: "Jemalloc", description: "Link jemalloc into `simulate` and count allocations."),
  ],
  targets: [
    // Floor 0: what knows nothing of anything above.
    .target(name: "ClientCore", swiftSettings: pure),
    .target(name: "Events", swiftSettings: pure),
    .target(name: "Metrics", swiftSettings: pure),

    // System libraries and C shims.
    .target(name: "CTaskHooks"),
    .target(name: "CLockAnnotations"),
    .target(name: "CThreadSlot"),
    .systemLibrary(name: "CJemalloc", providers: [.apt(["libjemalloc-dev"])]),

    // Floor 1: the engine, the clients, the service, the transports.
    .target(name: "Simulation", dependencies: ["CTaskHooks", "Events"], swiftSettings: engine),
    .target(
      name: "LCFeatureControl", dependencies: ["ClientCore", "URLSessionTransport"], swiftSettings: pure),
    .target(name: "Palbase", dependencies: ["ClientCore", "URLSessionTransport"], swiftSettings: pure),
    .target(name: "PalbaseAnalytics", dependencies: ["ClientCore", "Palbase"], swiftSettings: pure),
    .target(
      name: "PalbaseFlags", dependencies: ["CThreadSlot", "ClientCore", "Palbase"], swiftSettings: pure),
    .target(name: "SimulatedService", swiftSettings: pure),
    .target(name: "URLSessionTransport", dependencies: ["ClientCore"], swiftSettings: shim),

    // Floor 2: scenarios and judges.
    .target(name: "Invariants", dependencies: ["Events"], swiftSettings: pure),
    .target(name: "ScenarioFormat", dependencies: ["Invariants", "Metrics"], swiftSettings: pure),
    .target(
      name: "Scenarios",
      dependencies: [
        "ClientCore", "Events", "Invariants", "LCFeatureControl", "Metrics", "Palbase", "PalbaseAnalytics",
        "PalbaseFlags", "ScenarioFormat", "SimulatedService", "Simulation",
      ],
      swiftSettings: shim),

    // Floor 3: results on their way to people and machines.
    .target(name: "Reporting", dependencies: ["Metrics"], swiftSettings: pure),

    // Floor 4: the command.
    .target(
      name: "Command",
      dependencies: ["Events", "Invariants", "Metrics", "Reporting", "ScenarioFormat", "Scenarios"],
      swiftSettings: shim),
    .executableTarget(
      name: "simulate",
      dependencies: [
        "CLockAnnotations", "Command", "Metrics",
        .target(name: "CJemalloc", condition: .when(traits: ["Jemalloc"])),
      ],
      swiftSettings: shim),

    // Tests: every folder below Tests that holds Swift tests is a target.
    test(
      "BenchmarkTests",
      [
        "ClientCore", "Events", "LCFeatureControl", "Palbase", "PalbaseAnalytics", "PalbaseFlags",
        "Simulation",
      ]),
    test("ClientCoreTests", ["ClientCore"]),
    test(
      "CommandTests",
      ["Command", "Events", "Invariants", "Metrics", "Reporting", "ScenarioFormat", "Scenarios"]),
    test("EventsTests", ["Events"]),
    test("InvariantsTests", ["Events", "Invariants"]),
    test(
      "LCFeatureControlTests",
      ["ClientCore", "LCFeatureControl", "LoopbackServer", "Simulation", "Stagecraft", "URLSessionTransport"]),
    // A server for tests of real HTTP; a plain target, because two suites share it.
    .target(
      name: "LoopbackServer", dependencies: ["ClientCore"], path: "Tests/LoopbackServer", swiftSettings: shim),
    test("MetricsTests", ["Metrics"]),
    test("PalbaseAnalyticsTests", ["ClientCore", "Palbase", "PalbaseAnalytics", "Simulation", "Stagecraft"]),
    test(
      "PalbaseFlagsTests",
      ["ClientCore", "Palbase", "PalbaseAnalytics", "PalbaseFlags", "Simulation", "Stagecraft"]),
    test("PalbaseTests", ["ClientCore", "Palbase", "Simulation", "Stagecraft"]),
    test("ReportingTests", ["Metrics", "Reporting"], resources: [.copy("Golden")]),
    test("RepositoryTests", []),
    test("ScenarioFormatTests", ["Invariants", "Metrics", "ScenarioFormat"]),
    test("ScenariosTests", ["Events", "Invariants", "Metrics", "ScenarioFormat", "Scenarios"]),
    // The stage of stories in virtual time; a plain target, because the suites of all clients share it.
    .target(
      name: "Stagecraft", dependencies: ["ClientCore", "Simulation"], path: "Tests/Stagecraft",
      swiftSettings: shim),
    test("SimulatedServiceTests", ["SimulatedService"]),
    test("SimulationTests", ["Events", "Simulation"]),
    test("URLSessionTransportTests", ["ClientCore", "LoopbackServer", "URLSessionTransport"]),
  ],
  swiftLanguageModes: [.v6]
)

/// A test target.
///
/// `CLockAnnotations` teaches the thread sanitizer the locks of the standard library.
func test(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .testTarget(
    name: name, dependencies: ["CLockAnnotations"] + dependencies, resources: resources, swiftSettings: shim)
}
