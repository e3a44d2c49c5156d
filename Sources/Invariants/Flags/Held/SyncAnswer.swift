import Events

// How an answer changes what a device holds: the rules of BEHAVIOUR 1.4, 1.5, 1.8 and §3, written once more, from the
// outside, for the judges.
//
// An answer changes a record to another one, or leaves it as it is. Where the texts leave a client the choice, the result is
// more than one record, and every one of them is right.

/// The answer to a sync request as it reached the client.
struct SyncAnswer: Sendable {
  /// What it brought.
  enum Kind: Sendable {
    case snapshot(FlagTable)
    case delta(since: Int64, changed: [FlagValue], deleted: [Int32])
    /// A 304 to a snapshot that was asked for with this tag.
    case notModified(etag: UInt64)
    /// A 304 to a delta.
    case nothingNewer
    /// A 304 to a snapshot that was asked for without a tag.
    case notModifiedUnasked
    case gone
    /// A failure, with the status where there was one.
    case failure(status: Int?)
  }

  let request: RequestID
  let kind: Kind
  /// The version that it brings its reader to.
  let version: Int64
  let etag: UInt64?
  /// All that the service resolves at this version; nil where it does not say.
  let whole: ContentDigest?
  /// The flags in it that do not decode.
  let undecodable: [Int32]
  /// Whether its body was damaged but its status says it all, so that a client may take it either way.
  let isDoubtful: Bool

  /// Reads the answer out of what is known of its request, which has been completed.
  init(_ record: SyncRecord) {
    request = record.id
    var status: Int?
    if case .answered(let code, _) = record.completion { status = code }
    // A refusal in the service's stead has no serial; its status says what it is.
    let served = record.servedAnswer
    version = served?.version ?? 0
    etag = served?.etag
    whole = served?.whole
    if case .undecodable(let flags) = record.damage { undecodable = flags } else { undecodable = [] }
    let isDamaged = record.damage == .unusable
    let isWhole = !isDamaged && record.hasSerial
    switch (status, served?.kind) {
    case (200, .snapshot(let values)?) where record.query?.since == nil && isWhole:
      kind = .snapshot(FlagTable(values))
    case (200, .delta(let since, let changed, let deleted)?) where record.query?.since != nil && isWhole:
      kind = .delta(since: since, changed: changed, deleted: deleted)
    case (304, .notModified?):
      if record.query?.since != nil {
        kind = .nothingNewer
      } else {
        kind = record.query?.etag.map { .notModified(etag: $0) } ?? .notModifiedUnasked
      }
    case (304, _): kind = .notModifiedUnasked
    case (410, _): kind = .gone
    default: kind = .failure(status: isDamaged && status == 200 ? nil : status)
    }
    isDoubtful = isDamaged && status != 200
  }

  /// Whether it is one that a client takes as a success.
  var isGood: Bool {
    switch kind {
    case .snapshot, .delta, .notModified, .nothingNewer: true
    case .notModifiedUnasked, .gone, .failure: false
    }
  }

  /// Whether it says of itself what all values at its version are.
  var tellsWhole: Bool {
    switch kind {
    case .snapshot, .delta, .notModified: whole != nil
    case .nothingNewer, .notModifiedUnasked, .gone, .failure: false
    }
  }

  /// Whether it can change what is held at all.
  var hasEffect: Bool {
    switch kind {
    case .snapshot, .delta, .notModified, .nothingNewer, .gone: true
    case .notModifiedUnasked, .failure: false
    }
  }

  /// Whether it is older than what is held.
  func isOlder(than state: HeldState) -> Bool { isGood && version < state.floor }

  /// What a device may hold after it has taken in the answer.
  ///
  /// - Complexity: O(n) in the number of values.
  func applied(to state: HeldState) -> [HeldState] {
    let results = decided(state)
    return isDoubtful && !results.contains(state) ? results + [state] : results
  }

  private func decided(_ state: HeldState) -> [HeldState] {
    switch kind {
    case .failure, .notModifiedUnasked: return [state]
    case .gone:
      var gone = state
      if state.base == .valid { gone.base = .gone }
      return [gone]
    case .nothingNewer:
      guard version > state.version ?? .max, state.base == .valid else { return [state] }
      var moved = state
      moved.version = version
      moved.floor = version
      return [state, moved]
    case .notModified(let tag):
      guard !state.isNothing, version >= state.floor, state.etags?.contains(tag) ?? true else {
        return [state]
      }
      var moved = state
      moved.version = version
      moved.floor = version
      moved.base = .valid
      if let etag, let tags = state.etags, !tags.contains(etag) { moved.etags = tags + [etag] }
      return [moved]
    case .snapshot(let table):
      guard version >= state.floor else { return [state] }
      return filled(state, table)
    case .delta(let since, let changed, let deleted):
      guard state.base == .valid, state.version == since, version >= state.floor else { return [state] }
      var moved = state
      moved.version = version
      moved.floor = version
      moved.etags = []
      let skipped = Set(undecodable)
      let isWhole = !changed.contains { skipped.contains($0.flag) }
      moved.isExact = state.isExact && isWhole
      moved.table = state.table?.replacing(
        changed.filter { !skipped.contains($0.flag) }, deleted: deleted)
      moved.content = moved.table.map(\.content) ?? (isWhole ? whole : nil)
      return [moved]
    }
  }

  /// What a snapshot makes of a record: a flag that does not decode keeps the value that the epoch's record has.
  private func filled(_ state: HeldState, _ table: FlagTable) -> [HeldState] {
    let skipped = undecodable.filter { table[$0] != nil }
    func made(_ table: FlagTable) -> HeldState {
      var moved = HeldState(nothingIn: state.epoch)
      moved.version = version
      moved.floor = version
      moved.base = .valid
      moved.etags = skipped.isEmpty ? etag.map { [$0] } ?? [] : []
      moved.isExact = skipped.isEmpty
      moved.table = table
      moved.content = table.content
      return moved
    }
    if skipped.isEmpty { return [made(table)] }
    let kept = skipped.compactMap { state.table?[$0] }
    let rest = table.removing(skipped)
    let keeping = made(rest.replacing(kept, deleted: []))
    // Whether values of another context stand in is the client's choice; which ones a record that the run does not know
    // has for them, nobody can tell.
    guard state.table != nil else {
      var unclear = keeping
      unclear.table = nil
      unclear.content = nil
      return [unclear]
    }
    if state.saysVersion { return [keeping] }
    return kept.isEmpty ? [keeping] : [keeping, made(rest)]
  }
}
