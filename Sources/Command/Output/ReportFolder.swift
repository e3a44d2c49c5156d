import Reporting

// Where the reports of one scenario go. `result.json` is written first among the files that every run has; a
// `failure.json` of an earlier run goes only when the new result is safely there, and one of this run is written
// before it, so that a result that speaks of a failure never stands beside another run's choices.

/// The folder of one scenario's reports.
package struct ReportFolder: Sendable {
  /// The path, as `Reports/cold-cache`.
  package let path: String
  private let files: ReportFiles

  /// Creates a folder's description; nothing is made.
  ///
  /// - Parameters:
  ///   - name: The name of the scenario.
  ///   - folder: The folder of all reports.
  ///   - files: The file system.
  package init(of name: String, in folder: String, files: ReportFiles) {
    path = Self.join(folder, name)
    self.files = files
  }

  /// The file of the recorded failure.
  package var failurePath: String { "\(path)/failure.json" }

  /// Makes the folder and sees that something can be written into it, before hours are spent on a run.
  ///
  /// - Throws: Why not.
  package func prepare() throws(AtomicFileError) {
    try files.makeFolder(path)
    try Self.probe(path, files)
  }

  /// Sees that a file can be written into the folder of a path.
  ///
  /// - Throws: Why not.
  package static func prepareFolder(of file: String, files: ReportFiles) throws(AtomicFileError) {
    // What has no folder of its own, as a device, is seen when it is written to.
    guard !file.hasPrefix("/dev/"), !file.hasPrefix("/proc/") else { return }
    guard let slash = file.lastIndex(of: "/") else { return try probe(".", files) }
    try probe(slash == file.startIndex ? "/" : String(file[..<slash]), files)
  }

  /// Writes the reports.
  ///
  /// Each is tried, whatever became of the one before.
  /// - Parameters:
  ///   - result: The result of the run.
  ///   - pictures: What its page draws.
  ///   - failure: The recorded failure; nil if there is none.
  /// - Returns: The paths that were written, and what went wrong.
  package func write(
    _ result: RunResult, _ pictures: RunPictures, failure: FailureFile?
  ) -> (written: [String], errors: [any Error]) {
    var outcome: (written: [String], errors: [any Error]) = ([], [])
    func write(_ name: String, _ text: () throws -> String) -> Bool {
      do {
        try files.write(try text(), "\(path)/\(name)")
        outcome.written.append("\(path)/\(name)")
        return true
      } catch {
        outcome.errors.append(error)
        return false
      }
    }
    if let failure { _ = write("failure.json") { try failure.jsonText() } }
    let isResultThere = write("result.json") { result.jsonText() }
    _ = write("report.html") { result.htmlText(pictures) }
    _ = write("junit.xml") { result.junitText() }
    if failure == nil, isResultThere {
      do throws(AtomicFileError) { try files.remove(failurePath) } catch { outcome.errors.append(error) }
    }
    return outcome
  }

  private static func probe(_ folder: String, _ files: ReportFiles) throws(AtomicFileError) {
    let path = join(folder, ".simulate-probe")
    do throws(AtomicFileError) {
      // As much as a small report: an empty file needs no space, so that a full disk would not show.
      try files.write(String(repeating: " ", count: 16_384), path)
      try files.remove(path)
    } catch {
      // The folder is what somebody can do something about.
      throw AtomicFileError(
        path: folder,
        action: "write reports to",
        code: error.code,
        reason: error.reason,
        remedy: error.remedy
      )
    }
  }

  private static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}
