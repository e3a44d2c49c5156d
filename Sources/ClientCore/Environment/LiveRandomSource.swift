/// The random numbers of the operating system.
public struct LiveRandomSource: RandomSource {
  /// Creates the source.
  public init() {}

  /// Returns the next number of the system's generator.
  public func next() -> UInt64 {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
}
