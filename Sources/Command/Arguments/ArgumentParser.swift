// Arguments are read by the table of the command, all the way through: every problem is kept, so that one attempt
// tells them all.
//
// Options are `--name`, `--name=value` and `--name value`; names are whole, since an abbreviation that works today
// is another option's name tomorrow. `--` ends the options. A value may begin with one dash, as `-` for standard
// output does, but one with two dashes is taken for the next option, since a forgotten value is far more likely;
// `--name=--value` says otherwise.

/// The arguments of one command, taken apart.
package struct ParsedArguments: Sendable {
  /// An option as it was given.
  package struct Given: Sendable, Equatable {
    /// The option.
    package var option: OptionSpec
    /// Its value; nil for an option without one.
    package var value: String?
  }

  /// The command.
  package var command: CommandSpec
  /// Whether the command's name was given, rather than left out before a file.
  package var isNamed: Bool
  /// The options in their order.
  package var options: [Given] = []
  /// The other arguments in their order.
  package var operands: [String] = []
  /// What is wrong.
  package var problems: [UsageProblem] = []

  /// Returns whether an option was given.
  package func has(_ option: OptionSpec) -> Bool { options.contains { $0.option.name == option.name } }

  /// Returns the values of an option, in their order.
  package func values(of option: OptionSpec) -> [String] {
    options.filter { $0.option.name == option.name }.compactMap(\.value)
  }
}

/// Reads arguments.
package enum ArgumentParser {
  /// Takes arguments apart.
  ///
  /// - Complexity: O(n·o) in the numbers of arguments and of the command's options.
  /// - Parameter arguments: The arguments without the program's name.
  /// - Returns: The command, `run` if none is named, and its parts with everything that is wrong with them.
  /// - Throws: One problem for a command that a later version brings, whose options are not known.
  package static func parse(_ arguments: [String]) throws(UsageProblem) -> ParsedArguments {
    let first = arguments.first ?? ""
    if CommandTable.later.contains(first) { throw .notAvailable("the command \(first)") }
    let word = CommandWord(rawValue: first)
    var parsed = ParsedArguments(command: CommandTable.spec(of: word ?? .run), isNamed: word != nil)
    var rest = arguments.dropFirst(word == nil ? 0 : 1)
    while let argument = rest.popFirst() {
      if argument == "--" {
        parsed.operands += rest
        break
      }
      if argument.hasPrefix("-"), argument != "-" {
        parsed.readOption(argument, &rest)
      } else {
        parsed.operands.append(argument)
      }
    }
    return parsed
  }
}

extension ParsedArguments {
  fileprivate mutating func readOption(_ argument: String, _ rest: inout ArraySlice<String>) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let typed = String(parts[0])
    let attached = parts.count > 1 ? String(parts[1]) : nil
    guard typed.hasPrefix("--"), let option = command.option(named: String(typed.dropFirst(2))) else {
      problems.append(.unknownOption(typed, of: command))
      // The value of a mistyped option is no file.
      if attached == nil, UsageProblem.option(like: typed, of: command)?.valueName != nil {
        _ = takeValue(&rest)
      }
      return
    }
    let value = attached ?? (option.valueName == nil ? nil : takeValue(&rest))
    guard option.isAvailable else {
      problems.append(.notAvailable(typed))
      return
    }
    if let valueName = option.valueName {
      guard let value, !value.isEmpty else {
        problems.append(UsageProblem("\(typed) needs a value; write \(typed) \(valueName)"))
        return
      }
    } else if value != nil {
      problems.append(UsageProblem("\(typed) takes no value; write \(typed) alone"))
      return
    }
    if !option.isRepeatable, has(option), option.valueName != nil {
      problems.append(UsageProblem("\(typed) is given twice; keep one"))
      return
    }
    options.append(Given(option: option, value: value))
  }

  private func takeValue(_ rest: inout ArraySlice<String>) -> String? {
    guard let next = rest.first, !next.hasPrefix("--") else { return nil }
    return rest.removeFirst()
  }
}
