/// What came of loading one scenario: the scenario, or everything that is wrong with it.
public struct LoadedScenario: Sendable, Equatable {
  /// The file, as it was found.
  public let file: String
  /// The scenario; nil if there is a problem.
  public let scenario: Scenario?
  /// Every problem: those of the file as a whole, those of its text in order, those of overrides; empty if
  /// there is a scenario.
  public let problems: [Problem]
}

/// Loads scenarios (DESIGN §4).
public enum ScenarioFile {
  /// Loads a scenario from its text.
  ///
  /// Overrides are applied to the text's values before anything is checked, in their order, so that what is
  /// checked is what would run.
  /// - Complexity: O(n) in the number of bytes, O(k log k) in the number of problems.
  /// - Parameters:
  ///   - bytes: The text, in UTF-8.
  ///   - file: The name to report problems under.
  ///   - overrides: The changes from the command line.
  /// - Returns: The scenario, or every problem.
  public static func load(_ bytes: [UInt8], file: String, overrides: [Override] = []) -> LoadedScenario {
    load(bytes, file: file, overrides: overrides, member: nil)
  }

  /// Loads a scenario from its text.
  ///
  /// - Complexity: O(n) in the length of the text, O(k log k) in the number of problems.
  /// - Parameters:
  ///   - text: The text.
  ///   - file: The name to report problems under.
  ///   - overrides: The changes from the command line.
  /// - Returns: The scenario, or every problem.
  public static func load(_ text: String, file: String, overrides: [Override] = []) -> LoadedScenario {
    load(Array(text.utf8), file: file, overrides: overrides)
  }

  /// Loads a scenario that stands in a larger JSON object, as in `failure.json`.
  ///
  /// Other readers of JSON lose the order of keys, and with it that of the groups of readers; this one does
  /// not.
  /// - Complexity: O(n) in the number of bytes.
  /// - Parameters:
  ///   - member: The key of the scenario in the outermost object.
  ///   - bytes: The whole text, in UTF-8.
  ///   - file: The name to report problems under.
  ///   - overrides: Changes to the scenario.
  /// - Returns: The scenario, or every problem.
  public static func load(
    member: String,
    of bytes: [UInt8],
    file: String,
    overrides: [Override] = []
  ) -> LoadedScenario {
    load(bytes, file: file, overrides: overrides, member: member)
  }

  /// Finds a file and loads the scenario in it.
  ///
  /// - Complexity: O(n) in the number of bytes, and in the number of entries of each folder that is searched.
  /// - Parameters:
  ///   - path: The path as it was given; see ``ScenarioPath`` for how it is looked up.
  ///   - overrides: The changes from the command line.
  ///   - files: The file system.
  /// - Returns: The scenario, or every problem; one if there is no such file, or it cannot be read.
  public static func load(
    path: String,
    overrides: [Override] = [],
    files: FileTree = .current
  ) -> LoadedScenario {
    do throws(Problem) {
      let found = try ScenarioPath.find(path, in: files)
      switch files.read(found, JSONParser.maximumBytes + 1) {
      case .success(let bytes): return load(bytes, file: found, overrides: overrides)
      case .failure(let failure): throw Problem(file: found, message: "cannot be read: \(failure.reason)")
      }
    } catch {
      return LoadedScenario(file: error.file, scenario: nil, problems: [error])
    }
  }

  /// Returns a problem for each scenario whose name an earlier one has: their reports would overwrite each
  /// other.
  ///
  /// - Complexity: O(n) in the number of scenarios.
  /// - Parameter scenarios: All scenarios of one command, in its order.
  /// - Returns: The problems, in the order of the scenarios.
  public static func nameClashes(among scenarios: [LoadedScenario]) -> [Problem] {
    var files: [String: String] = [:]
    var problems: [Problem] = []
    for loaded in scenarios {
      guard let name = loaded.scenario?.name else { continue }
      if let first = files[name] {
        problems.append(
          Problem(
            file: loaded.file,
            path: "name",
            message: "the name \"\(name)\" is also that of \(Shown.line(first))",
            suggestion: "names are unique in one command, because reports go to the folder of that name"
          )
        )
      } else {
        files[name] = loaded.file
      }
    }
    return problems
  }

  private static func load(
    _ bytes: [UInt8],
    file: String,
    overrides: [Override],
    member: String?
  ) -> LoadedScenario {
    var log = ProblemLog()
    let scenario = decode(bytes, overrides: overrides, member: member, log: &log)
    return LoadedScenario(
      file: file,
      scenario: scenario,
      problems: log.problems(file: file, bytes: bytes, overrides: overrides)
    )
  }

  private static func decode(
    _ bytes: [UInt8],
    overrides: [Override],
    member: String?,
    log: inout ProblemLog
  ) -> Scenario? {
    let outcome = JSONParser.parse(bytes)
    report(outcome.duplicates, in: bytes, log: &log)
    guard case .success(var root) = outcome.result else {
      if case .failure(let error) = outcome.result {
        log.report(error.message, at: .file(offset: error.offset), suggestion: error.suggestion)
      }
      return nil
    }
    if let member {
      guard let inner = root.member(member) else {
        log.report("there is no \"\(member)\" in it", at: root.origin)
        return nil
      }
      root = inner
    }
    var application = OverrideApplication(to: root, log: log)
    for (index, override) in overrides.enumerated() { application.apply(override, index: index) }
    var decoder = ScenarioDecoder(log: application.log)
    let scenario = decoder.decodeScenario(application.root, overrides: overrides.map(\.text))
    log = decoder.log
    if log.isEmpty, let index = application.unscaled.first {
      log.report("these groups cannot be scaled", at: .option(index: index), path: "readers")
      return nil
    }
    return scenario
  }

  private static func report(_ duplicates: [JSONDuplicateKey], in bytes: [UInt8], log: inout ProblemLog) {
    let firsts = duplicates.map(\.firstOffset)
    let order = firsts.indices.sorted { (firsts[$0], $0) < (firsts[$1], $1) }
    var places = firsts.map { _ in SourceMap.Place(line: 1, column: 1) }
    for (index, place) in zip(order, SourceMap.places(of: order.map { firsts[$0] }, in: bytes)) {
      places[index] = place
    }
    for (duplicate, place) in zip(duplicates, places) {
      let first = "\(place.line):\(place.column)"
      log.report(
        "the key \(Shown.text(duplicate.key)) stands in this object twice, first at \(first)",
        at: .file(offset: duplicate.offset),
        suggestion: "remove one"
      )
    }
  }
}

extension Problem {
  /// Creates a problem that is not at a place of the text.
  init(file: String, path: String = "", message: String, suggestion: String? = nil) {
    self.init(
      file: file,
      line: nil,
      column: nil,
      option: nil,
      path: path,
      message: message,
      suggestion: suggestion
    )
  }
}
