import Command
import Metrics

// Closures in this file belong to the main actor and would trap when C called them: whatever is handed to C or to
// another thread lives in `Command` or in a file of its own.

#if Jemalloc
  let allocations = JemallocCounter.make()
#else
  let allocations = AllocationCounter.none
#endif

SimulateCommand.main(allocations: allocations)
