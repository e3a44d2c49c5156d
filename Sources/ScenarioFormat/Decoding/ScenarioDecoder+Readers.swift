// Groups of readers. The executor's word says which keys a group has; where it is missing or wrong the group
// is still looked at, with every key allowed, so that the rest of its problems is reported in the same round.

extension ScenarioDecoder {
  /// Decodes `readers`; the client and the clock are decoded before it.
  mutating func decodeGroups(in file: ObjectReader) -> [ReaderGroup]? {
    guard let value = file.value("readers"),
      let entries = entries("readers", in: file, being: "an object of groups by name")
    else { return nil }
    guard !entries.isEmpty else {
      log.report("no group of readers", at: value, suggestion: "write at least one")
      return nil
    }
    var groups: [ReaderGroup] = []
    for (member, path) in entries {
      checkGroupName(member, path: path)
      if let group = decodeGroup(LocatedValue(json: member.value, path: path), name: member.key) {
        groups.append(group)
      }
    }
    guard groups.count == entries.count else { return nil }
    let readers = groups.reduce(0) { $0 + $1.executor.peakReaders }
    guard readers <= Int(Bounds.readers) else {
      log.report("\(readers) readers together", at: value, suggestion: "write at most \(Bounds.readers)")
      return nil
    }
    return groups
  }

  private mutating func checkGroupName(_ member: JSONMember, path: String) {
    let isName =
      !member.key.isEmpty && member.key.utf8.count <= Bounds.nameLength
      && member.key.unicodeScalars.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
      }
    guard !isName else { return }
    log.report(
      "a group's name has letters, digits, \"_\" and \"-\" only, at most \(Bounds.nameLength)",
      at: member.keyOrigin,
      path: path,
      suggestion: "it becomes the value of the tag \"group\""
    )
  }

  private mutating func decodeGroup(_ value: LocatedValue, name: String) -> ReaderGroup? {
    let entry = FieldTable.executorTables.first { entry in value.json.says(entry.word, under: "executor") }
    let foreign = entry == nil ? [] : FieldTable.executorOwners
    guard let object = open(value, as: entry?.table ?? .anyGroup, foreign: foreign) else { return nil }
    if entry == nil, let word = object.value("executor") {
      _ = self.word(
        word,
        among: FieldTable.executorTables.map(\.word),
        called: "executors"
      )
    }
    let executor = entry.flatMap { decodeExecutor($0.word, in: object) }
    let startTime = duration("startTime", in: object)
    let gracefulStop = duration("gracefulStop", in: object)
    let think = latency("think", in: object)
    let steps = decodeSteps(in: object)
    guard let executor, let startTime, let gracefulStop, let think, let steps else { return nil }
    let group = ReaderGroup(
      name: name,
      executor: executor,
      startTime: startTime,
      gracefulStop: gracefulStop,
      think: think,
      steps: steps
    )
    return checkProgress(of: group, at: value) ? group : nil
  }

  private mutating func decodeExecutor(_ word: String, in object: ObjectReader) -> ReaderExecutor? {
    switch word {
    case "per-reader-iterations":
      let (readers, iterations) = (count("readers", in: object), count("iterations", in: object))
      let maxDuration = positiveDuration("maxDuration", in: object, "no time for any iteration")
      guard let readers, let iterations, let maxDuration else { return nil }
      return .perReaderIterations(readers: readers, iterations: iterations, maxDuration: maxDuration)
    case "constant-readers":
      let readers = count("readers", in: object)
      let duration = positiveDuration("duration", in: object, "no time for any iteration")
      guard let readers, let duration else { return nil }
      return .constantReaders(readers: readers, duration: duration)
    case "ramping-readers": return decodeRamp(in: object)
    case "constant-arrival-rate": return decodeConstantArrivals(in: object)
    default: return decodeRampingArrivals(in: object)
    }
  }

  private mutating func decodeRamp(in object: ObjectReader) -> ReaderExecutor? {
    let startReaders = count("startReaders", in: object)
    let gracefulRampDown = duration("gracefulRampDown", in: object)
    guard let stages = decodeStages(in: object, as: .stage), let startReaders, let gracefulRampDown,
      let value = object.value("stages")
    else { return nil }
    let executor = ReaderExecutor.rampingReaders(
      startReaders: startReaders,
      stages: stages,
      gracefulRampDown: gracefulRampDown
    )
    guard executor.peakReaders > 0 else {
      log.report("there is never a reader", at: value, suggestion: "write a target of at least 1")
      return nil
    }
    return executor
  }

  /// Decodes the stages of a ramp, of readers or of a rate.
  mutating func decodeStages(in object: ObjectReader, as table: FieldTable) -> [RampStage]? {
    guard let elements = list("stages", in: object), let value = object.value("stages") else { return nil }
    let stages = elements.compactMap { element -> RampStage? in
      guard let stage = open(element, as: table) else { return nil }
      let (duration, target) = (duration("duration", in: stage), count("target", in: stage))
      guard let duration, let target else { return nil }
      return RampStage(duration: duration, target: target)
    }
    guard stages.count == elements.count else { return nil }
    var total: Duration = .zero
    for stage in stages where total <= DurationText.longestDuration { total += stage.duration }
    guard total > .zero, total <= DurationText.longestDuration else {
      log.report(
        total > .zero ? "the stages together are too long" : "the stages together take no time",
        at: value,
        suggestion: "write more than zero and at most \(DurationText.longest)"
      )
      return nil
    }
    return stages
  }

  /// Reports a group that would do the same instant's work for ever.
  ///
  /// Virtual time moves only when nothing is ready, and an evaluation that hits the cache takes none: a
  /// group that goes on until its time is over must pass some time itself. In an open model the plan does.
  private mutating func checkProgress(of group: ReaderGroup, at value: LocatedValue) -> Bool {
    switch group.executor {
    case .perReaderIterations, .constantArrivalRate, .rampingArrivalRate: return true
    case .constantReaders, .rampingReaders: break
    }
    guard clock == .virtual, group.think.isZero else { return true }
    let passesTime = group.steps.contains { step in
      guard step.weight != 0 else { return false }
      if case .sleep(let duration) = step.action, !duration.isZero { return true }
      return !step.think.isZero
    }
    guard !passesTime else { return true }
    log.report(
      "\"\(group.executor.word)\" on the virtual clock needs a pause, or one instant repeats for ever",
      at: value,
      suggestion: "add \"think\": \"1s\" or a step \"sleep\""
    )
    return false
  }
}

extension FieldTable {
  /// A group whose executor is not known: every key of any executor.
  static let anyGroup: FieldTable = {
    var fields: [Field] = [
      .required("executor", .word(executorTables.map(\.word)), "When readers start and stop.")
    ]
    for field in executorTables.flatMap(\.table.fields) where !fields.contains(where: { $0.key == field.key })
    {
      // Which keys must be there depends on the executor; the steps must be there in any case.
      let isRequired = field.isRequired && field.key == "do"
      fields.append(
        Field(
          key: field.key,
          summary: field.summary,
          shape: field.shape,
          defaultValue: field.defaultValue,
          isRequired: isRequired
        )
      )
    }
    return FieldTable(name: "a group of readers", fields: fields)
  }()
}

extension JSONValue {
  /// Returns whether this is an object with the word under the key.
  func says(_ word: String, under key: String) -> Bool {
    guard case .object(let members) = content else { return false }
    return members.first { $0.key == key }?.value.content == .string(word)
  }
}
