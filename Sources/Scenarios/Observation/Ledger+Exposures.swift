// What is counted of exposures and the batches that carry them.

extension Ledger {
  /// Counts an exposure that a reader recorded.
  func exposureRecorded(_ group: Int, at time: Int64) {
    write(group, at: time) { books, index in
      books.store.add(1, to: books.exposureHandles(index).recorded, at: time)
    }
  }

  /// Counts a batch that was sent.
  func batch(of size: Int, _ group: Int, at time: Int64) {
    write(group, at: time) { books, index in
      let handles = books.exposureHandles(index)
      books.store.add(1, to: handles.batches, at: time)
      books.store.record(Int64(size), in: handles.batchSize, at: time)
    }
  }

  /// Counts what became of the exposures of a batch: acknowledged, or dropped with it.
  func outcome(of exposures: [UInt64], isAcknowledged: Bool, _ line: RequestLine) {
    if exposures.isEmpty { return }
    write(line.group, at: line.started) { books, index in
      let handles = books.exposureHandles(index)
      books.store.add(
        Int64(exposures.count), to: isAcknowledged ? handles.sent : handles.dropped, at: line.started)
    }
  }

  /// Counts, when the clients are closed, exposures that one dropped without sending them.
  func exposuresDropped(_ count: Int, at time: Int64) {
    if count == 0 { return }
    write(-1, at: whatCounts(at: time)) { books, index in
      books.store.add(Int64(count), to: books.exposureHandles(index).dropped, at: time)
    }
  }
}
