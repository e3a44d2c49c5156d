// What happens on a device with the flags client, beside the calls and requests that every client makes.
//
// Told in the order of its happening. A change of reader, of consent or of the app's place is a call that takes no time:
// what is told between its beginning and its end may belong to either side.

/// One thing that happened on a device, as seen from outside the client.
public enum DeviceEvent: Sendable, Equatable {
  // MARK: Life

  /// A process of the app begins, with a client of its own, for this subject and in the context of this number.
  case launched(InstanceID, Subject, context: Int32)
  /// The client has read the device's record: `start()` has returned.
  case started(InstanceID)
  /// The process is gone without notice, and with it every task, timer and request of its client.
  case killed(InstanceID)
  /// Somebody is about to be signed in or out: from here on either epoch is the device's.
  case readerChanging(InstanceID, to: Subject)
  /// The call that changed the reader has returned: only the new epoch is the device's.
  case readerChanged(InstanceID)
  /// The app comes to the screen, or leaves it.
  case moved(InstanceID, isForeground: Bool)
  /// The person allows analytics, or no longer; told when the call has returned.
  case consentChanged(InstanceID, isGiven: Bool)
  /// The app has used analytics for the first time in this process.
  case analyticsUsed(InstanceID)

  // MARK: What crosses the network

  /// The sync request says this; told right after its start.
  case queried(RequestID, FlagsQuery)
  /// The service's answer to a sync request says this; told right before `answerProduced`.
  case served(RequestID, ServedFlags)
  /// The answer that completes the request next has suffered this; told only where it has.
  case damaged(RequestID, AnswerDamage)
  /// The batch that a request carries; told right after its start.
  case batchSent(RequestID, AnalyticsBatch)
  /// The service has counted these events of a request's batch, by id, for the first time; told before `answerProduced`.
  case eventsCounted(RequestID, [UInt64])

  // MARK: What the client gives

  /// A reader read.
  case read(FlagRead)
  /// The client was looked at.
  case held(InstanceID, HeldFlags)
  /// A subscriber of `changes` was told these keys, in ascending order.
  case told(InstanceID, subscriber: Int32, flags: [Int32])
  /// An observer of one flag of `state`, or of all with nil, was woken.
  case observed(InstanceID, flag: Int32?)

  // MARK: The device's storage

  /// The client begins to write its record, or with nil to remove it; the number of the operation is unique in the run.
  case recordWriteBegan(InstanceID, write: UInt64, StoredFlags?)
  /// The operation is over; `isDone` unless the client was told that it failed.
  case recordWriteEnded(InstanceID, write: UInt64, isDone: Bool)
  /// The client has read its record and found this.
  case recordFound(InstanceID, RecordFinding)

  // MARK: Realtime

  /// The socket is open, or no longer.
  case socketChanged(InstanceID, isOpen: Bool)
  /// A socket that stays open carries nothing more to the client; the last frame on its way arrives at this time of the run,
  /// in nanoseconds.
  case socketSilenced(InstanceID, lastFrame: Int64)
  /// The client asks to join a topic with this credential, and is let in or refused.
  case joinAsked(InstanceID, ChannelTopic, credential: Subject?, isAccepted: Bool)
  /// A notice of this version reaches the client.
  case noticed(InstanceID, version: Int64, isProjectWide: Bool)

  // MARK: Accounts

  /// What the client says of its analytics events; told after close and drain, and after the healing.
  case tallied(InstanceID, AnalyticsTally)
}

extension DeviceEvent {
  /// The device concerned; nil for what is told of a request.
  public var instance: InstanceID? {
    switch self {
    case .launched(let instance, _, _), .started(let instance), .killed(let instance),
      .readerChanging(let instance, _), .readerChanged(let instance), .moved(let instance, _),
      .consentChanged(let instance, _), .analyticsUsed(let instance), .held(let instance, _),
      .told(let instance, _, _), .observed(let instance, _), .recordWriteBegan(let instance, _, _),
      .recordWriteEnded(let instance, _, _), .recordFound(let instance, _), .socketChanged(let instance, _),
      .socketSilenced(let instance, _),
      .joinAsked(let instance, _, _, _), .noticed(let instance, _, _), .tallied(let instance, _):
      instance
    case .read(let read): read.instance
    case .queried, .served, .damaged, .batchSent, .eventsCounted: nil
    }
  }
}
