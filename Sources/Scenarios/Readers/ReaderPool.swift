import Events
import Synchronization

/// The readers of an open model that have nothing to do.
///
/// Which of them takes an iteration is drawn, as it is chance which device of a fleet is picked up next.
final class ReaderPool<Reader: Sendable>: Sendable {
  private struct State {
    var free: [Reader]
    var made: Int
  }

  private let state: Mutex<State>
  private let limit: Int
  private let make: @Sendable (Int) -> Reader

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - count: How many readers there are from the start.
  ///   - limit: How many there may be.
  ///   - make: Makes the reader of a number, from 0.
  init(_ count: Int, limit: Int, make: @escaping @Sendable (Int) -> Reader) {
    state = Mutex(State(free: (0..<count).map(make), made: count))
    self.limit = limit
    self.make = make
  }

  /// Takes a reader that is free, or makes one if none is and there may be more.
  ///
  /// - Complexity: O(1).
  /// - Returns: nil if every reader is busy.
  func take(on stage: any Stage) -> Reader? {
    let free = state.withLock { $0.free.count }
    // Only the group's own task takes, so the number can only have grown meanwhile.
    let index = free > 1 ? Int(stage.draw(upTo: UInt64(free), .workload)) : 0
    return state.withLock { state in
      if state.free.isEmpty {
        guard state.made < limit else { return nil }
        state.made += 1
        return make(state.made - 1)
      }
      state.free.swapAt(index, state.free.count - 1)
      return state.free.removeLast()
    }
  }

  /// Gives a reader back.
  func give(_ reader: Reader) { state.withLock { $0.free.append(reader) } }
}
