import Foundation
import Reporting
import ScenarioFormat

/// The command `list`.
struct ListAction {
  let surroundings: Surroundings
  let console: Console

  func perform(_ arguments: ParsedArguments) -> ExitCode {
    var problems = arguments.problems
    if !arguments.operands.isEmpty {
      problems.append(UsageProblem("list takes no FILE; to check one write simulate validate FILE"))
    }
    for problem in problems { console.tell(problem: problem) }
    guard problems.isEmpty else { return .usage }

    for folder in folders {
      let paths = surroundings.files.names(folder).filter { $0.hasSuffix(".json") }.sorted().map {
        "\(folder)/\($0)"
      }
      if !paths.isEmpty { return list(paths) }
    }
    console.tell(
      "simulate: error: there are no scenarios in \(ScenarioPath.shippedFolder) below the working directory; "
        + "change to the directory of Stampede\n"
    )
    return .usage
  }

  /// Where the shipped scenarios may be: below the working directory, then beside the executable's package, then
  /// where an installation puts them.
  private var folders: [String] {
    var folders = [ScenarioPath.shippedFolder]
    guard let executable = surroundings.executable else { return folders }
    var parent = URL(fileURLWithPath: executable).deletingLastPathComponent()
    while parent.path != "/" {
      folders.append("\(parent.path)/\(ScenarioPath.shippedFolder)")
      folders.append("\(parent.path)/share/stampede/\(ScenarioPath.shippedFolder)")
      parent.deleteLastPathComponent()
    }
    return folders
  }

  private func list(_ paths: [String]) -> ExitCode {
    var page = TextPage(columns: surroundings.outputTerminal.columns)
    var isWhole = true
    for (position, path) in paths.enumerated() {
      let loaded = ScenarioFile.load(path: path, files: surroundings.files)
      if position > 0 { page.blank() }
      page.paragraph(ShownText.line(path))
      if let scenario = loaded.scenario {
        page.paragraph(ShownText.whole(scenario.description), indent: 2)
      } else {
        isWhole = false
        page.paragraph("invalid; see simulate validate \(ShownText.line(path))", indent: 2)
      }
    }
    console.print(page.text)
    return isWhole ? .passed : .usage
  }
}
