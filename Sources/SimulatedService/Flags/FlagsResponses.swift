extension FlagsProject {
  /// Looks at a request without answering it: the very reading that `respond` does.
  ///
  /// A token that is no longer accepted is no flaw, and neither is a batch above a lowered `eventLimit`: a
  /// client cannot know.
  /// - Complexity: O(*n*) in the size of the request.
  /// - Parameter request: The request.
  /// - Returns: What is wrong with it; nil for nothing.
  public func inspect(_ request: ServiceRequest) -> RequestFlaw? {
    do throws(RequestFlaw) {
      if request.path == FlagsRequest.realtimePath {
        try FlagsRequest.checkUpgrade(request, apiKey: plan.apiKey)
        return nil
      }
      let read = try FlagsRequest(request, apiKey: plan.apiKey)
      if let flaw = flaw(of: read.credential) { return flaw }
      guard case .events(let batch) = read.content else { return nil }
      return ledger.flaw(of: batch, request.body, from: read.credential.reader)
    } catch {
      return error
    }
  }

  /// Answers a request.
  ///
  /// 200, 202, 304 or 410 as in the table of BEHAVIOUR §3; 101 for the way to the socket; 400 for a request
  /// that is not exactly as documented, 401 for its key or credential, 404 for a path that is not served, 405
  /// with `Allow`, 413 for too many events. The body of a refusal is `{"error":code}`. Every answer has a
  /// `Date`.
  ///
  /// - Complexity: O(*n*) in the number of flags and the size of the request.
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The service's clock, in nanoseconds since 1970; boundaries on the way are passed.
  ///   - lag: How many versions the replica that reads flags lags behind.
  /// - Returns: The answer, with the next serial, and what it means.
  public mutating func respond(to request: ServiceRequest, at now: Int64, lag: Int = 0) -> FlagsAnswer {
    pass(to: now)
    do throws(RequestFlaw) {
      if request.path == FlagsRequest.realtimePath {
        try FlagsRequest.checkUpgrade(request, apiKey: plan.apiKey)
        return FlagsAnswer(
          response: response(101, [], at: now),
          truth: FlagsTruth(reader: nil, version: version, kind: .upgrade))
      }
      let read = try FlagsRequest(request, apiKey: plan.apiKey)
      try authorize(read.credential)
      return try answer(read, request.body, now, lag)
    } catch {
      let isMethod = error.kind == .method
      let allow = FlagsRequest.method(of: request.path).map { [ServiceField("Allow", $0)] } ?? []
      return refuse(
        request, status: error.code == "too_many_events" ? 413 : error.status, code: error.code,
        headers: isMethod ? allow : [], at: now)
    }
  }

  /// Refuses a request, whatever it was, as a fault wants it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - status: The status code of HTTP.
  ///   - code: The code in the body, `{"error":code}`; nil for a body without one.
  ///   - headers: Further header fields.
  ///   - now: The service's clock, in nanoseconds since 1970.
  /// - Returns: The answer, with the next serial.
  public mutating func refuse(
    _ request: ServiceRequest, status: Int, code: String?, headers: [ServiceField] = [], at now: Int64
  ) -> FlagsAnswer {
    pass(to: now)
    return FlagsAnswer(
      response: response(status, FlagsBodies.error(code), headers, at: now),
      truth: truth(of: request, .refused))
  }

  /// Answers 410 to a request for a delta though a delta could be given, as a fault wants it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - reason: The reason in the body.
  ///   - now: The service's clock, in nanoseconds since 1970.
  /// - Returns: The answer, with the next serial.
  public mutating func gone(
    _ request: ServiceRequest, reason: FlagsGoneReason, at now: Int64
  ) -> FlagsAnswer {
    pass(to: now)
    return gone(truth(of: request, .gone(reason)), reason, now)
  }

  /// Answers 304 to a request for a snapshot that holds nothing, as a fault wants it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The service's clock, in nanoseconds since 1970.
  /// - Returns: The answer, with the next serial; nil if the request is any other, one with `If-None-Match`
  ///   included.
  public mutating func notModifiedUnasked(_ request: ServiceRequest, at now: Int64) -> FlagsAnswer? {
    guard let read = try? FlagsRequest(request, apiKey: plan.apiKey),
      case .snapshot(let context, ifNoneMatch: nil) = read.content
    else { return nil }
    pass(to: now)
    return FlagsAnswer(
      response: response(304, [], [Self.versionField(version)], at: now),
      truth: FlagsTruth(
        reader: read.credential.reader, context: context, version: version, kind: .unaskedNotModified))
  }

  // MARK: Credentials

  /// What is wrong with an install's secret: it must be the first one that came with the id.
  func flaw(of credential: FlagsCredential) -> RequestFlaw? {
    guard case .install(let id, let secret) = credential, let known = secrets[id], known != secret else {
      return nil
    }
    return RequestFlaw(.authorization, "wrong_secret")
  }

  /// Accepts a credential, and notes the secret of a new install.
  mutating func authorize(_ credential: FlagsCredential) throws(RequestFlaw) {
    if let flaw = flaw(of: credential) { throw flaw }
    switch credential {
    case .user(_, let generation):
      guard acceptedGenerations.contains(generation) else {
        throw RequestFlaw(.authorization, "token_expired")
      }
    case .install(let id, let secret): secrets[id] = secret
    }
  }

  /// What an answer means that does not look at what is asked for: it names whoever the request says it is
  /// of.
  private func truth(of request: ServiceRequest, _ kind: FlagsTruth.Kind) -> FlagsTruth {
    let read = try? FlagsRequest(request, apiKey: plan.apiKey)
    var truth = FlagsTruth(
      reader: (try? read?.credential ?? FlagsCredential(request))?.reader, version: version, kind: kind)
    switch read?.content {
    case .snapshot(let context, _), .delta(let context, _): truth.context = context
    case .events, nil: break
    }
    return truth
  }

  // MARK: Answers

  private mutating func answer(
    _ request: FlagsRequest, _ body: [UInt8], _ now: Int64, _ lag: Int
  ) throws(RequestFlaw) -> FlagsAnswer {
    let reader = request.credential.reader
    switch request.content {
    case .events(let batch): return try take(batch, body, from: reader, now)
    case .snapshot(let context, let etag):
      settleAudiences(of: reader)
      contexts[reader] = context
      return snapshot(reader, context, ifNoneMatch: etag, lagging(lag), now)
    case .delta(let context, let since):
      settleAudiences(of: reader)
      return delta(reader, context, since: since, lagging(lag), now)
    }
  }

  private mutating func take(
    _ batch: EventBatch, _ body: [UInt8], from reader: FlagsReader, _ now: Int64
  ) throws(RequestFlaw) -> FlagsAnswer {
    if let flaw = ledger.flaw(of: batch, body, from: reader) { throw flaw }
    guard batch.events.count <= eventLimit else { throw RequestFlaw(.limits, "too_many_events") }
    let served = ledger.take(batch, body, from: reader)
    return FlagsAnswer(
      response: response(202, FlagsBodies.accepted(batch.events.count), at: now),
      truth: FlagsTruth(reader: reader, version: version, kind: .events(served)))
  }

  private mutating func snapshot(
    _ reader: FlagsReader, _ context: ReaderContext, ifNoneMatch: String?, _ state: ProjectState, _ now: Int64
  ) -> FlagsAnswer {
    let whole = state.resolve(reader, context)
    let values = FlagsBodies.values(whole)
    let etag = FlagsBodies.etag(values, reader, context, salt: etagSalt)
    let isHeld = ifNoneMatch == etag
    let headers = [ServiceField("ETag", etag)] + (isHeld ? [Self.versionField(state.version)] : [])
    let body = isHeld ? [] : FlagsBodies.snapshot(values, version: state.version)
    return FlagsAnswer(
      response: response(isHeld ? 304 : 200, body, headers, at: now),
      truth: FlagsTruth(
        reader: reader, context: context, version: state.version,
        kind: isHeld ? .notModifiedSnapshot(etag: etag) : .snapshot(whole), etag: etag, whole: whole))
  }

  private mutating func delta(
    _ reader: FlagsReader, _ context: ReaderContext, since: Int64, _ state: ProjectState, _ now: Int64
  ) -> FlagsAnswer {
    var truth = FlagsTruth(reader: reader, context: context, version: state.version, kind: .notModifiedDelta)
    if let reason = reasonToRefuse(reader, context, since: since, state) {
      truth.kind = .gone(reason)
      return gone(truth, reason, now)
    }
    truth.whole = state.resolve(reader, context)
    guard since < state.version, let base = self.state(of: since) else {
      return FlagsAnswer(response: response(304, [], at: now), truth: truth)
    }
    let (changed, deleted) = Self.difference(from: base.resolve(reader, context), to: truth.whole)
    truth.kind = .delta(since: since, changed: changed, deleted: deleted)
    let body = FlagsBodies.delta(changed, deleted: deleted, since: since, version: state.version)
    return FlagsAnswer(response: response(200, body, at: now), truth: truth)
  }

  /// Why a state can give no delta; nil if it can.
  private func reasonToRefuse(
    _ reader: FlagsReader, _ context: ReaderContext, since: Int64, _ state: ProjectState
  ) -> FlagsGoneReason? {
    if contexts[reader] != context { return .contextChanged }
    if since < state.audiences(of: reader).changedAt { return .audiencesChanged }
    // Versions that are not kept, and those that never were, are no base. One that a replica has not heard of
    // is: the replica just has nothing newer.
    if self.state(of: since) == nil || state.hasForgottenDeletions(since: since) { return .deletionsExpired }
    return nil
  }

  private mutating func gone(_ truth: FlagsTruth, _ reason: FlagsGoneReason, _ now: Int64) -> FlagsAnswer {
    FlagsAnswer(response: response(410, FlagsBodies.error("gone", reason: reason), at: now), truth: truth)
  }

  /// What one list of entries has that the other has not, both sorted by key.
  private static func difference(
    from old: [FlagEntry], to new: [FlagEntry]
  ) -> (changed: [FlagEntry], deleted: [String]) {
    var changed: [FlagEntry] = []
    var deleted: [String] = []
    var place = 0
    for entry in new {
      while place < old.count, old[place].key < entry.key {
        deleted.append(old[place].key)
        place += 1
      }
      if place < old.count, old[place].key == entry.key {
        if old[place] != entry { changed.append(entry) }
        place += 1
      } else {
        changed.append(entry)
      }
    }
    return (changed, deleted + old[place...].map(\.key))
  }

  private static func versionField(_ version: Int64) -> ServiceField {
    ServiceField("X-Flags-Version", "\(version)")
  }

  private mutating func response(
    _ status: Int, _ body: [UInt8], _ headers: [ServiceField] = [], at now: Int64
  ) -> ServiceResponse {
    answered += 1
    let seconds = now / 1_000_000_000
    var fields = [ServiceField("Date", ServiceDate.http(seconds))]
    if !body.isEmpty { fields.insert(ServiceField("Content-Type", "application/json"), at: 0) }
    return ServiceResponse(status: status, headers: fields + headers, body: body, serial: answered)
  }
}
