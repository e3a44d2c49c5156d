// reads FLAGS READS ROUNDS: measures cached reads of one truth value and prints one JSON object.
//
// A round times a plain dictionary, `pb.flags.bool(…)` as an app writes it, and a handle fetched once, each with one
// thread and with two. Times are nanoseconds for one read of all threads' together.

import BenchmarkWorkloads
import CAllocationCount
import Palbase
import PalbaseFlags

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard arguments.count == 3, arguments.allSatisfy({ $0 > 0 }) else {
  fatalError("usage: reads FLAGS READS ROUNDS")
}
let (reads, rounds) = (arguments[1], arguments[2])
let workload = try await ReadWorkload(filling: pb, with: arguments[0])

/// The way of an app: from the client to its flags with every read.
@Sendable @inline(never)
func readAsAppsDo(_ workload: ReadWorkload, _ reads: Int) -> Int {
  ReadWorkload.count(reads, workload.keys) { pb.flags.bool($0, default: false) }
}

/// Times reads, and sees to it that they gave what they must.
@Sendable
func time(_ threads: Int, _ workload: ReadWorkload, _ reads: Int, _ read: @escaping @Sendable (Int) -> Int)
  -> Double
{
  let (wall, found) = ThreadedRun.run(threads: threads, warmUp: { _ = read(1000) }) { _ in read(reads) }
  guard found == threads * workload.expected(of: reads) else { fatalError("reads have given wrong values") }
  return wall / .nanoseconds(1) / Double(threads * reads)
}

let ways: [(name: String, read: @Sendable (Int) -> Int)] = [
  ("plain", { [workload] in workload.readPlain($0) }),
  ("app", { [workload] in readAsAppsDo(workload, $0) }),
  ("held", { [workload] in workload.readHeld($0) }),
]
var results: [String] = []
for _ in 0..<rounds {
  var figures: [String] = []
  for way in ways {
    for threads in 1...2 {
      figures.append("\"\(way.name)_\(threads)\": \(time(threads, workload, reads, way.read))")
    }
  }
  results.append("{\(figures.joined(separator: ", "))}")
}

// Counted on this thread, which has read before.
_ = readAsAppsDo(workload, 1000) + workload.readHeld(1000)
let before = stampede_allocations()
let found = readAsAppsDo(workload, reads) + workload.readHeld(reads)
let allocations = stampede_allocations() - before
guard found == 2 * workload.expected(of: reads) else { fatalError("reads have given wrong values") }
let counted = stampede_counts_allocations() ? "\(allocations)" : "null"
print(
  """
  {"flags": \(arguments[0]), "reads": \(reads), "allocations": \(counted), "rounds": [\(results.joined(separator: ", "))]}
  """)
