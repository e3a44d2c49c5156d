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
