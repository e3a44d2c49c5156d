import CTaskHooks

/// The armed timers of a simulation: a 4-ary heap over raw storage, ordered by deadline, then by the order of arming.
///
/// Cancelling does not search the heap. Each timer owns a slot that holds its continuation and its number; cancelling
/// empties the slot, and the heap entry, whose number no longer stands in the slot, is skipped when it surfaces. When
/// more than half of a large heap is such husks it is rebuilt, so that a client which arms and cancels a deadline for
/// every request does not grow it without end.
///
/// An entry is 16 bytes, since a heap of 100,000 sleepers is bound by the cache. The number has 32 bits and is compared
/// by distance, which orders timers of one deadline rightly as long as fewer than 2³¹ others were armed between them.
///
/// `UnsafeContinuation`, because every path below resumes exactly once: a continuation leaves its slot in the same
/// step in which it is handed out to be resumed. Touched only by the thread that runs the simulation.
struct TimerQueue: ~Copyable {
  typealias Continuation = UnsafeContinuation<Void, any Error>

  /// Names a timer for cancelling it.
  struct Ticket: Sendable {
    let slot: UInt32
    let number: UInt32
  }

  private struct Entry {
    var deadline: Int64
    var ticket: Ticket

    func precedes(_ other: Entry) -> Bool {
      deadline != other.deadline
        ? deadline < other.deadline
        : Int32(bitPattern: ticket.number &- other.ticket.number) < 0
    }
  }

  private struct Slot {
    var continuation: Continuation?
    var number: UInt32
    var nextFree: UInt32
  }

  private static let none = UInt32.max

  private var heap: UnsafeMutablePointer<Entry>
  private var heapCapacity = 256
  private var heapCount = 0
  private var slots: UnsafeMutablePointer<Slot>
  private var slotCapacity = 256
  private var slotCount = 0
  private var firstFree = TimerQueue.none
  private var nextNumber: UInt32 = 0

  /// How many timers are armed.
  private(set) var armedCount = 0

  init() {
    heap = .allocate(capacity: heapCapacity)
    slots = .allocate(capacity: slotCapacity)
  }

  deinit {
    heap.deallocate()
    slots.deinitialize(count: slotCount).deallocate()
  }

  /// Sets a slot aside for a timer that is about to be armed.
  mutating func reserve() -> Ticket {
    let number = nextNumber
    nextNumber &+= 1
    let slot = firstFree
    if slot != TimerQueue.none {
      firstFree = slots[Int(slot)].nextFree
      slots[Int(slot)].number = number
      return Ticket(slot: slot, number: number)
    }
    if slotCount == slotCapacity { growSlots() }
    (slots + slotCount).initialize(to: Slot(continuation: nil, number: number, nextFree: TimerQueue.none))
    slotCount += 1
    return Ticket(slot: UInt32(slotCount - 1), number: number)
  }

  /// Gives back a slot that was reserved and never armed.
  mutating func release(_ ticket: Ticket) { free(ticket.slot) }

  mutating func arm(_ ticket: Ticket, deadline: Int64, _ continuation: Continuation) {
    slots[Int(ticket.slot)].continuation = continuation
    armedCount += 1
    push(Entry(deadline: deadline, ticket: ticket))
  }

  /// Disarms a timer and returns its continuation; nil if it has fired, was cancelled or is not armed yet.
  mutating func cancel(_ ticket: Ticket) -> Continuation? {
    guard let continuation = continuation(of: ticket) else { return nil }
    armedCount -= 1
    free(ticket.slot)
    if heapCount > 1024, heapCount > 2 * armedCount { rebuild() }
    return continuation
  }

  /// The earliest deadline of an armed timer.
  mutating func nextDeadline() -> Int64? {
    while heapCount > 0 {
      if continuation(of: heap[0].ticket) != nil { return heap[0].deadline }
      pop()
    }
    return nil
  }

  /// Removes the first timer due at or before `now` and returns its continuation.
  mutating func fire(at now: Int64) -> Continuation? {
    while heapCount > 0, heap[0].deadline <= now {
      let ticket = heap[0].ticket
      pop()
      if let continuation = continuation(of: ticket) {
        armedCount -= 1
        free(ticket.slot)
        prefetchNext()
        return continuation
      }
    }
    return nil
  }

  /// Warms the cache for the sleeper that is due next, while the present one runs.
  ///
  /// With more sleepers than fit the cache, half the time of a wake-up is waiting for the memory of the task. A
  /// continuation is the address of its task, and what waking reads lies in the task's first half kilobyte.
  private func prefetchNext() {
    guard heapCount > 0, let next = slots[Int(heap[0].ticket.slot)].continuation else { return }
    stampede_prefetch(unsafeBitCast(next, to: UnsafeRawPointer.self), 10)
  }

  private func continuation(of ticket: Ticket) -> Continuation? {
    let slot = slots + Int(ticket.slot)
    return slot.pointee.number == ticket.number ? slot.pointee.continuation : nil
  }

  private mutating func free(_ slot: UInt32) {
    slots[Int(slot)].continuation = nil
    slots[Int(slot)].nextFree = firstFree
    firstFree = slot
  }

  // MARK: The heap

  private mutating func push(_ entry: Entry) {
    if heapCount == heapCapacity { growHeap() }
    heapCount += 1
    siftUp(from: heapCount - 1, entry)
  }

  private mutating func pop() {
    heapCount -= 1
    if heapCount > 0 { siftDown(from: 0, heap[heapCount]) }
  }

  private func siftUp(from start: Int, _ entry: Entry) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 4
      guard entry.precedes(heap[parent]) else { break }
      heap[index] = heap[parent]
      index = parent
    }
    (heap + index).initialize(to: entry)
  }

  private func siftDown(from start: Int, _ entry: Entry) {
    var index = start
    while true {
      let first = index * 4 + 1
      guard first < heapCount else { break }
      var least = first
      var child = first + 1
      let end = min(first + 4, heapCount)
      while child < end {
        if heap[child].precedes(heap[least]) { least = child }
        child += 1
      }
      guard heap[least].precedes(entry) else { break }
      heap[index] = heap[least]
      index = least
    }
    heap[index] = entry
  }

  /// Drops the husks.
  ///
  /// The order of the live entries is a total one, so rebuilding cannot change it.
  private mutating func rebuild() {
    var live = 0
    for index in 0..<heapCount where continuation(of: heap[index].ticket) != nil {
      heap[live] = heap[index]
      live += 1
    }
    heapCount = live
    guard live > 1 else { return }
    for index in stride(from: (live - 2) / 4, through: 0, by: -1) { siftDown(from: index, heap[index]) }
  }

  private mutating func growHeap() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: heapCapacity * 2)
    larger.moveInitialize(from: heap, count: heapCount)
    heap.deallocate()
    heap = larger
    heapCapacity *= 2
  }

  private mutating func growSlots() {
    let larger = UnsafeMutablePointer<Slot>.allocate(capacity: slotCapacity * 2)
    larger.moveInitialize(from: slots, count: slotCount)
    slots.deallocate()
    slots = larger
    slotCapacity *= 2
  }
}
