import Events

/// Judges `degrade-order` (BEHAVIOUR §2, "`evaluate` order per key").
///
/// **Statement.** Each key of an `evaluate` is answered fresh, else from the answer of its flight, else from the held entry
/// of exactly its cache key, else by default; and the origin that is claimed is the true one. This holds for every way
/// in which a flight can fail, for a call that was kept back and for one that was cancelled.
///
/// **Unit of a check.** A key that was answered otherwise than fresh, and a call that found a certainly fresh entry.
///
/// **Red**, for calls that were not made to a closed client:
/// 1. A key has a value of the service's and is called a default, or has none and is called something else.
/// 2. A default although the answer of the flight carries the key, or an entry is certainly held that has it.
/// 3. A stale value that cannot be the one held: of all answers to the cache key that have arrived, the one whose flight
///    began last is held (rule 1.3).
/// 4. A fresh value that cannot be the one held.
/// 5. An entry younger than the TTL was certainly held when the call began, and yet it was not answered fresh at once.
/// 6. A key that the answer garbles is called an answer of the flight, or one that it leaves out is called stale.
/// 7. Two calls for the same were answered for different numbers of keys: defaults were given for all of them.
/// 8. A cancelled call does not return in the instant of its cancellation.
///
/// **Why a correct client is never red.** `Holding` lists everything that may be held, and a value is convicted only if
/// none of it explains the value. What arrives in the very instant of the return may have come before or after.
///
/// **Not seen.** Which earlier value an undecodable key is to keep, beyond that it is an earlier one. Past the cache's
/// limit any entry may be gone.
struct DegradeOrderJudge: Judge {
  static let invariant = Invariant.degradeOrder
  static let interests: Moments = .replies

  /// How many keys the calls of each full request were answered for.
  private var keyCounts: [Int32: Int] = [:]

  init() {}

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    guard let key = reply.key, reply.call.order < shadow.instance(reply.call.instance).closed else { return }
    if shadow.instance(reply.call.instance).isClosed { return }
    guard let fault = fault(of: reply, key, at: stamp.nanoseconds, shadow, &docket) else { return }
    docket.convict(reply, at: stamp, request: reply.source?.id, fault)
  }

  private mutating func fault(
    of reply: Reply, _ key: RequestKey, at now: Int64, _ shadow: Shadow, _ docket: inout Docket
  ) -> String? {
    if reply.call.operation == .evaluate, let cancelled = shadow.cancellations[reply.id.rawValue],
      now > max(cancelled, reply.call.began)
    {
      docket.check()
      return "was cancelled at \(seconds(cancelled)) and returned only at \(seconds(now))"
    }
    if reply.call.mustFindFresh, reply.isJudged, isUndisturbed(reply, shadow) {
      docket.check()
      // An answer that leaves out or garbles everything that was asked for is held and gives nothing fresh.
      let entry = Int(shadow.groups[Int(reply.call.group)].entry)
      let isPlain = shadow.entries[entry].held.allSatisfy { shadow.shape(of: $0.serial) == nil }
      if now > reply.call.began || isPlain && reply.shape != .fresh {
        return
          "was given \(reply.outcome.words), although an entry younger than the TTL was held when it was called"
      }
    }
    guard case .answered(let answers) = reply.outcome, reply.call.operation == .evaluate || !answers.isEmpty
    else {
      return nil
    }
    let known = keyCounts.updateValue(answers.count, forKey: key.request)
    if let known, known != answers.count {
      return "was answered for \(answers.count) keys, another call for the same for \(known)"
    }
    docket.check(answers.count { $0.origin != .fresh })
    var first: String?
    for flight in Evidence.flights(of: reply, at: now, shadow) {
      let evidence = Evidence(reply, flight: flight, at: now, shadow)
      guard let fault = answers.lazy.compactMap(evidence.fault).first else { return nil }
      first = first ?? fault
    }
    return first
  }

  /// Whether the entry that a call had to find was still there whenever in its instant it looked: since it began no
  /// invalidation has, and no entry had to make place.
  private func isUndisturbed(_ reply: Reply, _ shadow: Shadow) -> Bool {
    let instance = shadow.instance(reply.call.instance)
    return instance.lastInvalidationBegan < reply.call.began && !shadow.mayEvict(instance)
  }
}

/// What may explain the values of one call.
private struct Evidence {
  private let shadow: Shadow
  private let holding: Holding
  /// Whether what was held when the call looked can be told: it looked in this instant.
  private let isSharp: Bool
  /// The answer of the call's own flight, where that has come in this instant.
  private let flight: Serial?

