import Foundation
import Metrics
import Reporting

/// The command `simulate` (DESIGN §5).
public enum SimulateCommand {
  /// Does what the arguments of this process say, and ends the process with the exit code.
  ///
  /// Notes SIGINT and SIGTERM, so that an interrupted run still writes its reports; a second signal ends the process at
  /// once. To be called once, from the main thread.
  /// - Parameter allocations: The counter of allocations, from whoever links an allocator that counts.
  public static func main(allocations: AllocationCounter) -> Never {
    Interruption.install()
    let code = run(Array(CommandLine.arguments.dropFirst()), in: .current(allocations: allocations))
    exit(code.rawValue)
  }

  /// Does what arguments say.
  ///
  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - surroundings: What is read, asked and written to.
  /// - Returns: The worst code of all that was done.
  package static func run(_ arguments: [String], in surroundings: Surroundings) -> ExitCode {
    let console = Console(output: surroundings.output, errors: surroundings.errors)
    let code = perform(arguments, surroundings, console)
    return ExitCode.worst(of: [code, console.outcome()])
  }

  private static func perform(
    _ arguments: [String],
    _ surroundings: Surroundings,
    _ console: Console
  ) -> ExitCode {
    let parsed: ParsedArguments
    do throws(UsageProblem) { parsed = try ArgumentParser.parse(arguments) } catch {
      console.tell(problem: error)
      return .usage
    }
    if parsed.has(.help) {
      let columns = surroundings.outputTerminal.columns
      console.print(
        parsed.isNamed
          ? HelpPage.page(of: parsed.command, columns: columns) : HelpPage.overview(columns: columns)
      )
      return .passed
    }
    if parsed.has(.version) {
      let tool = surroundings.tool()
      console.print("simulate \(tool.version) (build \(tool.build))\n")
      return .passed
    }
    switch parsed.command.word {
    case .run: return RunAction(surroundings: surroundings, console: console).perform(parsed)
    case .list: return ListAction(surroundings: surroundings, console: console).perform(parsed)
    case .validate: return ValidateAction(surroundings: surroundings, console: console).perform(parsed)
    case .schema: return SchemaAction(console: console).perform(parsed)
    case .explain: return ExplainAction(surroundings: surroundings, console: console).perform(parsed)
    case .replay: return ReplayAction(surroundings: surroundings, console: console).perform(parsed)
    case .explore: return ExploreAction(surroundings: surroundings, console: console).perform(parsed)
    case .exploreWorker: return WorkerAction(surroundings: surroundings, console: console).perform(parsed)
    }
  }
}
