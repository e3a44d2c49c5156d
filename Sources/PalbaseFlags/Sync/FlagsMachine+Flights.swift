import ClientCore
import Palbase

// The way of a flight: begin, admit, conclude, and what is left to be wanted after it.

extension FlagsMachine {
  /// Begins a flight, or does what its being held back means.
  ///
  /// - Parameters:
  ///   - waiters: The calls that wait for it.
  ///   - isBackground: Whether the sync itself wants the outcome.
  ///   - now: The present instant.
  /// - Returns: What to do.
  mutating func fly(
    for waiters: [WaiterID], isBackground: Bool, at now: MonotonicInstant
  ) -> [FlagsAction] {
    if let refusal = gate.refusal(at: now) {
      let answer: [FlagsAction] = waiters.isEmpty ? [] : [.answer(waiters, refusal)]
      return answer + armGate()
    }
    owesFetch = false
    let query: FlagsQuery =
      if isBase, let version = record.version { .delta(since: version) } else {
        .snapshot(etag: record.etag)
      }
    return send(query, for: waiters, isBackground: isBackground, isFollowUp: false)
  }

  private mutating func send(
    _ query: FlagsQuery, for waiters: [WaiterID], isBackground: Bool, isFollowUp: Bool
  ) -> [FlagsAction] {
    let request = RequestID(number: makeNumber())
    flight = Flight(
      request: request, query: query, waiters: waiters, isBackground: isBackground, isFollowUp: isFollowUp)
    return [.send(request, query, identity)]
  }

  /// Tells why a request may not be handed to the transport, in the step in which it is about to be.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The present instant.
  /// - Returns: The reason; nil lets it go.
  func admit(_ request: RequestID, at now: MonotonicInstant) -> PalbaseError? {
    if phase == .closed { return .closed }
    // Its flight has ended: nobody wants the answer any more.
    guard flight?.request == request else { return .readerChanged }
    return gate.refusal(at: now)
  }

  /// Takes in the end of a request.
  ///
  /// - Parameters:
  ///   - request: The request; one whose flight has ended changes nothing.
  ///   - reply: What came back.
  ///   - now: The present instant.
  /// - Returns: What to do.
  mutating func conclude(
    _ request: RequestID, _ reply: FlagsReply, at now: MonotonicInstant
  ) -> [FlagsAction] {
    guard let landed = flight, landed.request == request, phase != .closed else { return [] }
    skippedFlags += reply.skippedFlags
    switch reply {
    case .snapshot(let answer):
      guard answer.version >= (record.version ?? 0) else { return endOlder(landed, at: now) }
      return apply(answer, at: now) + succeed(landed, at: now)
    case .delta(let answer):
      guard isBase, case .delta(let since) = landed.query, answer.since == since, record.version == since
      else {
        // Not the delta that was asked for: it fits nothing, and what does is a snapshot.
        isBase = false
        return fail(landed, Self.wrongBase, at: now)
      }
      guard answer.version >= since else { return endOlder(landed, at: now) }
      return apply(answer, at: now) + succeed(landed, at: now)
    case .notModified(let version): return concludeUnchanged(landed, version, at: now)
    case .gone(let error, let delay):
      isBase = false
      close(for: delay, because: error, at: now)
      guard case .delta = landed.query, !landed.isFollowUp, gate.refusal(at: now) == nil else {
        return fail(landed, error, at: now)
      }
      return follow(landed, .snapshot(etag: record.etag))
    case .failed(let error, let delay):
      close(for: delay, because: error, at: now)
      return fail(landed, error, at: now)
    }
  }

  private static let wrongBase = PalbaseError.server(code: "delta_base", status: 200)
  private static let olderAnswer = PalbaseError.server(code: "older_answer", status: 200)
  private static let unaskedUnchanged = PalbaseError.server(code: "http_304", status: 304)

  private mutating func concludeUnchanged(
    _ landed: Flight, _ version: Int64?, at now: MonotonicInstant
  ) -> [FlagsAction] {
    switch landed.query {
    case .delta: return confirm(record.version, at: now) + succeed(landed, at: now)
    case .snapshot(let etag?) where etag == record.etag:
      // The version may be one of a replica that lags; the values are the ones it would have sent all the same.
      if let version, version < (record.version ?? 0) { return endOlder(landed, at: now) }
      isBase = true
      return confirm(version ?? record.version, at: now) + succeed(landed, at: now)
    case .snapshot:
      // Nothing was named that could be unchanged: one read without a condition, then it is a failure.
      if landed.isFollowUp { return fail(landed, Self.unaskedUnchanged, at: now) }
      return follow(landed, .snapshot(etag: nil))
    }
  }

