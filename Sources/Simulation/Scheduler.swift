import CTaskHooks
import Events
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// One thread, one list of ready jobs, one queue of timers.
//
// The scheduler is a `TaskExecutor`: tasks that prefer it, their child tasks, and every default actor they call into
// hand it their jobs. `drive` takes one job after the other until nothing is ready, lets virtual time jump to the
// next timer, and goes on. Because a job runs to its next suspension without being interrupted, the order in which
// jobs are taken is the whole interleaving of the program, and the digest over that order identifies it.
//
// What does not come here by itself: a bare `Task {}` and `Task.detached`. They pass the runtime's hook (`CTaskHooks`),
// which tells a step of this scheduler from anything else in the process by a thread-local pointer; they are counted
// as escapes and, instead of running away to the pool, captured and run here, so that even a faulty program stays
// deterministic. `Task.sleep` and whatever else waits on another thread passes no
// hook on this runtime (6.3.1): it is noticed when that thread hands a job back, for which a run that has nothing left
// to do waits a moment of real time. Main-actor jobs are not seen at all.

/// The executor of one simulation.
///
/// `@unchecked Sendable`: everything but `inbox` is touched only by the thread that is inside `drive`, which is where
/// all jobs of the simulation run; `enqueue` checks the thread and sends everybody else to the locked inbox.
final class Scheduler: TaskExecutor, @unchecked Sendable {
  // Every access is on one thread, so the run-time check for overlapping ones, 7 % of a step, finds nothing.
  @exclusivity(unchecked) private(set) var now: Int64 = 0
  @exclusivity(unchecked) private(set) var steps: UInt64 = 0
  @exclusivity(unchecked) private(set) var stepsThisInstant: UInt64 = 0
  private(set) var escapes = 0
  @exclusivity(unchecked) var digest = Digest()
  @exclusivity(unchecked) var choices: ChoiceSource

  @exclusivity(unchecked) private var ready = ReadyQueue()
  @exclusivity(unchecked) private var timers = TimerQueue()
  @exclusivity(unchecked) private var yielded: [TimerQueue.Continuation] = []
  @exclusivity(unchecked) private var idleWaiters: [UnsafeContinuation<Void, Never>] = []
  @exclusivity(unchecked) private var nextSequence: UInt64 = 0
  private let strategy: Strategy
  @exclusivity(unchecked) private var owner: pthread_t?
  private let inbox = Mutex<[UnownedJob]>([])
  private let inboxCount = Atomic<Int>(0)

  var onEscape: ((Escape) -> Void)?
  var onTimeAdvance: ((Stamp) -> Void)?

  init(choices: ChoiceSource, strategy: Strategy) {
    self.choices = choices
    self.strategy = strategy
  }

  var stamp: Stamp { Stamp(nanoseconds: now, step: steps) }
  var armedTimers: Int { timers.armedCount }

