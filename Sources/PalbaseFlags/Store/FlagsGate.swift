import Palbase
import Synchronization

/// What reads look at to know whether the record they hold a copy of is still the one to read.
///
/// Two words that many threads read and few writes change: the generation moves with every new record, the epoch with
/// every change of reader. The lock guards no more than the copying of one reference, and a thread takes it once for each
/// generation.
final class FlagsGate: Sendable {
  private let generation = Atomic<UInt64>(1)
  private let published: Mutex<FlagsRecord>
  /// Says which epoch is the present one; it outlives the client without keeping anything else of it.
  let keeper: IdentityKeeper

  init(_ record: FlagsRecord, keeper: IdentityKeeper) {
    published = Mutex(record)
    self.keeper = keeper
  }

  /// The number of the present record.
  var present: UInt64 { generation.load(ordering: .acquiring) }

  /// The present record, at least as new as every generation seen before the call.
  var record: FlagsRecord { published.withLock { $0 } }

  /// Makes a record the present one.
  func publish(_ record: FlagsRecord) {
    published.withLock { $0 = record }
    // After the record: who sees the number finds the record.
    generation.wrappingAdd(1, ordering: .releasing)
  }
}
