import Synchronization

/// Notes of what happened, in order.
public final class Journal: Sendable {
  private let notes = Mutex<[String]>([])

  /// Creates an empty journal.
  public init() {}

  /// Adds a note at the end.
  public func add(_ note: String) { notes.withLock { $0.append(note) } }

  /// All notes.
  public var all: [String] { notes.withLock { $0 } }
}
