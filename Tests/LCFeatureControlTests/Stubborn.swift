import ClientCore
import Simulation
import Synchronization

extension Simulator {
  /// Runs something to its end, whatever becomes of the task that waits for it.
  func stubbornly<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      // A task of its own does not hear of the cancellation of the one that waits.
      spawn {
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        continuation.resume(with: result)
      }
    }
  }
}

/// A transport that does not heed its cancellation.
struct StubbornTransport: Transport {
  let base: ControllableTransport
  let simulator: Simulator

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await simulator.stubbornly { try await base.send(request) }
  }
}

/// Gives out tokens, each after a time of its own, and counts how often it was asked.
final class TokenDesk: Sendable {
  private struct State {
    var simulator: Simulator?
    var delays: [Duration] = []
    var asked = 0
  }

  private let state = Mutex(State())
  private let isStubborn: Bool

  /// Creates a closed desk.
  ///
  /// - Parameter isStubborn: Whether it goes on when the task that asked is cancelled.
  init(isStubborn: Bool = false) { self.isStubborn = isStubborn }

  /// How often a token was asked for since the desk opened.
  var askedCount: Int { state.withLock { $0.asked } }

  /// Starts over in a new simulation.
  ///
  /// The first token is given out after the first delay and so on; after the last delay each is given out at once.
  func open(on simulator: Simulator, delays: Duration...) {
    state.withLock { $0 = State(simulator: simulator, delays: delays) }
  }

  @Sendable func token() async throws -> String? {
    let (simulator, delay, number) = state.withLock { state in
      state.asked += 1
      return (state.simulator, state.delays.isEmpty ? .zero : state.delays.removeFirst(), state.asked)
    }
    if let simulator, delay > .zero {
      if isStubborn {
        try await simulator.stubbornly { try await simulator.clock.sleep(for: delay) }
      } else {
        try await simulator.clock.sleep(for: delay)
      }
    }
    return "token \(number)"
  }
}
