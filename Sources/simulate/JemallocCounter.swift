#if Jemalloc
  import CJemalloc
  import Foundation
  import Metrics

  // Counting allocations by jemalloc's own statistics (DESIGN §6).
  //
  // jemalloc keeps `nrequests` for each size class, in each thread's cache at first: a reading therefore flushes the
  // cache of the calling thread, moves the epoch (which gathers the figures of all arenas) and adds up the small and
  // the large classes. What other threads' caches hold is missing until they flush by themselves.
  //
  // Not modelled: a `realloc` that stays in place is no allocation, and memory taken straight from the kernel is none.

  /// The counter of the allocations of this process.
  enum JemallocCounter {
    /// Makes the counter, after seeing that it counts.
    ///
    /// - Complexity: O(1), about a millisecond.
    /// - Returns: The counter. Where the statistics are switched off or do not move it gives no readings, and its name
    ///   says so.
    static func make() -> AllocationCounter {
      let name = "jemalloc \(version)"
      guard let statistics = Statistics() else {
        return AllocationCounter(name: "\(name), without statistics") { nil }
      }
      guard statistics.areMoving else {
        return AllocationCounter(name: "\(name), whose counters do not move") { nil }
      }
      return AllocationCounter(name: name) { statistics.read() }
    }

    /// The version without the commit that follows it, as `5.3.0`.
    private static var version: String {
      var text: UnsafePointer<CChar>?
      var size = MemoryLayout<UnsafePointer<CChar>?>.size
      guard mallctl("version", &text, &size, nil, 0) == 0, let text else { return "of unknown version" }
      return String(String(cString: text).prefix { $0 != "-" })
    }
  }

  /// The statistics that are read, by numbers: looking their names up each time would cost more than reading them.
  private struct Statistics: Sendable {
    /// `MALLCTL_ARENAS_ALL` of jemalloc.h: the sum over all arenas.
    private static let allArenas = 4096

    private let epoch: Key
    private let flush: Key
    private let small: Key
    private let large: Key
    private let allocated: Key
    private let pageSize: UInt64

    /// Looks the names up; nil if jemalloc was built without statistics.
    init?() {
      guard let epoch = Key("epoch"), let flush = Key("thread.tcache.flush"),
        let small = Key("stats.arenas.\(Self.allArenas).small.nrequests"),
        let large = Key("stats.arenas.\(Self.allArenas).large.nrequests"),
        let allocated = Key("stats.allocated")
      else { return nil }
      self.epoch = epoch
      self.flush = flush
      self.small = small
      self.large = large
      self.allocated = allocated
      self.pageSize = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 1))
    }

    /// Whether allocations show: another allocator may be in front of this one.
    var areMoving: Bool {
      let count = 1000
      guard let before = read() else { return false }
      let blocks = (0..<count).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16) }
      for block in blocks { block.deallocate() }
      guard let after = read() else { return false }
      return after.allocations >= before.allocations + UInt64(count)
    }

    func read() -> AllocationReading? {
      // The order matters: what is flushed after the epoch has moved is not seen.
      guard flush.trigger(), epoch.write(1), let small = small.read(), let large = large.read(),
        let allocated = allocated.read()
      else { return nil }
      return AllocationReading(
        allocations: small &+ large,
        allocatedBytes: allocated,
        residentBytes: residentBytes
      )
    }

    /// The resident size of the process as the kernel counts it; 0 if it does not tell.
    private var residentBytes: UInt64 {
      guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
      let fields = text.split(separator: " ")
      return fields.count > 1 ? (UInt64(fields[1]) ?? 0) * pageSize : 0
    }
  }

  /// A name of jemalloc's control tree, as the numbers that it stands for.
  private struct Key: Sendable {
    private let path: [Int]

    /// Looks a name up; nil if there is none.
    init?(_ name: String) {
      var path = [Int](repeating: 0, count: 8)
      var length = path.count
      guard mallctlnametomib(name, &path, &length) == 0 else { return nil }
      self.path = Array(path.prefix(length))
    }

    func read() -> UInt64? {
      var value: UInt64 = 0
      var size = MemoryLayout<UInt64>.size
      return mallctlbymib(path, path.count, &value, &size, nil, 0) == 0 ? value : nil
    }

    func write(_ value: UInt64) -> Bool {
      var value = value
      return mallctlbymib(path, path.count, nil, nil, &value, MemoryLayout<UInt64>.size) == 0
    }

    func trigger() -> Bool {
      // A thread without a cache has nothing to flush and says so with an error.
      let code = mallctlbymib(path, path.count, nil, nil, nil, 0)
      return code == 0 || code == EFAULT
    }
  }
#endif
