import Foundation

/// The body of `POST /analytics/events`, read strictly:
/// `{"batch_id","events":[{"id","name","properties","session","at"}]}` with these members and no others,
/// texts that are not empty, ids that differ, and times in RFC 3339, in UTC.
struct EventBatch {
  /// The most events that a batch may carry (BEHAVIOUR §3, row "analytics").
  static let limit = 50

  let id: String
  let events: [ServedEvent]

  init(body: [UInt8]) throws(RequestFlaw) {
    guard let parsed = try? JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed) else {
      throw RequestFlaw(.content, "invalid_json")
    }
    guard case .object(let members)? = AttributeValue(parsed: parsed), members.count == 2,
      case .string(let id)? = members["batch_id"], !id.isEmpty,
      case .array(let elements)? = members["events"]
    else { throw RequestFlaw(.content, "invalid_body") }
    guard !elements.isEmpty else { throw RequestFlaw(.limits, "no_events") }
    guard elements.count <= Self.limit else { throw RequestFlaw(.limits, "too_many_events") }
    self.id = id
    var events: [ServedEvent] = []
    for element in elements { events.append(try Self.event(element)) }
    self.events = events
    guard Set(events.map(\.id)).count == events.count else { throw RequestFlaw(.content, "repeated_event") }
  }

  private static func event(_ value: AttributeValue) throws(RequestFlaw) -> ServedEvent {
    guard case .object(let members) = value, members.count == 5,
      case .string(let id)? = members["id"], !id.isEmpty,
      case .string(let name)? = members["name"], !name.isEmpty,
      case .string(let session)? = members["session"], !session.isEmpty,
      case .string(let at)? = members["at"], isTime(at),
      case .object(let properties)? = members["properties"]
    else { throw RequestFlaw(.content, "invalid_event") }
    return ServedEvent(id: id, name: name, session: session, at: at, properties: properties)
  }

  /// Whether a text is a time as `1994-11-06T08:49:37Z`, with up to nine digits of a second's fraction.
  private static func isTime(_ text: String) -> Bool {
    let seconds = text.utf8.prefix("1994-11-06T08:49:37".utf8.count)
    let rest = text.utf8.dropFirst(seconds.count)
    guard rest.last == UInt8(ascii: "Z") else { return false }
    let fraction = rest.dropLast()
    if let point = fraction.first {
      let digits = fraction.dropFirst()
      guard point == UInt8(ascii: "."), (1...9).contains(digits.count),
        digits.allSatisfy({ (0x30...0x39).contains($0) })
      else { return false }
    }
    return ServiceDate.isTimeStamp(String(Substring(seconds)) + ".000Z")
  }
}

/// What became of events: each id is counted once, however often it comes.
struct EventLedger: Sendable {
  /// What a batch was when it was taken.
  struct Mark: Hashable, Sendable {
    let bytes: UInt64
    let reader: FlagsReader
  }

  private var marks: [String: Mark] = [:]
  private(set) var counted: Set<String> = []

  /// What is wrong with a batch whose id was taken before: it must be the same reader's and the same bytes.
  func flaw(of batch: EventBatch, _ body: [UInt8], from reader: FlagsReader) -> RequestFlaw? {
    guard let mark = marks[batch.id] else { return nil }
    return mark == Self.mark(body, reader) ? nil : RequestFlaw(.content, "batch_changed")
  }

  mutating func take(_ batch: EventBatch, _ body: [UInt8], from reader: FlagsReader) -> ServedEvents {
    let isRepeat = marks.updateValue(Self.mark(body, reader), forKey: batch.id) != nil
    var served = ServedEvents(
      batchID: batch.id, events: batch.events, fresh: [], repeated: [], isRepeat: isRepeat)
    for event in batch.events {
      if counted.insert(event.id).inserted {
        served.fresh.append(event.id)
      } else {
        served.repeated.append(event.id)
      }
    }
    return served
  }

  private static func mark(_ body: [UInt8], _ reader: FlagsReader) -> Mark {
    var hash = StableHash(seed: 2)
    hash.mix(body)
    return Mark(bytes: hash.value, reader: reader)
  }
}
