import Foundation

/// The wall clock of the device.
public struct LiveWallClock: WallClock {
  /// Creates the clock.
  public init() {}

  /// The time of day as the device has it, to the microsecond.
  public var now: WallTime {
    // A Double of seconds since 1970 carries about a quarter of a microsecond; more digits would be invented.
    let microseconds = (Date().timeIntervalSince1970 * 1_000_000).rounded()
    return WallTime(sinceEpoch: .microseconds(Int64(microseconds)))
  }
}
