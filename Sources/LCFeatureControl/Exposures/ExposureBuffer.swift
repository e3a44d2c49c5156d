import ClientCore

// What a manager remembers of exposures, as one value behind one lock: the events that wait, the flush that is under way
// and those that wait for it, and what became of everything.
//
// Every method is one critical section, calls nobody, and returns whom its owner has to wake. The rules are those of
// BEHAVIOUR §2, "Exposure buffer":
//
// - Events wait in the order in which they were recorded; of more than 1,000 the oldest is dropped.
// - One flush at a time, in the order of the calls. It sends the events that were there when it began, in batches of at
//   most 100; an event leaves the buffer in the step that puts it into a batch, so no event can be in two.
// - A batch comes back once: acknowledged, failed, or untried, in which case its events take their old place again.

/// The events that wait to be flushed, and the account of all that were recorded.
struct ExposureBuffer<Event: Sendable, Waiter: Sendable>: Sendable {
  /// How many events may wait.
  static var capacity: Int { 1_000 }
  /// How many events a batch may carry (the service's `maxItems`).
  static var batchLimit: Int { 100 }

  /// What became of a batch.
  enum BatchEnd: Sendable {
    /// The service took it.
    case acknowledged
    /// It was sent and not acknowledged.
    case failed
    /// It was given up before it was sent.
    case givenUp
    /// It was not tried, and may be.
    case untried
  }

  /// What a call that wants to flush has to do.
  enum Turn: Sendable {
    /// Flush now.
    case now
    /// Wait until it is woken.
    case later
    /// Nothing: the client is closed.
    case never
  }

  private var waiting: [Event] = []
  /// Where the oldest waiting event stands; what is before it has left.
  private var head = 0
  /// How many of the oldest waiting events the flush under way is still to send.
  private var due = 0
  private var isFlushing = false
  private var queue: [(id: UInt64, waiter: Waiter)] = []
  private var queued: UInt64 = 0
  private var isClosed = false
  private var underWay = 0
  private(set) var recorded = 0
  private(set) var acknowledged = 0
  private(set) var failed = 0
  private(set) var dropped = 0

  /// The account at this moment.
  var counts: FeatureControlExposureCounts {
    FeatureControlExposureCounts(
      recorded: recorded, sent: acknowledged, failed: failed, dropped: dropped, pending: waiting.count - head,
      underWay: underWay)
  }

  // MARK: Recording

  /// Takes in an event, and drops the oldest if there is no room; a closed buffer drops the event itself.
  ///
  /// - Complexity: O(1), amortised.
  mutating func record(_ event: Event) {
    recorded += 1
    if isClosed {
      dropped += 1
      return
    }
    waiting.append(event)
    if waiting.count - head > Self.capacity { dropOldest() }
  }

  /// Counts an event that cannot be sent.
  mutating func refuse() {
    recorded += 1
    dropped += 1
  }

  // MARK: Flushing

  /// Gives out the number under which a call may wait for its turn.
  mutating func makeTicket() -> UInt64 {
    queued += 1
    return queued
  }

  /// Lets a call flush, or has it wait.
  ///
  /// - Parameters:
  ///   - ticket: The call's number.
  ///   - waiter: Kept if the call has to wait.
  /// - Returns: What the call has to do.
  mutating func enter(_ ticket: UInt64, _ waiter: Waiter) -> Turn {
    if isClosed { return .never }
    if isFlushing {
      queue.append((ticket, waiter))
      return .later
    }
    begin()
    return .now
  }

  /// Forgets a call that no longer waits for its turn.
  ///
  /// - Returns: Its waiter; nil if it does not wait any more.
  mutating func leave(_ ticket: UInt64) -> Waiter? {
    guard let index = queue.firstIndex(where: { $0.id == ticket }) else { return nil }
    return queue.remove(at: index).waiter
  }

  /// Takes the next batch of the flush under way out of the buffer.
  ///
  /// - Returns: Up to `batchLimit` events, in their order; empty when the flush has nothing more to send.
  mutating func nextBatch() -> [Event] {
    let size = min(due, Self.batchLimit)
    let batch = Array(waiting[head..<head + size])
    head += size
    due -= size
    underWay = size
    compact()
    return batch
  }

  /// Takes note of what became of the batch that was taken last.
  mutating func settle(_ batch: [Event], _ end: BatchEnd) {
    underWay = 0
    switch end {
    case .acknowledged: acknowledged += batch.count
    case .failed: failed += batch.count
    case .givenUp: dropped += batch.count
    case .untried: putBack(batch)
    }
  }

  /// Ends the flush under way and begins that of the next call in the queue.
  ///
  /// - Returns: The waiter of that call; nil if none waits.
  mutating func finish() -> Waiter? {
    isFlushing = false
    due = 0
    guard !queue.isEmpty, !isClosed else { return nil }
    begin()
    return queue.removeFirst().waiter
  }

  /// Drops what waits, for good.
  ///
  /// - Returns: The calls that wait for a turn that does not come.
  mutating func close() -> [Waiter] {
    isClosed = true
    dropped += waiting.count - head
    waiting = []
    head = 0
    due = 0
    defer { queue = [] }
    return queue.map(\.waiter)
  }

  private mutating func begin() {
    isFlushing = true
    due = waiting.count - head
  }

  private mutating func dropOldest() {
    head += 1
    dropped += 1
    if due > 0 { due -= 1 }
    compact()
  }

  private mutating func putBack(_ batch: [Event]) {
    if isClosed {
      dropped += batch.count
      return
    }
    waiting.replaceSubrange(0..<head, with: batch)
    head = 0
    while waiting.count - head > Self.capacity { dropOldest() }
  }

  /// Lets go of the events that have left, once they are the larger part.
  private mutating func compact() {
    guard head > waiting.count - head else { return }
    waiting.removeFirst(head)
    head = 0
  }
}
