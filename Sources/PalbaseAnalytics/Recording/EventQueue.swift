import ClientCore

// What a client remembers of its events, as one value behind one lock: the events that wait, the batch that is tried, and
// what became of everything (BEHAVIOUR §3, "Analytics").
//
// Events leave in the order in which they were recorded, one batch at a time:
//
//   under way ◀── again ◀── parts ◀── waiting ◀── record
//       │           ▲         ▲
//       ├── failed ─┘         │     the same batch, unchanged
//       ├── too large ────────┘     its two halves, as batches of their own
//       └── accepted, refused ──▶ counted
//
// Who sends is called the pump: one task, started by the step that finds events due while no pump runs, and ended by the
// step in which it asks for more and gets nothing. An event is due when it is not newer than `dueThrough`; twenty events,
// thirty seconds, the background and an explicit flush all only move that mark. After a failure nothing is sent before
// `restEnd`, unless an explicit flush lifts it; the service's own Retry-After is lifted by nobody.
//
// Pending events, those under way included, are never more than 1,000. The one that makes room is the oldest that was
// never tried: a tried batch may have reached the service, and must not change if it is to be recognised.
//
// Every method is one step, calls nobody, and returns what its owner must do once the lock is free. Not modelled here: the
// clock (instants and random bits are handed in), sessions, requests and their ids.

/// The events that are pending, and the account of all that were recorded.
struct EventQueue<Waiter: Sendable>: Sendable {
  /// How many events may be pending.
  static var capacity: Int { 1_000 }
  /// How many events a batch may carry.
  static var batchLimit: Int { 50 }
  /// So many events are not left waiting for more.
  static var flushSize: Int { 20 }
  /// No event waits longer than this before it is due.
  static var flushInterval: Duration { .seconds(30) }

  /// What the pump has to send next.
  enum Work: Sendable {
    /// A batch that was tried before, as it was.
    case again(EventBatch)
    /// Events to make a batch of.
    case first([RecordedEvent])
  }

  /// What the owner has to do after a step.
  struct Duties: Sendable {
    /// Start the pump.
    var startsPump = false
    /// The calls of `flush` that are over.
    var waiters: [Waiter] = []
    /// What to send; nil ends the pump that asked.
    var work: Work?
  }

  private struct Attempt {
    let first: UInt64
    let count: Int
    /// Whether consent was withdrawn since: what is not accepted now is not tried again.
    var isLast = false
  }

  private struct Waiting {
    let ticket: UInt64
    /// The newest event that the call waits for.
    let last: UInt64
    let waiter: Waiter
  }

  private var waiting: [RecordedEvent] = []
  /// Where the oldest waiting event stands; what is before it has left.
  private var head = 0
  private var parts: [[RecordedEvent]] = []
  private var again: EventBatch?
  private var attempt: Attempt?
  private var lastNumber: UInt64 = 0
  private var dueThrough: UInt64 = 0
  /// When the events that are not due become so.
  private var dueAt: MonotonicInstant?
  private var restEnd: MonotonicInstant?
  private var gate = RetryGate<Void>()
  private var backoff = Backoff()
  private var calls: [Waiting] = []
  private var tickets: UInt64 = 0
  private(set) var isPumping = false
  /// Whether the person allows analytics.
  private(set) var isAllowed = false
  private(set) var isClosed = false
  private var recorded = 0
  private var sent = 0
  private var dropped = 0

  /// The account at this moment.
  ///
  /// - Complexity: O(1).
  var counts: AnalyticsCounts {
    AnalyticsCounts(recorded: recorded, sent: sent, dropped: dropped, pending: pending)
  }

  /// When to call `wake`; nil if there is nothing to wait for.
  ///
  /// - Complexity: O(1).
  var alarm: MonotonicInstant? {
    if isClosed || isPumping { return nil }
    // What is due and not being sent is kept back until the rest is over.
    return isDue ? restEnd : dueAt
  }