  /// Asks once more within a flight.
  private mutating func follow(_ landed: Flight, _ query: FlagsQuery) -> [FlagsAction] {
    send(query, for: landed.waiters, isBackground: landed.isBackground, isFollowUp: true)
  }

  // MARK: Applying

  private mutating func apply(_ answer: SnapshotAnswer, at now: MonotonicInstant) -> [FlagsAction] {
    var values = answer.values.flags
    for key in answer.values.undecodable { values[key] = record.values[key] }
    // An ETag names the whole answer: with a flag that was skipped the values are not what it names.
    let isWhole = answer.values.undecodable.isEmpty
    return replace(
      values, version: answer.version, etag: isWhole ? answer.etag : nil, isWhole: isWhole, at: now)
  }

  private mutating func apply(_ answer: DeltaAnswer, at now: MonotonicInstant) -> [FlagsAction] {
    var values = record.values
    for key in answer.deleted { values[key] = nil }
    for (key, flag) in answer.changed.flags { values[key] = flag }
    return replace(
      values, version: answer.version, etag: nil, isWhole: answer.changed.undecodable.isEmpty, at: now)
  }

  private mutating func confirm(_ version: Int64?, at now: MonotonicInstant) -> [FlagsAction] {
    let isMoved = version != record.version
    record = record.confirmed(version: version, at: now)
    awaitsLoad = false
    return isMoved ? [.keepRecord] : []
  }

  private mutating func replace(
    _ values: [String: HeldFlag], version: Int64, etag: String?, isWhole: Bool, at now: MonotonicInstant
  ) -> [FlagsAction] {
    let next = FlagsRecord(
      identity: identity, version: version, etag: etag, values: values, isWhole: isWhole, receipt: now)
    let keys = next.keysThatDiffer(from: record)
    let isSame = next.isIdentical(to: record)
    record = next
    isBase = next.isBase
    awaitsLoad = false
    return (keys.isEmpty ? [] : [.tell(keys)]) + (isSame ? [] : [.keepRecord])
  }

  // MARK: Ends

  private mutating func succeed(_ landed: Flight, at now: MonotonicInstant) -> [FlagsAction] {
    flight = nil
    lastSuccess = now
    var actions: [FlagsAction] = landed.waiters.isEmpty ? [] : [.answer(landed.waiters, nil)]
    if noticed > (record.version ?? 0) {
      actions += repeatFlight()
    } else {
      repeats = 0
      backoff.reset()
      if owesFetch { actions += arm(.jitter, .jitter) }
    }
    return actions + endWaitForDevice()
  }

  /// Ends a flight whose answer is older than what is held.
  private mutating func endOlder(_ landed: Flight, at now: MonotonicInstant) -> [FlagsAction] {
    flight = nil
    let answer: [FlagsAction] = landed.waiters.isEmpty ? [] : [.answer(landed.waiters, Self.olderAnswer)]
    return answer + repeatFlight()
  }

  private mutating func fail(
    _ landed: Flight, _ error: PalbaseError, at now: MonotonicInstant
  ) -> [FlagsAction] {
    flight = nil
    var actions: [FlagsAction] = landed.waiters.isEmpty ? [] : [.answer(landed.waiters, error)]
    if gate.refusal(at: now) != nil {
      if landed.isBackground || isBehind || !isBase { actions += armGate() }
    } else if landed.isBackground || isBehind || !isBase {
      actions += armBackoff()
    }
    return actions
  }

  private mutating func repeatFlight() -> [FlagsAction] {
    guard repeats < Self.promptRepeats else { return armBackoff() }
    repeats += 1
    return arm(.jitter, .jitter)
  }

  private mutating func armBackoff() -> [FlagsAction] {
    let before = backoff
    // Only the count matters here; the gap is drawn by whoever starts the timer.
    _ = backoff.nextGap(random: 0)
    return arm(.backoff, .backoff(before))
  }

  private mutating func armGate() -> [FlagsAction] {
    guard let gateOpens else { return [] }
    return arm(.retryAfter, .retryAfter(opens: gateOpens))
  }

  private mutating func close(
    for delay: Duration?, because error: PalbaseError, at now: MonotonicInstant
  ) {
    guard let delay else { return }
    gate.close(for: delay, from: now, because: error)
    gateOpens = max(gateOpens ?? now, now.advanced(by: delay))
  }

  /// Answers `start()` when the service has been faster than the device: what is held is newer.
  private mutating func endWaitForDevice() -> [FlagsAction] {
    guard !awaitsLoad, !starting.isEmpty else { return [] }
    defer { starting = [] }
    return [.started(starting)]
  }
}
