// The timeline: the word of an entry says which keys it has.

extension ScenarioDecoder {
  /// Decodes `timeline` into the order of time.
  mutating func decodeTimeline(in file: ObjectReader) -> [TimelineEntry]? {
    guard let elements = list("timeline", in: file) else { return nil }
    let entries = elements.compactMap { decodeTimelineEntry($0) }
    guard checkJumps(of: entries, at: file.value("timeline")) else { return nil }
    // Entries of one instant happen in the order of the file; the index keeps it, as sorting alone would not.
    return entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
      \.element
    )
  }

  private mutating func decodeTimelineEntry(_ element: LocatedValue) -> TimelineEntry? {
    let tables = FieldTable.timelineTables.filter { $0.table.isFor(kind) }
    let entry = tables.first { element.json.says($0.word, under: "do") }
    let foreign = entry == nil ? [] : FieldTable.timelineOwners[kind]
    guard let object = open(element, as: entry?.table ?? .anyTimelineEntry(kind), foreign: foreign) else {
      return nil
    }
    let at = duration("at", in: object)
    guard let entry else {
      if let value = object.value("do") {
        _ = word(value, among: tables.map(\.word), foreign: Self.foreignActions, called: "actions")
      }
      return nil
    }
    let spread = entry.table.field("within") != nil && object.has("within")
    let within = spread ? positiveDuration("within", in: object, "spread over no time") : nil
    let action = decodeTimelineAction(entry.word, in: object)
    guard let at, let action, within != nil || !spread else { return nil }
    return TimelineEntry(at: at, within: within, action: action)
  }

  /// Words that are no actions here, but steps of readers, or actions on the other kind of client.
  private static let foreignActions: [KeyOwner] = {
    let actions = FieldTable.timelineTables.compactMap { entry in
      entry.table.client.map { KeyOwner(key: entry.word, owner: $0.words) }
    }
    return actions + FieldTable.stepTables.map { KeyOwner(key: $0.word, owner: "the steps of readers") }
  }()

  private mutating func decodeTimelineAction(_ word: String, in object: ObjectReader) -> TimelineAction? {
    switch word {
    case "publish": return decodePublish(in: object)
    case "roll-back": return .rollBack
    case "notify": return count("count", in: object).map { .notify(count: $0) }
    case "invalidate": return .invalidate
    case "switch-user": return .switchUser
    case "flush": return .flush
    case "clock-forward": return decodeJump(in: object).map { .clockForward(by: $0) }
    case "clock-back": return decodeJump(in: object).map { .clockBack(by: $0) }
    case "close": return .close
    default: return decodeFlagsAction(word, in: object)
    }
  }

  private mutating func decodeJump(in object: ObjectReader) -> Duration? {
    positiveDuration("by", in: object, "a clock that stays where it is")
  }

  /// Reports clocks that are moved further than a date can tell.
  private mutating func checkJumps(of entries: [TimelineEntry], at value: LocatedValue?) -> Bool {
    var total: Duration = .zero
    for entry in entries where total <= DurationText.longestDuration {
      if case .clockForward(let by) = entry.action { total += by }
      if case .clockBack(let by) = entry.action { total += by }
    }
    guard total > DurationText.longestDuration, let value else { return true }
    log.report(
      "the jumps of the clocks are together too long",
      at: value,
      suggestion: "at most \(DurationText.longest), forward and back"
    )
    return false
  }
}
