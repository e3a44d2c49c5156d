/// What became of the events of a client so far.
///
/// At every moment `recorded == sent + dropped + pending`: no event is lost without being counted.
public struct AnalyticsCounts: Sendable, Equatable {
  /// Events handed to the client while the person allowed analytics, refused ones included.
  public let recorded: Int
  /// Events that the service has acknowledged.
  public let sent: Int
  /// Events given up: refused at recording, too many, refused by the service, emptied by a withdrawn consent, or left at
  /// the end.
  public let dropped: Int
  /// Events that wait or are in the request under way; at most 1,000.
  public let pending: Int

  /// Creates an account.
  ///
  /// - Parameters:
  ///   - recorded: Events handed to the client.
  ///   - sent: Events that the service has acknowledged.
  ///   - dropped: Events given up.
  ///   - pending: Events that wait or are under way.
  public init(recorded: Int = 0, sent: Int = 0, dropped: Int = 0, pending: Int = 0) {
    self.recorded = recorded
    self.sent = sent
    self.dropped = dropped
    self.pending = pending
  }
}
