extension Event: CustomStringConvertible {
  /// The event as a sentence, with the numbers by which other lines name the same things.
  public var description: String {
    switch self {
    case .callBegan(let call, let reader, let instance, let operation, let key):
      let what = key.map { " of request shape \($0.request)" } ?? ""
      return "reader \(reader.rawValue) begins call \(call.rawValue): \(operation)\(what) on instance "
        + "\(instance.rawValue)"
    case .callCancelled(let call): return "the reader cancels call \(call.rawValue)"
    case .callReturned(let call, let outcome): return "call \(call.rawValue) returns \(outcome)"
    case .requestStarted(let request, let instance, let endpoint, let key):
      let shape = key.map { " of shape \($0.request)" } ?? ""
      return "instance \(instance.rawValue) starts request \(request.rawValue)\(shape) to \(endpoint)"
    case .requestArrived(let request): return "request \(request.rawValue) arrives at the service"
    case .answerProduced(let request, let serial, let status):
      return
        "the service answers request \(request.rawValue) with status \(status), serial \(serial.rawValue)"
    case .requestCancelled(let request): return "the client cancels request \(request.rawValue)"
    case .requestCompleted(let request, let completion): return "request \(request.rawValue) \(completion)"
    case .published(let version): return "the service publishes version \(version)"
    case .instanceClosed(let instance): return "instance \(instance.rawValue) closes its client"
    case .leftover(let instance, let kind, let count):
      let place = instance.map { "instance \($0.rawValue)" } ?? "the process"
      return "\(place) has left: \(count) \(kind == .memory ? "bytes of memory" : "\(kind)(s)")"
    case .escaped(let escape): return "a step put work outside the simulation: \(escape)"
    case .reran(let first, let second):
      return "a second run of the seed has digest \(second.hexadecimal), the first \(first.hexadecimal)"
    case .flightBegan(let request, let instance, let endpoint, let key):
      let shape = key.map { " of shape \($0.request)" } ?? ""
      return
        "instance \(instance.rawValue) asks for the authorization of request \(request.rawValue)\(shape) to "
        + "\(endpoint)"
    case .authorized(let request, let token):
      return "request \(request.rawValue) " + (token.map { "may carry token \($0)" } ?? "gets no token")
    case .tokenSent(let request, let token):
      return "request \(request.rawValue) carries " + (token.map { "token \($0)" } ?? "no token")
    case .requestFlawed(let request, let flaw):
      return "the service finds fault with the \(flaw) of request \(request.rawValue)"
    case .patienceAsked(let request, let nanoseconds):
      return "the answer to request \(request.rawValue) asks for \(nanoseconds) ns of patience"
    case .answerShaped(let serial, let omitted, let undecodable):
      return "answer \(serial.rawValue) leaves out keys \(omitted) and garbles keys \(undecodable)"
    case .pageDelivered(let request, let call, let page):
      return
        "request \(request.rawValue) brings call \(call.rawValue) a page of \(page.items.count) notifications"
        + (page.next == nil ? ", the last" : "")
    case .batchSent(let request, let exposures):
      return "request \(request.rawValue) carries \(exposures.count) exposures"
    case .exposureRecorded(let call, let instance, let number):
      return "call \(call.rawValue) records exposure \(number) on instance \(instance.rawValue)"
    case .exposuresCounted(let instance, let tally):
      return
        "instance \(instance.rawValue) counts \(tally.dropped) exposures dropped, \(tally.failed) failed, "
        + "\(tally.pending) waiting"
    case .marked(let mark): return "a mark: \(mark)"
    case .healed(let largestLatency):
      return "all faults are over; the largest latency was \(largestLatency) ns"
    case .recoveryAwaited(let instance): return "instance \(instance.rawValue) is asked until it is answered"
    case .recovered(let instance, let differing):
      return "instance \(instance.rawValue) has an answer of the service; \(differing) keys differ"
    case .stalled: return "time stands still: something repeats without a delay"
    case .device(let event): return "\(event)"
    }
  }
}

extension CallOutcome: CustomStringConvertible {
  /// The outcome in a few words.
  public var description: String {
    switch self {
    case .answered(let answers):
      let parts = answers.map { answer in
        "key \(answer.key) \(answer.origin)" + (answer.serial.map { " of serial \($0.rawValue)" } ?? "")
          + (answer.isIntact ? "" : ", altered")
      }
      return "[\(parts.joined(separator: ", "))]"
    case .failed(let kind, let status): return "error \(kind)" + (status == 0 ? "" : " (\(status))")
    case .cancelled: return "CancellationError"
    case .finished: return "nothing"
    case .listed(let items, let isComplete):
      return "\(items.count) notifications" + (isComplete ? "" : ", and stops there")
    }
  }
}

extension RequestCompletion: CustomStringConvertible {
  /// The end of a request as a predicate.
  public var description: String {
    switch self {
    case .answered(let status, let serial):
      "brings the client status \(status)" + (serial.map { ", serial \($0.rawValue)" } ?? "")
    case .lost: "is lost"
    case .cancelled: "ends cancelled"
    }
  }
}

extension EventTrail.Entry: CustomStringConvertible {
  /// The time in seconds, the step and the event.
  public var description: String {
    let seconds = stamp.nanoseconds / 1_000_000_000
    let rest = String(stamp.nanoseconds % 1_000_000_000)
    let fraction = String(repeating: "0", count: 9 - rest.count) + rest
    return "\(seconds).\(fraction) s  step \(stamp.step)  \(event)"
  }
}
