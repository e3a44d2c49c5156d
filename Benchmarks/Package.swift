// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that who uses the libraries fetches nothing for it.

let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "StampedeBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Stampede", path: "..")],
  targets: [
    .target(
      name: "BenchmarkWorkloads",
      dependencies: [
        .product(name: "ClientCore", package: "Stampede"),
        .product(name: "LCFeatureControl", package: "Stampede"),
        .product(name: "Palbase", package: "Stampede"),
        .product(name: "PalbaseFlags", package: "Stampede"),
        .product(name: "Simulation", package: "Stampede"),
      ], swiftSettings: settings),
    .target(name: "CAllocationCount"),
    .executableTarget(name: "engine", dependencies: ["BenchmarkWorkloads"], swiftSettings: settings),
    .executableTarget(
      name: "evaluate", dependencies: ["BenchmarkWorkloads", "CAllocationCount"], swiftSettings: settings),
    .executableTarget(
      name: "reads", dependencies: ["BenchmarkWorkloads", "CAllocationCount"], swiftSettings: settings),
    .executableTarget(
      name: "fleet", dependencies: ["BenchmarkWorkloads", "CAllocationCount"], swiftSettings: settings),
    .executableTarget(name: "threads", dependencies: ["BenchmarkWorkloads"], swiftSettings: settings),
    .executableTarget(name: "record", dependencies: ["BenchmarkWorkloads"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
