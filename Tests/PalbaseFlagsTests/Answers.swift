import ClientCore
import Foundation
import Palbase
import Synchronization

// What the project answers, as text.

extension String {
  /// The body of a snapshot: each key with its value as JSON, from the flag's default.
  static func snapshot(_ version: Int, _ values: KeyValuePairs<String, String>) -> String {
    #"{"version":\#(version),"values":{\#(flags(values))}}"#
  }

  /// The body of a delta.
  static func delta(
    since: Int, _ version: Int, _ changed: KeyValuePairs<String, String> = [:], deleted: [String] = []
  ) -> String {
    let gone = deleted.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"since":\#(since),"version":\#(version),"changed":{\#(flags(changed))},"deleted":[\#(gone)]}"#
  }

  /// The members of an object of flags; a value that begins with `{"value"` stands for a whole flag.
  private static func flags(_ values: KeyValuePairs<String, String>) -> String {
    values.map { key, value in
      value.hasPrefix(#"{"value""#) || value.hasPrefix(#"{"broken""#)
        ? #""\#(key)":\#(value)"# : #""\#(key)":{"value":\#(value),"source":"default"}"#
    }.joined(separator: ",")
  }

  /// A whole flag.
  static func flag(_ value: String, _ source: String) -> String {
    #"{"value":\#(value),"source":"\#(source)"}"#
  }

  /// A whole flag that an experiment gave.
  static func flag(_ value: String, _ experiment: String, _ variant: String) -> String {
    #"{"value":\#(value),"source":"experiment","experiment":"\#(experiment)","variant":"\#(variant)"}"#
  }

  /// A flag that does not decode.
  static let brokenFlag = #"{"broken":true}"#
}

extension TransportRequest {
  /// Path and query without the context.
  var target: String {
    let query = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let own = query.split(separator: "&").filter { part in
      !["platform=", "app_version=", "language="].contains { part.hasPrefix($0) }
    }
    return path + (own.isEmpty ? "" : "?" + own.joined(separator: "&"))
  }

  /// The query by name.
  var query: [String: String] {
    let items = URLComponents(string: url)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
  }
}

/// A socket that was accepted, seen from the project.
final class Channel: Sendable {
  let connection: ControllableRealtimeConnection
  private let answered = Mutex(0)

  init(_ connection: ControllableRealtimeConnection) { self.connection = connection }

  private struct Frame: Decodable {
    let topic: String
    let event: String
    let ref: String?
  }

  private var frames: [Frame] {
    connection.sent.compactMap { try? JSONDecoder().decode(Frame.self, from: Data($0.utf8)) }
  }

  /// The topics the client has asked to join, in order.
  var joins: [String] { frames.filter { $0.event == "join" }.map(\.topic) }

  /// The frames as they were sent.
  var sent: [String] { connection.sent }

  /// Answers the joins and heartbeats that are not answered yet.
  func answerJoins(refusing refused: [String] = []) {
    let all = frames
    let due = answered.withLock { answered in
      defer { answered = all.count }
      return all.dropFirst(answered)
    }
    for frame in due {
      guard let ref = frame.ref, frame.event == "join" || frame.event == "heartbeat" else { continue }
      let status = refused.contains(frame.topic) ? "error" : "ok"
      connection.deliver(
        #"{"topic":"\#(frame.topic)","event":"reply","ref":"\#(ref)","payload":{"status":"\#(status)"}}"#)
    }
  }

  /// Tells of a version on a channel.
  func tell(_ payload: String, on topic: String = "flags:project") {
    connection.deliver(
      #"{"topic":"\#(topic)","event":"flags_changed","ref":null,"payload":\#(payload)}"#)
  }

  func tell(_ version: Int, on topic: String = "flags:project") {
    tell(#"{"version":\#(version)}"#, on: topic)
  }
}
