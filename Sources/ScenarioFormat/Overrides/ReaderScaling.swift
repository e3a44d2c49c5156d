// `--readers N`: all groups in proportion, at least one reader each, the remainder to the first.

/// Scales the groups of a parsed file.
enum ReaderScaling {
  /// Scales every group so that all together have so many readers.
  ///
  /// A fleet stays a fleet: where there were as many instances as readers, more than one, there still are. There are never
  /// more instances than readers.
  /// - Parameters:
  ///   - total: How many readers there shall be.
  ///   - root: The tree of a whole scenario.
  ///   - origin: Where the new numbers come from.
  /// - Returns: Whether it could be done. If not, a group is malformed, which its decoder reports; nothing is
  ///   changed.
  static func scale(to total: Int64, in root: inout JSONValue, origin: JSONOrigin) -> Bool {
    guard case .object(var members) = root.content,
      let readersIndex = members.firstIndex(where: { $0.key == "readers" }),
      case .object(var groups) = members[readersIndex].value.content, groups.count <= Bounds.elements
    else { return false }
    let sizes = groups.map { size(of: $0.value) }
    guard !sizes.isEmpty, sizes.allSatisfy({ (1...Bounds.readers).contains($0 ?? 0) }) else { return false }
    let old = sizes.map { $0 ?? 0 }
    let new = shares(of: total, among: old)
    for index in groups.indices { resize(&groups[index].value, from: old[index], to: new[index], origin) }
    members[readersIndex].value.content = .object(groups)
    if let client = members.firstIndex(where: { $0.key == "client" }) {
      let readers = old.reduce(0, +)
      keepFleet(&members[client].value, from: readers, to: new.reduce(0, +), origin)
    }
    root.content = .object(members)
    return true
  }

  /// The number of groups of a parsed file.
  static func groupCount(in root: JSONValue) -> Int {
    guard case .object(let groups) = root.member("readers")?.content else { return 0 }
    return groups.count
  }

  /// Divides a total, at least as large as there are sizes, in proportion to the sizes.
  static func shares(of total: Int64, among sizes: [Int64]) -> [Int64] {
    let sum = sizes.reduce(0, +)
    // Both factors are at most `Bounds.readers` and the sum of sizes at most that times their number.
    var shares = sizes.map { max(1, total * $0 / sum) }
    var rest = total - shares.reduce(0, +)
    if rest > 0 { shares[0] += rest }
    // Groups that were raised to one reader took more than their part: the largest give it back.
    while rest < 0 {
      guard let largest = shares.indices.max(by: { (shares[$0], -$0) < (shares[$1], -$1) }),
        shares[largest] > 1
      else { break }
      let others = shares.indices.filter { $0 != largest }.map { shares[$0] }.max() ?? 1
      let given = min(-rest, max(1, shares[largest] - max(1, others)))
      shares[largest] -= given
      rest += given
    }
    return shares
  }

  private static func size(of group: JSONValue) -> Int64? {
    if isOpenModel(group) {
      return (group.member("maxReaders") ?? group.member("preAllocatedReaders")).flatMap(whole)
    }
    guard !group.says("ramping-readers", under: "executor") else {
      guard case .array(let stages) = group.member("stages")?.content else { return nil }
      var peak: Int64 = 0
      if let start = group.member("startReaders") {
        guard let start = whole(start) else { return nil }
        peak = start
      }
      for stage in stages {
        guard let target = stage.member("target").flatMap(whole) else { return nil }
        peak = max(peak, target)
      }
      return peak
    }
    return group.member("readers").flatMap(whole)
  }

  private static func resize(_ group: inout JSONValue, from old: Int64, to new: Int64, _ origin: JSONOrigin) {
    func scaled(_ value: JSONValue) -> JSONValue {
      guard let count = whole(value), (0...Bounds.rate).contains(count) else { return value }
      return JSONValue(.number(String(count * new / old)), origin: origin)
    }
    func scaledButNotToNothing(_ value: JSONValue) -> JSONValue {
      guard let count = whole(value), (1...Bounds.rate).contains(count) else { return value }
      return JSONValue(.number(String(max(1, count * new / old))), origin: origin)
    }
    guard case .object(var members) = group.content else { return }
    let isRamp = group.says("ramping-readers", under: "executor")
    let isOpen = isOpenModel(group)
    for index in members.indices {
      switch members[index].key {
      case "readers" where !isRamp, "startReaders" where isRamp:
        members[index].value = scaled(members[index].value)
      // With the readers of an open model goes its load, or they would only have more or less to do.
      case "preAllocatedReaders" where isOpen, "maxReaders" where isOpen, "rate" where isOpen,
        "startRate" where isOpen:
        members[index].value = scaledButNotToNothing(members[index].value)
      case "stages" where isRamp || isOpen:
        guard case .array(var stages) = members[index].value.content else { continue }
        let scale = isOpen ? scaledButNotToNothing : scaled
        for index in stages.indices { stages[index].replaceMember("target", by: scale) }
        members[index].value.content = .array(stages)
      default: continue
      }
    }
    group.content = .object(members)
  }

  private static func isOpenModel(_ group: JSONValue) -> Bool {
    ["constant-arrival-rate", "ramping-arrival-rate"].contains { group.says($0, under: "executor") }
  }

  private static func keepFleet(
    _ client: inout JSONValue,
    from old: Int64,
    to new: Int64,
    _ origin: JSONOrigin
  ) {
    guard let instances = client.member("instances").flatMap(whole),
      old > 1 && instances == old || instances > new
    else { return }
    client.replaceMember("instances") { _ in JSONValue(.number(String(new)), origin: origin) }
  }

  private static func whole(_ value: JSONValue) -> Int64? {
    guard case .number(let number) = value.content, case .success(let count) = WholeNumber.parse(number)
    else {
      return nil
    }
    return count
  }
}

extension JSONValue {
  /// Returns the value of a key; nil if this is no object that has it.
  func member(_ key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// Replaces the value of a key if this is an object that has it.
  fileprivate mutating func replaceMember(_ key: String, by change: (JSONValue) -> JSONValue) {
    guard case .object(var members) = content, let index = members.firstIndex(where: { $0.key == key }) else {
      return
    }
    members[index].value = change(members[index].value)
    content = .object(members)
  }
}
