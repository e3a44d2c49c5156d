import Events
import ScenarioFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Draws durations in the four forms of a scenario (DESIGN §4), in nanoseconds.
///
/// Uniform delays practically never hit the instants at which caches expire and deadlines pass, so bugs that need a
/// tie stay hidden for ever. The boundary form draws around exactly those instants, one nanosecond before, at, and
/// after each. In every form the choice 0 is the shortest duration.
struct LatencySampler: Sendable {
  /// Durations at which the client's behaviour changes: TTL, its double, the request timeout, the waits that the service
  /// asks for.
  private let edges: [Int64]
  private let span: Int64

  init(ttl: Int64, timeout: Int64, retryDelays: [Int64] = []) {
    var edges: [Int64] = [0, 1]
    let instants = Set([timeout, ttl, ttl * 2] + retryDelays.filter { $0 <= 4 * max(ttl, timeout) })
    for edge in instants.sorted() where edge > 0 { edges += [edge - 1, edge, edge + 1] }
    self.edges = edges
    span = max(1, timeout)
  }

  /// Draws one duration.
  ///
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - latency: Its form.
  ///   - stage: Where the choice comes from.
  ///   - label: The stream of the choice.
  /// - Returns: Nanoseconds, not negative.
  func sample(_ latency: Latency, on stage: some Stage, _ label: ChoiceLabel = .latency) -> Int64 {
    switch latency {
    case .fixed(let duration): return duration.nanoseconds
    case .uniform(let min, let max):
      let width = UInt64(max.nanoseconds - min.nanoseconds) + 1
      return min.nanoseconds + Int64(stage.draw(upTo: width, label))
    case .lognormal(let median, let p99):
      let draw = stage.draw(upTo: 1 << 32, label)
      let quantile = (Double(draw) + 0.5) / 4_294_967_296
      let sigma = log(Double(p99.nanoseconds) / Double(median.nanoseconds)) / 2.326_347_874_040_841
      let value = Double(median.nanoseconds) * exp(sigma * Self.normalQuantile(quantile))
      // Whole microseconds, so that the last bit of another C library's exp does not make another run.
      return Int64((value / 1000).rounded()) * 1000
    case .boundary:
      let index = Int(stage.draw(upTo: UInt64(edges.count) + 1, label))
      return index < edges.count ? edges[index] : Int64(stage.draw(upTo: UInt64(span), label))
    }
  }

  /// The quantile function of the standard normal distribution, by bisection of `erfc`: exact to the last few bits,
  /// monotone, and a microsecond is nothing beside what a request costs.
  static func normalQuantile(_ probability: Double) -> Double {
    var low = -8.0
    var high = 8.0
    for _ in 0..<52 {
      let middle = (low + high) / 2
      if 0.5 * erfc(-middle / 2.0.squareRoot()) < probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

extension Duration {
  /// The whole nanoseconds of a duration that a scenario gave.
  var nanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
