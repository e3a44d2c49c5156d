import Events
import Invariants
import Testing

/// A run drawn as a time line, one event a line, judged by all judges.
///
///     0s     evaluate 1 a        call 1 (of reader 1) asks for request a
///     0s     start 1 a           request 1 starts for it
///     80ms   answer 1            its good answer, of serial 1, reaches the client
///     80ms   return 1 flight 1   call 1 is given it
///
/// A request is a letter, the cache key, and an optional digit, the store: `a` and `a2` share a cache entry. `a@3` is
/// that request at instance 3. `flight! 1` is a value that is not what answer 1 says, `stale -` one
/// that no answer carried, `default=1` a value of answer 1 that is called a default. The TTL is 45 s and the deadline 3 s
/// unless said otherwise.
struct Story {
  private(set) var court: Court
  private var now: Int64 = 0
  private var step: UInt64 = 0

  /// Judges a drawn run to its end.
  init(
    _ lines: String, facts: RunFacts = RunFacts(cacheTTL: 45_000_000_000, requestTimeout: 3_000_000_000),
    judging: [Invariant] = Invariant.judged
  ) {
    court = Court(judging: judging, facts: facts)
    for line in lines.split(separator: "\n") where !line.allSatisfy({ $0 == " " }) { tell(String(line)) }
    court.finish(at: Stamp(nanoseconds: now, step: step))
  }

  /// The ids of the invariants that were violated.
  var red: [String] { court.verdicts().filter { $0.status == .violated }.map(\.invariant.id) }

  /// The verdict on an invariant.
  func verdict(_ invariant: Invariant) -> InvariantVerdict {
    court.verdicts().first { $0.invariant == invariant }
      ?? InvariantVerdict(
        invariant: invariant, status: .notApplicable, checks: -1, violations: -1, firstViolation: nil)
  }

  /// The number of checks of an invariant.
  func checks(_ invariant: Invariant) -> Int { verdict(invariant).checks }

  /// The message of the first violation of an invariant.
  func message(_ invariant: Invariant) -> String { verdict(invariant).firstViolation?.message ?? "" }

  private mutating func tell(_ line: String) {
    let words = line.split { $0 == " " || $0 == "," }.map(String.init)
    let time = Story.nanoseconds(words[0])
    if time > now { court.timeAdvances(from: Stamp(nanoseconds: now, step: step)) }
    precondition(time >= now, "\(line): time runs backwards")
    now = time
    for event in Story.events(Array(words.dropFirst()), line) {
      step += 1
      court.observe(event, at: Stamp(nanoseconds: now, step: step))
    }
  }

  static func nanoseconds(_ text: String) -> Int64 {
    for (unit, scale) in [("ns", 1), ("ms", 1_000_000), ("s", 1_000_000_000)] as [(String, Int64)]
    where text.hasSuffix(unit) {
      if let value = Int64(text.dropLast(unit.count)) { return value * scale }
    }
    preconditionFailure("\(text) is no time")
  }

  /// The events of a line; the verbs that are not here are in `Story+Exchange`.
  private static func events(_ words: [String], _ line: String) -> [Event] {
    if let events = exchange(words) { return events }
    return [event(words, line)]
  }

  private static func event(_ words: [String], _ line: String) -> Event {
    func number(_ index: Int) -> UInt64 { UInt64(words[index]) ?? 0 }
    switch words[0] {
    case "evaluate", "evaluateOrThrow":
      let (key, instance) = words.count > 2 ? request(words[2]) : (nil, InstanceID(0))
      let operation = words[0] == "evaluate" ? Operation.evaluate : .evaluateOrThrow
      return .callBegan(CallID(number(1)), ReaderID(Int32(number(1))), instance, operation, key)
    case "invalidate":
      let instance = words.count > 2 ? request(words[2]).1 : InstanceID(0)
      return .callBegan(CallID(number(1)), ReaderID(Int32(number(1))), instance, .invalidate, nil)
    case "cancel": return .callCancelled(CallID(number(1)))
    case "return": return .callReturned(CallID(number(1)), outcome(Array(words.dropFirst(2))))
    case "start":
      let (key, instance) = request(words[2])
      return .requestStarted(RequestID(number(1)), instance, .evaluate, key)
    case "answer":
      let end: RequestCompletion =
        words.count == 2
        ? .answered(status: 200, serial: Serial(number(1)))
        : words[2] == "garbled"
          ? .answered(status: 200, serial: nil)
          : .answered(status: Int(number(2)), serial: Serial(number(1)))
      return .requestCompleted(RequestID(number(1)), end)
    case "lose": return .requestCompleted(RequestID(number(1)), .lost)
    case "abort": return .requestCancelled(RequestID(number(1)))
    case "aborted": return .requestCompleted(RequestID(number(1)), .cancelled)
    case "close": return .instanceClosed(InstanceID(words.count > 1 ? Int32(number(1)) : 0))
    case "left":
      let kinds: [String: Leftover] = [
        "task": .task, "timer": .timer, "request": .request, "continuation": .continuation, "memory": .memory,
      ]
      return .leftover(InstanceID(0), kinds[words[1]] ?? .task, count: Int(number(2)))
    case "escape": return .escaped(words[1] == "thread" ? .foreignThread : .globalExecutor)
    case "rerun":
      var other = Digest()
      if words[1] == "different" { other.mix(1) }
      return .reran(first: Digest(), second: other)
    default: preconditionFailure("\(line): unknown verb")
    }
  }

  static func request(_ text: String) -> (RequestKey?, InstanceID) {
    let parts = text.split(separator: "@")
    let instance = InstanceID(parts.count > 1 ? Int32(parts[1]) ?? 0 : 0)
    guard let letter = parts[0].utf8.first else { return (nil, instance) }
    let cacheKey = Int32(letter) - 97
    let store = Int32(parts[0].dropFirst()) ?? 1
    return (RequestKey(request: cacheKey * 10 + store, cacheKey: cacheKey), instance)
  }

  private static func outcome(_ words: [String]) -> CallOutcome {
    let kinds: [String: FailureKind] = [
      "invalidContext": .invalidContext, "unauthorized": .unauthorized, "forbidden": .forbidden,
      "rateLimited": .rateLimited, "server": .server, "transport": .transport, "other": .other,
    ]
    switch words[0] {
    case "cancelled": return .cancelled
    case "done": return .finished
    case "nothing": return .answered([])
    case "listed": return .listed(numbers(words[1]), isComplete: words.count < 3)
    case "error": return .failed(kinds[words[1]] ?? .other, status: words.count > 2 ? Int(words[2]) ?? 0 : 0)
    default: break
    }
    var answers: [KeyAnswer] = []
    var index = 0
    while index < words.count {
      let origins: [String: Origin] = ["fresh": .fresh, "flight": .flight, "stale": .stale]
      let isIntact = !words[index].hasSuffix("!")
      guard let origin = origins[words[index].replacing("!", with: "")] else {
        let serial = words[index].split(separator: "=").dropFirst().first.flatMap { UInt64($0) }
        answers.append(
          KeyAnswer(
            key: Int32(answers.count), origin: .default, serial: serial.map { Serial($0) }, isIntact: isIntact
          ))
        index += 1
        continue
      }
      let serial = UInt64(words[index + 1]).map { Serial($0) }
      answers.append(
        KeyAnswer(key: Int32(answers.count), origin: origin, serial: serial, isIntact: isIntact))
      index += 2
    }
    return .answered(answers)
  }
}
