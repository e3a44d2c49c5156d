import Foundation

/// A batch of exposures, read strictly.
struct ExposureBatch {
  /// The most events that a batch may carry.
  static let limit = 100

  /// The numbers that the workload gave the events, in their order; 0 for an event without one.
  let numbers: [UInt64]

  init(body: [UInt8]) throws(RequestFlaw) {
    guard let parsed = try? JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed) else {
      throw RequestFlaw(.content, "invalid_json")
    }
    guard let members = parsed as? [String: Any], members.count == 1, let events = members["events"] as? [Any]
    else { throw RequestFlaw(.content, "invalid_body") }
    guard (1...Self.limit).contains(events.count) else { throw RequestFlaw(.limits, "invalid_batch") }
    var numbers: [UInt64] = []
    for event in events { numbers.append(try Self.number(of: event)) }
    self.numbers = numbers
  }

  /// Reads one event.
  private static func number(of event: Any) throws(RequestFlaw) -> UInt64 {
    let flaw = RequestFlaw(.content, "invalid_event")
    guard let members = event as? [String: Any], let key = members["featureKey"] as? String, !key.isEmpty,
      let subject = members["subjectType"] as? String, !subject.isEmpty,
      let time = members["occurredAt"] as? String, ServiceDate.isTimeStamp(time)
    else { throw flaw }
    var known = 3
    for name in ["variant", "storeId"] {
      guard let value = members[name] else { continue }
      guard value is String else { throw flaw }
      known += 1
    }
    var number: UInt64 = 0
    if let attributes = members["attributes"] {
      guard let attributes = attributes as? [String: Any] else { throw flaw }
      number = (attributes["number"] as? NSNumber)?.uint64Value ?? 0
      known += 1
    }
    guard known == members.count else { throw flaw }
    return number
  }
}

/// The sink of exposure telemetry: it counts what it takes.
struct TelemetrySink: Sendable {
  private var taken: Set<UInt64> = []
  private(set) var acceptedEvents = 0
  /// Events that were taken before; the network may bring a request twice.
  private(set) var duplicateEvents = 0

  mutating func accept(_ batch: ExposureBatch) {
    acceptedEvents += batch.numbers.count
    for number in batch.numbers where number > 0 && !taken.insert(number).inserted { duplicateEvents += 1 }
  }
}
