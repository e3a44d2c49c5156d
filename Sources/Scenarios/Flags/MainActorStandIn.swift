import ClientCore
import Synchronization

/// Stands in for the main actor of one process of the app.
///
/// A simulated app has no main thread: in virtual time there is one thread for everything, and on the wall clock the
/// program's own main thread waits for the run. What an app would do on its main actor runs here instead, one piece at a
/// time and in the order in which it was handed over.
///
/// Everything mutable is behind `queue`, and `turn` lets one piece run at a time.
final class MainActorStandIn: MainActorHop {
  private let stage: any Stage
  private let probe: InstanceProbe
  private let queue = Mutex<[@MainActor @Sendable () -> Void]>([])
  private let turn = Mutex(())

  init(_ stage: any Stage, _ probe: InstanceProbe) {
    self.stage = stage
    self.probe = probe
  }

  func hop(_ work: @escaping @MainActor @Sendable () -> Void) {
    queue.withLock { $0.append(work) }
    probe.tasks.add(1, ordering: .relaxed)
    _ = stage.spawn { [self] in
      turn.withLock { _ in
        // The oldest piece, whichever task comes first.
        if let work = queue.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { Self.within(work) }
      }
      probe.tasks.subtract(1, ordering: .relaxed)
    }
  }

  /// Runs a piece of the app's that belongs on the main actor, now; must not be called from within one.
  func run<Value: Sendable>(_ work: @MainActor () -> Value) -> Value {
    turn.withLock { _ in Self.within(work) }
  }

  /// Runs a part of the piece whose turn it is.
  static func within<Value: Sendable>(_ work: @MainActor () -> Value) -> Value {
    // The isolation of the main actor means that one piece runs at a time, in order. `turn` gives the first, the queue
    // the second, and nothing else of the app runs on the real main actor.
    withoutActuallyEscaping(work) { work in
      let plain = unsafe unsafeBitCast(work, to: (() -> Value).self)
      return plain()
    }
  }
}
