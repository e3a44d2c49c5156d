/// What client code must not do by itself, and what it does instead.
///
/// A client runs unchanged in an app, in a unit test and in a simulation because every effect comes from its
/// environment (DESIGN §3). One hidden clock, random number or bare task and a seed no longer repeats a run.
struct BannedCall: Sendable {
  /// The code, as a row of tokens.
  let code: String
  /// What to write instead.
  let replacement: String

  static let all: [BannedCall] =
    [
      "Task {", "Task (", "Task.detached", "Task.init", "Task.immediate", "Task.immediateDetached",
    ].map { BannedCall(code: $0, replacement: "`environment.spawner.spawn { }`") }
    + ["Task.sleep", "usleep", "nanosleep", "sleep (for:"].map {
      BannedCall(code: $0, replacement: "`environment.clock.sleep(until:)`")
    }
    + ["Task.yield"].map { BannedCall(code: $0, replacement: "nothing: it leaves the client's executor") }
    + ["ContinuousClock", "SuspendingClock", "clock_gettime", "mach_absolute_time", "DispatchTime"].map {
      BannedCall(code: $0, replacement: "`environment.clock`")
    }
    + [
      "Date()", "Date.now", "Date.init", "Date(timeIntervalSinceNow:", "gettimeofday",
      "CFAbsoluteTimeGetCurrent",
    ].map { BannedCall(code: $0, replacement: "`environment.wallClock`") }
    + [
      "UUID()", "UUID.init", "SystemRandomNumberGenerator", ".random(", ".randomElement(", ".shuffled(",
      ".shuffle(",
      "arc4random", "arc4random_uniform", "drand48",
    ].map { BannedCall(code: $0, replacement: "`environment.random`") }
    + ["MainActor.run", "MainActor.assumeIsolated", "DispatchQueue", "OperationQueue"].map {
      BannedCall(code: $0, replacement: "`environment.mainActorHop`, or `environment.spawner`")
    }
    + ["Thread", "pthread_create", "RunLoop"].map {
      BannedCall(code: $0, replacement: "`environment.spawner`; a client owns no threads")
    }
    + ["Timer", "DispatchSource", "DispatchSourceTimer"].map {
      BannedCall(code: $0, replacement: "`environment.clock.sleep(until:)` in a task of the spawner")
    }
    + ["UserDefaults", "FileManager", "FileHandle"].map {
      BannedCall(code: $0, replacement: "`environment.storage`")
    }
    + ["URLSession"].map { BannedCall(code: $0, replacement: "`environment.transport`") }
    + ["NotificationCenter"].map { BannedCall(code: $0, replacement: "`environment.lifecycle`") }
    + ["ProcessInfo", "getenv"].map {
      BannedCall(code: $0, replacement: "a parameter of the configuration")
    }
    + ["print(", "debugPrint(", "NSLog(", "dump("].map {
      BannedCall(code: $0, replacement: "nothing: libraries are silent (BEHAVIOUR rule 1.10)")
    }

  /// What in a text is banned, each with its line and replacement.
  static func violations(in file: Repository.File) -> [String] {
    let tokens = SwiftTokens.of(file.text)
    return all.flatMap { banned in
      tokens.lines(of: banned.code).map { line in
        "\(file.path):\(line): `\(banned.code)` in client code; use \(banned.replacement)"
      }
    }
  }

  /// The targets whose code runs in a simulation.
  static let clientTargets: Set = [
    "ClientCore", "LCFeatureControl", "Palbase", "PalbaseAnalytics", "PalbaseFlags",
  ]

  /// Whether the rule holds for a file: the live effects are where the banned calls belong.
  static func applies(to file: Repository.File) -> Bool {
    guard let target = file.target, clientTargets.contains(target) else { return false }
    return !(target == "ClientCore" && file.name.hasPrefix("Live"))
  }
}
