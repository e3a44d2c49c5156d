import ClientCore
import Foundation
import Synchronization

/// Sockets to a project that lets everybody onto every channel, answers every heartbeat and has no news.
struct AttentiveRealtime: Realtime {
  /// Counts the channels that were joined.
  let joins: JoinCounter

  func connect(_ request: TransportRequest) async throws -> any RealtimeConnection { Connection(joins) }

  /// Counts joins, from any thread.
  final class JoinCounter: Sendable {
    private let number = Atomic<Int>(0)

    var count: Int { number.load(ordering: .acquiring) }

    func add() { number.add(1, ordering: .acquiringAndReleasing) }
  }

  private final class Connection: RealtimeConnection {
    private typealias Waiter = CheckedContinuation<String, any Error>

    private struct State {
      var frames: [String] = []
      var receiver: Waiter?
      var isOver = false
    }

    private static let over = TransportError(.closed, "the connection was closed")

    private let joins: JoinCounter
    private let state = Mutex(State())

    init(_ joins: JoinCounter) { self.joins = joins }

    func send(_ text: String) async throws {
      guard let frame = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
        let topic = frame["topic"] as? String, let ref = frame["ref"] as? String
      else { return }
      if frame["event"] as? String == "join" { joins.add() }
      let reply = #"{"topic":"\#(topic)","event":"reply","payload":{"status":"ok"},"ref":"\#(ref)"}"#
      let receiver = state.withLock { state -> Waiter? in
        if let receiver = state.receiver.take() { return receiver }
        state.frames.append(reply)
        return nil
      }
      receiver?.resume(returning: reply)
    }

    func receive() async throws -> String {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { (waiter: Waiter) in
          let outcome = state.withLock { state -> Result<String, any Error>? in
            if Task.isCancelled { return .failure(CancellationError()) }
            if !state.frames.isEmpty { return .success(state.frames.removeFirst()) }
            if state.isOver { return .failure(Self.over) }
            state.receiver = waiter
            return nil
          }
          if let outcome { waiter.resume(with: outcome) }
        }
      } onCancel: {
        state.withLock { $0.receiver.take() }?.resume(throwing: CancellationError())
      }
    }

    func close() {
      let receiver = state.withLock { state -> Waiter? in
        state.isOver = true
        return state.receiver.take()
      }
      receiver?.resume(throwing: Self.over)
    }
  }
}
