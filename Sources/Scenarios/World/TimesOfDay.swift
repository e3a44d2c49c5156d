import ClientCore
import Synchronization

/// The times of day of a run: the service's, which begins at noon, 1 January 2026, and goes with the run's clock, and the
/// devices', which somebody may set.
final class TimesOfDay: WallClock {
  private static let origin: Int64 = 1_767_268_800

  private let stage: any Stage
  /// How far the devices' clock is ahead, in nanoseconds.
  private let lead = Atomic<Int64>(0)

  init(_ stage: any Stage) { self.stage = stage }

  /// The devices' time of day.
  var now: WallTime { WallTime(sinceEpoch: .nanoseconds(device)) }

  /// The devices' time of day, in nanoseconds since 1970.
  var device: Int64 { Self.origin * 1_000_000_000 + stage.now + lead.load(ordering: .relaxed) }

  /// The service's time of day, in whole seconds since 1970.
  var service: Int64 { Self.origin + stage.now / 1_000_000_000 }

  /// The service's time of day, in nanoseconds since 1970.
  var serviceNanoseconds: Int64 { Self.origin * 1_000_000_000 + stage.now }

  /// Sets the devices' clock forward, or back by a negative number of nanoseconds.
  func jump(by nanoseconds: Int64) { lead.add(nanoseconds, ordering: .relaxed) }
}
