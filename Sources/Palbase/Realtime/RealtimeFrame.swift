import ClientCore
import Foundation

/// One frame of the project's socket: `{"topic","event","payload","ref"}` as JSON text.
struct RealtimeFrame: Sendable, Hashable {
  /// The channel; `realtime` is the connection itself.
  var topic: String
  /// What kind of frame it is.
  var event: String
  /// What it says.
  var payload: JSONValue
  /// Names a frame of the client, so that the reply to it can be told; nil where none is expected.
  var ref: String?

  /// The topic of the connection itself.
  static let connection = "realtime"

  init(topic: String, event: String, payload: JSONValue = .object([:]), ref: String?) {
    self.topic = topic
    self.event = event
    self.payload = payload
    self.ref = ref
  }

  /// Reads a frame; nil if the text is none.
  ///
  /// Members that are not known are ignored, a payload may be missing.
  init?(_ text: String) {
    guard
      let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
      let topic = object["topic"] as? String, let event = object["event"] as? String
    else { return nil }
    let payload = object["payload"].flatMap(JSONValue.init(foundation:)) ?? .null
    self.init(topic: topic, event: event, payload: payload, ref: object["ref"] as? String)
  }

  /// The frame as it crosses the wire.
  var text: String {
    var writer = JSONWriter()
    writer.write([
      "topic": .string(topic), "event": .string(event), "payload": payload,
      "ref": ref.map { .string($0) } ?? .null,
    ])
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
