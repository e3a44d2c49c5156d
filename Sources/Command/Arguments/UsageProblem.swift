import Metrics

/// One thing that is wrong with the arguments, with its remedy.
package struct UsageProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, naming the argument, and what to do.
  package let message: String

  /// One line for a terminal.
  package var description: String { "simulate: error: \(message)" }

  init(_ message: String) { self.message = message }

  /// The problem of an option that the command does not have.
  static func unknownOption(_ typed: String, of command: CommandSpec) -> UsageProblem {
    let shown = ShownText.line(typed)
    let known = command.availableOptions.map(\.typed)
    // One dash and a letter: there are no short options, and a letter is near to nothing.
    if !typed.hasPrefix("--") {
      let meant = typed.dropFirst().first.flatMap { letter in known.first { $0.dropFirst(2).first == letter }
      }
      let remedy = meant.map { "did you mean \($0)?" } ?? "options have long names only, see --help"
      return UsageProblem("unknown option \(shown); \(remedy)")
    }
    if let meant = option(like: typed, of: command) {
      return UsageProblem("unknown option \(shown); did you mean \(meant.typed)?")
    }
    let owners = CommandTable.all.filter { $0.availableOptions.contains { $0.typed == typed } }
    if let owner = owners.first {
      return UsageProblem("\(shown) is an option of \(owner.word.rawValue), not of \(command.word.rawValue)")
    }
    return UsageProblem("unknown option \(shown); see simulate \(command.word.rawValue) --help")
  }

  /// The problem of something that a later version brings.
  static func notAvailable(_ what: String) -> UsageProblem {
    UsageProblem("\(what) is not available in this version")
  }
}

extension UsageProblem {
  /// Returns the option of a command whose name is most like a word.
  static func option(like typed: String, of command: CommandSpec) -> OptionSpec? {
    let options = command.availableOptions
    let meant = Spelling.nearest(to: typed, among: options.map(\.typed))
    return options.first { $0.typed == meant }
  }

  /// Returns the command whose name is most like a word.
  static func command(like word: String) -> String? {
    Spelling.nearest(to: word, among: CommandTable.all.map(\.word.rawValue))
  }
}
