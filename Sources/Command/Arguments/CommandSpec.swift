import Reporting

/// A command of this version.
package enum CommandWord: String, Sendable, CaseIterable {
  case run
  case list
  case validate
  case schema
  case explain
  case replay
  case explore
  /// A child process of `explore`, which nobody types.
  case exploreWorker = "explore-worker"
}

/// One row of the table of commands: what parsing and help need to know.
package struct CommandSpec: Sendable {
  /// The command.
  package var word: CommandWord
  /// What follows the command, for help.
  package var operands: String
  /// What it does, in one line.
  package var summary: String
  /// More about it, a paragraph each.
  package var details: [String]
  /// Its options, in the order of help.
  package var options: [OptionSpec]

  /// The options that somebody can use, those of every command included.
  package var availableOptions: [OptionSpec] { options.filter(\.isAvailable) + [.help, .version] }

  /// Returns the option with a name, one that this version lacks included.
  package func option(named name: String) -> OptionSpec? {
    (options + [.help, .version]).first { $0.name == name }
  }
}

/// The commands with their options: the one table that parsing and help are made from (DESIGN §5, "Arguments").
package enum CommandTable {
  /// All commands of this version that somebody may type, in the order of help.
  package static let all: [CommandSpec] = CommandWord.allCases.filter { $0 != .exploreWorker }.map(spec(of:))

  /// Commands of DESIGN §5 that later versions bring.
  package static let later = ["compare", "baseline", "merge", "serve"]

  /// The name of each exit code with what it means, for help.
  package static let exitCodes: [(code: ExitCode, meaning: String)] = [
    (.passed, "passed"),
    (.internalError, "internal error, or a report could not be written"),
    (.threshold, "a threshold failed"),
    (.violation, "an invariant was violated"),
    (.inconclusive, "inconclusive: a required invariant was not exercised"),
    (.usage, "wrong arguments or an invalid scenario; nothing was run"),
    (.interrupted, "interrupted (143: told to end); the reports are written"),
  ]

  /// Returns what an exit code means for one scenario, in a few words.
  static func meaning(of code: ExitCode) -> String {
    switch code {
    case .passed: "passed"
    case .interrupted, .terminated: "interrupted (exit \(code.rawValue))"
    case .internalError, .threshold, .violation, .noBaseline, .inconclusive, .usage:
      "\(exitCodes.first { $0.code == code }?.meaning ?? "failed") (exit \(code.rawValue))"
    }
  }

  /// Returns the row of a command.
  package static func spec(of word: CommandWord) -> CommandSpec {
    switch word {
    case .run:
      CommandSpec(
        word: .run,
        operands: "FILE…",
        summary: "Run scenarios one after the other; `simulate FILE…` is short for it.",
        details: [
          "A path that is not there is tried without regard to case, then below Scenarios/.",
          "Each run writes Reports/NAME/result.json and junit.xml below the working directory, and failure.json if "
            + "an invariant was violated.",
        ],
        options: [
          .seed, .readers, .set, .clock, .report, .reports, .keepGoing, .quiet, .noColor, .noProgress,
        ] + OptionSpec.later
      )
    case .list:
      CommandSpec(
        word: .list,
        operands: "",
        summary: "List the scenarios that are shipped.",
        details: [],
        options: []
      )
    case .validate:
      CommandSpec(
        word: .validate,
        operands: "FILE…",
        summary: "Check scenario files and tell everything that is wrong with them.",
        details: [],
        options: []
      )
    case .schema:
      CommandSpec(
        word: .schema,
        operands: "[scenario|result]",
        summary: "Print the JSON Schema of scenario files, or of result.json.",
        details: ["Editors complete and check a scenario that names the schema's file in \"$schema\"."],
        options: []
      )
    case .explain:
      CommandSpec(
        word: .explain,
        operands: "[INVARIANT|METRIC]",
        summary: "Explain an invariant or a metric; without a name, list them.",
        details: [],
        options: []
      )
    case .replay:
      CommandSpec(
        word: .replay,
        operands: "FAILURE.json",
        summary: "Run a recorded failure again and tell whether it comes back.",
        details: [
          "The scenario, its seed and every choice of the run are in the file. Nothing is written unless --reports is "
            + "given. The exit code is 3 if the violation came back."
        ],
        options: [.reports, .quiet, .noColor, .noProgress]
      )
    case .explore:
      CommandSpec(
        word: .explore,
        operands: "FILE",
        summary:
          "Run a scenario with many seeds, in child processes, and stop at the first that shows something.",
        details: [
          "A violation, a crash of the code under test, and a run that hangs are findings. Of several the one of the "
            + "lowest seed is told, with the command that shows it again; a violation is run again here and leaves "
            + "its reports in Reports/NAME, failure.json among them.",
          "Invariants are judged and nothing else: thresholds and \"require\" are about single runs. What all seeds "
            + "together exercised is told at the end and in Reports/NAME/explore.json.",
          "The exit code is 0 without a finding, 3 after a violation, 1 after a crash, a hang or a run that could not "
            + "go on.",
        ],
        options: [
          .seeds, .firstSeed, .jobs, .timeout, .readers, .set, .reports, .goOn, .quiet, .noColor, .noProgress,
        ]
      )
    case .exploreWorker:
      CommandSpec(
        word: .exploreWorker,
        operands: "FILE",
        summary: "Run the seeds that the standard input names, for explore.",
        details: [],
        options: [.readers, .set, .clock]
      )
    }
  }
}
