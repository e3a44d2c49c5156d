import Events

/// How a request of the evaluate endpoint ended.
enum RequestEnd: Sendable, Equatable {
  /// It has not.
  case none
  /// With a 200 whose body names flags.
  case good(Serial)
  /// With a 200 whose body is of no use: garbled, truncated, or an error in an envelope.
  case unusable
  /// With any other status.
  case refused(status: Int32)
  /// Without an answer, and the client was told.
  case lost
  /// Because the client cancelled it.
  case cancelled
  /// Unsent, because the app gave no token.
  case unauthorized
  /// Unsent, because the service had asked for patience while the app was asked for a token.
  case withheld
}

/// A request while it may still concern an open call.
struct RequestRecord: Sendable {
  let id: RequestID
  /// When its flight began, in nanoseconds, the number of that event and the number of that instant.
  let started: Int64
  let order: Int64
  let instant: UInt32
  /// When the flight's deadline passes.
  let deadline: Int64
  /// When it was authorized, while it has sent nothing; `Int64.max` otherwise.
  var authorized = Int64.max
  /// When the transport gave its outcome to the client; `Int64.max` before.
  var completed = Int64.max
  var end = RequestEnd.none
  /// When the client asked for its cancellation, and the number of that event; `Int64.max` before.
  var cancelled = Int64.max
  var cancelOrder = Int64.max
  /// The number of the event by which the request was no longer outstanding.
  var endOrder = Int64.max
  /// The number of the first event which proves that the flight's outcome had been published.
  var published = Int64.max
  /// Whether a caller that may have waited for it was cancelled.
  var hadCancelledWaiter = false
  /// Whether a returned call was already taken for the one that the request was made for.
  var isClaimed = false
  /// Whether a judge has already found it without waiters.
  var isReported = false
  /// The open calls, and of them the live ones, for which this is the first request they may wait for.
  var openFirst: UInt32 = 0
  var liveFirst: UInt32 = 0
  /// The live calls for which this is the last request they may wait for.
  var liveLast: UInt32 = 0

  /// Whether the request is outstanding as rule 1.2 says: started, not completed, cancel not requested.
  var isOutstanding: Bool { completed == .max && cancelled == .max }

  /// Whether it was authorized and has sent nothing, be it that it still will, is kept back or was cancelled.
  var isUnsent: Bool { authorized < .max }

  /// The instant from which the request was no longer outstanding; `Int64.max` while it is.
  var ended: Int64 { min(completed, cancelled) }

  /// Returns whether the flight's deadline passes at an instant, before which it had no answer.
  func timesOut(at now: Int64) -> Bool { deadline == now && completed >= now }

  /// Returns whether a waiter may still be answered at some later instant than this.
  func isAlive(after now: Int64) -> Bool { isOutstanding && deadline > now }

  /// Returns whether a call may wait for this request's flight.
  ///
  /// A flight is created in the instant in which its request starts and takes waiters until its outcome is
  /// published. So the call must not have begun in an earlier instant than the request; and when the call began
  /// the request must not have ended in an earlier instant, nor its outcome be known to have been published, nor
  /// its cancellation have been asked for (except at its deadline, where the outcome may be published a step later),
  /// nor a completed invalidation stand between the two.
  func maySupply(_ call: CallRecord) -> Bool {
    instant <= call.instant && completed >= call.began && deadline >= call.began && order >= call.fence
      && published > call.order
      && (cancelOrder > call.order || cancelled == call.began && deadline == call.began)
  }
}

/// What is remembered of a request after it has been forgotten.
struct Predecessor: Sendable {
  let id: RequestID
  /// The number of the event that started it.
  let order: Int64
  let end: RequestEnd
  let timedOut: Bool

  init(_ request: RequestRecord) {
    id = request.id
    order = request.order
    end = request.end
    timedOut = request.ended >= request.deadline
  }
}

/// All calls of one instance for one full request, and the requests that they may wait for.
///
/// A call may wait for a *range* of requests: from the first that could take it as a waiter when it began to the last
/// that started in the same instant. The group counts, for each request, the open and live calls whose range
/// begins there and the live ones whose range ends there. That answers in a few additions how many live waiters a
/// request may have and how many calls wait for requests that are all over, without a list of calls.
///
/// A range's end is known when virtual time moves; until then its call is *unsettled*. A call whose range is then
/// still empty is *stranded*: nothing was asked for on its behalf.
struct RequestGroup: Sendable {
  let instance: InstanceID
  let key: RequestKey
  /// The index of the cache entry that the calls share.
  let entry: Int32
  /// The requests, oldest first, and the sequence number of the first of them.
  var requests: ContiguousArray<RequestRecord> = []
  private var base: UInt32 = 0
  /// The unsettled calls, and of them the live ones, whose range begins at a request that has not started yet.
  private var openWaiting: UInt32 = 0
  private var liveWaiting: UInt32 = 0
  /// The live calls that are unsettled, that are stranded, and all of them.
  private var unsettled: UInt32 = 0
  private var stranded: UInt32 = 0
  private(set) var live: UInt32 = 0
  /// The request that was forgotten last; it is over.
  private(set) var predecessor: Predecessor?
  /// The last instant in which there was a live call.
  private(set) var lastLive = Int64.min
  /// The last instant in which a call was cancelled before any request that it may wait for had started.
  private var lastCancelledWaiting = Int64.min
  /// Whose call began last, and whose was cancelled last: whom a violation of the group's names.
  var latestCaller: ReaderID?
  var latestCanceller: ReaderID?
  /// Whether the group is on the shadow's list of what this instant has touched.
  var isTouched = false

