// fleet DEVICES FLAGS: measures the memory of idle devices and prints one JSON object.

import BenchmarkWorkloads
import CAllocationCount

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard arguments.count == 2, arguments.allSatisfy({ $0 > 0 }) else { fatalError("usage: fleet DEVICES FLAGS") }
let (devices, flags) = (arguments[0], arguments[1])
// A small fleet first, for what a process pays once.
_ = FleetWorkload(devices: 10, flags: flags).run { Int(stampede_live_bytes()) }
guard let outcome = FleetWorkload(devices: devices, flags: flags).run(probe: { Int(stampede_live_bytes()) }),
  outcome.filled == devices, outcome.joins == 2 * devices, outcome.records == devices
else { fatalError("the devices are not what they are to be") }
let bytes = stampede_counts_allocations() ? "\((outcome.idle - outcome.before) / devices)" : "null"
print("{\"devices\": \(devices), \"flags\": \(flags), \"bytes_per_device\": \(bytes)}")
