/// A counter that tells answers of the present from answers of the past (BEHAVIOUR rule 1.4).
///
/// It moves whenever what was asked before must no longer be kept: at an invalidation, and at a change of reader, even
/// back to the same one. Whoever starts a request takes the epoch along, and its answer is applied only if the epoch
/// is still the current one, compared in the same critical section that applies it.
public struct EpochFence: Sendable {
  /// One epoch of a client.
  public struct Epoch: Hashable, Sendable {
    let number: UInt64
  }

  /// The present epoch.
  public private(set) var current = Epoch(number: 0)

  /// Creates a fence in its first epoch.
  public init() {}

  /// Begins a new epoch: whatever belongs to an earlier one is from now on fenced.
  public mutating func advance() { current = Epoch(number: current.number + 1) }
}
