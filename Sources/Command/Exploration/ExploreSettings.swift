/// What the options of `explore` ask for beside those of `run`, each value checked.
struct ExploreSettings {
  /// How many seeds.
  var seeds: UInt64 = 1_000
  /// The first of them; nil for the scenario's own.
  var firstSeed: UInt64?
  /// How many child processes; nil for as many as the machine has cores.
  var jobs: Int?
  /// After how many nanoseconds without a word a run counts as hanging.
  var timeout: Int64 = 30_000_000_000
  /// What is wrong with the values.
  var problems: [UsageProblem] = []

  init(_ arguments: ParsedArguments) {
    if let text = arguments.values(of: .seeds).first {
      seeds = number(text, of: .seeds, 1...1_000_000_000, "a whole number from 1 to 1000000000") ?? seeds
    }
    if let text = arguments.values(of: .firstSeed).first {
      firstSeed = number(
        text, of: .firstSeed, 0...RunSettings.largestSeed,
        "a whole number from 0 to \(RunSettings.largestSeed)")
    }
    if let text = arguments.values(of: .jobs).first {
      jobs = number(text, of: .jobs, 1...256, "a whole number from 1 to 256").map { Int($0) }
    }
    if let text = arguments.values(of: .timeout).first {
      let seconds = text.hasSuffix("s") ? text.dropLast() : text[...]
      let value = number(String(seconds), of: .timeout, 1...86_400, "seconds from 1s to 86400s")
      timeout = value.map { Int64($0) * 1_000_000_000 } ?? timeout
    }
  }

  private mutating func number(
    _ text: String, of option: OptionSpec, _ range: ClosedRange<UInt64>, _ rule: String
  ) -> UInt64? {
    guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let value = UInt64(text), range.contains(value)
    else {
      problems.append(
        UsageProblem("\(option.typed) \(ShownText.line(text)): the value is not right; write \(rule)"))
      return nil
    }
    return value
  }
}
