import ClientCore
import Foundation
import Palbase
import PalbaseAnalytics

/// A request with events, as the service sees it.
struct SentBatch: Sendable {
  /// One event of the body.
  struct Event: Sendable, Equatable {
    let id: String
    let name: String
    let session: String
    let at: String
    let properties: JSONValue?
  }

  let pending: ControllableTransport.PendingRequest
  let id: String
  let events: [Event]

  init(_ pending: ControllableTransport.PendingRequest) {
    self.pending = pending
    let json =
      (try? JSONSerialization.jsonObject(with: Data(pending.request.body ?? [])))
      .flatMap { JSONValue(foundation: $0) }
    id = json?["batch_id"]?.stringValue ?? ""
    guard case .array(let events)? = json?["events"] else {
      self.events = []
      return
    }
    self.events = events.map { event in
      Event(
        id: event["id"]?.stringValue ?? "", name: event["name"]?.stringValue ?? "",
        session: event["session"]?.stringValue ?? "", at: event["at"]?.stringValue ?? "",
        properties: event["properties"])
    }
  }

  var bytes: [UInt8] { pending.request.body ?? [] }
  var names: [String] { events.map(\.name) }
  /// The numbers of events named `e<number>`.
  var numbers: [Int] { names.compactMap { Int($0.dropFirst()) } }
  var ids: [String] { events.map(\.id) }
  /// The sessions of the events, in order.
  var sessions: [String] { events.map(\.session) }
  var authorization: String? { pending.request.header("Authorization") }
  var install: String? { pending.request.header("X-Palbase-Install") }
}

extension PalbaseUser {
  static let anna = PalbaseUser(id: "anna", token: "anna.1")
  static let bert = PalbaseUser(id: "bert", token: "bert.1")
}

extension AnalyticsCounts {
  /// An account that adds up.
  static func account(sent: Int = 0, dropped: Int = 0, pending: Int = 0) -> AnalyticsCounts {
    AnalyticsCounts(recorded: sent + dropped + pending, sent: sent, dropped: dropped, pending: pending)
  }
}
