extension DeviceEvent: CustomStringConvertible {
  /// The event as a sentence, with the numbers by which other lines name the same things.
  public var description: String {
    switch self {
    case .launched(let instance, let subject, let context):
      "\(instance.words) launches for \(subject) in context \(context)"
    case .started(let instance): "\(instance.words) has read its record"
    case .killed(let instance): "\(instance.words) is killed"
    case .readerChanging(let instance, let subject): "\(instance.words) is about to change to \(subject)"
    case .readerChanged(let instance): "\(instance.words) has changed its reader"
    case .moved(let instance, let isForeground):
      "\(instance.words) goes to the \(isForeground ? "foreground" : "background")"
    case .consentChanged(let instance, let isGiven):
      "the person on \(instance.words) \(isGiven ? "allows" : "no longer allows") analytics"
    case .analyticsUsed(let instance): "\(instance.words) uses analytics for the first time"
    case .queried(let request, let query): "request \(request.rawValue) \(query)"
    case .served(let request, let served): "the answer to request \(request.rawValue) \(served)"
    case .damaged(let request, let damage): "the answer to request \(request.rawValue) \(damage)"
    case .batchSent(let request, let batch):
      "request \(request.rawValue) carries batch \(batch.id) of \(batch.events.count) events for "
        + (batch.subject.map { "\($0)" } ?? "nobody")
    case .eventsCounted(let request, let events):
      "the service counts \(events.count) new events of request \(request.rawValue)"
    case .read(let read): "\(read)"
    case .held(let instance, let held):
      "\(instance.words) holds \(held.content.count) values of version "
        + (held.version.map { "\($0)" } ?? "none")
    case .told(let instance, let subscriber, let flags):
      "\(instance.words) tells subscriber \(subscriber) of flags \(flags)"
    case .observed(let instance, let flag):
      "\(instance.words) wakes the observer of " + (flag.map { "flag \($0)" } ?? "all flags")
    case .recordWriteBegan(let instance, let write, let stored):
      "\(instance.words) begins operation \(write) on its record: "
        + (stored.map { "\($0)" } ?? "its removal")
    case .recordWriteEnded(let instance, let write, let isDone):
      "operation \(write) on the record of \(instance.words) \(isDone ? "is done" : "fails")"
    case .recordFound(let instance, let finding): "\(instance.words) finds \(finding)"
    case .socketChanged(let instance, let isOpen):
      "the socket of \(instance.words) is \(isOpen ? "open" : "closed")"
    case .socketSilenced(let instance, _): "the socket of \(instance.words) falls silent"
    case .joinAsked(let instance, let topic, let credential, let isAccepted):
      "\(instance.words) asks to join \(topic) as " + (credential.map { "\($0)" } ?? "nobody")
        + (isAccepted ? " and is let in" : " and is refused")
    case .noticed(let instance, let version, let isProjectWide):
      "\(instance.words) is told of version \(version)"
        + (isProjectWide ? " with everybody" : " by itself")
    case .tallied(let instance, let tally):
      "\(instance.words) counts \(tally.recorded) events: \(tally.sent) sent, \(tally.dropped) dropped, "
        + "\(tally.pending) waiting"
    }
  }
}

extension InstanceID {
  fileprivate var words: String { "instance \(rawValue)" }
}

extension FlagsQuery: CustomStringConvertible {
  /// The query as a predicate.
  public var description: String {
    let what = since.map { "asks for what changed since \($0)" } ?? "asks for a snapshot"
    let tag = etag == nil ? "" : " unless it still has a tag"
    return what + tag + " for " + (subject.map { "\($0)" } ?? "nobody")
  }
}

extension ServedFlags: CustomStringConvertible {
  /// The answer as a predicate.
  public var description: String {
    switch kind {
    case .snapshot(let values): "is a snapshot of \(values.count) values at version \(version)"
    case .delta(let since, let changed, let deleted):
      "is a delta from \(since) to \(version): \(changed.count) changed, \(deleted.count) deleted"
    case .notModified: "is that nothing has changed at version \(version)"
    case .gone(let reason): "is that the delta is gone: \(reason)"
    case .refused: "is a refusal"
    }
  }
}

extension AnswerDamage: CustomStringConvertible {
  /// The damage as a predicate.
  public var description: String {
    switch self {
    case .none: "arrives whole"
    case .unusable: "arrives with a body of no use"
    case .undecodable(let flags): "arrives with flags \(flags) garbled"
    }
  }
}

extension FlagRead: CustomStringConvertible {
  /// The read as a sentence.
  public var description: String {
    let what = flag < 0 ? "all" : "\(method) of flag \(flag)"
    let place = isOnState ? " on state" : ""
    return "reader \(reader.rawValue) reads \(what)\(place) on instance \(instance.rawValue): \(result)"
  }
}

extension ReadResult: CustomStringConvertible {
  /// The result in a few words.
  public var description: String {
    switch self {
    case .absent: "its default"
    case .value(let digest): "a value \(digest)"
    case .source(let source): "source \(source)"
    case .all(let content): "\(content.count) values \(content.rawValue)"
    }
  }
}

extension StoredFlags: CustomStringConvertible {
  /// The record in a few words.
  public var description: String {
    "\(content.count) values of version \(version) for " + (subject.map { "\($0)" } ?? "somebody unknown")
  }
}

extension RecordFinding: CustomStringConvertible {
  /// The finding as an object.
  public var description: String {
    switch self {
    case .missing: "no record"
    case .whole(let stored): "a record: \(stored)"
    case .damaged: "a damaged record"
    case .unknownSchema: "a record of an unknown schema"
    }
  }
}

extension ChannelTopic: CustomStringConvertible {
  /// The topic in words.
  public var description: String {
    switch self {
    case .project: "the project's channel"
    case .reader(let subject): "the channel of \(subject)"
    case .unknown: "an unknown channel"
    }
  }
}
