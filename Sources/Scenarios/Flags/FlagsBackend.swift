import Events
import Foundation
import ScenarioFormat
import SimulatedService

/// The flags project behind the network of one device.
struct FlagsBackend: Backend {
  let world: FlagsWorld
  let device: Device

  func flaw(of request: ServiceRequest) -> RequestFlaw? {
    // The upgrade to the socket is no request of the project's.
    request.path.hasSuffix("/realtime") ? nil : world.project.withLock { $0.inspect(request) }
  }

  func answer(_ request: ServiceRequest, _ id: RequestID, lag: Int) -> ServiceResponse {
    if request.path.hasSuffix("/realtime") {
      return ServiceResponse(status: 101, headers: [], body: [], serial: 0)
    }
    let behind = max(lag, !world.basis.isHealed && device.isAheadOfData(at: world.stage.now) ? 1 : 0)
    let answer = world.project.withLock { project in
      project.respond(to: request, at: world.times.serviceNanoseconds, lag: behind)
    }
    tell(answer.truth, id, isSync: request.path.contains("/flags/"))
    return answer.response
  }

  func stand(
    in decision: Injection.Decision, for request: ServiceRequest, _ id: RequestID, headers: [ServiceField]
  ) -> ServiceResponse? {
    let now = world.times.serviceNanoseconds
    let answer = world.project.withLock { project -> FlagsAnswer? in
      switch decision {
      case .status(let status, _, let code):
        project.refuse(request, status: status, code: code, headers: headers, at: now)
      case .gone(let reason): project.gone(request, reason: FlagsGoneReason(reason), at: now)
      case .notModified: project.notModifiedUnasked(request, at: now)
      case .lose, .body, .hang, .offline: nil
      }
    }
    guard var answer else { return nil }
    if !headers.isEmpty {
      // A wish to be left alone brings its own date, or, where the form says so, none.
      answer.response.headers.removeAll { $0.name == "Date" }
      answer.response.headers += headers.filter { $0.name == "Date" }
    }
    tell(answer.truth, id, isSync: request.path.contains("/flags/"))
    return answer.response
  }

  func spoil(_ response: ServiceResponse, _ fault: AnswerFault, draw: (UInt64) -> UInt64) -> SpoiledResponse {
    response.spoiled(by: fault, draw: draw)
  }

  func tell(_ delivery: Delivery, _ id: RequestID, _ call: ReaderScope.Call?) {
    if !delivery.isUsable, (200..<300).contains(delivery.response.status) {
      world.witness.note(.device(.damaged(id, .unusable)))
    } else if !delivery.undecodable.isEmpty {
      // Places in the answer, whose flags stand in the order of their keys.
      let keys = Self.keys(in: delivery.response.body)
      let flags = delivery.undecodable.compactMap { place in
        keys.indices.contains(Int(place)) ? world.vocabulary.flag(keys[Int(place)]) : nil
      }
      world.witness.note(.device(.damaged(id, .undecodable(flags))))
    }
    device.delivered(id, delivery.response.status)
  }

  /// The keys of the flags that an answer carries, in their order.
  private static func keys(in body: [UInt8]) -> [String] {
    let object = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
    return ((object?["values"] ?? object?["changed"]) as? [String: Any])?.keys.sorted() ?? []
  }

  /// Tells the judges what an answer truly says.
  private func tell(_ truth: FlagsTruth, _ id: RequestID, isSync: Bool) {
    let vocabulary = world.vocabulary
    let subject = truth.reader.flatMap { vocabulary.subject(ofID: $0.id) }
    let kind: ServedFlags.Kind
    switch truth.kind {
    case .snapshot(let entries): kind = .snapshot(entries.map { FlagValue($0, vocabulary) })
    case .delta(let since, let changed, let deleted):
      kind = .delta(
        since: since, changed: changed.map { FlagValue($0, vocabulary) },
        deleted: deleted.map(vocabulary.flag))
    case .notModifiedSnapshot, .notModifiedDelta, .unaskedNotModified: kind = .notModified
    case .gone(let reason): kind = .gone(Events.GoneReason(reason))
    case .events(let events):
      world.witness.note(.device(.eventsCounted(id, events.fresh.map(Vocabulary.number(of:)))))
      return
    case .upgrade: return
    case .refused: kind = .refused
    }
    // A refusal of any other request says nothing about values.
    guard isSync else { return }
    let etag = truth.etag.map(Vocabulary.number(of:))
    world.ledger.served(kind, ReaderScope.group, at: world.stage.now)
    world.witness.note(
      .device(
        .served(
          id,
          ServedFlags(
            subject: subject, kind: kind, version: truth.version, etag: etag,
            whole: ContentDigest(truth.whole.map { FlagValue($0, vocabulary) })))))
  }
}

extension FlagValue {
  /// A value as the service has it, reduced to what can be compared.
  init(_ entry: FlagEntry, _ vocabulary: Vocabulary) {
    self.init(
      flag: vocabulary.flag(entry.key), digest: ValueDigest.of(entry.value), type: ValueType(entry.value),
      source: ValueSource(entry.source), assignment: vocabulary.assignment(entry.experiment, entry.variant))
  }
}

extension ValueSource {
  init(_ source: FlagSource) {
    switch source {
    case .user: self = .user
    case .experiment: self = .experiment
    case .condition: self = .condition
    case .default: self = .default
    }
  }
}

extension FlagsGoneReason {
  fileprivate init(_ reason: ScenarioFormat.GoneReason) {
    switch reason {
    case .contextChanged: self = .contextChanged
    case .audiencesChanged: self = .audiencesChanged
    case .deletionsExpired: self = .deletionsExpired
    }
  }
}

extension Events.GoneReason {
  fileprivate init(_ reason: FlagsGoneReason) {
    switch reason {
    case .contextChanged: self = .contextChanged
    case .audiencesChanged: self = .audiencesChanged
    case .deletionsExpired: self = .deletionsExpired
    }
  }
}
