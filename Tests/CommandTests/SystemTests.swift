import Foundation
import Reporting
import ScenarioFormat
import Scenarios
import Testing

@testable import Command

@Suite struct `Terminals` {
  @Test(arguments: [
    (true, 132 as Int?, [:], 100), (true, 60, [:], 60), (true, nil, [:], 80), (false, 60, [:], 80),
    (true, 60, ["COLUMNS": "50"], 50), (false, nil, ["COLUMNS": "50"], 50), (true, 60, ["COLUMNS": "x"], 60),
    (true, 60, ["COLUMNS": "-3"], 60),
  ])
  func `the width is COLUMNS, else the terminal's, else 80`(
    _ isTerminal: Bool, _ measured: Int?, _ variables: [String: String], _ columns: Int
  ) {
    let terminal = Terminal(isTerminal: isTerminal, measuredColumns: measured, variables: variables)
    #expect(terminal.columns == columns)
  }

  @Test func `colours need a terminal that wants them`() {
    func allows(_ isTerminal: Bool, _ variables: [String: String]) -> Bool {
      Terminal(isTerminal: isTerminal, measuredColumns: 80, variables: variables).allowsColor
    }
    #expect(allows(true, ["TERM": "xterm"]))
    #expect(allows(true, ["NO_COLOR": ""]))
    #expect(!allows(true, ["NO_COLOR": "1"]))
    #expect(!allows(true, ["TERM": "dumb"]))
    #expect(!allows(false, [:]))
  }

  @Test func `a dumb terminal is not drawn over`() {
    #expect(!Terminal(isTerminal: true, measuredColumns: 80, variables: ["TERM": "dumb"]).allowsRedrawing)
    #expect(Terminal(isTerminal: true, measuredColumns: 80, variables: ["NO_COLOR": "1"]).allowsRedrawing)
  }
}

@Suite struct `Writing to open files` {
  @Test func `all of a long text arrives`() throws {
    let pipe = Pipe()
    let text = String(repeating: "0123456789é\n", count: 50_000)
    let writer = Thread {
      #expect(TextSink(descriptor: pipe.fileHandleForWriting.fileDescriptor).write(text) == 0)
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    let read = pipe.fileHandleForReading.readDataToEndOfFile()
    #expect(String(decoding: read, as: UTF8.self) == text)
  }

  #if os(Linux)
    @Test func `a full device gives its error`() throws {
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      #expect(TextSink(descriptor: full.fileDescriptor).write("x") == ENOSPC)
    }
  #endif
}

@Suite struct `Signals` {
  @Test func `the first one is noted and the second ends the process`() async {
    await #expect(processExitsWith: .exitCode(130)) {
      Interruption.install()
      #expect(Interruption.current == nil)
      raise(SIGINT)
      #expect(Interruption.current == .interrupt)
      raise(SIGINT)
    }
  }

  @Test func `the first of two different ones is the one that is told`() async {
    await #expect(processExitsWith: .exitCode(130)) {
      Interruption.install()
      raise(SIGTERM)
      #expect(Interruption.current == .terminate)
      raise(SIGINT)
    }
  }

  @Test func `a pipe that nobody reads is an error and not the end`() async {
    await #expect(processExitsWith: .success) {
      Interruption.install()
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      #expect(TextSink(descriptor: pipe.fileHandleForWriting.fileDescriptor).write("x") == EPIPE)
    }
  }
}

@Suite struct `A crash of the code under test` {
  @Test func `leaves word of the run it happened in`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CrashNote.arm("the run was this one\n")
      fatalError("the client traps")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("the run was this one\n"))
  }

  @Test func `leaves no word of a run that is over`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CrashNote.arm("the run was this one\n")
      CrashNote.disarm()
      fatalError("something else traps")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!text.contains("the run was this one"))
  }
}

@Suite struct `Report folders on a real disk` {
  private let root: String

  init() throws {
    root = NSTemporaryDirectory() + "stampede-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  private func remove() { try? FileManager.default.removeItem(atPath: root) }

  private func run(_ arguments: String..., in world: World) -> ExitCode {
    var surroundings = world.surroundings()
    surroundings.reportFiles = .system
    return SimulateCommand.run(arguments, in: surroundings)
  }

  @Test func `reports are there and nothing else is`() throws {
    defer { remove() }
    let world = World(sources: ["a.json": ScenarioText.valid("a")])
    #expect(run("a.json", "--reports", root + "/x/y", in: world) == .passed)
    let names = try FileManager.default.contentsOfDirectory(atPath: root + "/x/y/a")
    #expect(names.sorted() == ["junit.xml", "report.html", "result.json"])
    #expect(world.output.contains(root + "/x/y/a/result.json"))
  }

  @Test func `a stale failure is removed from the disk`() throws {
    defer { remove() }
    let world = World(sources: ["a.json": ScenarioText.valid("a")])
    try FileManager.default.createDirectory(atPath: root + "/a", withIntermediateDirectories: true)
    try "old".write(toFile: root + "/a/failure.json", atomically: false, encoding: .utf8)
    #expect(run("a.json", "--reports", root, in: world) == .passed)
    #expect(!FileManager.default.fileExists(atPath: root + "/a/failure.json"))
  }

  @Test func `a file in the place of the folder is told before the run`() throws {
    defer { remove() }
    let world = World(sources: ["a.json": ScenarioText.valid("a")])
    try "x".write(toFile: root + "/file", atomically: false, encoding: .utf8)
    #expect(run("a.json", "--reports", root + "/file", in: world) == .internalError)
    #expect(world.runs.isEmpty)
    #expect(world.errorLines.count == 1)
    #expect(world.errors.contains(root + "/file"))
  }

  #if os(Linux)
    @Test func `a full device leaves the other reports whole`() throws {
      defer { remove() }
      let world = World(sources: ["a.json": ScenarioText.valid("a")])
      #expect(run("a.json", "--reports", root, "--report", "json=/dev/full", in: world) == .internalError)
      #expect(world.errors.contains("cannot write /dev/full: No space left on device"))
      #expect(world.output.contains("5,000 readers asked"))
      #expect(FileManager.default.fileExists(atPath: root + "/a/result.json"))
    }
  #endif
}

@Suite struct `Machine facts` {
  @Test func `every fact is known here`() {
    let facts = Machine.Environment.current(allocator: "system")
    #expect(!facts.os.isEmpty && !facts.cpu.isEmpty && facts.cores > 0)
    #expect(facts.swift.hasPrefix("6."))
    #expect(facts.allocator == "system")
  }

  @Test func `a build is told by its executable`() throws {
    let path = NSTemporaryDirectory() + "stampede-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try "first build".write(toFile: path, atomically: false, encoding: .utf8)
    let first = ProgramIdentity.tool(executable: path)
    try "first build".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(ProgramIdentity.tool(executable: path) == first)
    try "other build".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(ProgramIdentity.tool(executable: path) != first)
    #expect(first.build.count == 16)
    #expect(ProgramIdentity.tool(executable: nil).build == "unknown")
  }
}
