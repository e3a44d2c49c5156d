#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the process takes of the machine.
enum ProcessMemory {
  /// The largest resident size so far, in bytes.
  static var peakResidentBytes: Int64 {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return Int64(usage.ru_maxrss) * 1024
    #else
      getrusage(RUSAGE_SELF, &usage)
      return Int64(usage.ru_maxrss)
    #endif
  }
}
