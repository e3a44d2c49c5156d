extension DeviceEvent {
  /// Mixes the event into a digest: its kind first, then every field in the order of its declaration.
  ///
  /// - Complexity: O(n) in the number of values that it carries.
  /// - Parameter digest: The digest to move on.
  public func mix(into digest: inout Digest) {
    switch self {
    case .launched(let instance, let subject, let context):
      digest.mix(1, instance)
      digest.mix(subject)
      digest.mix(number: Int64(context))
    case .started(let instance): digest.mix(2, instance)
    case .killed(let instance): digest.mix(3, instance)
    case .readerChanging(let instance, let subject):
      digest.mix(4, instance)
      digest.mix(subject)
    case .readerChanged(let instance): digest.mix(5, instance)
    case .moved(let instance, let isForeground):
      digest.mix(6, instance)
      digest.mix(isForeground)
    case .consentChanged(let instance, let isGiven):
      digest.mix(7, instance)
      digest.mix(isGiven)
    case .analyticsUsed(let instance): digest.mix(8, instance)
    case .queried(let request, let query):
      digest.mix(9, request)
      query.mix(into: &digest)
    case .served(let request, let served):
      digest.mix(10, request)
      served.mix(into: &digest)
    case .damaged(let request, let damage):
      digest.mix(11, request)
      damage.mix(into: &digest)
    case .batchSent(let request, let batch):
      digest.mix(12, request)
      batch.mix(into: &digest)
    case .eventsCounted(let request, let events):
      digest.mix(13, request)
      digest.mix(UInt64(events.count))
      for event in events { digest.mix(event) }
    case .read(let read):
      digest.mix(14, read.instance)
      read.mix(into: &digest)
    case .held(let instance, let held):
      digest.mix(15, instance)
      digest.mix(optional: held.version)
      held.content.mix(into: &digest)
    default: mixRest(into: &digest)
    }
  }

  /// What concerns observers, storage, sockets and accounts.
  private func mixRest(into digest: inout Digest) {
    switch self {
    case .told(let instance, let subscriber, let flags):
      digest.mix(16, instance)
      digest.mix(number: Int64(subscriber))
      digest.mix(flags)
    case .observed(let instance, let flag):
      digest.mix(17, instance)
      digest.mix(optional: flag.map { Int64($0) })
    case .recordWriteBegan(let instance, let write, let stored):
      digest.mix(18, instance)
      digest.mix(write)
      digest.mix(stored != nil)
      stored?.mix(into: &digest)
    case .recordWriteEnded(let instance, let write, let isDone):
      digest.mix(19, instance)
      digest.mix(write)
      digest.mix(isDone)
    case .recordFound(let instance, let finding):
      digest.mix(20, instance)
      finding.mix(into: &digest)
    case .socketChanged(let instance, let isOpen):
      digest.mix(21, instance)
      digest.mix(isOpen)
    case .joinAsked(let instance, let topic, let credential, let isAccepted):
      digest.mix(22, instance)
      topic.mix(into: &digest)
      digest.mix(optional: credential.map { Int64($0.rawValue) })
      digest.mix(isAccepted)
    case .noticed(let instance, let version, let isProjectWide):
      digest.mix(23, instance)
      digest.mix(number: version)
      digest.mix(isProjectWide)
    case .tallied(let instance, let tally):
      digest.mix(24, instance)
      for count in [tally.recorded, tally.sent, tally.dropped, tally.pending] {
        digest.mix(number: Int64(count))
      }
    case .socketSilenced(let instance, let lastFrame):
      digest.mix(25, instance)
      digest.mix(number: lastFrame)
    default: fatalError("\(self) is mixed elsewhere")
    }
  }
}

extension Digest {
  fileprivate mutating func mix(_ kind: UInt64, _ instance: InstanceID) {
    mix(kind)
    mix(number: Int64(instance.rawValue))
  }

  fileprivate mutating func mix(_ kind: UInt64, _ request: RequestID) {
    mix(kind)
    mix(request.rawValue)
  }

  fileprivate mutating func mix(number: Int64) { mix(UInt64(bitPattern: number)) }

  fileprivate mutating func mix(_ flag: Bool) { mix(UInt64(flag ? 1 : 0)) }

  fileprivate mutating func mix(_ subject: Subject) { mix(number: Int64(subject.rawValue)) }

