import Events

// Requests of every endpoint, and the flights of evaluations that they belong to.

/// What the shadow remembers of a request of any endpoint until it is over.
struct RequestLine: Sendable {
  let instance: InstanceID
  let family: EndpointFamily
  /// When its deadline passes.
  let deadline: Int64
  /// Whether the client has asked for its cancellation.
  var isCancelled = false
  /// How long the answer that is about to complete it asks to be left alone.
  var patience: Int64?
}

extension Shadow {
  /// Takes in that a flight begins, with its asking for authorization or with its request.
  mutating func beginFlight(
    _ id: RequestID, _ instance: InstanceID, _ endpoint: Endpoint, _ key: RequestKey?, at now: Int64
  ) {
    ensure(instance)
    lines.insert(
      RequestLine(instance: instance, family: endpoint.family, deadline: now + facts.requestTimeout),
      under: id.rawValue)
    if endpoint == .evaluate, let key {
      begunFlight = id
      start(id, instance, key, at: now)
    }
  }

  /// Takes in that a request is sent: it begins its flight, unless that began with its authorization.
  mutating func send(
    _ id: RequestID, _ instance: InstanceID, _ endpoint: Endpoint, _ key: RequestKey?, at now: Int64
  ) {
    guard lines[id.rawValue] != nil else {
      beginFlight(id, instance, endpoint, key, at: now)
      return
    }
    guard let place = place(of: id) else { return }
    groups[place.group].requests[place.index].authorized = .max
    touch(place.group)
  }

  /// Takes in that the app has answered the asking for authorization.
  mutating func authorize(_ id: RequestID, isGiven: Bool, at now: Int64) {
    guard isGiven else {
      lines.remove(id.rawValue)
      end(id, .unauthorized, at: now)
      return
    }
    guard let place = place(of: id) else { return }
    groups[place.group].requests[place.index].authorized = now
    touch(place.group)
  }

  /// Takes in that the client asks for the cancellation of a request.
  mutating func cancel(_ id: RequestID, at now: Int64) {
    lines.update(id.rawValue) { $0.isCancelled = true }
    guard let place = place(of: id), groups[place.group].requests[place.index].isOutstanding else { return }
    groups[place.group].requests[place.index].cancelled = now
    groups[place.group].requests[place.index].cancelOrder = order
    groups[place.group].requests[place.index].endOrder = order
    touch(place.group)
  }

  /// Takes in that the transport gives the client an outcome.
  mutating func complete(_ id: RequestID, _ completion: RequestCompletion, at now: Int64) {
    if let line = lines[id.rawValue] {
      // Patience that comes late, or after the client has given up, is nobody's.
      if let patience = line.patience, now <= line.deadline {
        let isDoubtful =
          line.isCancelled || now == line.deadline
          || instances[Int(line.instance.rawValue)].lastCancellation == now
        if !line.isCancelled || isOver(id, at: now) {
          instances[Int(line.instance.rawValue)].gates[line.family].close(
            for: patience, at: now, isDoubtful: isDoubtful)
        }
      }
      lines.remove(id.rawValue)
    }
    end(id, RequestEnd(completion), at: now)
  }

  /// Whether a request that was cancelled was so in this very instant.
  private func isOver(_ id: RequestID, at now: Int64) -> Bool {
    guard let place = place(of: id) else { return false }
    return groups[place.group].requests[place.index].cancelled == now
  }

  /// An answer counts if it came no later than the deadline and no later than the instant of a cancellation.
  private mutating func end(_ id: RequestID, _ end: RequestEnd, at now: Int64) {
    guard let place = place(of: id) else { return }
    let request = groups[place.group].requests[place.index]
    guard request.completed == .max, request.cancelled >= now else { return }
    groups[place.group].requests[place.index].completed = now
    groups[place.group].requests[place.index].end = end
    groups[place.group].requests[place.index].endOrder = min(request.endOrder, order)
    touch(place.group)
    if case .good(let serial) = end, now <= request.deadline {
      receive(serial, request, group: place.group, at: now)
    }
  }

  /// Ends a flight that was authorized in this instant and has sent nothing: the service had asked for patience, or its
  /// last waiter was cancelled.
  mutating func settleUnsent(in group: Int, at now: Int64) {
    for index in groups[group].requests.indices {
      guard groups[group].requests[index].authorized <= now, groups[group].requests[index].completed == .max
      else {
        continue
      }
      groups[group].requests[index].completed = now
      groups[group].requests[index].end = .withheld
      groups[group].requests[index].endOrder = min(groups[group].requests[index].endOrder, order)
    }
  }

  private mutating func start(_ id: RequestID, _ instance: InstanceID, _ key: RequestKey, at now: Int64) {
    let group = self.group(instance, key)
    let deadline = now + facts.requestTimeout
    let sequence = groups[group].append(
      RequestRecord(id: id, started: now, order: order, instant: instant, deadline: deadline))
    remember(Deadline(instant: deadline, group: Int32(group)), of: id, sequence)
    touch(group)
  }
}
