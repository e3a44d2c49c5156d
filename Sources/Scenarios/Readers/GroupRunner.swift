import Events
import ScenarioFormat

/// Runs one group of readers by its executor, with k6's meaning of the words.
///
/// - `per-reader-iterations`: every reader iterates so many times, or until `maxDuration`.
/// - `constant-readers`: every reader iterates until the duration is over.
/// - `ramping-readers`: reader k iterates while the planned number is above k.
/// - `constant-arrival-rate`, `ramping-arrival-rate`: iterations begin at planned times, whoever is free does them; one for
///   which nobody is free is dropped and counted.
///
/// An iteration that is under way at the end may finish within `gracefulStop` (`gracefulRampDown` for a reader that
/// is ramped down); then its reader is cancelled and counted as interrupted.
final class GroupRunner<W: World>: Sendable {
  private let world: W
  private let group: ReaderGroup
  private let number: Int
  private let firstReader: Int
  private let progress: RunTally

  /// Creates the runner of one group.
  ///
  /// - Parameters:
  ///   - group: The group.
  ///   - number: The number of the group in the scenario.
  ///   - firstReader: The number of the group's first reader.
  ///   - world: What it runs in.
  ///   - progress: Where finished iterations are counted.
  init(_ group: ReaderGroup, number: Int, firstReader: Int, in world: W, progress: RunTally) {
    self.world = world
    self.group = group
    self.number = number
    self.firstReader = firstReader
    self.progress = progress
  }

  /// Runs the group to its end.
  func run() async {
    let start = group.startTime.nanoseconds
    if start > 0 { try? await world.stage.sleep(until: start) }
    await ReaderScope.$group.withValue(number) { await runExecutor(start) }
  }

  private func runExecutor(_ start: Int64) async {
    switch group.executor {
    case .perReaderIterations(let readers, let iterations, let maxDuration):
      await runTogether(readers, until: start + maxDuration.nanoseconds, iterations: iterations)
    case .constantReaders(let readers, let duration):
      await runTogether(readers, until: start + duration.nanoseconds, iterations: .max)
    case .rampingReaders(let startReaders, let stages, let rampDown):
      await runRamping(RampPlan(startReaders: startReaders, stages: stages), start, rampDown.nanoseconds)
    case .constantArrivalRate(let rate, let unit, let duration, let readers, let limit):
      await runArrivals(
        ArrivalPlan(rate: rate, unit: unit, duration: duration), readers, limit, start,
        until: start + duration.nanoseconds)
    case .rampingArrivalRate(let startRate, let unit, let stages, let readers, let limit):
      await runArrivals(
        ArrivalPlan(startRate: startRate, unit: unit, stages: stages), readers, limit, start,
        until: start + stages.reduce(0) { $0 + $1.duration.nanoseconds })
    }
  }

  /// Runs readers that all begin and end at the same time.
  private func runTogether(_ readers: Int, until end: Int64, iterations: Int) async {
    let make = world.readers(of: group, number: number, first: firstReader)
    await guarded(0..<readers, deadline: end + group.gracefulStop.nanoseconds) {
      await ReaderTree.run(0..<readers) { [self] index in
        var reader = make(index)
        await iterate(&reader, until: end, iterations: iterations)
      }
    }
  }

  private func runRamping(_ ramp: RampPlan, _ start: Int64, _ rampDown: Int64) async {
    let make = world.readers(of: group, number: number, first: firstReader)
    await ReaderTree.run(0..<group.executor.peakReaders) { [self] index in
      var reader = make(index)
      for stretch in ramp.stretches(of: index) {
        let end = start + stretch.end
        let grace = stretch.end == ramp.end ? group.gracefulStop.nanoseconds : rampDown
        try? await world.stage.sleep(until: start + stretch.start)
        reader = await guarded(index..<index + 1, deadline: end + grace) { [self, reader] in
          var reader = reader
          await iterate(&reader, until: end, iterations: .max)
          return reader
        }
      }
    }
  }

  /// Begins iterations at planned times, whether or not earlier ones are done.
  private func runArrivals(
    _ arrivals: ArrivalPlan, _ readers: Int, _ limit: Int, _ start: Int64, until end: Int64
  ) async {
    let pool = ReaderPool(
      readers, limit: limit, make: world.readers(of: group, number: number, first: firstReader))
    world.ledger.droppedArrivals(0, number, at: world.stage.now)
    await guarded(0..<limit, deadline: end + group.gracefulStop.nanoseconds) { [self] in
      await withDiscardingTaskGroup { tasks in
        for arrival in arrivals {
          let intended = start + arrival
          guard (try? await world.stage.sleep(until: intended)) != nil else { return }
          guard let reader = pool.take(on: world.stage) else {
            world.ledger.droppedArrivals(1, number, at: intended)
            continue
          }
          tasks.addTask { [self] in await pool.give(iterateOnce(reader, intended: intended)) }
        }
      }
    }
  }

  private func iterateOnce(_ reader: W.Participant, intended: Int64) async -> W.Participant {
    var reader = reader
    reader.intendsToBegin(at: intended)
    world.ledger.active(1, at: world.stage.now)
    defer { world.ledger.active(-1, at: world.stage.now) }
    await reader.iterate()
    if Task.isCancelled {
      world.ledger.interrupted(number, at: world.stage.now)
    } else {
      progress.finished(in: number)
    }
    return reader
  }

  private func iterate(_ reader: inout W.Participant, until end: Int64, iterations: Int) async {
    var done = 0
    world.ledger.active(1, at: world.stage.now)
    defer { world.ledger.active(-1, at: world.stage.now) }
    while done < iterations, !Task.isCancelled, world.stage.now < end {
      await reader.iterate()
      if Task.isCancelled {
        world.ledger.interrupted(number, at: world.stage.now)
        return
      }
      done += 1
      progress.finished(in: number)
    }
  }

  /// Runs a body and cancels it, and with it the calls of its readers, when a deadline passes.
  private func guarded<Value: Sendable>(
    _ readers: Range<Int>, deadline: Int64, _ body: @escaping @Sendable () async -> Value
  ) async -> Value {
    await withTaskGroup(of: GuardedEnd<Value>.self) { tasks in
      tasks.addTask { .body(await body()) }
      tasks.addTask { [self] in
        try? await world.stage.sleep(until: deadline)
        return .deadline
      }
      while let end = await tasks.next() {
        switch end {
        case .body(let value):
          tasks.cancelAll()
          return value
        case .deadline:
          // The readers' calls are theirs: the judges must know that it was they who gave up.
          world.witness.readersInterrupted(
            (firstReader + readers.lowerBound)..<(firstReader + readers.upperBound))
          tasks.cancelAll()
        }
      }
      fatalError("a group of two tasks ended without the body's value")
    }
  }
}

/// Which of a body and its deadline came first.
private enum GuardedEnd<Value: Sendable>: Sendable {
  case body(Value)
  case deadline
}
