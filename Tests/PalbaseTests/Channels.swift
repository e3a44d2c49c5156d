import ClientCore
import Foundation
import Palbase
import Stagecraft
import Testing

/// A listener that notes what it hears.
final class ProbeListener: ChannelListener {
  let journal = Journal()

  func joined(_ topic: String, isRejoin: Bool) { journal.add("\(isRejoin ? "again on" : "on") \(topic)") }

  func received(_ event: String, payload: JSONValue, topic: String) {
    journal.add("\(topic): \(event) \(payload["version"]?.numberValue.map { "\(Int($0))" } ?? "?")")
  }

  func refused(_ topic: String) { journal.add("refused \(topic)") }
}

/// A frame that the client has sent, as the project reads it.
struct SentFrame: Equatable {
  let topic: String
  let event: String
  let payload: [String: String]
  let ref: String

  init(_ text: String) throws {
    let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(Set(object.keys) == ["topic", "event", "payload", "ref"])
    topic = try #require(object["topic"] as? String)
    event = try #require(object["event"] as? String)
    payload = try #require(object["payload"] as? [String: String])
    ref = try #require(object["ref"] as? String)
  }

  /// Event and topic.
  var name: String { "\(event) \(topic)" }
}

extension ControllableRealtimeConnection {
  /// What the client has sent so far.
  var frames: [SentFrame] {
    get throws { try sent.map(SentFrame.init) }
  }

  /// Event and topic of what the client has sent so far.
  var names: [String] {
    get throws { try frames.map(\.name) }
  }

  /// Replies to the last frame of that name.
  func reply(to name: String, _ status: String = "ok") throws {
    let frame = try #require(frames.last { $0.name == name }, "\(name) was not sent")
    deliver(
      #"{"topic":"\#(frame.topic)","event":"reply","payload":{"status":"\#(status)"},"ref":"\#(frame.ref)"}"#)
  }

  /// Announces a version on a channel.
  func announce(_ version: Int, on topic: String = "flags:project") {
    deliver(#"{"topic":"\#(topic)","event":"flags_changed","payload":{"version":\#(version)},"ref":null}"#)
  }
}

extension Stage {
  /// The client's socket.
  var socket: RealtimeSocket {
    get throws { try core.socket }
  }

  /// Makes a module, with which the client follows the app's life.
  func followLife() {
    _ = client?.module(.flags) { _, _ in ProbeModule("flags", Journal()) }
  }
}
