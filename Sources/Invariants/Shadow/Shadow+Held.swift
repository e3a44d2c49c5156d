import Events

// What a client may hold under a cache key, and what it must.
//
// A good answer replaces the entry of its cache key if its flight began later than that of the answer held (BEHAVIOUR rule
// 1.3), and unless an invalidation has come between. From outside both are certain only when nothing else happened in
// the same instant: a waiter's cancellation may drop the answer, the deadline may beat it, and of two flights that begin in
// one instant the one whose request starts first need not be the first. So an entry is a short list: the answers of which
// one is certainly there, if any is, and those that may have replaced it.

/// An answer that a cache entry may hold.
struct HeldAnswer: Sendable {
  let serial: Serial
  /// When its flight began, and the number of the event that showed it.
  let began: Int64
  let flight: Int64
  /// When it arrived.
  let received: Int64
  /// Whether the client may have dropped it.
  var isDoubtful: Bool
}

extension HeldAnswer {
  /// Whether the client has certainly taken the answer in and not dropped it: a flight that began no later than an
  /// invalidation returned may have been fenced.
  func isSure(at now: Int64, of instance: InstanceRecord) -> Bool {
    !isDoubtful && received < now && began > instance.lastInvalidated
  }

  /// Whether this answer, which the client has certainly taken in, leaves no place for another: its flight began later.
  ///
  /// Once it is evicted an older flight may fill the entry, but not with what came before it.
  func ousts(_ other: HeldAnswer, mayBeEvicted: Bool) -> Bool {
    began > other.began && (!mayBeEvicted || received > other.received)
  }
}

/// The keys of an answer that it leaves out or garbles.
struct AnswerShape: Sendable {
  let omitted: [Int32]
  let undecodable: [Int32]
}

/// What an instance may hold under a cache key at an instant.
struct Holding: Sendable {
  /// The answers that may be held, any of them.
  var candidates: [HeldAnswer] = []
  /// Whether nothing may be held.
  var mayBeEmpty = true
  /// Whether what is held is known: exactly one answer, and certainly.
  var certain: HeldAnswer? { mayBeEmpty || candidates.count != 1 ? nil : candidates[0] }
}

extension Shadow {
  /// What an instance may hold at an instant.
  ///
  /// - Complexity: O(k) in the number of answers that may be held, one or two in most runs.
  /// - Parameters:
  ///   - entry: The index of the cache entry.
  ///   - instance: The record of the instance.
  ///   - now: The instant; answers that arrive in it count as possible only.
  /// - Returns: The answers that may be held, and whether one must be.
  func holding(_ entry: Int, of instance: InstanceRecord, at now: Int64) -> Holding {
    var holding = Holding()
    let held = entries[entry].held
    let sure = held.filter { $0.isSure(at: now, of: instance) }
    let mayEvict = mayEvict(instance)
    holding.candidates = held.filter { answer in
      answer.flight >= instance.dropFence(at: now)
        && !sure.contains { $0.ousts(answer, mayBeEvicted: mayEvict) }
    }
    holding.mayBeEmpty =
      sure.isEmpty || instance.openInvalidations > 0 || instance.lastInvalidated == now || mayEvict
    return holding
  }

  /// Whether an instance was asked for more cache keys than a client keeps entries.
  func mayEvict(_ instance: InstanceRecord) -> Bool { instance.entryCount > facts.cacheCapacity }

  /// Takes in a good answer that came in time.
  mutating func receive(_ serial: Serial, _ request: RequestRecord, group: Int, at now: Int64) {
    let id = groups[group].instance
    answers.insert(
      AnswerRecord(
        request: request.id, instance: id, key: groups[group].key, started: request.started,
        startOrder: request.order, received: now), under: serial.rawValue)
    let entry = Int(groups[group].entry)
    entries[entry].lastReceived = now
    entries[entry].latestStart = max(entries[entry].latestStart, request.order)
    let instance = instance(id)
    let sure = entries[entry].held.filter { $0.isSure(at: now, of: instance) }
    let mayEvict = mayEvict(instance)
    // Ousted by what is certainly there, or dropped by an invalidation for good: nobody can be given it any more.
    entries[entry].held.removeAll { answer in
      answer.flight < instance.dropFence(at: now)
        || sure.contains { $0.ousts(answer, mayBeEvicted: mayEvict) }
    }
    entries[entry].held.append(
      HeldAnswer(
        serial: serial, began: request.started, flight: request.order, received: now,
        isDoubtful: request.cancelled == now || now == request.deadline
          || instance.lastCancellation == now))
  }

  /// Takes in that a caller of an instance was cancelled: what arrives in this instant may have been dropped.
  mutating func doubt(_ entry: Int, at now: Int64) {
    for index in entries[entry].held.indices where entries[entry].held[index].received == now {
      entries[entry].held[index].isDoubtful = true
    }
  }

  /// Whether an answer leaves a key out or garbles it.
  func shape(of serial: Serial) -> AnswerShape? { shapes.isEmpty ? nil : shapes[serial.rawValue] }
}
