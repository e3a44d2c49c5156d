import Events
import LCFeatureControl
import Synchronization

/// What a reader knows of the inbox: the notifications it has seen and not marked.
struct InboxMemory: Sendable {
  var unmarked: [String] = []
}

extension Caller {
  /// Walks over the pages of the inbox.
  ///
  /// - Parameters:
  ///   - unreadOnly: Whether read ones are left out.
  ///   - limit: How many a page holds.
  ///   - atMost: How many the reader takes; nil for all.
  /// - Returns: What it saw; nil if the walk failed.
  func list(unreadOnly: Bool, limit: Int, atMost: Int?) async -> InboxMemory? {
    guard let inbox = instance.inbox else { fatalError("a group without inbox steps looks into the inbox") }
    let seen = SeenNotifications()
    await plainCall(.listNotifications) { _ in
      do {
        for try await item in inbox.notifications(status: unreadOnly ? .unread : nil, pageSize: limit) {
          seen.add(item)
          if seen.count == atMost { return .listed(seen.numbers, isComplete: false) }
        }
        return .listed(seen.numbers, isComplete: true)
      } catch {
        seen.fail()
        return Answers.failure(error)
      }
    }
    return seen.hasFailed ? nil : InboxMemory(unmarked: seen.unread)
  }

  /// Marks one notification as read.
  func markRead(_ notification: String) async {
    await plainCall(.markRead) { [instance] _ in
      await Self.outcome { try await instance.inbox?.markRead(id: notification) }
    }
  }

  /// Marks all notifications as read.
  func markAllRead() async {
    await plainCall(.markAllRead) { [instance] _ in
      await Self.outcome { try await instance.inbox?.markAllRead() }
    }
  }

  private static func outcome(_ body: () async throws -> Void) async -> CallOutcome {
    do {
      try await body()
      return .finished
    } catch {
      return Answers.failure(error)
    }
  }
}

/// What one walk has given so far; touched by the walking task only.
private final class SeenNotifications: Sendable {
  private struct State {
    var numbers: [UInt64] = []
    var unread: [String] = []
    var hasFailed = false
  }

  private let state = Mutex(State())

  func fail() { state.withLock { $0.hasFailed = true } }

  func add(_ item: FeatureControlNotification) {
    state.withLock { state in
      state.numbers.append(item.payload?["number"]?.numberValue.map { UInt64($0) } ?? 0)
      if item.status == .unread { state.unread.append(item.id) }
    }
  }

  var count: Int { state.withLock { $0.numbers.count } }
  var numbers: [UInt64] { state.withLock { $0.numbers } }
  var unread: [String] { state.withLock { $0.unread } }
  /// Whether the walk ended before its time.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }
}
