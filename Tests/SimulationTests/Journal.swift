import Synchronization

/// What a simulated program did, in the order in which it did it.
final class Journal<Entry: Sendable>: Sendable {
  private let noted = Mutex<[Entry]>([])

  /// Everything noted so far.
  var entries: [Entry] { noted.withLock { $0 } }

  /// Notes one thing.
  func note(_ entry: Entry) { noted.withLock { $0.append(entry) } }
}
