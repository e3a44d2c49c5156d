import Synchronization

/// Gives random numbers: for jitter, for identifiers and for the secret of an install.
///
/// What an app uses must therefore be as hard to guess as the system's generator; a seeded one is for tests.
public protocol RandomSource: Sendable {
  /// Returns the next number; every 64-bit value is equally likely.
  func next() -> UInt64
}

/// A random source whose numbers a test knows: first the listed ones, then those of a seeded generator.
///
/// The generator is SplitMix64 (Steele, Lea and Flood, 2014): equal seeds give equal numbers on every
/// machine.
public final class ControllableRandomSource: RandomSource {
  private struct State {
    var listed: ArraySlice<UInt64>
    var counter: UInt64
    var drawn = 0
  }

  private let state: Mutex<State>

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - numbers: The numbers given first, in order.
  ///   - seed: The seed of the numbers that follow them.
  public init(_ numbers: [UInt64] = [], seed: UInt64 = 0) {
    state = Mutex(State(listed: numbers[...], counter: seed))
  }

  /// How many numbers were drawn so far.
  public var drawnCount: Int { state.withLock { $0.drawn } }

  /// Returns the next listed number, or the next one of the generator when all are drawn.
  public func next() -> UInt64 {
    state.withLock { state in
      state.drawn += 1
      if let listed = state.listed.popFirst() { return listed }
      state.counter &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state.counter
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}

/// A random source that must not be asked.
public struct UnimplementedRandomSource: RandomSource {
  private let onUse: @Sendable (UnimplementedUse) -> Void

  /// Creates a source that reports each draw.
  ///
  /// - Parameter onUse: Called once for each draw; by default the process ends with a message.
  public init(onUse: @escaping @Sendable (UnimplementedUse) -> Void = UnimplementedUse.trap) {
    self.onUse = onUse
  }

  /// Reports the draw, then returns 0.
  public func next() -> UInt64 {
    onUse(UnimplementedUse(effect: "RandomSource", operation: "next()"))
    return 0
  }
}
