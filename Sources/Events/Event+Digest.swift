extension Event {
  /// Mixes the event into a digest: its kind first, then every field in the order of its declaration.
  ///
  /// - Complexity: O(1), O(n) in the number of keys for an answered call.
  /// - Parameter digest: The digest to move on.
  public func mix(into digest: inout Digest) {
    switch self {
    case .callBegan(let call, let reader, let instance, let operation, let key):
      digest.mix(1)
      digest.mix(call.rawValue)
      digest.mix(UInt64(bitPattern: Int64(reader.rawValue)))
      digest.mix(UInt64(bitPattern: Int64(instance.rawValue)))
      digest.mix(UInt64(operation.rawValue))
      key.mix(into: &digest)
    case .callCancelled(let call):
      digest.mix(2)
      digest.mix(call.rawValue)
    case .callReturned(let call, let outcome):
      digest.mix(3)
      digest.mix(call.rawValue)
      outcome.mix(into: &digest)
    case .requestStarted(let request, let instance, let endpoint, let key):
      digest.mix(4)
      digest.mix(request.rawValue)
      digest.mix(UInt64(bitPattern: Int64(instance.rawValue)))
      digest.mix(UInt64(endpoint.rawValue))
      key.mix(into: &digest)
    case .requestArrived(let request):
      digest.mix(5)
      digest.mix(request.rawValue)
    case .answerProduced(let request, let serial, let status):
      digest.mix(6)
      digest.mix(request.rawValue)
      digest.mix(serial.rawValue)
      digest.mix(UInt64(bitPattern: Int64(status)))
    case .requestCancelled(let request):
      digest.mix(7)
      digest.mix(request.rawValue)
    case .requestCompleted(let request, let completion):
      digest.mix(8)
      digest.mix(request.rawValue)
      completion.mix(into: &digest)
    case .published(let version):
      digest.mix(9)
      digest.mix(UInt64(bitPattern: version))
    case .instanceClosed(let instance):
      digest.mix(10)
      digest.mix(UInt64(bitPattern: Int64(instance.rawValue)))
    case .leftover(let instance, let kind, let count):
      digest.mix(11)
      digest.mix(UInt64(bitPattern: Int64(instance?.rawValue ?? -1)))
      digest.mix(UInt64(kind.rawValue))
      digest.mix(UInt64(bitPattern: Int64(count)))
    case .escaped(let escape):
      digest.mix(12)
      digest.mix(UInt64(escape.rawValue))
    case .reran(let first, let second):
      digest.mix(13)
      digest.mix(first.rawValue)
      digest.mix(second.rawValue)
    case .flightBegan(let request, let instance, let endpoint, let key):
      digest.mix(14)
      digest.mix(request.rawValue)
      digest.mix(UInt64(bitPattern: Int64(instance.rawValue)))
      digest.mix(UInt64(endpoint.rawValue))
      key.mix(into: &digest)
    case .authorized(let request, let token):
      digest.mix(15)
      digest.mix(request.rawValue)
      digest.mix(token)
    case .tokenSent(let request, let token):
      digest.mix(16)
      digest.mix(request.rawValue)
      digest.mix(token)
    case .requestFlawed(let request, let flaw):
      digest.mix(17)
      digest.mix(request.rawValue)
      digest.mix(UInt64(flaw.rawValue))
    case .patienceAsked(let request, let nanoseconds):
      digest.mix(18)
      digest.mix(request.rawValue)
      digest.mix(UInt64(bitPattern: nanoseconds))
    case .answerShaped(let serial, let omitted, let undecodable):
      digest.mix(19)
      digest.mix(serial.rawValue)
      digest.mix(omitted.map { UInt64(bitPattern: Int64($0)) })
      digest.mix(undecodable.map { UInt64(bitPattern: Int64($0)) })
    case .pageDelivered(let request, let call, let page):
      digest.mix(20)
      digest.mix(request.rawValue)
      digest.mix(call.rawValue)
      digest.mix(page.asked)
      digest.mix(page.items)
      digest.mix(page.next)
    case .batchSent(let request, let exposures):
      digest.mix(21)
      digest.mix(request.rawValue)
      digest.mix(exposures)
    case .exposureRecorded(let call, let instance, let number):
      digest.mix(22)
      digest.mix(call.rawValue)
      digest.mix(UInt64(bitPattern: Int64(instance.rawValue)))
      digest.mix(number)
    case .exposuresCounted(let instance, let tally):
      digest.mix(23)
      digest.mix(UInt64(bitPattern: Int64(instance.rawValue)))
      digest.mix([tally.dropped, tally.failed, tally.pending].map { UInt64(bitPattern: Int64($0)) })
    case .marked(let mark):
      digest.mix(24)
      digest.mix(UInt64(mark.rawValue))
    case .healed(let largestLatency):
      digest.mix(25)
      digest.mix(UInt64(bitPattern: largestLatency))
    case .recoveryAwaited(let instance):
      digest.mix(26)
      digest.mix(UInt64(bitPattern: Int64(instance.rawValue)))
    case .recovered(let instance, let differing):
      digest.mix(27)
      digest.mix(UInt64(bitPattern: Int64(instance.rawValue)))
      digest.mix(UInt64(bitPattern: Int64(differing)))
    case .stalled:
      digest.mix(28)
    case .device(let event):
      digest.mix(29)
      event.mix(into: &digest)
    }
  }
}

extension Digest {
  /// Mixes in whether there is a number, and the number.
  fileprivate mutating func mix(_ value: UInt64?) {
    mix(UInt64(value == nil ? 0 : 1))
    if let value { mix(value) }
  }

  /// Mixes in how many numbers there are, and each.
  fileprivate mutating func mix(_ values: [UInt64]) {
    mix(UInt64(values.count))
    for value in values { mix(value) }
  }
}

extension RequestKey? {
  fileprivate func mix(into digest: inout Digest) {
    digest.mix(UInt64(bitPattern: Int64(self?.request ?? -1)))
    digest.mix(UInt64(bitPattern: Int64(self?.cacheKey ?? -1)))
  }
}

extension CallOutcome {
  fileprivate func mix(into digest: inout Digest) {
    switch self {
    case .answered(let answers):
      digest.mix(1)
      digest.mix(UInt64(answers.count))
      for answer in answers {
        digest.mix(UInt64(bitPattern: Int64(answer.key)))
        digest.mix(UInt64(answer.origin.rawValue))
        digest.mix(answer.serial?.rawValue ?? 0)
        if !answer.isIntact { digest.mix(UInt64.max) }
      }
    case .failed(let kind, let status):
      digest.mix(2)
      digest.mix(UInt64(kind.rawValue))
      digest.mix(UInt64(bitPattern: Int64(status)))
    case .cancelled: digest.mix(3)
    case .finished: digest.mix(4)
    case .listed(let items, let isComplete):
      digest.mix(5)
      digest.mix(items)
      digest.mix(UInt64(isComplete ? 1 : 0))
    }
  }
}

extension RequestCompletion {
  fileprivate func mix(into digest: inout Digest) {
    switch self {
    case .answered(let status, let serial):
      digest.mix(1)
      digest.mix(UInt64(bitPattern: Int64(status)))
      digest.mix(serial?.rawValue ?? 0)
    case .lost: digest.mix(2)
    case .cancelled: digest.mix(3)
    }
  }
}
