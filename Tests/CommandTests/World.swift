import Foundation
import Metrics
import Reporting
import ScenarioFormat
import Scenarios
import Synchronization

@testable import Command

/// A world in memory for the command: files, terminal, clock and runs are what a test says.
final class World: Sendable {
  struct State {
    var output = ""
    var errors = ""
    /// The error that writing to standard output meets; 0 for none.
    var outputError: Int32 = 0
    var sources: [String: String] = [:]
    var written: [String: String] = [:]
    var folders: [String] = []
    /// Everything that was done to files, in order.
    var log: [String] = []
    /// Which files cannot be written; given the path.
    var refusal: @Sendable (_ path: String) -> AtomicFileError? = { _ in nil }
    var signal: Verdict.Signal?
    var time: Int64 = 0
    var runs: [String] = []
    var options: [RunOptions] = []
  }

  let state: Mutex<State>

  init(sources: [String: String] = [:]) {
    var state = State()
    state.sources = sources
    self.state = Mutex(state)
  }

  var output: String { state.withLock { $0.output } }
  var errors: String { state.withLock { $0.errors } }
  var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
  var written: [String: String] { state.withLock { $0.written } }
  var runs: [String] { state.withLock { $0.runs } }
  var log: [String] { state.withLock { $0.log } }

  /// The command's surroundings in this world.
  ///
  /// - Parameters:
  ///   - outputTerminal: What the standard output ends in.
  ///   - errorTerminal: What the standard error ends in.
  ///   - gitHubJob: The job of GitHub Actions that it is part of.
  ///   - run: What a run gives; a clean run unless told otherwise.
  /// - Returns: The surroundings.
  func surroundings(
    outputTerminal: Terminal = .none,
    errorTerminal: Terminal = .none,
    gitHubJob: GitHubJob? = nil,
    run: @escaping @Sendable (Scenario, RunOptions) -> RunReport = { scenario, _ in .clean(scenario) }
  ) -> Surroundings {
    Surroundings(
      program: "simulate",
      output: TextSink { text in
        self.state.withLock { state in
          guard state.outputError == 0 else { return state.outputError }
          state.output += text
          return 0
        }
      },
      errors: TextSink { text in
        self.state.withLock { $0.errors += text }
        return 0
      },
      outputTerminal: outputTerminal,
      errorTerminal: errorTerminal,
      files: tree,
      reportFiles: reportFiles,
      executable: nil,
      interruption: { self.state.withLock { $0.signal } },
      now: { self.state.withLock { $0.time } },
      tool: { RunResult.Tool(version: "0.1.0", build: "test") },
      machine: { .init(os: "TestOS 1", cpu: "test", cores: 2, swift: "6.3.1", allocator: "system") },
      gitHubJob: gitHubJob,
      allocations: .none,
      run: { scenario, options in
        self.state.withLock {
          $0.runs.append(scenario.name)
          $0.options.append(options)
        }
        return run(scenario, options)
      }
    )
  }

  /// Does what arguments say, in surroundings of this world.
  func run(_ arguments: String..., by run: (@Sendable (Scenario, RunOptions) -> RunReport)? = nil) -> ExitCode
  {
    SimulateCommand.run(arguments, in: run.map { surroundings(run: $0) } ?? surroundings())
  }

  private var tree: FileTree {
    FileTree(
      kind: { path in
        self.state.withLock { state in
          let files = state.sources.merging(state.written) { $1 }
          if files[path] != nil { return .file }
          return files.keys.contains { $0.hasPrefix(path + "/") } || path == "." ? .folder : nil
        }
      },
      names: { folder in
        let prefix = folder == "." ? "" : folder + "/"
        return self.state.withLock { state in
          let paths = state.sources.keys.filter { $0.hasPrefix(prefix) }
          return Set(
            paths.compactMap { $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init) }
          )
          .sorted()
        }
      },
      read: { path, limit in
        self.state.withLock { state in
          guard let text = state.written[path] ?? state.sources[path] else {
            return .failure(.init(reason: "no such file"))
          }
          return .success(Array(text.utf8.prefix(limit)))
        }
      }
    )
  }

  private var reportFiles: ReportFiles {
    ReportFiles(
      makeFolder: { path throws(AtomicFileError) in
        let error = self.state.withLock { state in
          state.log.append("folder \(path)")
          state.folders.append(path)
          return state.refusal(path)
        }
        if let error { throw error }
      },
      write: { text, path throws(AtomicFileError) in
        let error = self.state.withLock { state -> AtomicFileError? in
          if let error = state.refusal(path) { return error }
          state.log.append("write \(path)")
          state.written[path] = text
          return nil
        }
        if let error { throw error }
      },
      append: { text, path throws(AtomicFileError) in
        let error = self.state.withLock { state -> AtomicFileError? in
          if let error = state.refusal(path) { return error }
          state.log.append("append \(path)")
          state.written[path, default: ""] += text
          return nil
        }
        if let error { throw error }
      },
      remove: { path throws(AtomicFileError) in
        self.state.withLock { state in
          state.log.append("remove \(path)")
          state.written[path] = nil
        }
      }
    )
  }
}

extension AtomicFileError {
  /// A full disk.
  static func full(_ path: String) -> AtomicFileError {
    AtomicFileError(
      path: path,
      action: "write",
      code: ENOSPC,
      reason: "No space left on device",
      remedy: "free some space, or choose another place with --reports"
    )
  }
}
