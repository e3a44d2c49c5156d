/// Everything that decides what readers get, as it is in one version of a project.
///
/// The clock in it stands still between versions: it is the last boundary that was passed, and nothing
/// changes between two boundaries. So a version gives a reader the same values whenever they are asked for,
/// and what changed between two versions is the difference of what the two give.
struct ProjectState: Sendable {
  /// What is known of a reader besides what its requests say.
  struct Audiences: Hashable, Sendable {
    /// The memberships that were changed, by the name of the audience.
    var memberships: [String: Bool] = [:]
    /// Whether the reader allows personalization; nil for the default of the plan.
    var allowsPersonalization: Bool?
    /// The version that last changed which audiences count.
    var changedAt: Int64 = 0
  }

  private(set) var version: Int64 = 1
  /// The last boundary that was passed, in nanoseconds since 1970.
  private(set) var clock: Int64
  /// Sorted by key.
  private(set) var flags: [StoredFlag]
  private(set) var userValues: [String: [String: AttributeValue]] = [:]
  private var audiences: [FlagsReader: Audiences] = [:]
  /// The versions that deleted a flag, in order, each once.
  private var deletions: [Int64] = []
  private let plan: FlagsPlan

  init(_ plan: FlagsPlan, _ definitions: [FlagDefinition]) {
    self.plan = plan
    clock = plan.startsAt
    flags = definitions.map { StoredFlag($0, seed: plan.seed) }.sorted { $0.key < $1.key }
    for value in plan.userValues { userValues[value.user, default: [:]][value.key] = value.value }
  }

  // MARK: Reading

  /// What a reader gets, sorted by key.
  func resolve(_ reader: FlagsReader, _ context: ReaderContext) -> [FlagEntry] {
    resolve(reader, context, clock: clock)
  }

  /// What a reader would get if the clock stood at the given instant, sorted by key.
  func resolve(_ reader: FlagsReader, _ context: ReaderContext, clock: Int64) -> [FlagEntry] {
    var ownValues: [String: AttributeValue] = [:]
    if case .user(let id) = reader { ownValues = userValues[id] ?? [:] }
    let resolving = ResolvingReader(
      reader, context, audiences: audiencesThatCount(for: reader), ownValues: ownValues)
    return flags.map { $0.resolve(resolving, clock: clock) }
  }

  /// The place of a key among the flags; nil if it is not defined.
  func place(of key: String) -> Int? {
    let place = insertionPlace(of: key)
    return place < flags.count && flags[place].key == key ? place : nil
  }

  func audiences(of reader: FlagsReader) -> Audiences { audiences[reader] ?? Audiences() }

  /// The audiences the reader is in, none without consent, in the order of the plan.
  func audiencesThatCount(for reader: FlagsReader) -> [String] {
    audiencesThatCount(for: reader, audiences(of: reader))
  }

  /// The same, if the given were known of the reader.
  func audiencesThatCount(for reader: FlagsReader, _ known: Audiences) -> [String] {
    guard known.allowsPersonalization ?? plan.allowsPersonalization else { return [] }
    return plan.audiences.filter { name in
      if let isMember = known.memberships[name] { return isMember }
      var hash = StableHash(seed: plan.seed)
      hash.mix(name)
      hash.mix(reader.hash)
      return hash.value % 2 == 0
    }
  }

  /// The first instant after the given one at which a condition turns.
  func boundary(after instant: Int64) -> Int64? {
    var first: Int64?
    for flag in flags {
      guard let boundary = flag.boundary(after: instant) else { continue }
      first = min(first ?? boundary, boundary)
    }
    return first
  }

  /// Whether a delta from the given version would need a deletion that is no longer remembered.
  func hasForgottenDeletions(since: Int64) -> Bool {
    let newestForgotten = deletions.last { $0 <= version - Int64(plan.deletionsKept) }
    return since < newestForgotten ?? 0
  }

  private func insertionPlace(of key: String) -> Int {
    var range = flags.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if flags[middle].key < key {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }

  // MARK: Changing; the caller has kept the version before

  mutating func moveVersion() { version += 1 }
  mutating func moveClock(to instant: Int64) { clock = instant }

  mutating func define(_ definition: FlagDefinition) {
    let flag = StoredFlag(definition, seed: plan.seed)
    if let place = place(of: flag.key) {
      flags[place] = flag
    } else {
      flags.insert(flag, at: insertionPlace(of: flag.key))
    }
  }

  /// Deletes a flag; users keep their own values for it, in case it comes back.
  mutating func delete(at place: Int) {
    flags.remove(at: place)
    noteDeletion()
  }

  /// Replaces all flags; users keep their own values for those that are gone.
  mutating func replaceFlags(with newFlags: [StoredFlag]) {
    let kept = Set(newFlags.map(\.key))
    let losesFlags = flags.contains { !kept.contains($0.key) }
    flags = newFlags
    if losesFlags { noteDeletion() }
  }

  mutating func setValue(_ value: AttributeValue?, of user: String, for key: String) {
    userValues[user, default: [:]][key] = value
    if userValues[user]?.isEmpty == true { userValues[user] = nil }
  }

  /// Notes what is known of a reader now, and, if that changes which audiences count, in which version.
  mutating func setAudiences(_ known: Audiences, of reader: FlagsReader) {
    let counts = audiencesThatCount(for: reader) != audiencesThatCount(for: reader, known)
    audiences[reader] = known
    if counts { audiences[reader]?.changedAt = version }
  }

  private mutating func noteDeletion() {
    guard deletions.last != version else { return }
    deletions.append(version)
    // Of those that are forgotten only the newest matters.
    while deletions.count > 1, deletions[1] <= version - Int64(plan.deletionsKept) { deletions.removeFirst() }
  }
}
