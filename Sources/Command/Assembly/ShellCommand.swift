import ScenarioFormat

/// A command as it must be typed.
package struct ShellCommand: Sendable, Equatable, CustomStringConvertible {
  /// The words, unquoted.
  package var words: [String]

  /// Creates a command of its words.
  package init(_ words: [String]) { self.words = words }

  /// The command that runs a file's scenario with the given overrides again.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - program: The program as it was typed.
  ///   - seed: The seed of the run; it is always given, so that the command still holds when the file changes.
  ///   - overrides: The overrides of the run.
  ///   - keepsGoing: Whether the run went on after a violation: those after the first one need it.
  package init(
    running file: String,
    by program: String,
    seed: UInt64,
    overrides: [Override],
    keepsGoing: Bool = false
  ) {
    words = [program, "run", file, "--seed", String(seed)]
    words += overrides.flatMap(\.words)
    if keepsGoing { words.append("--keep-going") }
    // A path that looks like an option is an operand behind the mark that ends them.
    if file.hasPrefix("-") {
      words.remove(at: 2)
      words += ["--", file]
    }
  }

  /// The command that replays a recorded failure.
  ///
  /// - Parameters:
  ///   - failure: The file of the failure.
  ///   - program: The program as it was typed.
  package init(replaying failure: String, by program: String) {
    words = [program, "replay"] + (failure.hasPrefix("-") ? ["--", failure] : [failure])
  }

  /// The command with what a shell would take apart in quotes.
  ///
  /// - Complexity: O(n) in its length.
  package var description: String { words.map(Self.quoted).joined(separator: " ") }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/", ":", "=", ",", "+", "@", "%": true
      default: false
      }
    }
    if isPlain, !word.isEmpty { return word }
    // Within single quotes nothing is special but the quote itself.
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }
}

extension Override {
  /// The override as words of a command; none for a seed, which each command names for itself.
  var words: [String] {
    switch self {
    case .seed: []
    case .readers(let value): ["--readers", value]
    case .clock(let value): ["--clock", value]
    case .set(let value): ["--set", value]
    }
  }
}
