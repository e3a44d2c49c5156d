import Events

/// Judges `degrade-order` on the wall clock.
///
/// **Unit of a check.** A key that was answered otherwise than fresh.
///
/// **Red**, for calls that returned while their client was not closed:
/// 1. A value that no answer carried is not called a default, or one of an answer is.
/// 2. A stale value of an answer that the instance had not received for this cache key before the call returned.
/// 3. A default although a good answer to the same full request had certainly been taken in before the call began:
///    one of its own waiters had returned with it, no `invalidateCache()` ran between the start of its flight and the end of
///    the call, and the client never had to make place for other entries. Judged only where every answer names every key.
///
/// **Why a correct client is never red.** That an answer reached the transport does not prove that the client took it in:
/// its deadline or its last caller's cancellation may have been faster. A waiter that returned with it proves that, for an
/// outcome is published in the step in which the entry is filled. After that the entry can only be replaced.
///
/// **Not seen.** Which of several answers is held, and whether it is fresh: two steps of a client on the wall clock have no
/// order that could be seen from outside.
struct IntervalDegradeOrder {
  let index: IntervalIndex

  /// An answer that was certainly taken in.
  private struct Certainty {
    let serial: Serial
    /// When its flight began, at the latest.
    let started: Int64
    /// When a waiter had returned with it.
    let known: Int64
  }

  /// An instance and a full request.
  private struct Name: Hashable {
    let instance: InstanceID
    let request: Int32
  }

  func judge(_ docket: inout Docket) {
    let certainties = certainties()
    for call in index.log.calls {
      guard let key = call.key, let end = call.end, !isClosed(call, by: end) else { continue }
      docket.check(call.answers.count { $0.origin != .fresh })
      let fault =
        call.answers.lazy.compactMap { claim($0) ?? staleness($0, key, call, end) }.first
        ?? loss(call, certainties[Name(instance: call.instance, request: key.request)] ?? [], end)
      if let fault { docket.convict(call, fault) }
    }
  }

  private func isClosed(_ call: IntervalLog.Call, by end: Int64) -> Bool {
    index.log.closed[call.instance].map { $0 <= end } ?? false
  }

  /// Clause 1.
  private func claim(_ answer: KeyAnswer) -> String? {
    guard (answer.origin == .default) != (answer.serial == nil) else { return nil }
    return answer.serial.map { "was given a value of answer \($0.rawValue) as a default" }
      ?? "was given a value for key \(answer.key) that no answer carried as \(answer.origin)"
  }

  /// Clause 2.
  private func staleness(
    _ answer: KeyAnswer, _ key: RequestKey, _ call: IntervalLog.Call, _ end: Int64
  ) -> String? {
    guard answer.origin == .stale, let serial = answer.serial else { return nil }
    if let request = index.request(of: serial), request.instance == call.instance,
      request.key?.cacheKey == key.cacheKey, request.ended ?? .max <= end
    {
      return nil
    }
    return
      "was given a stale value of answer \(serial.rawValue), which was not received for its cache key before"
  }

  /// Clause 3.
  private func loss(_ call: IntervalLog.Call, _ certainties: [Certainty], _ end: Int64) -> String? {
    guard let answer = call.answers.first(where: { $0.origin == .default }),
      let certainty = undisturbed(certainties, for: call, until: end)
    else {
      return nil
    }
    return
      "was given the default for key \(answer.key), although answer \(certainty.serial.rawValue) had been given to "
      + "a call that returned at \(seconds(certainty.known))"
  }

  // MARK: What is certainly held

  /// For each instance and full request the answers that a waiter returned with, by the time of its return.
  private func certainties() -> [Name: [Certainty]] {
    guard index.facts.answersNameEveryKey else { return [:] }
    let roomy = roomyInstances()
    var found: [Name: [Certainty]] = [:]
    for call in index.log.calls {
      guard let end = call.end, let key = call.key, roomy.contains(call.instance) else { continue }
      for answer in call.answers where answer.origin == .flight {
        guard let serial = answer.serial, let request = index.request(of: serial),
          request.instance == call.instance, request.key == key
        else {
          continue
        }
        found[Name(instance: call.instance, request: key.request), default: []].append(
          Certainty(serial: serial, started: request.started, known: end))
        break
      }
    }
    return found.mapValues { $0.sorted { ($0.known, $0.serial) < ($1.known, $1.serial) } }
  }

  /// The instances that were asked for no more cache keys than a client keeps entries.
  private func roomyInstances() -> Set<InstanceID> {
    var keys: [InstanceID: Set<Int32>] = [:]
    for call in index.log.calls {
      if let key = call.key { keys[call.instance, default: []].insert(key.cacheKey) }
    }
    for request in index.log.requests {
      if let key = request.key { keys[request.instance, default: []].insert(key.cacheKey) }
    }
    return Set(keys.filter { $0.value.count <= index.facts.cacheCapacity }.keys)
  }

  /// The last of some answers that was certainly held throughout a call, if no invalidation can have dropped it.
  ///
  /// A flight began at most a timeout before its request started, or its deadline would have passed.
  /// - Complexity: O(log n) in the number of answers, O(n) in the number of invalidations.
  private func undisturbed(_ answers: [Certainty], for call: IntervalLog.Call, until end: Int64) -> Certainty?
  {
    var low = 0
    var high = answers.count
    while low < high {
      let middle = (low + high) / 2
      if answers[middle].known < call.begin { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let last = answers[low - 1]
    guard index.invalidated.contains(call.instance) else { return last }
    let isDisturbed = index.log.invalidations.contains {
      $0.instance == call.instance && $0.begin <= end
        && $0.end ?? .max >= last.started - index.facts.requestTimeout
    }
    return isDisturbed ? nil : last
  }
}