  // MARK: Recording

  /// Takes in an event; one that comes too late, after the end or after a withdrawal, counts as dropped.
  ///
  /// - Complexity: O(1), amortised.
  mutating func record(_ event: RecordedEvent, at now: MonotonicInstant) -> Duties {
    recorded += 1
    if isClosed || !isAllowed {
      dropped += 1
      return Duties()
    }
    lastNumber += 1
    var event = event
    event.number = lastNumber
    waiting.append(event)
    if pending > Self.capacity { dropOldest() }
    if lastNumber - max(dueThrough, waiting[head].number - 1) >= UInt64(Self.flushSize) {
      return flush(at: now)
    }
    if dueAt == nil { dueAt = now.advanced(by: Self.flushInterval) }
    return Duties(waiters: over())
  }

  /// Counts an event that was handed over and cannot be sent.
  mutating func refuse() {
    recorded += 1
    dropped += 1
  }

  // MARK: Flushing

  /// Makes all events due.
  mutating func flush(at now: MonotonicInstant) -> Duties {
    dueThrough = lastNumber
    dueAt = nil
    return Duties(startsPump: startPump(at: now), waiters: over())
  }

  /// Gives out the number under which a call may wait for its flush.
  mutating func makeTicket() -> UInt64 {
    tickets += 1
    return tickets
  }

  /// Makes all events due without regard to the client's own patience, and has the call wait until they have left or an
  /// attempt has failed.
  ///
  /// - Parameters:
  ///   - ticket: The call's number.
  ///   - waiter: Kept if there is something to wait for, else among the calls that are over.
  ///   - now: The present instant.
  /// - Returns: What to do.
  mutating func flush(_ ticket: UInt64, _ waiter: Waiter, at now: MonotonicInstant) -> Duties {
    guard !isClosed, pending > 0, gate.refusal(at: now) == nil else { return Duties(waiters: [waiter]) }
    restEnd = nil
    calls.append(Waiting(ticket: ticket, last: lastNumber, waiter: waiter))
    return flush(at: now)
  }

  /// Forgets a call that no longer waits.
  ///
  /// - Returns: Its waiter; nil if it does not wait any more.
  mutating func leave(_ ticket: UInt64) -> Waiter? {
    calls.firstIndex { $0.ticket == ticket }.map { calls.remove(at: $0).waiter }
  }

  /// Takes note that the alarm has gone off.
  mutating func wake(at now: MonotonicInstant) -> Duties {
    if let dueAt, dueAt <= now { return flush(at: now) }
    return Duties(startsPump: startPump(at: now))
  }

  // MARK: Sending

  /// Takes what the pump is to send next.
  ///
  /// A batch is filled up with events that are not yet due: they cost no request of their own then.
  /// - Complexity: O(batch).
  mutating func next(at now: MonotonicInstant) -> Duties {
    guard !isClosed, isDue, !isResting(at: now) else {
      isPumping = false
      defer { calls = [] }
      return Duties(waiters: calls.map(\.waiter))
    }
    restEnd = nil
    if let batch = again {
      again = nil
      return begin(batch.events, .again(batch))
    }
    let events = parts.isEmpty ? takeWaiting() : parts.removeFirst()
    return begin(events, .first(events))
  }

  /// Whether the attempt under way may still be handed to the transport.
  var mayBeSent: Bool { !isClosed && attempt?.isLast == false }

