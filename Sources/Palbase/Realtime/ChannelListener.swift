import ClientCore

/// Hears what happens on a channel it has joined.
///
/// Called with no lock held, in the order in which the frames came.
package protocol ChannelListener: AnyObject, Sendable {
  /// The project has let the listener onto the channel.
  ///
  /// - Parameters:
  ///   - topic: The channel.
  ///   - isRejoin: Whether it had been on it before, so that something may have been missed.
  func joined(_ topic: String, isRejoin: Bool)

  /// Something was said on the channel.
  ///
  /// - Parameters:
  ///   - event: What kind of thing.
  ///   - payload: What was said.
  ///   - topic: The channel.
  func received(_ event: String, payload: JSONValue, topic: String)

  /// The project does not let the listener onto the channel; it is asked again on the next connection.
  ///
  /// - Parameter topic: The channel.
  func refused(_ topic: String)
}
