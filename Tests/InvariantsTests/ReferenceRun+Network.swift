import Events
import Invariants

// The network between the clients and the service of a `ReferenceRun`.

extension ReferenceRun {
  mutating func start(_ flight: Int) {
    if flights[flight].isOver {
      // Cancelled before it left: some transports tell, and then cancel in the same step.
      guard dice.chance(30) else { return }
      emit(
        .requestStarted(
          RequestID(UInt64(flight)), InstanceID(Int32(flights[flight].instance)), .evaluate,
          flights[flight].key))
      emit(.requestCancelled(RequestID(UInt64(flight))))
      return
    }
    flights[flight].isStarted = true
    emit(
      .requestStarted(
        RequestID(UInt64(flight)), InstanceID(Int32(flights[flight].instance)), .evaluate, flights[flight].key
      ))
    let latency = dice.pick([0, 0, 1, 2, timeout - 1, timeout, timeout + 1, 99, 100, 101, 10_000] as [Int64])
    if latency == 0 {
      soon(.arrive(flight: flight))
    } else {
      timers.append((now + latency, .arrive(flight: flight)))
    }
  }

  mutating func arrive(_ flight: Int) {
    let record = flights[flight]
    guard !record.isDone else { return }
    if record.isAborted, bug != .givesLateAnswer {
      if dice.chance(50) { emit(.requestCompleted(RequestID(UInt64(flight)), .cancelled)) }
      return
    }
    flights[flight].isDone = true
    let id = RequestID(UInt64(flight))
    let fate = dice.below(20)
    switch fate {
    case 0, 1, 2:
      let (status, kind) = dice.pick(
        [
          (400, .invalidContext), (401, .unauthorized), (403, .forbidden), (429, .rateLimited),
          (404, .server), (503, .server),
        ]
          as [(Int, FailureKind)])
      emit(.requestCompleted(id, .answered(status: status, serial: serial(flight))))
      if facts.sendsRetryAfter, status == 429 || status == 503 {
        clients[record.instance].retryAt = now + dice.pick([1, 50, 150] as [Int64])
      }
      soon(.land(flight: flight, .failed(kind, status: kind == .server ? status : 0)))
    case 3:
      emit(.requestCompleted(id, .answered(status: 200, serial: nil)))
      soon(
        .land(
          flight: flight, dice.chance(50) ? .failed(.transport, status: 0) : .failed(.server, status: 200)))
    case 4:
      emit(.requestCompleted(id, .lost))
      soon(.land(flight: flight, .failed(.transport, status: 0)))
    default:
      emit(.requestCompleted(id, .answered(status: 200, serial: serial(flight))))
      soon(.land(flight: flight, .good(keys: facts.answersNameEveryKey ? 2 : dice.below(3))))
    }
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
