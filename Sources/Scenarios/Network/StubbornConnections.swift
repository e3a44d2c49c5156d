import ClientCore
import Events
import Synchronization

/// Connections of one app instance that go on although the client has cancelled its request.
///
/// The client's task waits on a continuation that no cancellation reaches, while a task of the world's does the work.
/// Closing the client breaks the connections, since a process that is gone holds none.
final class StubbornConnections: Sendable {
  private typealias Waiter = CheckedContinuation<Result<Delivery, any Error>, Never>

  private struct Connection {
    var waiter: Waiter?
    var work: SpawnedTask?
  }

  private struct State {
    var connections: [UInt64: Connection] = [:]
    var count: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Waits for the outcome of some work, whatever becomes of the waiting task.
  ///
  /// - Throws: What the work throws; `TransportError` once the connections are broken.
  func wait(
    on stage: any Stage, _ work: @escaping @Sendable () async throws -> Delivery
  ) async throws -> Delivery {
    let broken = TransportError(.connectionFailed, "the connection broke when the app ended")
    let number = state.withLock { state -> UInt64? in
      if state.isClosed { return nil }
      state.count += 1
      state.connections[state.count] = Connection()
      return state.count
    }
    guard let number else { throw broken }
    let outcome = await withCheckedContinuation { (waiter: Waiter) in
      let isBroken = state.withLock { state in
        state.connections[number]?.waiter = waiter
        return state.connections[number] == nil
      }
      if isBroken {
        waiter.resume(returning: .failure(broken))
        return
      }
      let task = stage.spawn { [self] in
        let outcome: Result<Delivery, any Error>
        do {
          outcome = .success(try await work())
        } catch {
          outcome = .failure(error is CancellationError ? broken : error)
        }
        state.withLock { $0.connections.removeValue(forKey: number)?.waiter }?.resume(returning: outcome)
      }
      state.withLock { $0.connections[number]?.work = task }
    }
    return try outcome.get()
  }

  /// Breaks every connection, now and from now on.
  func close() { breakAll(forever: true) }

  /// Breaks every connection that there is.
  func breakAll(forever: Bool = false) {
    let broken = state.withLock { state in
      if forever { state.isClosed = true }
      let open = state.connections.sorted { $0.key < $1.key }.map(\.value)
      state.connections = [:]
      return open
    }
    for connection in broken {
      connection.work?.cancel()
      connection.waiter?.resume(
        returning: .failure(TransportError(.connectionFailed, "the connection broke when the app ended")))
    }
  }
}
