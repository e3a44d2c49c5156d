import Metrics
import ScenarioFormat

/// What the options of `run` and `replay` ask for, each value checked.
package struct RunSettings: Sendable {
  /// The changes to each scenario, in the order given.
  package var overrides: [Override] = []
  /// The reports beside those of the reports folder.
  package var extraReports: [ReportRequest] = []
  /// Where the reports go; nil if nothing was said.
  package var reportsFolder: String?
  /// Whether a run goes on after a violation.
  package var keepsGoing: Bool
  /// Whether summary and progress are left out.
  package var isQuiet: Bool
  /// Whether colours are forbidden.
  package var forbidsColor: Bool
  /// Whether progress is left out.
  package var hidesProgress: Bool
  /// What is wrong with the values.
  package var problems: [UsageProblem] = []

  /// Where reports go unless told otherwise (DESIGN §5).
  package static let defaultFolder = "Reports"

  /// Reads the options, all of them, whatever is wrong with some.
  ///
  /// - Parameter arguments: The arguments of the command.
  package init(_ arguments: ParsedArguments) {
    keepsGoing = arguments.has(.keepGoing)
    isQuiet = arguments.has(.quiet)
    forbidsColor = arguments.has(.noColor)
    hidesProgress = arguments.has(.noProgress)
    reportsFolder = arguments.values(of: .reports).first
    for given in arguments.options {
      guard let value = given.value else { continue }
      switch given.option.name {
      case OptionSpec.seed.name:
        take(.seed(value), if: Self.isSeed(value), "a whole number from 0 to 9007199254740991")
      case OptionSpec.readers.name:
        take(.readers(value), if: Self.isCount(value), "a whole number, at least 1")
      case OptionSpec.clock.name:
        let words = ScenarioClock.allCases.map(\.rawValue)
        take(.clock(value), if: words.contains(value), words.joined(separator: " or "))
      case OptionSpec.set.name:
        take(.set(value), if: Self.isAssignment(value), "PATH=VALUE, such as readers.launch.iterations=5")
      case OptionSpec.report.name:
        do throws(UsageProblem) { extraReports.append(try ReportRequest(value)) } catch {
          problems.append(error)
        }
      default: break
      }
    }
    checkReportsDiffer()
  }

  private mutating func take(_ override: Override, if isGood: Bool, _ rule: String) {
    if isGood {
      overrides.append(override)
    } else {
      problems.append(UsageProblem("\(ShownText.line(override.text)): the value is not right; write \(rule)"))
    }
  }

  private mutating func checkReportsDiffer() {
    var paths: Set<String> = []
    for request in extraReports where !paths.insert(request.path).inserted {
      let place = request.isForOutput ? "standard output" : ShownText.line(request.path)
      problems.append(UsageProblem("two reports go to \(place); give each a place of its own"))
    }
  }

  /// The largest seed, which every reader of JSON keeps exactly.
  static let largestSeed: UInt64 = 9_007_199_254_740_991

  private static func isSeed(_ text: String) -> Bool {
    text.allSatisfy { $0.isASCII && $0.isNumber } && UInt64(text).map { $0 <= largestSeed } == true
  }

  private static func isCount(_ text: String) -> Bool {
    text.allSatisfy { $0.isASCII && $0.isNumber } && Int64(text).map { $0 >= 1 } == true
  }

  private static func isAssignment(_ text: String) -> Bool {
    guard let sign = text.firstIndex(of: "=") else { return false }
    return sign != text.startIndex
  }
}
