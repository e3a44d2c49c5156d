import Events

/// What observers of one device may and must hear: the memory of `ObserversJudge`.
///
/// An answer is taken in later in its instant than it arrives. So there are two readings of a change. What *may* have
/// changed is known at the event: every flag that differs between any two records that are possible before and after.
/// What *has* changed is known when time moves: what differs between the only record possible before the instant and the
/// only one after it.
struct ObservedDevice: Sendable {
  /// Changes of a flag that may have happened, and what was heard of them.
  private struct Changes {
    var count = 0
    var latest = Int64.min
  }

  private struct Subscriber {
    /// For each flag how many of its changes were told.
    var told: [Int32: Int] = [:]
    /// How many of the changes that may be of any flag there had been when each flag was last told.
    var toldOfAny: [Int32: Int] = [:]
    /// The flags that certainly changed since the last notice, each with when it did.
    var owed: [Int32: Int64] = [:]
  }

  private var changes: [Int32: Changes] = [:]
  /// Changes that may be of any flag, because a record is not known by flag.
  private var ofAny = Changes()
  /// When any flag last may have changed.
  private var latest = Int64.min
  private var subscribers: [Int32: Subscriber] = [:]
  /// When the observer of each flag was last woken, and those of all.
  private var woken: [Int32: Int64] = [:]
  private var allWoken = Int64.min
  private var closed: Int64?
  /// What each subscriber was told in the latest instant in which any was.
  private var heardOf: [Int32: Set<Int32>] = [:]
  private var heardAt = Int64.min
  /// What may be held, as of the last look.
  private var states: [HeldState]
  /// What was certainly held before this instant; nil where that is not known.
  private var settled: FlagTable?
  /// Whether a change of reader came in this instant.
  private var hasTurned = false
  /// Values that were certainly replaced in this instant, once somebody was told, by flag.
  private var replaced: [Int32: UInt64] = [:]

  init(_ states: [HeldState]) {
    self.states = states
    settled = Self.onlyTable(of: states)
  }

  /// The values that are held whichever of the records it is; nil if they differ or are not known.
  private static func onlyTable(of states: [HeldState]) -> FlagTable? {
    guard let table = states.first?.table else { return nil }
    return states.allSatisfy { $0.table == table } ? table : nil
  }

  mutating func close(at now: Int64) { closed = now }

  // MARK: What may have changed

  /// Takes in what may be held after an event.
  mutating func look(_ next: [HeldState], at now: Int64) {
    defer { states = next }
    replaced = [:]
    if next.last?.epoch != states.last?.epoch { hasTurned = true }
    let all = states + next.filter { !states.contains($0) }
    if all.count < 2 { return }
    guard let first = all[0].table, all.allSatisfy({ $0.table != nil }) else {
      ofAny.count += 1
      ofAny.latest = now
      latest = now
      return
    }
    var differing: Set<Int32> = []
    for state in all.dropFirst() {
      if let table = state.table { differing.formUnion(first.flagsThatDiffer(from: table)) }
    }
    if !differing.isEmpty { latest = now }
    for flag in differing {
      changes[flag, default: Changes()].count += 1
      changes[flag]?.latest = now
    }
  }

  /// Takes in that a change of reader is over, which the look at its beginning has counted.
  mutating func endChange(_ next: [HeldState]) { states = next }

  /// Takes in that time moves.
  mutating func settle(_ states: [HeldState], at now: Int64) {
    self.states = states
    replaced = [:]
    let next = Self.onlyTable(of: states)
    defer {
      settled = next
      hasTurned = false
    }
    // After a change of reader the old keys are owed, whatever came of it later in the instant.
    guard let before = settled, let after = hasTurned ? FlagTable.empty : next else { return }
    let changed = before.flagsOfOtherValues(than: after)
    guard !changed.isEmpty else { return }
    if heardAt != now { heardOf = [:] }
    for number in subscribers.keys {
      for flag in changed where heardOf[number]?.contains(flag) != true {
        subscribers[number]?.owed[flag] = now
      }
    }
  }

  // MARK: What is heard

