/// How long something takes: one of the four forms of DESIGN §4.
public enum Latency: Sendable, Equatable {
  /// Always the same: `"80ms"`.
  case fixed(Duration)
  /// Every duration from `min` to `max`, both included, equally often: `{"min": "10ms", "max": "90ms"}`.
  case uniform(min: Duration, max: Duration)
  /// Lognormal, as measured services are: `{"median": "80ms", "p99": "400ms"}`; `median` > 0, `p99` ≥
  /// `median`.
  case lognormal(median: Duration, p99: Duration)
  /// Around the durations that matter to the client (0, multiples of the TTL, the timeout, each ± 1 ns),
  /// because evenly drawn durations never meet an edge: `{"boundary": true}`.
  case boundary

  /// Whether it is never anything but zero.
  public var isZero: Bool {
    switch self {
    case .fixed(let duration): duration == .zero
    case .uniform(_, let max): max == .zero
    case .lognormal, .boundary: false
    }
  }
}
