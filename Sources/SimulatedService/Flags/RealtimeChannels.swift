/// What the service does with a frame from a client.
public enum RealtimeAction: Hashable, Sendable {
  /// The reader is on the channel from now on.
  case joined(FlagsReader)
  /// The channel is refused, for this reason.
  case refused(reason: String)
  /// Nobody is on the channel over this connection from now on.
  case left
  /// The connection is alive.
  case alive
}

extension FlagsProject {
  /// The topic of the socket itself.
  public static let socketTopic = "realtime"

  /// Joins a channel for whoever the credential names.
  ///
  /// `flags:project` takes every valid credential, `flags:reader:<id>` only that reader's own. The credential
  /// is looked at now and not again: a token that expires later does not end the channel.
  /// - Parameters:
  ///   - topic: The channel.
  ///   - payload: The credential: `{"token"}` or `{"install","secret"}`.
  /// - Returns: `joined`, or `refused` with the code of what is wrong.
  public mutating func join(topic: String, payload: AttributeValue) -> RealtimeAction {
    do throws(RequestFlaw) {
      let credential = try FlagsCredential(joining: payload)
      try authorize(credential)
      switch topic {
      case FlagsNotice.projectTopic, credential.reader.topic: return .joined(credential.reader)
      case let topic where topic.hasPrefix("flags:reader:"): return .refused(reason: "forbidden")
      default: return .refused(reason: "unknown_topic")
      }
    } catch {
      return .refused(reason: error.code)
    }
  }

  /// Takes a frame from a client.
  ///
  /// - Complexity: O(*n*) in the size of the payload.
  /// - Parameter frame: The frame.
  /// - Returns: What happens, and the reply to send.
  public mutating func receive(_ frame: RealtimeFrame) -> (action: RealtimeAction, reply: RealtimeFrame) {
    let action: RealtimeAction =
      switch frame.event {
      case "join": join(topic: frame.topic, payload: frame.payload)
      case "leave": .left
      case "heartbeat" where frame.topic == Self.socketTopic: .alive
      default: .refused(reason: "unknown_event")
      }
    guard case .refused(let reason) = action else { return (action, frame.reply()) }
    return (action, frame.reply(refusal: reason))
  }

  /// Looks at a client's frame without acting on it.
  ///
  /// - Complexity: O(*n*) in the size of the payload.
  /// - Parameter frame: The frame.
  /// - Returns: What is wrong with it; nil for nothing. A token that is no longer accepted, and a channel
  ///   that is refused to the reader, are no flaws of the frame.
  public func inspect(_ frame: RealtimeFrame) -> RequestFlaw? {
    guard let ref = frame.ref, !ref.isEmpty else { return RequestFlaw(.content, "missing_ref") }
    switch frame.event {
    case "join":
      do throws(RequestFlaw) {
        return flaw(of: try FlagsCredential(joining: frame.payload))
      } catch {
        return error
      }
    case "leave": return nil
    case "heartbeat":
      return frame.topic == Self.socketTopic ? nil : RequestFlaw(.content, "invalid_topic")
    default: return RequestFlaw(.content, "unknown_event")
    }
  }
}
