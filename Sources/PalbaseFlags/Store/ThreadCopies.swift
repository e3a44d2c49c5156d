import CThreadSlot
import Palbase

/// Each thread's own references to the records it reads.
///
/// **The idea.** A record is immutable, so reading it needs no lock. Getting hold of it is the costly part: a reference that
/// all threads share has one count that all of them change, and they wait for each other's caches (measured: 76–91 ns a read
/// with two threads against 55 with one, DESIGN §3). So every thread keeps a reference of its own, and a read compares two
/// words with what they were when the reference was taken: the generation of the record and the epoch of the reader. Nothing
/// that is shared is written.
///
/// **The parts.** One thread-local pointer for the process leads to a small table, in which a client has the place of its
/// number's low bits; clients that share a place push each other out, which costs one lock. A thread that ends releases
/// its table. A client that closes empties its place on the thread that closes it; what other threads still hold is an
/// outdated record each, which they let go of when they next use the place.
///
/// **Why it is safe.** The table is touched by its own thread only, never across a suspension, and never while foreign code
/// runs: reads copy a flag out and are done with the table. References in it are counted by hand, so that a read counts
/// nothing.
enum ThreadCopies {
  /// One client's record, as a thread last found it.
  @safe private struct Place {
    /// The client; 0 means that the place is empty.
    var number: UInt64 = 0
    var generation: UInt64 = 0
    var epoch: UInt64 = 0
    var gate: Unmanaged<FlagsGate>?
    var keeper: Unmanaged<IdentityKeeper>?
    var record: Unmanaged<FlagsRecord>?

    /// Lets go of what the place holds.
    mutating func clear() {
      let (oldGate, oldRecord) = unsafe (gate, record)
      self = Place()
      unsafe oldGate?.release()
      unsafe oldRecord?.release()
    }
  }

  /// How many clients a thread remembers at most; a power of two.
  private static let placeCount = 8

  /// Reads the record of a client on the calling thread.
  ///
  /// - Complexity: O(1) and the body; takes a lock only after the record has moved.
  /// - Parameters:
  ///   - number: The client.
  ///   - body: Reads the record; must neither suspend nor call what it does not know.
  /// - Returns: What the body gave; nil if there is no record of the present reader.
  @inline(__always)
  static func read<Result>(_ number: UInt64, _ body: (FlagsRecord) -> Result?) -> Result? {
    guard let record = unsafe present(number) ?? renewed(number) else { return nil }
    return unsafe record._withUnsafeGuaranteedRef { body($0) }
  }

  /// The record that the calling thread holds, if it is still the one to read.
  ///
  /// The body of a read is not part of it, nor of `renewed`: what a closure captures would be counted in every read.
  @inline(__always)
  private static func present(_ number: UInt64) -> Unmanaged<FlagsRecord>? {
    guard let table = unsafe stampede_thread_slot_get() else { return nil }
    let place = unsafe table.assumingMemoryBound(to: Place.self) + Int(number & UInt64(placeCount - 1))
    guard unsafe place.pointee.number == number, let gate = unsafe place.pointee.gate,
      let keeper = unsafe place.pointee.keeper,
      unsafe gate._withUnsafeGuaranteedRef({ $0.present }) == place.pointee.generation,
      unsafe keeper._withUnsafeGuaranteedRef({ $0.epoch }) == place.pointee.epoch
    else { return nil }
    return unsafe place.pointee.record
  }

  /// Takes hold of the record as it is now; nil if there is none of the present reader.
  @inline(never)
  private static func renewed(_ number: UInt64) -> Unmanaged<FlagsRecord>? {
    guard let gate = FlagsStore.of(number)?.gate else {
      forget(number)
      return nil
    }
    // The number before the record: a record that comes in between is then read anew once more than needed.
    let generation = gate.present
    let record = gate.record
    let held = unsafe hold(record, of: gate, generation, for: number)
    // The record of an earlier reader is none: a gate on a flag closes with the step of the change.
    return record.epoch == gate.keeper.epoch ? unsafe held : nil
  }

  private static func hold(
    _ record: FlagsRecord, of gate: FlagsGate, _ generation: UInt64, for number: UInt64
  ) -> Unmanaged<FlagsRecord> {
    let held = unsafe Unmanaged.passRetained(record)
    let place = unsafe table() + Int(number & UInt64(placeCount - 1))
    unsafe place.pointee.clear()
    unsafe place.pointee = Place(
      number: number, generation: generation, epoch: record.epoch, gate: .passRetained(gate),
      keeper: .passUnretained(gate.keeper), record: held)
    return unsafe held
  }

  private static func table() -> UnsafeMutablePointer<Place> {
    if let table = unsafe stampede_thread_slot_get() {
      return unsafe table.assumingMemoryBound(to: Place.self)
    }
    let table = UnsafeMutablePointer<Place>.allocate(capacity: placeCount)
    unsafe table.initialize(repeating: Place(), count: placeCount)
    unsafe stampede_thread_slot_set(table) { unsafe ThreadCopies.release($0) }
    return unsafe table
  }

  /// Ends the table of a thread that ends.
  private static func release(_ pointer: UnsafeMutableRawPointer) {
    let table = unsafe pointer.assumingMemoryBound(to: Place.self)
    for index in 0..<placeCount { unsafe table[index].clear() }
    unsafe table.deinitialize(count: placeCount)
    unsafe table.deallocate()
  }

  /// Lets go of a client's record on the calling thread.
  ///
  /// - Parameter number: The client.
  static func forget(_ number: UInt64) {
    guard let table = unsafe stampede_thread_slot_get() else { return }
    let place = unsafe table.assumingMemoryBound(to: Place.self) + Int(number & UInt64(placeCount - 1))
    if unsafe place.pointee.number == number { unsafe place.pointee.clear() }
  }
}
