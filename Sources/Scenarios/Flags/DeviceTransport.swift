import ClientCore
import Events
import Foundation
import SimulatedService

/// The network between one process of the app and the project, as the client's transport.
struct DeviceTransport: Transport {
  let world: FlagsWorld
  let passage: Passage
  let gate: ProcessGate

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try gate.checkTransport()
    let endpoint = Self.endpoint(of: request)
    let witness = world.witness
    let id = witness.requestStarted(nil, passage.instance, endpoint, nil)
    let reading = FlagsRequestReading(request, on: passage.instance, world.vocabulary)
    var batch: AnalyticsBatch?
    switch endpoint {
    case .snapshot, .delta: witness.note(.device(.queried(id, reading.query)))
    case .events:
      let sent = reading.batch
      batch = sent
      witness.note(.device(.batchSent(id, sent)))
      world.ledger.batch(of: sent.events.count, ReaderScope.group, at: world.stage.now)
    default: break
    }
    let captured = batch?.events.count ?? 0
    let response = try await passage.carry(request, id, to: endpoint, flightBegan: nil) {
      isAcknowledged, line in
      if isAcknowledged, captured > 0 { world.ledger.sent(captured, line) }
    }
    // Nobody is there any more to be given it.
    try gate.checkTransport()
    return response
  }

  private static func endpoint(of request: TransportRequest) -> Endpoint {
    let path = request.path
    if path.hasSuffix("/flags/delta") { return .delta }
    if path.hasSuffix("/analytics/events") { return .events }
    if path.hasSuffix("/realtime") { return .realtime }
    return .snapshot
  }
}

/// What the run must know of a request besides its bytes.
struct FlagsRequestReading {
  private let request: TransportRequest
  private let vocabulary: Vocabulary
  /// Under whose credential it goes; nil for none, or one that cannot be read.
  let subject: Subject?

  init(_ request: TransportRequest, on instance: InstanceID, _ vocabulary: Vocabulary) {
    self.request = request
    self.vocabulary = vocabulary
    let install = Self.header("X-Palbase-Install", request)
    if let token = Self.header("Authorization", request) {
      let name = token.hasPrefix("Bearer ") ? UserName(token: token.dropFirst("Bearer ".count)) : nil
      // Both at once is nobody's credential.
      subject = install == nil ? name.map { .user($0.number) } : nil
    } else {
      subject = install.map { vocabulary.install($0, seenOn: instance) }
    }
  }

  /// What a sync request asks.
  var query: FlagsQuery {
    let fields = queryFields
    var context: Int32?
    if let platform = fields["platform"], let version = fields["app_version"],
      let language = fields["language"]
    {
      context = vocabulary.context(platform: platform, appVersion: version, language: language)
    }
    return FlagsQuery(
      subject: subject, context: context, since: fields["since"].flatMap { Int64($0) },
      etag: Self.header("If-None-Match", request).map(Vocabulary.number(of:)))
  }

  /// The batch that a request carries.
  var batch: AnalyticsBatch {
    let bytes = request.body ?? []
    let object = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
    let events = (object["events"] as? [[String: Any]] ?? []).map { event in
      AnalyticsEvent(
        id: Vocabulary.number(of: event["id"] as? String ?? ""),
        session: Vocabulary.number(of: event["session"] as? String ?? ""), kind: kind(of: event))
    }
    return AnalyticsBatch(
      subject: subject, id: Vocabulary.number(of: object["batch_id"] as? String ?? ""),
      bytes: Vocabulary.number(of: bytes), events: events)
  }

  private func kind(of event: [String: Any]) -> AnalyticsEvent.Kind {
    let properties = event["properties"] as? [String: Any] ?? [:]
    switch event["name"] as? String {
    case "$flag_exposure"?:
      return .exposure(
        flag: vocabulary.flag(properties["flag"] as? String ?? ""),
        assignment: vocabulary.assignment(
          properties["experiment"] as? String, properties["variant"] as? String))
    case FlagsCaller.capturedEvent?:
      return .captured((properties["number"] as? NSNumber)?.uint64Value ?? 0)
    default: return .other
    }
  }

  private var queryFields: [String: String] {
    guard let question = request.url.firstIndex(of: "?") else { return [:] }
    var fields: [String: String] = [:]
    for item in request.url[request.url.index(after: question)...].split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      fields[String(parts[0])] = String(parts[1]).removingPercentEncoding ?? String(parts[1])
    }
    return fields
  }

  private static func header(_ name: String, _ request: TransportRequest) -> String? {
    request.headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