  fileprivate mutating func mix(optional number: Int64?) {
    mix(number != nil)
    if let number { mix(number: number) }
  }

  fileprivate mutating func mix(optional number: UInt64?) {
    mix(number != nil)
    if let number { mix(number) }
  }

  fileprivate mutating func mix(_ flags: [Int32]) {
    mix(UInt64(flags.count))
    for flag in flags { mix(number: Int64(flag)) }
  }

  fileprivate mutating func mix(_ values: [FlagValue]) {
    mix(UInt64(values.count))
    for value in values {
      mix(number: Int64(value.flag))
      mix(value.digest)
      mix(UInt64(value.type.rawValue))
      mix(UInt64(value.source.rawValue))
      mix(optional: value.assignment.map { Int64($0) })
    }
  }
}

extension ContentDigest {
  fileprivate func mix(into digest: inout Digest) {
    digest.mix(rawValue)
    digest.mix(number: Int64(count))
  }
}

extension FlagsQuery {
  fileprivate func mix(into digest: inout Digest) {
    digest.mix(optional: subject.map { Int64($0.rawValue) })
    digest.mix(optional: context.map { Int64($0) })
    digest.mix(optional: since)
    digest.mix(optional: etag)
  }
}

extension ServedFlags {
  fileprivate func mix(into digest: inout Digest) {
    digest.mix(optional: subject.map { Int64($0.rawValue) })
    switch kind {
    case .snapshot(let values):
      digest.mix(1)
      digest.mix(values)
    case .delta(let since, let changed, let deleted):
      digest.mix(2)
      digest.mix(number: since)
      digest.mix(changed)
      digest.mix(deleted)
    case .notModified: digest.mix(3)
    case .gone(let reason):
      digest.mix(4)
      digest.mix(UInt64(reason.rawValue))
    case .refused: digest.mix(5)
    }
    digest.mix(number: version)
    digest.mix(optional: etag)
    whole.mix(into: &digest)
  }
}

extension AnswerDamage {
  fileprivate func mix(into digest: inout Digest) {
    switch self {
    case .none: digest.mix(1)
    case .unusable: digest.mix(2)
    case .undecodable(let flags):
      digest.mix(3)
      digest.mix(flags)
    }
  }
}

extension AnalyticsBatch {
  fileprivate func mix(into digest: inout Digest) {
    digest.mix(optional: subject.map { Int64($0.rawValue) })
    digest.mix(id)
    digest.mix(bytes)
    digest.mix(UInt64(events.count))
    for event in events {
      digest.mix(event.id)
      digest.mix(event.session)
      switch event.kind {
      case .exposure(let flag, let assignment):
        digest.mix(1)
        digest.mix(number: Int64(flag))
        digest.mix(optional: assignment.map { Int64($0) })
      case .captured(let number):
        digest.mix(2)
        digest.mix(number)
      case .other: digest.mix(3)
      }
    }
  }
}

extension FlagRead {
  fileprivate func mix(into digest: inout Digest) {
    digest.mix(number: Int64(reader.rawValue))
    digest.mix(UInt64(method.rawValue))
    digest.mix(isOnState)
    digest.mix(number: Int64(flag))
    switch result {
    case .absent: digest.mix(1)
    case .value(let value):
      digest.mix(2)
      digest.mix(value)
    case .source(let source):
      digest.mix(3)
      digest.mix(UInt64(source.rawValue))
    case .all(let content):
      digest.mix(4)
      content.mix(into: &digest)
    }
  }
}

extension StoredFlags {
  fileprivate func mix(into digest: inout Digest) {
    digest.mix(optional: subject.map { Int64($0.rawValue) })
    digest.mix(optional: context.map { Int64($0) })
    digest.mix(number: version)
    content.mix(into: &digest)
  }
}

extension RecordFinding {
  fileprivate func mix(into digest: inout Digest) {
    switch self {
    case .missing: digest.mix(1)
    case .whole(let stored):
      digest.mix(2)
      stored.mix(into: &digest)
    case .damaged: digest.mix(3)
    case .unknownSchema: digest.mix(4)
    }
  }
}

extension ChannelTopic {
  fileprivate func mix(into digest: inout Digest) {
    switch self {
    case .project: digest.mix(1)
    case .reader(let subject):
      digest.mix(2)
      digest.mix(subject)
    case .unknown: digest.mix(3)
    }
  }
}
