import ClientCore
import Foundation
import LCFeatureControl
import Simulation
import Stagecraft
import Testing

// What the suites of the inbox and of telemetry say again and again: which routes there are, what is recorded, what a
// request carries.

/// A page of the inbox, as `list` gives it.
typealias Page = (items: [FeatureControlNotification], nextCursor: String?)

/// The routes that throw what went wrong; telemetry alone counts it.
enum Route: CaseIterable, CustomTestStringConvertible {
  case evaluate, list, markRead, markAllRead

  /// The routes of the inbox, which share one gate.
  static let inbox: [Route] = [.list, .markRead, .markAllRead]

  var testDescription: String { "\(self)" }

  /// Starts a call of the route, on subject `a` where the route has one.
  @discardableResult
  func ask(_ stage: Stage) -> Asked<Void> {
    let (manager, inbox) = (stage.manager, stage.inbox)
    return stage.ask {
      switch self {
      case .evaluate: _ = try await manager?.evaluateOrThrow(keys: ["a"], context: .anna)
      case .list: _ = try await inbox?.list()
      case .markRead: try await inbox?.markRead(id: "a")
      case .markAllRead: try await inbox?.markAllRead()
      }
    }
  }

  /// The body of a good answer.
  var goodBody: String {
    switch self {
    case .evaluate: .flags(["a": "1"])
    case .list: .page([])
    case .markRead, .markAllRead: "{}"
    }
  }
}

extension Stage {
  /// Starts a call of `list`.
  @discardableResult
  func list(
    status: FeatureControlNotification.Status? = nil, limit: Int? = nil, cursor: String? = nil
  ) -> Asked<Page> {
    let inbox = inbox
    return ask { try #require(try await inbox?.list(status: status, limit: limit, cursor: cursor)) }
  }

  /// Records exposures, each with its number.
  func record(_ numbers: some Sequence<Int>) async {
    for number in numbers { await manager?.recordExposure(.numbered(number)) }
  }

  /// Starts a call of `flushExposures`.
  @discardableResult
  func flush() -> Asked<Void> {
    let manager = manager
    return ask { await manager?.flushExposures() }
  }

  /// The numbers of the exposures in each request that waits for an answer.
  func pendingExposures() async -> [[Int]] { await pending().map(\.exposures) }

  /// What became of the exposures so far.
  var counts: FeatureControlExposureCounts? { manager?.exposureCounts }
}

extension FeatureControlExposureEvent {
  /// An exposure that can be told from others.
  static func numbered(_ number: Int) -> FeatureControlExposureEvent {
    FeatureControlExposureEvent(
      featureKey: "f", variant: "on", subjectType: .customer, attributes: ["number": .number(Double(number))])
  }
}

extension FeatureControlExposureCounts {
  /// Counts whose total is the sum of the others, as it must be.
  static func account(
    sent: Int = 0, failed: Int = 0, dropped: Int = 0, pending: Int = 0, underWay: Int = 0
  ) -> FeatureControlExposureCounts {
    FeatureControlExposureCounts(
      recorded: sent + failed + dropped + pending + underWay, sent: sent, failed: failed, dropped: dropped,
      pending: pending, underWay: underWay)
  }
}

extension ControllableTransport.PendingRequest {
  /// The body as text.
  var body: String { String(decoding: request.body ?? [], as: UTF8.self) }

  /// The body as JSON; nil if it is none.
  var json: JSONValue? {
    (try? JSONSerialization.jsonObject(with: Data(request.body ?? []))).flatMap(JSONValue.init(foundation:))
  }

  /// The numbers of the exposures it carries, in their order.
  var exposures: [Int] {
    guard case .array(let events)? = json?["events"] else { return [] }
    return events.compactMap { $0["attributes"]?["number"]?.numberValue.map { Int($0) } }
  }

  /// The query of its URL, without the question mark; nil if it has none.
  var query: String? {
    request.url.firstIndex(of: "?").map { String(request.url[request.url.index(after: $0)...]) }
  }
}

extension String {
  /// The body of a page of the inbox.
  ///
  /// - Parameters:
  ///   - ids: The identifiers of its items.
  ///   - next: The next page's cursor, as JSON.
  /// - Returns: The body.
  static func page(_ ids: [String], next: String = "null") -> String {
    let items = ids.map { #"{"id":"\#($0)","title":"t","body":"b","status":"unread"}"# }
    return #"{"items":[\#(items.joined(separator: ","))],"nextCursor":\#(next)}"#
  }

  /// The answer of the telemetry endpoint.
  static let accepted = #"{"accepted":1}"#
}

/// The `Retry-After` header with a text.
func retryAfter(_ text: String) -> [HeaderField] { [HeaderField("Retry-After", text)] }

/// Whether an error is of the transport and its message holds a text.
func isTransport(_ error: FeatureControlError?, _ text: String = "") -> Bool {
  if case .transport(let message)? = error { text.isEmpty || message.contains(text) } else { false }
}
