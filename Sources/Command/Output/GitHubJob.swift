import Reporting

/// The job of GitHub Actions that the command runs in: where its summary is put together, and how it is told what failed.
package struct GitHubJob: Sendable, Equatable {
  /// The file that the job's summary is added to.
  package var summaryPath: String

  /// Finds the job that a process runs in.
  ///
  /// - Parameter variables: The environment of the process; without `GITHUB_STEP_SUMMARY` there is no job.
  package init?(variables: [String: String]) {
    guard let path = variables["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return nil }
    summaryPath = path
  }

  /// Returns the lines that make the job point at what did not pass; none for a run that passed.
  ///
  /// - Complexity: O(n) in the number of verdicts.
  static func annotations(of result: RunResult) -> [String] {
    let name = result.scenario.name
    return result.verdicts.compactMap { verdict in
      guard verdict.exitCode != .passed else { return nil }
      let invariant = result.invariants.first { $0.id == verdict.id }
      let (level, message): (String, String) =
        switch verdict.kind {
        case .run: ("error", "the run ended: \(result.endReason.rawValue)")
        case .invariant: ("error", invariant?.firstViolation?.message ?? "\(verdict.id) was violated")
        case .requirement: ("warning", "\(verdict.id) is required and was exercised too little")
        case .threshold: ("error", "\(verdict.id) is not met")
        }
      return "::\(level) title=\(property("\(name): \(verdict.id)"))::\(data(message))"
    }
  }

  private static func data(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": escaped += "%25"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
