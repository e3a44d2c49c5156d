import Foundation

/// A frame of the project's socket: `{"topic","event","payload","ref"}` in JSON (BEHAVIOUR §3, row
/// "realtime").
public struct RealtimeFrame: Hashable, Sendable {
  /// The channel, or `realtime` for the socket itself.
  public var topic: String
  /// What happens: `join`, `leave`, `heartbeat`, `reply`, `flags_changed`.
  public var event: String
  /// What belongs to it.
  public var payload: AttributeValue
  /// By which a reply names what it answers; nil for what is no answer.
  public var ref: String?

  /// Creates a frame.
  ///
  /// - Parameters:
  ///   - topic: The channel.
  ///   - event: What happens.
  ///   - payload: What belongs to it.
  ///   - ref: By which a reply names what it answers.
  public init(topic: String, event: String, payload: AttributeValue = .object([:]), ref: String? = nil) {
    self.topic = topic
    self.event = event
    self.payload = payload
    self.ref = ref
  }

  /// Creates the frame that tells of a newer version.
  ///
  /// - Parameter notice: What it tells.
  public init(_ notice: FlagsNotice) {
    self.init(
      topic: notice.topic, event: "flags_changed",
      payload: .object(["version": .number(Double(notice.version))]))
  }

  /// Reads a frame strictly.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  /// - Parameter text: The text of the frame.
  /// - Throws: `RequestFlaw` if it is no JSON (`invalid_json`), or has not exactly the members of a frame, of
  ///   which `ref` may be null or left out (`invalid_frame`).
  public init(text: String) throws(RequestFlaw) {
    guard
      let parsed = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    else { throw RequestFlaw(.content, "invalid_json") }
    guard case .object(let members)? = AttributeValue(parsed: parsed),
      members.count == (members["ref"] == nil ? 3 : 4),
      case .string(let topic)? = members["topic"], !topic.isEmpty,
      case .string(let event)? = members["event"], !event.isEmpty,
      let payload = members["payload"], case .object = payload
    else { throw RequestFlaw(.content, "invalid_frame") }
    switch members["ref"] {
    case nil, .null?: self.init(topic: topic, event: event, payload: payload)
    case .string(let ref)?: self.init(topic: topic, event: event, payload: payload, ref: ref)
    default: throw RequestFlaw(.content, "invalid_frame")
    }
  }

  /// The frame as it is sent, with sorted names, so that equal frames have equal texts.
  ///
  /// - Complexity: O(*n*) in the size of the payload.
  public var text: String {
    var writer = JSONWriter(capacity: 128)
    writer.beginObject()
    writer.name("event")
    writer.string(event)
    writer.name("payload")
    payload.write(to: &writer)
    writer.name("ref")
    if let ref { writer.string(ref) } else { writer.null() }
    writer.name("topic")
    writer.string(topic)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Returns the service's reply to this frame.
  ///
  /// - Parameter refusal: Why it is refused; nil for "ok".
  /// - Returns: The reply, on the same channel with the same `ref`.
  public func reply(refusal: String? = nil) -> RealtimeFrame {
    let payload: [String: AttributeValue] =
      if let refusal {
        ["reason": .string(refusal), "status": .string("error")]
      } else {
        ["status": .string("ok")]
      }
    return RealtimeFrame(topic: topic, event: "reply", payload: .object(payload), ref: ref)
  }
}
