import Events

// What a device may hold at this moment, kept as a small set of possibilities.
//
// A client takes an answer in a later step of the instant in which it arrives. Until time moves both the record before and
// the record after are possible; what a reader is shown in between settles which of them it is, for a client has one record
// and never goes back. When time moves the answers that certainly count have been taken. An answer that ties with its
// request's deadline, its cancellation or the close counts or not, as the client has it.

/// What one device may hold.
struct HeldBook: Sendable {
  /// What an answer was that reached the device since it was looked at last.
  struct Arrival: Sendable {
    let answer: SyncAnswer
    /// Whether it was older than everything that may have been held.
    let isOlder: Bool
  }

  /// A record that may be held, with the inputs of this instant that it has taken.
  private struct Possibility: Sendable, Equatable {
    var state: HeldState
    var taken: UInt16
  }

  /// Something that changes what is held, in this instant.
  private struct Input: Sendable {
    enum Kind: Sendable {
      case answer(SyncAnswer)
      /// A record that was read, as everything that it may be.
      case records([HeldState])
    }

    let kind: Kind
    let epoch: Int
    var isCertain: Bool

    /// The request of an answer.
    var request: RequestID? {
      if case .answer(let answer) = kind { answer.request } else { nil }
    }
  }

  private var possibilities: [Possibility] = []
  private var inputs: [Input] = []
  /// The latest records of the present epoch, the newest last; a write may name one that has just been replaced.
  private(set) var recent: [HeldState] = []
  /// What may have been held, or was asked for, for the reader before the latest changes.
  private(set) var former: [HeldState] = []
  /// Records that the client has written, the newest last, each with all that it may be.
  ///
  /// What the run sees of a record says which values it has, not what gave them, so two of different origin look the same.
  private var archive: [(stored: StoredFlags, states: [HeldState])] = []
  /// The latest answer of the epoch since the device was looked at.
  private(set) var arrival: Arrival?
  /// The request whose answer does not lead to what the service resolved; nil if the latest one does.
  private(set) var discord: RequestID?
  /// Every flag that the present epoch's records have had, ascending; nil where one of them is not known by flag.
  private(set) var flagsOfEpoch: [Int32]? = []

  private static let mostKept = 8
  private static let mostArchived = 32

  /// What may be held, each once.
  var states: [HeldState] {
    var states: [HeldState] = []
    for possibility in possibilities where !states.contains(possibility.state) {
      states.append(possibility.state)
    }
    return states
  }

  /// Whether one of the records that may be held has a trait.
  func mayHold(_ trait: (HeldState) -> Bool) -> Bool { possibilities.contains { trait($0.state) } }

  // MARK: Life

  /// A process begins in a new epoch.
  mutating func launch(_ epoch: Int) {
    possibilities = [Possibility(state: HeldState(nothingIn: epoch), taken: 0)]
    inputs = []
    former = []
    beginEpoch()
  }

  /// The process is gone.
  mutating func end() {
    possibilities = []
    inputs = []
    former = []
  }

  /// A change of reader begins: from here on an empty record of the new epoch may be held.
  mutating func beginChange(to epoch: Int) {
    for state in states where !state.isNothing { remember(former: state) }
    possibilities.append(Possibility(state: HeldState(nothingIn: epoch), taken: 0))
    beginEpoch()
  }

  /// The change of reader is over: no other epoch's record is held any more.
  mutating func endChange(to epoch: Int) { possibilities.removeAll { $0.state.epoch != epoch } }

  private mutating func beginEpoch() {
    recent = []
    arrival = nil
    flagsOfEpoch = []
  }

  // MARK: Inputs

  /// An answer reaches the client.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - epoch: The epoch in which it was asked for.
  ///   - isCurrent: Whether that is the device's still.
  ///   - isCertain: Whether a client must take it.
  mutating func take(_ answer: SyncAnswer, epoch: Int, isCurrent: Bool, isCertain: Bool) {
    discord = nil
    guard isCurrent else {
      // It counts no more; to give it out all the same would be another reader's data.
      for state in former.suffix(1) + [HeldState(nothingIn: epoch)] {
        for result in answer.applied(to: state) where !result.isNothing { remember(former: result) }
      }
      return
    }
    let held = possibilities.filter { $0.state.epoch == epoch }
    arrival = Arrival(
      answer: answer, isOlder: !held.isEmpty && held.allSatisfy { answer.isOlder(than: $0.state) })
    guard answer.hasEffect else { return }
    add(Input(kind: .answer(answer), epoch: epoch, isCertain: isCertain))
  }

  /// The client has read its record.
  ///
  /// - Parameters:
  ///   - records: All that it may be; at least one, of one version and of the given epoch.
  ///   - epoch: The epoch in which it was read.
  ///   - isCertain: Whether a client must take it.
  mutating func take(_ records: [HeldState], epoch: Int, isCertain: Bool) {
    add(Input(kind: .records(records), epoch: epoch, isCertain: isCertain))
  }

