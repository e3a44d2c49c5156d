import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// The children of an exploration and the loop that listens to them, on one thread: poll, take in lines, hand out blocks,
// and kill who has said nothing for too long.

/// Runs an exploration in child processes.
final class WorkerCrew {
  private struct Member {
    let process: WorkerProcess
    var lastHeard: Int64
    var hasErrorsOpen = true
  }

  private let executable: String
  private let arguments: [String]
  private let jobs: Int
  private let timeout: Int64
  private let now: () -> Int64
  private let isInterrupted: () -> Bool
  private var members: [Int: Member] = [:]
  private var nextNumber = 0
  private(set) var exploration: Exploration
  /// What a child wrote to standard output that is no line of the protocol.
  private(set) var strayLine: String?

  /// Creates a crew; no process is started.
  ///
  /// - Parameters:
  ///   - exploration: What is to be explored.
  ///   - executable: The path of this program.
  ///   - arguments: The arguments of a child.
  ///   - jobs: How many children work at a time.
  ///   - timeout: After how many nanoseconds without a word a child counts as hanging.
  ///   - now: The nanoseconds of a clock that never goes back.
  ///   - isInterrupted: Whether to give up.
  init(
    _ exploration: Exploration, executable: String, arguments: [String], jobs: Int, timeout: Int64,
    now: @escaping () -> Int64, isInterrupted: @escaping () -> Bool
  ) {
    self.exploration = exploration
    self.executable = executable
    self.arguments = arguments
    self.jobs = jobs
    self.timeout = timeout
    self.now = now
    self.isInterrupted = isInterrupted
  }

  /// Explores until everything was run, a finding ends it, or somebody interrupts.
  ///
  /// - Parameter progress: Called every now and then.
  /// - Throws: Why a child could not be started.
  func run(progress: (Exploration) -> Void) throws {
    defer { dismissAll() }
    while true {
      if isInterrupted() { return }
      try engage()
      if members.isEmpty { return }
      listen()
      killSilent()
      progress(exploration)
    }
  }

  /// Starts children while there is work, and lets go of those for whom there is none.
  private func engage() throws {
    for number in members.keys.sorted() where exploration.isIdle(number) { handOut(to: number) }
    while members.count < jobs, !exploration.isExhausted {
      nextNumber += 1
      members[nextNumber] = Member(process: try WorkerProcess(executable, arguments), lastHeard: now())
      handOut(to: nextNumber)
    }
  }

  private func handOut(to number: Int) {
    if let block = exploration.nextBlock(for: number) {
      members[number]?.process.send("\(block.first) \(block.count)\n")
      members[number]?.lastHeard = now()
    } else {
      dismiss(number)
    }
  }

  private func listen() {
    let numbers = members.keys.sorted()
    var files: [pollfd] = []
    for number in numbers {
      guard let member = members[number] else { continue }
      files.append(pollfd(fd: member.process.outputDescriptor, events: Int16(POLLIN), revents: 0))
      // A file of -1 is passed over.
      let errors = member.hasErrorsOpen ? member.process.errorDescriptor : -1
      files.append(pollfd(fd: errors, events: Int16(POLLIN), revents: 0))
    }
    guard poll(&files, nfds_t(files.count), 200) > 0 else { return }
    for (place, number) in numbers.enumerated() {
      if files[2 * place + 1].revents != 0, members[number]?.process.readErrors() == false {
        members[number]?.hasErrorsOpen = false
      }
      if files[2 * place].revents != 0 { hear(number) }
    }
  }

  private func hear(_ number: Int) {
    guard let member = members[number] else { return }
    switch member.process.readOutput() {
    case .lines(let lines):
      members[number]?.lastHeard = now()
      for line in lines {
        if let said = WorkerLine(line) {
          exploration.take(said, from: number)
        } else if strayLine == nil {
          strayLine = line
        }
      }
    case .ended:
      let ending = member.process.wait()
      while member.hasErrorsOpen, member.process.readErrors() {}
      members[number] = nil
      exploration.lose(
        number, .crash, "the process ended: \(ending)", lastWords: member.process.lastWords)
    }
  }

  private func killSilent() {
    for number in members.keys.sorted() {
      guard let member = members[number], now() - member.lastHeard > timeout else { continue }
      member.process.kill()
      _ = member.process.wait()
      while member.hasErrorsOpen, member.process.readErrors() {}
      members[number] = nil
      exploration.lose(
        number, .hang,
        "nothing happened for \(timeout / 1_000_000_000) s: a step does not end, or never lets time move",
        lastWords: member.process.lastWords)
    }
  }

  private func dismiss(_ number: Int) {
    guard let member = members.removeValue(forKey: number) else { return }
    member.process.closeInput()
    // One that still runs seeds nobody asks for any more would not hear it.
    member.process.kill()
    _ = member.process.wait()
  }

  private func dismissAll() {
    for number in members.keys.sorted() { dismiss(number) }
  }
}
