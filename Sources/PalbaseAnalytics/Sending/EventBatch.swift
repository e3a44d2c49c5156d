import ClientCore
import Palbase

/// Events on their way to the service in one request, all of one reader.
///
/// Id and events never change, so each attempt sends the same bytes (BEHAVIOUR §3, "Analytics").
struct EventBatch: Sendable {
  /// 32 hexadecimal digits.
  let id: String
  /// At least one.
  let events: [RecordedEvent]
  /// Creates a batch of events of one epoch.
  ///
  /// - Parameters:
  ///   - id: The identifier of the batch.
  ///   - events: The events in the order of recording, at least one.
  init(id: String, events: [RecordedEvent]) {
    self.id = id
    self.events = events
  }

  /// The reader under whose credential the batch is sent.
  var identity: PalbaseIdentity { events[0].identity }

  /// The bytes to send.
  ///
  /// - Complexity: O(n) in the size of the events, and n log n in the number of properties of each.
  var body: [UInt8] {
    var writer = JSONWriter()
    writer.write(["batch_id": .string(id), "events": .array(events.map(\.json))])
    return writer.bytes
  }
}
