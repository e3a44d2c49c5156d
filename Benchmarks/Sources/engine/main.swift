// engine TASKS SLEEPS: runs the engine's workload twice, times the second run, and prints one JSON object.
//
// The first run is for what a process pays once: binding of symbols, the allocator's first pages.

import BenchmarkWorkloads

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard arguments.count == 2, arguments.allSatisfy({ $0 > 0 }) else { fatalError("usage: engine TASKS SLEEPS") }
let workload = EngineWorkload(tasks: arguments[0], sleeps: arguments[1])
_ = workload.run()
let clock = ContinuousClock()
let start = clock.now
let outcome = workload.run()
let seconds = (clock.now - start) / .seconds(1)
print(
  """
  {"events": \(outcome.events), "seconds": \(seconds), "end_ns": \(outcome.endNanoseconds), \
  "digest": "\(outcome.digest)", "steps": \(outcome.steps)}
  """)
