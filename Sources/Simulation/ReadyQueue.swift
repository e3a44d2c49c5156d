import Events

/// The jobs that could run now, oldest first, in a ring over raw storage.
///
/// A strategy takes any of them in O(1): the chosen job changes places with the oldest one, which is then removed.
/// Choosing 0 every time is therefore exactly first-in, first-out.
///
/// Raw storage because an array of a struct with a job costs a uniqueness check and a retain on each access; this
/// loop runs a million times a second. Owned by one `Scheduler`, touched only by the thread that runs it.
struct ReadyQueue: ~Copyable {
  /// A job and the number it got when it was enqueued, by which the digest knows it.
  struct Entry {
    var job: UnownedJob
    var sequence: UInt64
  }

  private var storage: UnsafeMutablePointer<Entry>
  private var capacity: Int
  private var head = 0
  private(set) var count = 0

  init() {
    capacity = 256
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  mutating func append(_ entry: Entry) {
    if count == capacity { grow() }
    (storage + ((head + count) & (capacity - 1))).initialize(to: entry)
    count += 1
  }

  /// Removes and returns the job at `index`, counted from the oldest.
  mutating func take(at index: Int) -> Entry {
    let chosen = storage + ((head + index) & (capacity - 1))
    let oldest = storage + head
    let entry = chosen.pointee
    if index != 0 { chosen.pointee = oldest.pointee }
    head = (head + 1) & (capacity - 1)
    count -= 1
    return entry
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
    for offset in 0..<count {
      (larger + offset).initialize(to: (storage + ((head + offset) & (capacity - 1))).pointee)
    }
    storage.deallocate()
    storage = larger
    capacity *= 2
    head = 0
  }
}