  /// Takes note of how the attempt under way ended.
  ///
  /// - Parameters:
  ///   - batch: What was tried.
  ///   - end: How it ended.
  ///   - now: The present instant.
  ///   - random: 64 random bits, used if the attempt failed.
  /// - Returns: What to do.
  mutating func settle(
    _ batch: EventBatch, _ end: BatchEnd, at now: MonotonicInstant, random: UInt64
  ) -> Duties {
    guard let attempt else { return Duties() }
    self.attempt = nil
    if let patience = end.patience {
      gate.close(for: patience, from: now, because: ())
      rest(until: now.advanced(by: patience))
    }
    switch end.fate {
    case .accepted:
      sent += batch.events.count
      backoff.reset()
    case .refused: dropped += batch.events.count
    case .tooLarge where attempt.isLast || batch.events.count == 1: dropped += batch.events.count
    case .tooLarge:
      let middle = (batch.events.count + 1) / 2
      parts.insert(contentsOf: [Array(batch.events[..<middle]), Array(batch.events[middle...])], at: 0)
    case .failed:
      if attempt.isLast { dropped += batch.events.count } else { again = batch }
      rest(until: now.advanced(by: backoff.nextGap(random: random)))
      defer { calls = [] }
      return Duties(waiters: calls.map(\.waiter))
    }
    return Duties(waiters: over())
  }

  // MARK: Consent and the end

  /// Allows recording.
  mutating func allow() { isAllowed = true }

  /// Ends recording and drops what waits; what is under way is not tried again.
  mutating func withdraw() -> Duties {
    isAllowed = false
    dropped += pending - (attempt?.count ?? 0)
    attempt?.isLast = true
    empty()
    return Duties(waiters: over())
  }

  /// Drops what is pending, for good.
  mutating func close() -> Duties {
    isClosed = true
    dropped += pending
    attempt = nil
    empty()
    return Duties(waiters: over())
  }

  // MARK: Parts of the steps

  private var pending: Int {
    waiting.count - head + parts.reduce(0) { $0 + $1.count } + (again?.events.count ?? 0)
      + (attempt?.count ?? 0)
  }

  /// The number of the oldest pending event; nil if there is none.
  private var oldest: UInt64? {
    if let attempt { return attempt.first }
    if let again { return again.events[0].number }
    if let part = parts.first { return part[0].number }
    return head < waiting.count ? waiting[head].number : nil
  }

  /// Whether there is something to send now, patience aside.
  private var isDue: Bool {
    again != nil || !parts.isEmpty || (head < waiting.count && waiting[head].number <= dueThrough)
  }

  private func isResting(at now: MonotonicInstant) -> Bool { restEnd.map { now < $0 } ?? false }

  private mutating func rest(until end: MonotonicInstant) { restEnd = max(restEnd ?? end, end) }

  private mutating func startPump(at now: MonotonicInstant) -> Bool {
    guard !isPumping, !isClosed, isDue, !isResting(at: now) else { return false }
    isPumping = true
    return true
  }

  private mutating func begin(_ events: [RecordedEvent], _ work: Work) -> Duties {
    attempt = Attempt(first: events[0].number, count: events.count)
    return Duties(work: work)
  }

  /// Takes the oldest waiting events of one epoch.
  private mutating func takeWaiting() -> [RecordedEvent] {
    let epoch = waiting[head].identity.epoch
    let events = Array(waiting[head...].prefix(Self.batchLimit).prefix { $0.identity.epoch == epoch })
    head += events.count
    if head == waiting.count { dueAt = nil }
    compact()
    return events
  }

  private mutating func dropOldest() {
    head += 1
    dropped += 1
    compact()
  }

  private mutating func empty() {
    waiting = []
    head = 0
    parts = []
    again = nil
    dueAt = nil
  }

  /// The calls that have nothing more to wait for.
  private mutating func over() -> [Waiter] {
    guard !calls.isEmpty else { return [] }
    let oldest = oldest ?? .max
    // Calls wait in the order of their events, as both are numbered by the steps of the queue.
    let count = calls.prefix { $0.last < oldest }.count
    defer { calls.removeFirst(count) }
    return calls.prefix(count).map(\.waiter)
  }

  /// Lets go of the events that have left, once they are the larger part.
  private mutating func compact() {
    guard head > waiting.count - head else { return }
    waiting.removeFirst(head)
    head = 0
  }
}
