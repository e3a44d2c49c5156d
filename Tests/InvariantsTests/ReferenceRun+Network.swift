import Events
import Invariants

// The network between the clients and the service of a `ReferenceRun`.

extension ReferenceRun {
  /// Runs the task of a flight: it asks for a token or sends at once.
  mutating func start(_ flight: Int) {
    let record = flights[flight]
    let (id, instance) = (RequestID(UInt64(flight)), InstanceID(Int32(record.instance)))
    guard asksForTokens else { return send(flight) }
    emit(.flightBegan(id, instance, .evaluate, record.key))
    let latency = dice.pick([0, 0, 0, 1, 2, timeout - 1, timeout, timeout + 1, 50] as [Int64])
    if record.isOver {
      // Cancelled before it ran: the app is asked all the same, and gives a token or notices.
      emit(latency == 0 ? .authorized(id, token: 1) : .requestCancelled(id))
    } else if latency == 0 {
      authorize(flight)
    } else {
      flights[flight].isStarted = true
      timers.append((now + latency, .authorize(flight: flight)))
    }
  }

  mutating func authorize(_ flight: Int) {
    let id = RequestID(UInt64(flight))
    guard !flights[flight].isAborted else {
      if dice.chance(50) { emit(.requestCompleted(id, .cancelled)) }
      return
    }
    flights[flight].isStarted = false
    let isGiven = !dice.chance(10)
    emit(.authorized(id, token: isGiven ? 1 : nil))
    soon(isGiven ? .send(flight: flight) : .land(flight: flight, .failed(.unauthorized, status: 0)))
  }

  mutating func send(_ flight: Int) {
    let record = flights[flight]
    let (id, instance) = (RequestID(UInt64(flight)), InstanceID(Int32(record.instance)))
    if record.isOver {
      // Cancelled before it left: some transports tell, and then cancel in the same step.
      guard !asksForTokens, dice.chance(30), now >= clients[record.instance].retryAt else { return }
      emit(.requestStarted(id, instance, .evaluate, record.key))
      emit(.requestCancelled(id))
      return
    }
    // Looked at again: an answer may have asked for patience since the flight began.
    guard now >= clients[record.instance].retryAt || bug == .asksDuringRetryAfter else {
      return soon(.land(flight: flight, .failed(.rateLimited, status: 0)))
    }
    flights[flight].isStarted = true
    emit(.requestStarted(id, instance, .evaluate, record.key))
    if asksForTokens { emit(.tokenSent(id, token: 1)) }
    let latency = dice.pick([0, 0, 1, 2, timeout - 1, timeout, timeout + 1, 99, 100, 101, 10_000] as [Int64])
    if latency == 0 {
      soon(.arrive(flight: flight))
    } else {
      timers.append((now + latency, .arrive(flight: flight)))
    }
  }

  mutating func arrive(_ flight: Int) {
    let record = flights[flight]
    let id = RequestID(UInt64(flight))
    guard !record.isDone else { return }
    if record.isAborted, bug != .givesLateAnswer {
      // Some connections don't heed a cancellation; what they bring is too late.
      switch dice.below(3) {
      case 0: emit(.requestCompleted(id, .cancelled))
      case 1: emit(.requestCompleted(id, .answered(status: 200, serial: serial(flight))))
      default: break
      }
      return
    }
    flights[flight].isDone = true
    let fate = dice.below(20)
    switch fate {
    case 0, 1, 2:
      let (status, kind) = dice.pick(
        [
          (400, .invalidContext), (401, .unauthorized), (403, .forbidden), (429, .rateLimited),
          (404, .server), (503, .server),
        ]
          as [(Int, FailureKind)])
      let patience =
        facts.sendsRetryAfter && (status == 429 || status == 503) ? dice.pick([1, 50, 150] as [Int64]) : nil
      if let patience { emit(.patienceAsked(id, nanoseconds: patience)) }
      emit(.requestCompleted(id, .answered(status: status, serial: serial(flight))))
      soon(.land(flight: flight, .failed(kind, status: kind == .server ? status : 0, patience: patience)))
    case 3:
      emit(.requestCompleted(id, .answered(status: 200, serial: nil)))
      soon(
        .land(
          flight: flight, dice.chance(50) ? .failed(.transport, status: 0) : .failed(.server, status: 200)))
    case 4:
      emit(.requestCompleted(id, .lost))
      soon(.land(flight: flight, .failed(.transport, status: 0)))
    default:
      let content = content()
      if !content.omitted.isEmpty || !content.undecodable.isEmpty {
        emit(.answerShaped(serial(flight), omitted: content.omitted, undecodable: content.undecodable))
      }
      emit(.requestCompleted(id, .answered(status: 200, serial: serial(flight))))
      soon(.land(flight: flight, .good(content)))
    }
  }

  /// What a good answer carries.
  mutating func content() -> Content {
    var content = Content()
    guard !facts.answersNameEveryKey else { return content }
    for key in 0..<2 as Range<Int32> {
      switch dice.below(4) {
      case 0: content.omitted.append(key)
      case 1: content.undecodable.append(key)
      default: break
      }
    }
    return content
  }

  mutating func expire(_ flight: Int) {
    guard !flights[flight].isOver, bug != .noDeadline else { return }
    if flights[flight].isStarted, !flights[flight].isDone, !flights[flight].isAborted, dice.chance(30) {
      flights[flight].isAborted = true
      emit(.requestCancelled(RequestID(UInt64(flight))))
      soon(.abort(flight: flight, .failed(.transport, status: 0)))
    } else {
      soon(.land(flight: flight, .failed(.transport, status: 0)))
    }
  }

  mutating func abort(_ flight: Int, _ landing: Landing) { land(flight, landing) }
}