  /// The answers that may have come from the call's own flight; nil for a call that got none.
  ///
  /// A good answer that leaves out or garbles all keys gives a snapshot without a value of its own. From outside that
  /// looks as if the flight had failed, so all that can have happened counts.
  static func flights(of reply: Reply, at now: Int64, _ shadow: Shadow) -> [Serial?] {
    if case .flight(let serial) = reply.shape { return [serial] }
    guard reply.shape == .degraded else { return [nil] }
    let group = shadow.groups[Int(reply.call.group)]
    var flights: [Serial?] = []
    var mayHaveFailed = reply.neededNoRequest || reply.call.isCancelled
    for request in group.requests[group.range(of: reply.call)] where request.maySupply(reply.call) {
      if request.timesOut(at: now) || request.authorized <= now { mayHaveFailed = true }
      guard request.completed == now else { continue }
      if case .good(let serial) = request.end {
        if shadow.shape(of: serial) != nil { flights.append(serial) }
      } else {
        mayHaveFailed = true
      }
    }
    return mayHaveFailed || flights.isEmpty ? [nil] + flights : flights
  }

  init(_ reply: Reply, flight: Serial?, at now: Int64, _ shadow: Shadow) {
    self.shadow = shadow
    self.flight = flight
    let group = shadow.groups[Int(reply.call.group)]
    let instance = shadow.instance(reply.call.instance)
    holding = shadow.holding(Int(group.entry), of: instance, at: now)
    isSharp = reply.shape != .fresh || reply.call.began == now
  }

  /// What is wrong with the value of one key.
  func fault(of answer: KeyAnswer) -> String? {
    if (answer.origin == .default) != (answer.serial == nil) {
      return answer.serial == nil
        ? "was given a value for key \(answer.key) that no answer carried as \(answer.origin)"
        : "was given a value of answer \(answer.serial?.rawValue ?? 0) as a default"
    }
    switch answer.origin {
    case .flight: return faultOfFlight(answer)
    case .default: return faultOfDefault(answer)
    case .stale: return faultOfStale(answer)
    case .fresh: return faultOfFresh(answer)
    }
  }

  private func faultOfFlight(_ answer: KeyAnswer) -> String? {
    guard let serial = answer.serial, let shape = shadow.shape(of: serial) else { return nil }
    let isAbsent = shape.omitted.contains(answer.key) || shape.undecodable.contains(answer.key)
    return isAbsent ? "was given key \(answer.key) as its flight's, whose answer does not carry it" : nil
  }

  private func faultOfDefault(_ answer: KeyAnswer) -> String? {
    if let flight {
      guard let shape = shadow.shape(of: flight) else {
        return
          "was given the default for key \(answer.key), which answer \(flight.rawValue) of its flight carries"
      }
      if shape.omitted.contains(answer.key) { return nil }
      if !shape.undecodable.contains(answer.key) {
        return
          "was given the default for key \(answer.key), which answer \(flight.rawValue) of its flight carries"
      }
      return nil
    }
    guard isSharp, let held = holding.certain else { return nil }
    if let shape = shadow.shape(of: held.serial),
      shape.omitted.contains(answer.key) || shape.undecodable.contains(answer.key)
    {
      return nil
    }
    return "was given the default for key \(answer.key), although answer \(held.serial.rawValue) of "
      + "\(seconds(held.received)) was held"
  }

  private func faultOfStale(_ answer: KeyAnswer) -> String? {
    guard let serial = answer.serial else { return nil }
    if let flight, let shape = shadow.shape(of: flight) {
      if shape.undecodable.contains(answer.key) { return nil }
      return "was given a stale value for key \(answer.key), which answer \(flight.rawValue) of its flight "
        + (shape.omitted.contains(answer.key) ? "leaves out: that is a default" : "carries")
    }
    if flight != nil {
      return "was given a stale value for key \(answer.key), which its flight's answer carries"
    }
    guard isSharp else { return nil }
    return explains(serial, answer.key) ? nil : notHeld(answer, serial)
  }

  private func faultOfFresh(_ answer: KeyAnswer) -> String? {
    guard isSharp, let serial = answer.serial else { return nil }
    return explains(serial, answer.key) ? nil : notHeld(answer, serial)
  }

  /// Whether a value may be the one held for a key: that of an answer that may be held, or an earlier one that such an
  /// answer, which garbles the key, has kept.
  private func explains(_ serial: Serial, _ key: Int32) -> Bool {
    holding.candidates.contains { candidate in
      if candidate.serial == serial { return shadow.shape(of: serial)?.omitted.contains(key) != true }
      return shadow.shape(of: candidate.serial)?.undecodable.contains(key) == true
    }
  }

  private func notHeld(_ answer: KeyAnswer, _ serial: Serial) -> String? {
    // Another judge says so where the value is of another key or client, or was dropped by an invalidation.
    guard !holding.candidates.isEmpty else { return nil }
    let held = holding.candidates.map { "\($0.serial.rawValue)" }.joined(separator: " or ")
    return
      "was given a value of answer \(serial.rawValue) as \(answer.origin), but what is held is answer \(held)"
  }
}
