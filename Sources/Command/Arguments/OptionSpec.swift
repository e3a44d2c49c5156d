/// One option of the command: how it is written, and what it is for.
package struct OptionSpec: Sendable, Equatable {
  /// The name without its dashes.
  package var name: String
  /// What the value is called in help; nil for an option without a value.
  package var valueName: String?
  /// What the option does, for help.
  package var summary: String
  /// Whether it may be given more than once.
  package var isRepeatable = false
  /// Whether this version has it; one that it has not is known only to say so.
  package var isAvailable = true

  /// The option as it is typed, as `--seed`.
  package var typed: String { "--\(name)" }

  /// The option with the name of its value, as `--seed N`.
  package var usage: String { valueName.map { "\(typed) \($0)" } ?? typed }
}

extension OptionSpec {
  static let help = OptionSpec(name: "help", summary: "Print this help and exit.")
  static let version = OptionSpec(name: "version", summary: "Print the version and exit.")

  static let seed = OptionSpec(
    name: "seed",
    valueName: "N",
    summary: "Take this seed, 0 to 9007199254740991, instead of the file's."
  )
  static let readers = OptionSpec(
    name: "readers",
    valueName: "N",
    summary: "Scale the groups of readers in proportion to N together, the remainder to the first."
  )
  static let set = OptionSpec(
    name: "set",
    valueName: "PATH=VALUE",
    summary: "Change a value of the scenario, as client.cacheTTL=30s or readers.launch.iterations=5.",
    isRepeatable: true
  )
  static let clock = OptionSpec(
    name: "clock",
    valueName: "virtual|wall",
    summary: "Run in simulated time, or in real time on the real thread pool."
  )
  static let report = OptionSpec(
    name: "report",
    valueName: "FORMAT=PATH",
    summary:
      "Write one more report: json, html, md, junit, bench or hdr. With - it goes to standard output, and the summary to standard error.",
    isRepeatable: true
  )
  static let reports = OptionSpec(
    name: "reports",
    valueName: "DIR",
    summary: "Write the reports of each scenario to DIR/NAME, not Reports/NAME."
  )
  static let keepGoing = OptionSpec(
    name: "keep-going",
    summary: "Do not stop a virtual run at its first violation."
  )
  static let seeds = OptionSpec(
    name: "seeds",
    valueName: "N",
    summary: "Run the scenario with so many seeds; 1000 unless told otherwise."
  )
  static let firstSeed = OptionSpec(
    name: "first-seed",
    valueName: "N",
    summary: "Begin with this seed instead of the file's."
  )
  static let jobs = OptionSpec(
    name: "jobs",
    valueName: "N",
    summary: "Use so many child processes; as many as the machine has cores unless told otherwise."
  )
  static let timeout = OptionSpec(
    name: "timeout",
    valueName: "SECONDS",
    summary: "Count a run that says nothing for so long as hanging; 30s unless told otherwise."
  )
  static let goOn = OptionSpec(
    name: "keep-going",
    summary: "Go on after a finding, and list the first of each kind."
  )
  static let quiet = OptionSpec(name: "quiet", summary: "Print no summary and no progress, only errors.")
  static let noColor = OptionSpec(name: "no-color", summary: "Print without colours, as with NO_COLOR set.")
  static let noProgress = OptionSpec(name: "no-progress", summary: "Do not show how far a long run is.")

  /// Options of DESIGN §5 that later versions bring.
  static let later: [OptionSpec] = [
    OptionSpec(name: "target", valueName: "URL", summary: "", isAvailable: false),
    OptionSpec(name: "shard", valueName: "I/N", summary: "", isAvailable: false),
    OptionSpec(name: "baseline", valueName: "FILE", summary: "", isAvailable: false),
  ]
}
