import Reporting

// What a child process of an exploration says, a line each, fields between tabs. The parent reads it strictly: a line that
// is none of these is a client that writes to standard output, and is shown as such.

/// One line of a child process.
enum WorkerLine: Equatable {
  /// The ids of the invariants, in the order of every later list of checks.
  case invariants([String])
  /// The run of a seed begins.
  case begun(UInt64)
  /// The run of a seed goes on: steps follow each other, whatever they do.
  case alive(UInt64)
  /// A sentence of what was not exercised, with the number that later lines call it by.
  case sentence(Int, String)
  /// The run of a seed ended without a finding.
  case passed(SeedTally)
  /// The run of a seed ended with a violation.
  case violated(SeedTally, SeedViolation)
  /// The run of a seed could not go on.
  case stuck(UInt64, String)

  /// What one run exercised.
  struct SeedTally: Equatable {
    var seed: UInt64
    var steps: UInt64
    var checks: [Int]
    /// The numbers of the sentences of what it did not.
    var missed: [Int]
  }

  /// A violation in short.
  struct SeedViolation: Equatable {
    var invariant: String
    var nanoseconds: Int64
    var step: UInt64
    var message: String
  }

  /// The line, with its line break.
  var text: String {
    let fields: [String] =
      switch self {
      case .invariants(let ids): ["invariants"] + ids
      case .begun(let seed): ["begun", String(seed)]
      case .alive(let seed): ["alive", String(seed)]
      case .sentence(let number, let text): ["sentence", String(number), Self.oneLine(text)]
      case .passed(let tally): ["passed"] + tally.fields
      case .violated(let tally, let violation):
        ["violated"] + tally.fields + [
          violation.invariant, String(violation.nanoseconds), String(violation.step),
          Self.oneLine(violation.message),
        ]
      case .stuck(let seed, let problem): ["stuck", String(seed), Self.oneLine(problem)]
      }
    return fields.joined(separator: "\t") + "\n"
  }

  /// Reads a line without its line break; nil if it is none of a child's.
  init?(_ line: String) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    switch (fields[0], fields.count) {
    case ("invariants", _): self = .invariants(Array(fields.dropFirst()))
    case ("begun", 2):
      guard let seed = UInt64(fields[1]) else { return nil }
      self = .begun(seed)
    case ("alive", 2):
      guard let seed = UInt64(fields[1]) else { return nil }
      self = .alive(seed)
    case ("sentence", 3):
      guard let number = Int(fields[1]) else { return nil }
      self = .sentence(number, fields[2])
    case ("passed", 5):
      guard let tally = SeedTally(fields[1...4]) else { return nil }
      self = .passed(tally)
    case ("violated", 9):
      guard let tally = SeedTally(fields[1...4]), let time = Int64(fields[6]), let step = UInt64(fields[7])
      else {
        return nil
      }
      self = .violated(
        tally, SeedViolation(invariant: fields[5], nanoseconds: time, step: step, message: fields[8]))
    case ("stuck", 3):
      guard let seed = UInt64(fields[1]) else { return nil }
      self = .stuck(seed, fields[2])
    default: return nil
    }
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0 == "\t" || $0.isNewline ? " " : $0 })
  }
}

extension WorkerLine.SeedTally {
  fileprivate var fields: [String] {
    [
      String(seed), String(steps), checks.map(String.init).joined(separator: ","),
      missed.map(String.init).joined(separator: ","),
    ]
  }

  fileprivate init?(_ fields: ArraySlice<String>) {
    func numbers(_ text: String) -> [Int]? {
      if text.isEmpty { return [] }
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Int($0) }.filter { $0 >= 0 }
      return numbers.count == parts.count ? numbers : nil
    }
    let first = fields.startIndex
    guard let seed = UInt64(fields[first]), let steps = UInt64(fields[first + 1]),
      let checks = numbers(fields[first + 2]), let missed = numbers(fields[first + 3])
    else { return nil }
    self.init(seed: seed, steps: steps, checks: checks, missed: missed)
  }
}
