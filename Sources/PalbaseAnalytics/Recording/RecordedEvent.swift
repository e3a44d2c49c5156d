import ClientCore
import Palbase

/// An event as it was recorded: nothing of it changes any more, whoever is signed in when it is sent.
struct RecordedEvent: Sendable {
  /// 32 hexadecimal digits; the service counts each id once.
  let id: String
  let name: String
  let properties: [String: JSONValue]
  let recordedAt: WallTime
  /// The reader of its moment, under whose credential it is sent.
  let identity: PalbaseIdentity
  /// The identifier of the analytics session of its moment, given when it is recorded.
  var session = ""
  /// Its place in the order of recording, given by the queue.
  var number: UInt64 = 0

  var json: JSONValue {
    [
      "id": .string(id), "name": .string(name), "properties": .object(properties),
      "session": .string(session), "at": .string(recordedAt.internetDateTime),
    ]
  }
}
