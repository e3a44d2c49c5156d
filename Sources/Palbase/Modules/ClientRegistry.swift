import Synchronization

/// Finds the client of a number, for handles that are too small to hold one.
enum ClientRegistry {
  private struct Entry {
    weak let client: PalbaseClient?
  }

  private struct State {
    var count: UInt64 = 0
    var entries: [UInt64: Entry] = [:]
  }

  private static let state = Mutex(State())

  /// Gives out a number that no other client of the process has, from 1.
  static func makeNumber() -> UInt64 {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  /// Enters a client under its number.
  static func enter(_ client: PalbaseClient) {
    state.withLock { $0.entries[client.number] = Entry(client: client) }
  }

  /// Removes the number of a client that ends.
  static func leave(_ number: UInt64) { state.withLock { $0.entries[number] = nil } }

  /// The client of a number; nil if it is gone.
  static func client(_ number: UInt64) -> PalbaseClient? { state.withLock { $0.entries[number]?.client } }
}
