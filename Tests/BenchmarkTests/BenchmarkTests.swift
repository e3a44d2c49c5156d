import ClientCore
import Palbase
import Testing

// The workloads of Benchmarks/, run tiny so that they cannot rot. Their sources are linked into this folder, because
// a package cannot depend on the one below it that depends on it.

@Suite struct BenchmarkTests {
  @Test func `the engine's workload does every sleep and is the same each time`() {
    let workload = EngineWorkload(tasks: 300, sleeps: 3)
    let outcome = workload.run()
    #expect(outcome.events == 900)
    #expect(outcome == workload.run())
  }

  @Test func `the engine's workload ends when its longest row of sleeps does`() {
    let workload = EngineWorkload(tasks: 200, sleeps: 2)
    let longest = (0..<200).map { task in
      (0..<2).reduce(0) { $0 + EngineWorkload.nanoseconds(task: task, sleep: $1) }
    }.max()
    #expect(workload.run().endNanoseconds == longest.map(Int64.init))
  }

  @Test func `the order in which tasks are picked does not change what is done`() {
    let workload = EngineWorkload(tasks: 200, sleeps: 2)
    let (fifo, random) = (workload.run(strategy: .fifo), workload.run(strategy: .random))
    #expect(fifo.events == random.events)
    #expect(fifo.endNanoseconds == random.endNanoseconds)
  }

  @Test func `every evaluation of the evaluate workload is a fresh hit`() async {
    let workload = await EvaluateWorkload()
    #expect(await workload.run(100) == 100)
  }
}

@Suite(.timeLimit(.minutes(5))) struct FlagsWorkloadTests {
  @Test func `a read of the read workload gives what the plain dictionary gives`() async throws {
    let workload = try await ReadWorkload(filling: PalbaseClient(), with: 20)
    #expect(workload.readPlain(100) == workload.expected(of: 100))
    #expect(workload.readHeld(100) == workload.expected(of: 100))
  }

  // Ten million reads of the release build are made by `make bench`; here the thread sanitizer looks on as well.
  @Test func `two threads read an always true flag while 300 refreshes apply, and no read is wrong`()
    async throws
  {
    let outcome = try await ThreadsWorkload(refreshes: 300, leastReads: 500_000).run()
    #expect(outcome.wrong == 0)
    #expect(outcome.refreshes == 300)
    #expect(outcome.reads >= 1_000_000)
    #expect(outcome.moves > 100)
  }

  @Test func `what a launch writes the next one reads`() async throws {
    let storage = ControllableStorage()
    let workload = RecordWorkload(storage: storage, flags: 5, textLength: 40)
    #expect(await workload.check() == .nothing)
    try await workload.write(after: 0, limit: 3) { _, _ in }
    #expect(await workload.check() == .version(3))
    storage.put(Array("{}".utf8), for: "palbase.flags")
    guard case .garbage = await workload.check() else {
      Issue.record("a torn record was not noticed")
      return
    }
  }

  @Test func `an idle fleet has joined its channels and written its records`() {
    let outcome = FleetWorkload(devices: 3, flags: 4).run { 0 }
    #expect(outcome?.filled == 3)
    #expect(outcome?.joins == 6)
    #expect(outcome?.records == 3)
  }
}
