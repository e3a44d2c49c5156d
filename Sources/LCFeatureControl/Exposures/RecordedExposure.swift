import ClientCore

/// An exposure with the time at which it was recorded.
struct RecordedExposure: Sendable {
  let event: FeatureControlExposureEvent
  let occurredAt: WallTime

  /// The body of a batch.
  static func body(of batch: [RecordedExposure]) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(.object(["events": .array(batch.map(\.json))]))
    return writer.bytes
  }

  private var json: JSONValue {
    var members: [String: JSONValue] = [
      "featureKey": .string(event.featureKey), "subjectType": .string(event.subjectType.rawValue),
      "occurredAt": .string(occurredAt.internetDateTime),
    ]
    members["variant"] = event.variant.map { .string($0) }
    members["storeId"] = event.storeId.map { .string($0) }
    if !event.attributes.isEmpty { members["attributes"] = .object(event.attributes) }
    return .object(members)
  }
}
