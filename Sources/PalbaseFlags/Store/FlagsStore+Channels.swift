import ClientCore
import Palbase

// The change channels: one of the project, one of the reader (BEHAVIOUR §3, realtime).

extension FlagsStore: ChannelListener {
  static let projectTopic = "flags:project"

  /// The channel of a reader.
  ///
  /// - Parameter id: The id of the user, or of the install.
  /// - Returns: The topic.
  static func topic(ofReader id: String) -> String { "flags:reader:" + id }

  /// Leaves the channel of the reader before and joins those of this one.
  func follow(_ identity: PalbaseIdentity) {
    if let id = identity.userID ?? core.knownInstall?.id { return join(identity, id) }
    leaveReaderChannel()
    _ = core.environment.spawner.spawn { [self] in
      guard let install = await core.install() else { return }
      join(identity, install.id)
    }
  }

  private func join(_ identity: PalbaseIdentity, _ id: String) {
    let topic = Self.topic(ofReader: id)
    let (isDue, left) = state.withLock { state in
      let machine = state.machine
      // The reader may have changed again while the install's name was looked up.
      guard machine.phase != .closed, machine.identity.epoch == identity.epoch else {
        return (false, String?.none)
      }
      let left = state.topic == topic ? nil : state.topic
      state.topic = topic
      return (true, left)
    }
    guard isDue else { return }
    if let left { core.socket.leave(left) }
    core.socket.join(Self.projectTopic, listener: self)
    core.socket.join(topic, listener: self)
  }

  private func leaveReaderChannel() {
    let left = state.withLock { state in
      defer { state.topic = nil }
      return state.topic
    }
    if let left { core.socket.leave(left) }
  }

  /// Leaves both channels, at the end.
  func leaveChannels() {
    leaveReaderChannel()
    core.socket.leave(Self.projectTopic)
  }

  // MARK: ChannelListener

  func joined(_ topic: String, isRejoin: Bool) {
    guard isCurrent(topic) else { return }
    step { $0.machine.joined() }
  }

  func received(_ event: String, payload: JSONValue, topic: String) {
    guard event == "flags_changed", isCurrent(topic) else { return }
    let version: Int64? =
      if case .number(let number)? = payload["version"], number >= 0 { Int64(exactly: number) } else { nil }
    let now = core.environment.clock.now
    step { $0.machine.notice(version: version, isProjectWide: topic == Self.projectTopic, at: now) }
  }

  /// A channel that the project refuses still leaves the reads: `refresh()` brings the values up to date (seed).
  func refused(_ topic: String) {}

  private func isCurrent(_ topic: String) -> Bool {
    topic == Self.projectTopic || state.withLock { $0.topic == topic }
  }
}
