/// Finds what somebody meant who mistyped a name.
public enum Spelling {
  /// Returns the candidate that is most like a mistyped name.
  ///
  /// Near is what lies at most a third of the name's letters (but always two) away from it. An insertion, a deletion,
  /// a replacement and a swap of neighbours count as one each; case does not count.
  ///
  /// - Complexity: O(n·l²) for n candidates and names of length l.
  /// - Parameters:
  ///   - name: The name as typed.
  ///   - candidates: The valid names; of equally near ones the first is returned.
  /// - Returns: The nearest candidate, or nil if none is near.
  public static func nearest(to name: String, among candidates: [String]) -> String? {
    let typed = Array(name.lowercased())
    // A name far longer than any candidate is near to none; this keeps hostile input cheap.
    let longest = candidates.map(\.count).max() ?? 0
    guard !typed.isEmpty, typed.count <= 2 * longest + 2 else { return nil }
    let limit = max(2, typed.count / 3)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let found = distance(typed, Array(candidate.lowercased()))
      // Replacing every letter turns any name into any other of its length: that is not a likeness.
      guard found <= limit, found < max(typed.count, candidate.count), found < best?.distance ?? .max else {
        continue
      }
      best = (candidate, found)
    }
    return best?.candidate
  }

  /// Returns the optimal-string-alignment distance of two names.
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      current.reserveCapacity(right.count + 1)
      for column in right.indices {
        let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
        var least = min(replaced, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
