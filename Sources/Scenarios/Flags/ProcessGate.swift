import ClientCore
import Synchronization

/// Whether one process of the app is alive: once it is killed, nothing that it still tries has any effect.
final class ProcessGate: Sendable {
  private let alive = Atomic<Bool>(true)

  /// Whether the process runs.
  var isAlive: Bool { alive.load(ordering: .relaxed) }

  /// Ends the process.
  func kill() { alive.store(false, ordering: .relaxed) }

  /// Throws what a transport of a process that is gone gives.
  func checkTransport() throws {
    if !isAlive { throw TransportError(.connectionFailed, "the process was killed") }
  }
}
