/// How hard a fleet may hit its service (invariant `fleet`).
public struct FleetSpec: Sendable, Equatable {
  /// How many times the mean rate of arrivals outside the minutes after marks the peak second after a mark may be (α), in
  /// thousandths.
  public let alphaThousandths: Int
  /// How many requests there may be for each need (β), in thousandths.
  public let betaThousandths: Int
  /// Over how long the fleet's timers are spread, for the case that nothing arrives outside the minutes after marks.
  public let jitterWindow: Duration

  /// Creates bounds.
  ///
  /// - Parameters:
  ///   - alphaThousandths: α in thousandths, more than zero.
  ///   - betaThousandths: β in thousandths, more than zero.
  ///   - jitterWindow: Over how long the fleet's timers are spread; more than zero.
  public init(alphaThousandths: Int, betaThousandths: Int, jitterWindow: Duration) {
    self.alphaThousandths = alphaThousandths
    self.betaThousandths = betaThousandths
    self.jitterWindow = jitterWindow
  }
}
