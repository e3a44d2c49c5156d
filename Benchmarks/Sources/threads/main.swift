// threads REFRESHES READS: two threads read while refreshes apply; prints one JSON object.

import BenchmarkWorkloads

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard arguments.count == 2, arguments.allSatisfy({ $0 > 0 }) else {
  fatalError("usage: threads REFRESHES READS-OF-ALL-THREADS")
}
let outcome = try await ThreadsWorkload(refreshes: arguments[0], leastReads: (arguments[1] + 1) / 2).run()
print(
  """
  {"refreshes": \(outcome.refreshes), "reads": \(outcome.reads), "wrong": \(outcome.wrong), "moves": \(outcome.moves)}
  """)
