import ClientCore
import Palbase

/// Keeps the record of the device up with the one in memory: one task at a time, off every caller's path.
///
/// What is to be done is a single place that newer wishes overwrite, so bursts of answers are written once. Keeping and removing
/// go the same way, in order: what was held of one reader can never be written after it was removed for the next.
/// A full or broken disk is tried again with gaps, because a record of an earlier reader must not stay on it.
enum RecordWriter {
  enum Wish: Sendable, Equatable {
    /// The record in memory, whatever it is when the writing begins.
    case keep
    case remove
  }

  struct State {
    var pending: Wish?
    var isBusy = false
    var backoff = Backoff()
    var failures = 0
    /// Waits until a failed wish is tried again.
    var retry: SpawnedTask?
    var isClosed = false

    mutating func close() {
      isClosed = true
      pending = nil
      retry = nil
    }
  }
}

extension FlagsStore {
  /// Sees to it that what is to be done is done, by the task that is at it or by a new one.
  func write() {
    let (begins, waiting) = state.withLock { state in
      let begins = state.writer.pending != nil && !state.writer.isBusy && !state.writer.isClosed
      if begins { state.writer.isBusy = true }
      defer { state.writer.retry = nil }
      return (begins, state.writer.retry)
    }
    waiting?.cancel()
    guard begins else { return }
    _ = core.environment.spawner.spawn { [self] in await runWriter() }
  }

  private func runWriter() async {
    while let (wish, record) = nextWish() {
      do {
        switch wish {
        case .remove: try await core.environment.storage.remove(RecordFile.name)
        case .keep: try await keep(record)
        }
        state.withLock { $0.writer.backoff.reset() }
      } catch {
        return retry(wish)
      }
    }
  }

  private func nextWish() -> (RecordWriter.Wish, FlagsRecord)? {
    state.withLock { state in
      guard let wish = state.writer.pending, !state.writer.isClosed else {
        state.writer.isBusy = false
        return nil
      }
      state.writer.pending = nil
      return (wish, state.machine.record)
    }
  }

  private func keep(_ record: FlagsRecord) async throws {
    let identity = record.identity
    let install = identity.userID == nil ? await core.install() : nil
    guard let reader = RecordFile.reader(identity, install: install) else { return }
    let bytes = file.bytes(of: record, reader: reader)
    // Compared in the step that hands the bytes over: after a change of reader nothing of the old one is written.
    guard core.epoch == identity.epoch, !state.withLock({ $0.writer.isClosed }) else { return }
    try await core.environment.storage.replace(RecordFile.name, with: bytes)
  }

  private func retry(_ wish: RecordWriter.Wish) {
    let random = core.environment.random.next()
    let gap = state.withLock { state -> Duration? in
      state.writer.isBusy = false
      state.writer.failures += 1
      if state.writer.isClosed { return nil }
      if state.writer.pending == nil { state.writer.pending = wish }
      return state.writer.backoff.nextGap(random: random)
    }
    guard let gap else { return }
    let deadline = core.environment.clock.now.advanced(by: gap)
    let task = core.environment.spawner.spawn { [self] in
      guard (try? await core.environment.clock.sleep(until: deadline)) != nil else { return }
      write()
    }
    let isOver = state.withLock { state in
      // A newer wish has begun meanwhile, or everything has ended.
      if state.writer.isBusy || state.writer.isClosed || state.writer.pending == nil { return true }
      state.writer.retry = task
      return false
    }
    if isOver { task.cancel() }
  }
}
