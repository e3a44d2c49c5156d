import Synchronization

/// A point of wall-clock time, as a distance from 1970-01-01T00:00:00Z without leap seconds.
///
/// For time stamps that leave the process and for dates that come in; freshness, back-off and deadlines are
/// measured on the monotonic clock (BEHAVIOUR rule 1.1).
public struct WallTime: InstantProtocol, CustomStringConvertible {
  /// The distance from 1970-01-01T00:00:00Z, negative before it.
  public var sinceEpoch: Duration

  /// Creates the point at the given distance from 1970-01-01T00:00:00Z.
  ///
  /// - Parameter sinceEpoch: The distance, negative for points before 1970.
  public init(sinceEpoch: Duration) { self.sinceEpoch = sinceEpoch }

  /// Creates the point at a whole number of seconds from 1970-01-01T00:00:00Z.
  ///
  /// - Parameter seconds: Seconds since 1970, negative for points before.
  public init(secondsSinceEpoch seconds: Int64) { self.init(sinceEpoch: .seconds(seconds)) }

  /// Returns the point that lies the given duration later, or earlier if it is negative.
  ///
  /// - Parameter duration: The distance from this point.
  /// - Returns: The other point.
  public func advanced(by duration: Duration) -> WallTime { WallTime(sinceEpoch: sinceEpoch + duration) }

  /// Returns the duration from this point to the other, negative if the other is earlier.
  ///
  /// - Parameter other: The point to measure to.
  /// - Returns: The distance.
  public func duration(to other: WallTime) -> Duration { other.sinceEpoch - sinceEpoch }

  /// Returns whether the left point is earlier than the right one.
  public static func < (left: WallTime, right: WallTime) -> Bool { left.sinceEpoch < right.sinceEpoch }

  /// The distance from 1970 in seconds.
  public var description: String { "\(sinceEpoch) since 1970" }
}

/// Tells the time of day; it may jump in either direction at any moment.
public protocol WallClock: Sendable {
  /// The time of day at this moment.
  var now: WallTime { get }
}

/// A wall clock that shows what a test sets.
public final class ControllableWallClock: WallClock {
  private let time: Mutex<WallTime>

  /// Creates a clock that stands still.
  ///
  /// - Parameter now: The time it shows until it is moved.
  public init(now: WallTime = WallTime(secondsSinceEpoch: 0)) { time = Mutex(now) }

  /// The time that was set last.
  public var now: WallTime { time.withLock { $0 } }

  /// Sets the clock.
  ///
  /// - Parameter now: The time it shows from now on, earlier or later than before.
  public func set(to now: WallTime) { time.withLock { $0 = now } }

  /// Moves the clock, as a person or a time server does.
  ///
  /// - Parameter duration: By how much; negative moves it back.
  public func jump(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}

/// A wall clock that must not be read.
public struct UnimplementedWallClock: WallClock {
  private let onUse: @Sendable (UnimplementedUse) -> Void

  /// Creates a clock that reports each reading.
  ///
  /// - Parameter onUse: Called once for each reading; by default the process ends with a message.
  public init(onUse: @escaping @Sendable (UnimplementedUse) -> Void = UnimplementedUse.trap) {
    self.onUse = onUse
  }

  /// Reports the reading, then shows 1970.
  public var now: WallTime {
    onUse(UnimplementedUse(effect: "WallClock", operation: "now"))
    return WallTime(secondsSinceEpoch: 0)
  }
}
