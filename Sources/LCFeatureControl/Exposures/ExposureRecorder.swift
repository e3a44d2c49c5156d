import ClientCore
import Synchronization

/// The shell around `ExposureBuffer`: it owns the lock and the requests, and decides nothing.
///
/// A flush runs in the task of the call that asked for it. If that task is cancelled the call returns at once: the request
/// under way is cancelled and its batch counts as failed, since the service may have taken it; what had not been tried
/// waits for the next flush.
final class ExposureRecorder: Sendable {
  private typealias Waiter = CheckedContinuation<Bool, Never>
  private typealias Buffer = ExposureBuffer<RecordedExposure, Waiter>

  private let exchange: Exchange
  private let desk: RequestDesk<Void>
  private let buffer = Mutex(Buffer())

  init(_ exchange: Exchange) {
    self.exchange = exchange
    desk = RequestDesk(exchange)
  }

  /// The account of everything recorded so far.
  var counts: FeatureControlExposureCounts { buffer.withLock { $0.counts } }

  /// Takes in an event, with the time of day as its time stamp.
  func record(_ event: FeatureControlExposureEvent) {
    // One value that JSON cannot hold would spoil the whole batch: it is refused here, where it concerns itself only.
    guard event.attributes.values.allSatisfy(\.isWritable) else {
      buffer.withLock { $0.refuse() }
      return
    }
    let recorded = RecordedExposure(event: event, occurredAt: exchange.environment.wallClock.now)
    buffer.withLock { $0.record(recorded) }
  }

  /// Sends what waits now, after any flush that is under way.
  func flush() async {
    guard await waitForTurn() else { return }
    while !Task.isCancelled, desk.refusal() == nil {
      let batch = buffer.withLock { $0.nextBatch() }
      if batch.isEmpty { break }
      let end = await send(batch)
      buffer.withLock { $0.settle(batch, end) }
      if case .untried = end { break }
    }
    buffer.withLock { $0.finish() }?.resume(returning: true)
  }

  /// Drops what waits and ends what is under way.
  func close() {
    let waiters = buffer.withLock { $0.close() }
    desk.close()
    for waiter in waiters { waiter.resume(returning: false) }
  }

  /// Waits until no other flush is under way.
  ///
  /// - Returns: Whether it is this call's turn; false if its task is cancelled first or the client closed.
  private func waitForTurn() async -> Bool {
    let ticket = buffer.withLock { $0.makeTicket() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        let turn = buffer.withLock { buffer in
          // A task is marked cancelled before its handler runs: either this sees the mark or `leave` finds the waiter.
          Task.isCancelled ? .never : buffer.enter(ticket, waiter)
        }
        switch turn {
        case .now: waiter.resume(returning: true)
        case .never: waiter.resume(returning: false)
        case .later: break
        }
      }
    } onCancel: {
      buffer.withLock { $0.leave(ticket) }?.resume(returning: false)
    }
  }

  private func send(_ batch: [RecordedExposure]) async -> Buffer.BatchEnd {
    let url = exchange.configuration.url(exchange.configuration.telemetryPath)
    let outcome = await desk.run {
      TransportRequest.json(.post, url, body: RecordedExposure.body(of: batch))
    } read: { response throws(FeatureControlError) in
      try ErrorEnvelope.acknowledge(response)
    }
    switch outcome {
    case .answered: return .acknowledged
    case .failed(_, let wasSent): return wasSent ? .failed : .givenUp
    case .cancelled(let wasSent): return wasSent ? .failed : .untried
    case .withheld: return .untried
    }
  }
}
