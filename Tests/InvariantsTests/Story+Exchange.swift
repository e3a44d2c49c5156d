import Events

// The verbs of a story that are about more than evaluations:
//
//     0s  begin 1 flush@2        call 1 flushes at instance 2; also list, markRead, markAllRead, record
//     0s  recorded 1-3+7@2       events 1, 2, 3 and 7 are recorded at instance 2, by a call of its own each
//     0s  expose 1 9@2           the open call 1 records event 9
//     0s  post 5 1-3@2           request 5 of instance 2 carries events 1, 2 and 3
//     0s  counts 1 2 0@2         the client of instance 2 counts 1 dropped, 2 failed, none waiting
//     0s  ask 5 a@2              the flight of request 5 asks for its authorization; also telemetry, inbox
//     0s  give 5 77              it is given token 77; refuse 5 gives none
//     0s  token 5 77             the request carries it; token 5 none
//     0s  shape 5 1+2 0          answer 5 leaves out keys 1 and 2 and garbles key 0; none is none
//     0s  page 5 1 - 1-3 8       request 5 brings call 1 the first page: items 1 to 3, next cursor 8; - is none
//     0s  return 1 listed 1-3    all that a walk gave; with `partly` behind it the reader had seen enough
//
// and arrive, flaw, patience, send, mark, heal, await, well and stall, one for each of the other events.

extension Story {
  /// The events of such a line; nil if its verb is another.
  static func exchange(_ words: [String]) -> [Event]? {
    func number(_ index: Int) -> UInt64 { UInt64(words[index].prefix { $0 != "@" }) ?? 0 }
    let instance = words.last.flatMap { $0.split(separator: "@").dropFirst().first }.flatMap { Int32($0) }
    let place = InstanceID(instance ?? 0)
    let request = RequestID(words.count > 1 ? number(1) : 0)
    switch words[0] {
    case "begin":
      return [
        .callBegan(CallID(number(1)), ReaderID(Int32(number(1))), place, operation(words[2]), nil)
      ]
    case "recorded": return numbers(words[1]).flatMap { recording(of: $0, at: place) }
    case "expose": return [.exposureRecorded(CallID(number(1)), place, number(2))]
    case "post":
      return [
        .requestStarted(request, place, .telemetry, nil), .batchSent(request, numbers(words[2])),
      ]
    case "batch": return [.batchSent(request, numbers(words[2]))]
    case "counts":
      let tally = ExposureTally(
        dropped: Int(number(1)), failed: Int(number(2)), pending: Int(number(3)))
      return [.exposuresCounted(place, tally)]
    case "page":
      let page = InboxPage(
        asked: UInt64(words[3]), items: numbers(words[4]), next: UInt64(words[5]))
      return [.pageDelivered(request, CallID(number(2)), page)]
    case "shape":
      return [
        .answerShaped(
          Serial(number(1)), omitted: numbers(words[2]).map { Int32($0) },
          undecodable: numbers(words[3]).map { Int32($0) })
      ]
    case "mark": return [.marked(.published)]
    case "heal": return [.healed(largestLatency: nanoseconds(words[1]))]
    case "await": return [.recoveryAwaited(InstanceID(Int32(number(1))))]
    case "well": return [.recovered(InstanceID(Int32(number(1))), differing: Int(number(2)))]
    case "stall": return [.stalled]
    default: return authorization(words, request, place)
    }
  }

  /// The events of what a single request is given, carries and meets.
  private static func authorization(
    _ words: [String], _ request: RequestID, _ place: InstanceID
  ) -> [Event]? {
    switch words[0] {
    case "ask", "send":
      let (endpoint, key) = target(words[2])
      return words[0] == "ask"
        ? [.flightBegan(request, place, endpoint, key)]
        : [.requestStarted(request, place, endpoint, key)]
    case "give": return [.authorized(request, token: UInt64(words[2]))]
    case "refuse": return [.authorized(request, token: nil)]
    case "token": return [.tokenSent(request, token: UInt64(words[2]))]
    case "arrive": return [.requestArrived(request)]
    case "flaw": return [.requestFlawed(request, flaw(words[2]))]
    case "patience":
      return [.patienceAsked(request, nanoseconds: nanoseconds(words[2]))]
    default: return nil
    }
  }

  private static func operation(_ text: String) -> Events.Operation {
    let operations: [String: Events.Operation] = [
      "record": .recordExposure, "flush": .flush, "list": .listNotifications, "markRead": .markRead,
      "markAllRead": .markAllRead,
    ]
    guard let operation = operations[String(text.prefix { $0 != "@" })] else {
      preconditionFailure("\(text) is no operation")
    }
    return operation
  }

  private static func target(_ text: String) -> (Endpoint, RequestKey?) {
    switch text.prefix(while: { $0 != "@" }) {
    case "telemetry": (.telemetry, nil)
    case "inbox": (.notifications, nil)
    default: (.evaluate, request(text).0)
    }
  }

  private static func flaw(_ text: String) -> Flaw {
    let flaws: [String: Flaw] = [
      "path": .path, "method": .method, "contentType": .contentType, "content": .content, "limits": .limits,
      "authorization": .authorization,
    ]
    guard let flaw = flaws[text] else { preconditionFailure("\(text) is no flaw") }
    return flaw
  }

  /// A whole recording, by a call of its own.
  private static func recording(of number: UInt64, at place: InstanceID) -> [Event] {
    let call = CallID(1_000_000 + number)
    return [
      .callBegan(call, ReaderID(0), place, .recordExposure, nil), .exposureRecorded(call, place, number),
      .callReturned(call, .finished),
    ]
  }

  /// Numbers and ranges of them, such as `1-3+7`; `none` is none.
  static func numbers(_ text: String) -> [UInt64] {
    text.prefix { $0 != "@" }.split(separator: "+").flatMap { part -> [UInt64] in
      let ends = part.split(separator: "-").compactMap { UInt64($0) }
      guard let first = ends.first, let last = ends.last else { return [] }
      return first <= last ? Array(first...last) : Array((last...first).reversed())
    }
  }
}
