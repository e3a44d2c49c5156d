/// Runs many children without the quadratic cost of one large task group.
///
/// Ending a child searches the group's list of children, so one group of 100,000 takes fifty times as long as a tree
/// of small groups for the same work.
enum ReaderTree {
  private static let width = 128

  /// Runs a closure for every index of a range at the same time and returns when all have returned.
  ///
  /// Once the calling task is cancelled no further child is started.
  /// - Complexity: O(n log n) in the length of the range.
  /// - Parameters:
  ///   - range: The indices.
  ///   - body: What to run for each.
  static func run(_ range: Range<Int>, _ body: @escaping @Sendable (Int) async -> Void) async {
    await withDiscardingTaskGroup { group in
      if range.count <= width {
        for index in range { _ = group.addTaskUnlessCancelled { await body(index) } }
        return
      }
      // The smallest power of the width that leaves at most `width` parts.
      var part = width
      while part * width < range.count { part *= width }
      for start in stride(from: range.lowerBound, to: range.upperBound, by: part) {
        let piece = start..<min(start + part, range.upperBound)
        let branch: @Sendable () async -> Void = { await run(piece, body) }
        _ = group.addTaskUnlessCancelled(operation: branch)
      }
    }
  }
}
