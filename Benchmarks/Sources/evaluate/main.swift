// evaluate CALLS: measures fresh hits and prints one JSON object.

import BenchmarkWorkloads
import CAllocationCount

guard let calls = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }), calls > 0 else {
  fatalError("usage: evaluate CALLS")
}
let workload = await EvaluateWorkload()
let warm = await workload.run(1000)
let clock = ContinuousClock()
let allocationsBefore = stampede_allocations()
let start = clock.now
let fresh = await workload.run(calls)
let nanoseconds = (clock.now - start) / .nanoseconds(1)
let allocations = stampede_allocations() - allocationsBefore
guard warm == 1000, fresh == calls else {
  fatalError("\(calls - fresh) of \(calls) calls were no fresh hits")
}
let counted = stampede_counts_allocations() ? String(Double(allocations) / Double(calls)) : "null"
print(
  "{\"calls\": \(calls), \"ns_per_call\": \(nanoseconds / Double(calls)), \"allocations_per_call\": \(counted)}"
)