  /// Takes in a notice.
  ///
  /// - Returns: What is wrong with it; nil if nothing is.
  mutating func tell(_ flags: [Int32], to number: Int32, at now: Int64) -> String? {
    if let closed, closed < now { return "of flags \(flags) after the client was closed" }
    if flags.isEmpty { return "of no flag" }
    var subscriber = subscribers[number] ?? Subscriber()
    var fault: String?
    for flag in flags {
      subscriber.owed[flag] = nil
      let change = changes[flag] ?? Changes()
      let any = ofAny.count
      // Of what was before its first notice a subscriber may have heard nothing.
      let told = subscriber.told[flag] ?? max(0, change.count - 1)
      let toldOfAny = subscriber.toldOfAny[flag] ?? max(0, any - 1)
      if told < change.count {
        subscriber.told[flag] = told + 1
        if told + 1 == change.count, change.latest == now { noteReplaced(flag) }
      } else if toldOfAny < any {
        subscriber.toldOfAny[flag] = toldOfAny + 1
      } else {
        fault = fault ?? "of flag \(flag), whose value has not changed since"
      }
    }
    if let lost = subscriber.owed.filter({ $0.value < now }).min(by: { $0.key < $1.key }) {
      fault =
        fault ?? "of flags \(flags), but never of flag \(lost.key), which changed at \(seconds(lost.value))"
    }
    subscriber.owed = subscriber.owed.filter { $0.value == now }
    subscribers[number] = subscriber
    if heardAt != now { heardOf = [:] }
    heardAt = now
    heardOf[number, default: []].formUnion(flags)
    return fault
  }

  /// From the notice of a change of this instant on, the value from before it is no longer read.
  private mutating func noteReplaced(_ flag: Int32) {
    guard let settled, !hasTurned, states.count == 2, states[0].table == settled, let next = states[1].table,
      let old = settled[flag], next[flag]?.digest != old.digest
    else { return }
    replaced[flag] = old.digest
  }

  /// Takes in that an observer of one flag, or with nil of all, is woken.
  ///
  /// - Returns: What is wrong with it; nil if nothing is.
  mutating func wake(_ flag: Int32?, at now: Int64) -> String? {
    if let closed, closed < now { return "after the client was closed" }
    guard let flag else {
      defer { allWoken = now }
      return isIdle(since: latest, allWoken, at: now) ? "although nothing has changed" : nil
    }
    defer { woken[flag] = now }
    let changed = max(changes[flag]?.latest ?? .min, ofAny.latest)
    return isIdle(since: changed, woken[flag] ?? .min, at: now) ? "although its value has not changed" : nil
  }

  /// Whether who was woken at an instant has no reason to be woken now, the last change being at another.
  private func isIdle(since changed: Int64, _ woken: Int64, at now: Int64) -> Bool {
    changed == .min || changed < now && changed <= woken
  }

  /// Whether a read gives a value that was certainly replaced before.
  func contradicts(_ read: FlagRead) -> Bool {
    guard !replaced.isEmpty, let old = replaced[read.flag], case .value(old) = read.result else {
      return false
    }
    return true
  }
}

extension FlagTable {
  /// The flags that the two tables hold different values of, by whatever a reader can tell, or only one of them holds.
  ///
  /// - Complexity: O(n).
  func flagsThatDiffer(from other: FlagTable) -> [Int32] { flags(of: other) { $0 == $1 } }

  /// The flags whose values differ, or that only one of the tables holds.
  ///
  /// - Complexity: O(n).
  func flagsOfOtherValues(than other: FlagTable) -> [Int32] { flags(of: other) { $0?.digest == $1?.digest } }

  private func flags(of other: FlagTable, _ areEqual: (FlagValue?, FlagValue?) -> Bool) -> [Int32] {
    var differing: [Int32] = []
    var (own, its) = (0, 0)
    while own < values.count || its < other.values.count {
      let left = own < values.count ? values[own] : nil
      let right = its < other.values.count ? other.values[its] : nil
      let flag = min(left?.flag ?? .max, right?.flag ?? .max)
      let pair = (left?.flag == flag ? left : nil, right?.flag == flag ? right : nil)
      if !areEqual(pair.0, pair.1) { differing.append(flag) }
      if pair.0 != nil { own += 1 }
      if pair.1 != nil { its += 1 }
    }
    return differing
  }
}
