// What the people who run a project do with it. Each call returns the notices that the service sends for it:
// none if nothing changed, and then the version stands as well.

extension FlagsProject {
  /// Publishes new defaults.
  ///
  /// Readers for whom something comes before the default see no change, though the version moves.
  /// - Complexity: O(*n*) in the number of flags.
  /// - Parameter keys: The flags, of which undefined ones are passed over; nil for one that the next version
  ///   draws.
  /// - Returns: The notices to send.
  public mutating func publish(keys: [String]? = nil) -> [FlagsNotice] {
    let revision = version + 1
    var places: [Int] = []
    if let keys {
      places = Set(keys.compactMap { state.place(of: $0) }).sorted()
    } else if !state.flags.isEmpty {
      places = [generator.place(below: state.flags.count, version: revision)]
    }
    return changeFlags { state in
      for place in places {
        var definition = state.flags[place].definition
        definition.value = FlagGenerator.renewed(definition.value, definition.key, revision: revision)
        state.define(definition)
      }
    }
  }

  /// Defines a flag, or defines it anew.
  ///
  /// - Complexity: O(*n*) in the number of flags.
  /// - Parameter flag: The definition.
  /// - Returns: The notices to send.
  public mutating func define(_ flag: FlagDefinition) -> [FlagsNotice] { changeFlags { $0.define(flag) } }

  /// Deletes a flag; users keep their own values for it, in case it comes back.
  ///
  /// - Complexity: O(*n*) in the number of flags.
  /// - Parameter key: The key of the flag.
  /// - Returns: The notices to send; none if it is not defined.
  public mutating func delete(_ key: String) -> [FlagsNotice] {
    guard let place = state.place(of: key) else { return [] }
    return changeFlags { $0.delete(at: place) }
  }

  /// Goes back to the flags before the last change of them that was not rolled back, under a new version.
  ///
  /// What belongs to readers, their own values and audiences, stays as it is.
  /// - Complexity: O(*n*) in the number of flags.
  /// - Returns: The notices to send; none if there is nothing to go back to.
  public mutating func rollBack() -> [FlagsNotice] {
    guard let before = takeUndo() else { return [] }
    return change { $0.replaceFlags(with: before) }
  }

  /// Gives a signed-in user an own value for a flag.
  ///
  /// - Complexity: O(*n*) in the number of users with own values.
  /// - Parameters:
  ///   - user: The user.
  ///   - key: The key of the flag; an undefined one is passed over.
  ///   - value: The value.
  /// - Returns: The notices to send, on the user's own channel.
  public mutating func giveUser(_ user: String, key: String, value: AttributeValue) -> [FlagsNotice] {
    guard state.place(of: key) != nil, state.userValues[user]?[key] != value else { return [] }
    return change(toldOn: FlagsReader.user(user).topic) { $0.setValue(value, of: user, for: key) }
  }

  /// Takes a user's own value for a flag away.
  ///
  /// - Complexity: O(*n*) in the number of users with own values.
  /// - Parameters:
  ///   - user: The user.
  ///   - key: The key of the flag.
  /// - Returns: The notices to send, on the user's own channel; none if there is no such value.
  public mutating func takeUser(_ user: String, key: String) -> [FlagsNotice] {
    guard state.userValues[user]?[key] != nil else { return [] }
    return change(toldOn: FlagsReader.user(user).topic) { $0.setValue(nil, of: user, for: key) }
  }

  /// Starts the experiment on a flag; a flag without one gets one by the seed.
  ///
  /// - Complexity: O(*n*) in the number of flags.
  /// - Parameter key: The key of the flag; an undefined one is passed over.
  /// - Returns: The notices to send.
  public mutating func startExperiment(_ key: String) -> [FlagsNotice] {
    guard var flag = definition(of: key) else { return [] }
    var experiment = flag.experiment ?? generator.experiment(on: flag, revision: version + 1)
    experiment.isRunning = true
    flag.experiment = experiment
    return define(flag)
  }

  /// Stops the experiment on a flag.
  ///
  /// - Complexity: O(*n*) in the number of flags.
  /// - Parameter key: The key of the flag.
  /// - Returns: The notices to send; none if no experiment runs on it.
  public mutating func stopExperiment(_ key: String) -> [FlagsNotice] {
    guard var flag = definition(of: key), flag.experiment?.isRunning == true else { return [] }
    flag.experiment?.isRunning = false
    return define(flag)
  }

  /// Puts a reader into an audience, or takes it out.
  ///
  /// A change that counts makes a new version for which every delta from an earlier one is answered
  /// `audiences_changed` to this reader.
  /// - Complexity: O(*n*) in the number of readers whose audiences were changed.
  /// - Parameters:
  ///   - name: The audience; one that the plan does not name is passed over.
  ///   - reader: The reader.
  ///   - isMember: Whether the reader is in it from now on.
  ///   - isAnnounced: Whether a notice is sent; otherwise the change takes effect with the reader's next
  ///     request for flags.
  /// - Returns: The notices to send, on the reader's own channel.
  public mutating func changeAudience(
    _ name: String, of reader: FlagsReader, isMember: Bool, isAnnounced: Bool = true
  ) -> [FlagsNotice] {
    guard plan.audiences.contains(name) else { return [] }
    var known = knownAudiences(of: reader)
    known.memberships[name] = isMember
    return setAudiences(known, of: reader, isAnnounced: isAnnounced)
  }

  /// Notes whether a reader allows personalization, without which no audience counts.
  ///
  /// - Complexity: O(*n*) in the number of readers whose audiences were changed.
  /// - Parameters:
  ///   - reader: The reader.
  ///   - personalization: Whether the reader allows it from now on.
  ///   - isAnnounced: Whether a notice is sent; otherwise the change takes effect with the reader's next
  ///     request for flags.
  /// - Returns: The notices to send, on the reader's own channel.
  public mutating func setConsent(
    of reader: FlagsReader, personalization: Bool, isAnnounced: Bool = true
  ) -> [FlagsNotice] {
    var known = knownAudiences(of: reader)
    known.allowsPersonalization = personalization
    return setAudiences(known, of: reader, isAnnounced: isAnnounced)
  }

  /// Gives all content other ETags without changing it.
  public mutating func rotateETags() { etagSalt += 1 }
}
