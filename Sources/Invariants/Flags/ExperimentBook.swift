import Events

/// Which variants belong to one experiment, by what the service has served.
///
/// A run numbers pairs of experiment and variant. One experiment runs on a flag at a time, so all pairs that the service
/// serves for a flag at one version are of the same experiment, and stay so.
struct ExperimentBook: Sendable {
  private struct Place: Hashable {
    let flag: Int32
    let version: Int64
  }

  /// For each pair another one of its experiment, on the way to the one that stands for all.
  private var parents: [Int32: Int32] = [:]
  private var places: [Place: Int32] = [:]

  /// Takes in an answer of the service.
  ///
  /// - Complexity: O(n) in the number of values that it carries.
  mutating func learn(_ served: ServedFlags) {
    let values: [FlagValue]
    switch served.kind {
    case .snapshot(let all): values = all
    case .delta(_, let changed, _): values = changed
    case .notModified, .gone, .refused: return
    }
    for value in values where value.source == .experiment {
      guard let assignment = value.assignment else { continue }
      let place = Place(flag: value.flag, version: served.version)
      guard let other = places[place] else {
        places[place] = assignment
        continue
      }
      let (root, otherRoot) = (self.root(of: assignment), self.root(of: other))
      if root != otherRoot { parents[max(root, otherRoot)] = min(root, otherRoot) }
    }
  }

  /// Returns whether two pairs are certainly of one experiment.
  ///
  /// - Complexity: O(v) in the number of the experiment's variants.
  func areOfOneExperiment(_ left: Int32, _ right: Int32) -> Bool { root(of: left) == root(of: right) }

  private func root(of assignment: Int32) -> Int32 {
    var root = assignment
    while let parent = parents[root] { root = parent }
    return root
  }
}