  /// Takes back that inputs of this instant must be taken: what spares the client that came in the same instant.
  ///
  /// - Parameter request: The request whose answer is concerned; nil for every input.
  mutating func doubtInputs(of request: RequestID? = nil) {
    for index in inputs.indices where request == nil || inputs[index].request == request {
      inputs[index].isCertain = false
    }
  }

  private mutating func add(_ input: Input) {
    if inputs.count == UInt16.bitWidth {
      settle()
      for index in possibilities.indices { possibilities[index].taken = 0 }
      inputs = []
    }
    inputs.append(input)
    expand()
  }

  /// Adds what the possible records become by the inputs that they have not taken.
  private mutating func expand() {
    var next = 0
    while next < possibilities.count, possibilities.count < 64 {
      let possibility = possibilities[next]
      next += 1
      for (index, input) in inputs.enumerated() where input.epoch == possibility.state.epoch {
        guard possibility.taken & (1 << index) == 0 else { continue }
        for state in results(of: input, on: possibility.state) {
          let possible = Possibility(state: state, taken: possibility.taken | (1 << index))
          if !possibilities.contains(possible) { possibilities.append(possible) }
        }
      }
    }
  }

  private mutating func results(of input: Input, on state: HeldState) -> [HeldState] {
    switch input.kind {
    case .records(let records):
      // A slow load never overwrites newer memory (BEHAVIOUR §3, "Persistence").
      let newer = records.filter { state.isNothing || state.floor < $0.floor }
      let results = state.isNothing ? newer : [state] + newer
      for result in results { note(result) }
      return results
    case .answer(let answer):
      let results = answer.applied(to: state)
      for result in results where result != state {
        note(result)
        if result.isExact, answer.tellsWhole, result.content != answer.whole { discord = answer.request }
      }
      return results
    }
  }

  // MARK: Certainty

  /// Leaves only what a client may hold that has taken every certain input so far.
  mutating func settle() { settle { _ in true } }

  /// Leaves only what a client may hold that has taken every certain answer so far.
  mutating func settleAnswers() {
    settle { if case .answer = $0.kind { true } else { false } }
  }

  private mutating func settle(_ counts: (Input) -> Bool) {
    guard !inputs.isEmpty else { return }
    let settled = possibilities.filter { possibility in
      inputs.indices.allSatisfy { index in
        let input = inputs[index]
        return !input.isCertain || input.epoch != possibility.state.epoch
          || possibility.taken & (1 << index) != 0 || !counts(input)
      }
    }
    if !settled.isEmpty { possibilities = settled }
  }

  /// Ends the instant.
  mutating func endInstant() {
    settle()
    inputs = []
    guard possibilities.count > 1 || possibilities.first?.taken != 0 else { return }
    possibilities = states.map { Possibility(state: $0, taken: 0) }
  }

  /// Leaves only what agrees with something that the client has shown; all, if nothing does.
  mutating func narrow(_ agrees: (HeldState) -> Bool) {
    guard possibilities.count > 1 else { return }
    let narrowed = possibilities.filter { agrees($0.state) }
    guard !narrowed.isEmpty, narrowed.count < possibilities.count else { return }
    possibilities = narrowed
    // What was seen may be replaced still, in this very instant.
    expand()
  }

  /// Ends the time since the device was looked at.
  mutating func endLook() { arrival = nil }

  // MARK: Memory

  /// The client writes a record of this content.
  ///
  /// - Complexity: O(n) in the number of flags.
  mutating func wrote(_ stored: StoredFlags) {
    var states = self.states.filter { $0.isStored(as: stored) }
    if states.isEmpty, let recent = recent.last(where: { $0.isStored(as: stored) }) { states = [recent] }
    let earlier = archive.firstIndex { $0.stored == stored }.map { archive.remove(at: $0).states }
    // What the run cannot explain makes the record one of which it knows nothing.
    guard !states.isEmpty else { return }
    archive.append((stored, states + (earlier ?? []).filter { !states.contains($0) }))
    if archive.count > Self.mostArchived { archive.removeFirst() }
  }

  /// All that a stored record may be; none if the run never saw it written.
  ///
  /// - Complexity: O(1); the archive is bounded.
  func known(_ stored: StoredFlags) -> [HeldState] { archive.first { $0.stored == stored }?.states ?? [] }

  private mutating func note(_ state: HeldState) {
    guard recent.last != state else { return }
    recent.append(state)
    if recent.count > Self.mostKept { recent.removeFirst() }
    guard let known = flagsOfEpoch, let table = state.table else {
      flagsOfEpoch = nil
      return
    }
    // Both ascend, and mostly they are the same.
    if known.elementsEqual(table.values.lazy.map(\.flag)) { return }
    flagsOfEpoch = Set(known + table.values.map(\.flag)).sorted()
  }

  private mutating func remember(former state: HeldState) {
    former.append(state)
    if former.count > Self.mostKept { former.removeFirst() }
  }
}
