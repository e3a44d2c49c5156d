import Events

/// The values of a reader by flag: what a snapshot says, or what a delta makes of it.
struct FlagTable: Sendable, Equatable {
  /// The values, ascending by flag, each flag once.
  private(set) var values: [FlagValue]

  /// The table without a value.
  static let empty = FlagTable([])

  /// Creates the table of some values; of several for one flag the last counts (BEHAVIOUR rule 1.8).
  ///
  /// - Complexity: O(n) for values that ascend by flag, else O(n · log n).
  init(_ values: [FlagValue]) {
    let ascends = zip(values, values.dropFirst()).allSatisfy { $0.flag < $1.flag }
    if ascends {
      self.values = values
      return
    }
    let ranked = values.enumerated().sorted { ($0.element.flag, $0.offset) < ($1.element.flag, $1.offset) }
    self.values = []
    for (_, value) in ranked {
      if self.values.last?.flag == value.flag { self.values.removeLast() }
      self.values.append(value)
    }
  }

  /// The value of a flag.
  ///
  /// - Complexity: O(log n).
  subscript(flag: Int32) -> FlagValue? {
    var low = 0
    var high = values.count
    while low < high {
      let middle = (low + high) / 2
      if values[middle].flag < flag { low = middle + 1 } else { high = middle }
    }
    return low < values.count && values[low].flag == flag ? values[low] : nil
  }

  /// The table with some flags changed and others gone.
  ///
  /// - Complexity: O(n + m · log m) for m flags that differ.
  func replacing(_ changed: [FlagValue], deleted: [Int32]) -> FlagTable {
    let changed = FlagTable(changed)
    let gone = Set(deleted)
    var merged: [FlagValue] = []
    merged.reserveCapacity(values.count + changed.values.count)
    var next = 0
    for value in values {
      while next < changed.values.count, changed.values[next].flag < value.flag {
        merged.append(changed.values[next])
        next += 1
      }
      if next < changed.values.count, changed.values[next].flag == value.flag {
        merged.append(changed.values[next])
        next += 1
      } else if !gone.contains(value.flag) {
        merged.append(value)
      }
    }
    merged.append(contentsOf: changed.values[next...])
    return FlagTable(merged)
  }

  /// The table without some flags.
  ///
  /// - Complexity: O(n).
  func removing(_ flags: [Int32]) -> FlagTable { replacing([], deleted: flags) }

  /// The digest of all values.
  ///
  /// - Complexity: O(n).
  var content: ContentDigest { ContentDigest(values) }
}