  // MARK: Jobs

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if let owner, pthread_equal(pthread_self(), owner) != 0 {
      append(job)
    } else {
      inbox.withLock { $0.append(job) }
      inboxCount.add(1, ordering: .releasing)
    }
  }

  private func append(_ job: UnownedJob) {
    ready.append(ReadyQueue.Entry(job: job, sequence: nextSequence))
    nextSequence += 1
  }

  /// Takes over what other threads enqueued.
  ///
  /// Before the first step that is how a run starts; later it is an escape.
  private func emptyInbox() {
    guard inboxCount.load(ordering: .acquiring) > 0 else { return }
    let jobs = inbox.withLock { jobs in
      let taken = jobs
      jobs.removeAll()
      return taken
    }
    inboxCount.subtract(jobs.count, ordering: .relaxed)
    for job in jobs {
      append(job)
      if steps > 0 { escaped(.foreignThread) }
    }
  }

  private func escaped(_ escape: Escape) {
    escapes += 1
    onEscape?(escape)
  }

  /// Takes in a job that a step put on the global executor.
  fileprivate func capture(_ job: UnownedJob) {
    append(job)
    escaped(.globalExecutor)
  }

  // MARK: Suspending

  func sleep(until deadline: Int64) async throws {
    let ticket = timers.reserve()
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { (continuation: TimerQueue.Continuation) in
        if Task.isCancelled {
          timers.release(ticket)
          continuation.resume(throwing: CancellationError())
        } else if deadline <= now {
          // Resumed here it would not suspend at all; the loop resumes it behind everything that is ready.
          timers.release(ticket)
          yielded.append(continuation)
        } else {
          timers.arm(ticket, deadline: deadline, continuation)
        }
      }
    } onCancel: {
      // Not armed yet: the check above sees the cancellation. Fired already: its slot no longer holds its number.
      timers.cancel(ticket)?.resume(throwing: CancellationError())
    }
  }

  /// Suspends until nothing else can run at this instant.
  func idle() async {
    await withUnsafeContinuation { idleWaiters.append($0) }
  }

  // MARK: Driving

  enum Pause {
    case nothingLeft
    case asked
    case tooManySteps
  }

  /// Runs jobs until `isDone`, until nothing is left to do, or until `limit` steps were taken without time moving.
  ///
  /// - Parameters:
  ///   - movesTime: Whether virtual time may move on when nothing is ready.
  ///   - limit: The largest number of steps in one instant.
  ///   - isDone: Asked before each step; the second argument is true every 256 steps, for checks that cost more.
  /// - Returns: Why it paused.
  func drive(movesTime: Bool, limit: UInt64, until isDone: (Scheduler, Bool) -> Bool) -> Pause {
    owner = pthread_self()
    stampede_install_hooks()
    stampede_enter_step(Unmanaged.passUnretained(self).toOpaque()) { context, job in
      let scheduler = Unmanaged<Scheduler>.fromOpaque(context!).takeUnretainedValue()
      scheduler.capture(unsafeBitCast(job!, to: UnownedJob.self))
    }
    defer {
      stampede_leave_step()
      owner = nil
    }
    let executor = asUnownedTaskExecutor()
    // Each drive has an allowance of its own, so that a livelock can still be drained.
    stepsThisInstant = 0
    while true {
      emptyInbox()
      if !yielded.isEmpty { resumeYielded() }
      if isDone(self, steps & 0xFF == 0) { return .asked }
      if ready.count > 0 {
        guard stepsThisInstant < limit else { return .tooManySteps }
        let entry = ready.take(at: pick())
        steps += 1
        stepsThisInstant += 1
        digest.mix(entry.sequence)
        unsafe entry.job.runSynchronously(on: executor)
      } else if let waiter = idleWaiters.popLast() {
        waiter.resume()
      } else if movesTime, let deadline = timers.nextDeadline() {
        onTimeAdvance?(stamp)
        if isDone(self, false) { return .asked }
        now = deadline
        stepsThisInstant = 0
        digest.mix(UInt64(bitPattern: now))
        while let sleeper = timers.fire(at: now) { sleeper.resume() }
      } else if movesTime, foreignWorkArrives() {
        continue
      } else {
        return .nothingLeft
      }
    }
  }

  private func resumeYielded() {
    let continuations = yielded
    yielded.removeAll(keepingCapacity: true)
    for continuation in continuations { continuation.resume() }
  }

  /// Waits a moment of real time for another thread to hand in a job.
  ///
  /// Only a run that would otherwise end without having finished comes here, so that what it waits for in
  /// vain can be named.
  private func foreignWorkArrives() -> Bool {
    for _ in 0..<200 {
      if inboxCount.load(ordering: .acquiring) > 0 { return true }
      usleep(500)
    }
    return false
  }

  private func pick() -> Int {
    switch strategy {
    case .fifo: 0
    case .random: Int(choices.choose(upTo: UInt64(ready.count), label: .schedule))
    }
  }
}
