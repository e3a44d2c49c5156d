// record DIRECTORY FLAGS TEXT-LENGTH: says what the last process has left, and then writes until it is killed.
//
// A line for each event, written at once: `read nothing|VERSION`, `garbage WHAT` (and the process ends with 3),
// `writing VERSION`, `wrote VERSION`.

import BenchmarkWorkloads
import ClientCore
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 4, let flags = Int(arguments[2]), let length = Int(arguments[3]), flags > 0,
  length > 0
else { fatalError("usage: record DIRECTORY FLAGS TEXT-LENGTH") }

@Sendable func tell(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let workload = RecordWorkload(storage: LiveStorage(directory: arguments[1]), flags: flags, textLength: length)
let version: Int64
switch await workload.check() {
case .garbage(let what):
  tell("garbage \(what)")
  exit(3)
case .nothing:
  tell("read nothing")
  version = 0
case .version(let held):
  tell("read \(held)")
  version = held
}
// Far more than anybody lets it write: a process that nobody kills comes to its end.
try await workload.write(after: version, limit: 10_000) { isDone, version in
  tell("\(isDone ? "wrote" : "writing") \(version)")
}
