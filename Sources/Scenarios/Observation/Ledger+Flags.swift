import Events
import Metrics
import ScenarioFormat

// What only runs of the flags client count.

extension Ledger {
  /// Counts reads of one kind.
  func read(_ how: ReadHow, _ group: Int, at time: Int64) {
    count(.reads, [("how", how.rawValue)], group, at: time)
  }

  /// Notes how long a refresh took that brought current values.
  func refresh(from begin: Int64, to end: Int64, _ group: Int) {
    measure(.refreshDuration, end - begin, group, at: end)
  }

  /// Notes how long a device took to get its first values of the project's.
  func firstValue(after delay: Int64, at time: Int64) { measure(.timeToFirstValue, delay, -1, at: time) }

  /// Notes how long a version took to reach a device.
  func propagation(_ delay: Int64, at time: Int64) { measure(.propagationDelay, delay, -1, at: time) }

  /// Counts an answer to a sync request by what it says.
  func served(_ kind: ServedFlags.Kind, _ group: Int, at time: Int64) {
    switch kind {
    case .snapshot: count(.snapshots, [], group, at: time)
    case .delta: count(.deltas, [], group, at: time)
    case .gone: count(.gone, [], group, at: time)
    case .notModified, .refused: break
    }
  }

  /// Counts a notice that reached a device.
  func notice(at time: Int64) { count(.notices, [], -1, at: time) }

  /// Counts a socket, or a join on one, by what became of it.
  func socket(_ outcome: String, at time: Int64) { count(.sockets, [("outcome", outcome)], -1, at: time) }

  /// Counts a change of reader.
  func readerChange(at time: Int64) { count(.readerChanges, [], -1, at: time) }

  /// Counts a relaunch.
  func relaunch(at time: Int64) { count(.relaunches, [], -1, at: time) }

  /// Counts events that the service has acknowledged.
  func sent(_ events: Int, _ line: RequestLine) {
    count(.exposures, [("outcome", "sent")], line.group, at: line.started, by: events)
  }

  /// Counts, when the clients are closed, events that one has dropped.
  func eventsDropped(_ events: Int, at time: Int64) {
    if events == 0 { return }
    count(.exposures, [("outcome", "dropped")], -1, at: whatCounts(at: time), by: events)
  }
}