  init(instance: InstanceID, key: RequestKey, entry: Int32) {
    self.instance = instance
    self.key = key
    self.entry = entry
  }
}

// MARK: - Ranges

extension RequestGroup {
  /// The sequence number of the request at an index, or of the next one for the index past the end.
  func sequence(at index: Int) -> UInt32 { base + UInt32(index) }

  /// The index of the request under a sequence number; nil when it is not here.
  func index(of sequence: UInt32) -> Int? {
    guard sequence >= base, sequence - base < UInt32(requests.count) else { return nil }
    return Int(sequence - base)
  }

  /// The indices among which are all requests that a call may wait for.
  ///
  /// - Complexity: O(k) in the number of requests kept, one or two in most runs.
  func range(of call: CallRecord) -> Range<Int> {
    guard let first = index(of: call.first) else { return 0..<0 }
    var end = first
    while end < requests.count, requests[end].instant <= call.instant { end += 1 }
    return first..<end
  }

  /// The number of live calls that may wait for the request at an index.
  func possibleWaiters(at index: Int) -> UInt32 {
    var begun: UInt32 = 0
    var over: UInt32 = 0
    for other in 0...index { begun += requests[other].liveFirst }
    for other in 0..<index { over += requests[other].liveLast }
    return begun - over
  }
}

// MARK: - Counting

extension RequestGroup {
  /// Counts a call that begins, and fixes where its range begins.
  mutating func begin(_ call: inout CallRecord) {
    let record = call
    let index = requests.firstIndex { $0.maySupply(record) } ?? requests.count
    call.first = sequence(at: index)
    if index == requests.count {
      openWaiting += 1
      liveWaiting += 1
    } else {
      requests[index].openFirst += 1
      requests[index].liveFirst += 1
    }
    unsettled += 1
    live += 1
  }

  /// Counts a live call as one no longer.
  mutating func dropLive(_ call: CallRecord, isUnsettled: Bool, at now: Int64) {
    let range = range(of: call)
    if range.isEmpty {
      if isUnsettled { liveWaiting -= 1 } else { stranded -= 1 }
    } else {
      requests[range.lowerBound].liveFirst -= 1
      if !isUnsettled { requests[range.upperBound - 1].liveLast -= 1 }
    }
    if isUnsettled { unsettled -= 1 }
    live -= 1
    lastLive = now
  }

  /// Remembers of every request that a call may wait for, and of one still to start, that it was cancelled.
  mutating func noteCancellation(of call: CallRecord, isUnsettled: Bool, at now: Int64) {
    let range = range(of: call)
    for index in range where requests[index].ended >= now { requests[index].hadCancelledWaiter = true }
    if range.isEmpty, isUnsettled { lastCancelledWaiting = now }
  }

  /// Counts an open call as one no longer; one that was live has been dropped before.
  mutating func dropOpen(_ call: CallRecord, isUnsettled: Bool) {
    let range = range(of: call)
    if !range.isEmpty {
      requests[range.lowerBound].openFirst -= 1
    } else if isUnsettled {
      openWaiting -= 1
    }
  }

  /// Appends a request; the calls that waited for one to start are its first.
  ///
  /// - Returns: Its sequence number.
  mutating func append(_ request: RequestRecord) -> UInt32 {
    var request = request
    request.openFirst = openWaiting
    request.liveFirst = liveWaiting
    request.hadCancelledWaiter = lastCancelledWaiting == request.started
    openWaiting = 0
    liveWaiting = 0
    requests.append(request)
    return sequence(at: requests.count - 1)
  }

  /// Fixes where the ranges of this instant's calls end.
  mutating func settle() {
    stranded += liveWaiting
    let supplied = unsettled - liveWaiting
    if supplied > 0 { requests[requests.count - 1].liveLast += supplied }
    unsettled = 0
    openWaiting = 0
    liveWaiting = 0
  }

  /// Forgets the oldest requests that are over and that no open call may have waited for.
  ///
  /// - Parameter now: An instant of which everything has happened.
  /// - Returns: The identifiers of the forgotten requests.
  mutating func prune(upTo now: Int64) -> ContiguousArray<RequestID> {
    var gone = 0
    while gone < requests.count, requests[gone].openFirst == 0, requests[gone].ended <= now { gone += 1 }
    guard gone > 0 else { return [] }
    let identifiers = ContiguousArray(requests[..<gone].map(\.id))
    predecessor = Predecessor(requests[gone - 1])
    if gone == requests.count { requests = [] } else { requests.removeFirst(gone) }
    base += UInt32(gone)
    return identifiers
  }

  /// Returns whether a live call sleeps on although every request that it may have waited for is over.
  ///
  /// Calls behind an older request that has outlived theirs are not seen, which takes an invalidation; nor are
  /// stranded ones.
  ///
  /// - Parameter now: An instant of which everything has happened and been settled.
  /// - Returns: Whether there is such a call.
  func hasSleepers(at now: Int64) -> Bool {
    for request in requests {
      if request.isAlive(after: now) { return false }
      if request.liveLast > 0 { return true }
    }
    return false
  }
}
