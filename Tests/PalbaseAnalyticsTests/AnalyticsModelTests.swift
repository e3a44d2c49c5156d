import ClientCore
import Palbase
import PalbaseAnalytics
import Testing

// Random walks over everything that can happen to events, against a model that is too simple to be wrong in the same way:
// lists of numbers, one list for each fate.
//
// One step records, flushes, goes to the background, changes the reader or the consent, answers the request that is out in
// one of its ways, or lets time pass. After each step everything comes to rest. The model says what must be in the
// request that is out, and when one must be out; it does not say when a retry goes, which is drawn, so it takes the
// client's word within the bounds and notes it. A service counts each event id once, as the real one does, and remembers
// the bytes of each batch.

/// What ought to become of events, and what the service has seen.
private struct AnalyticsModel {
  struct Event: Equatable {
    let number: Int
    let reader: Int
  }

  var waiting: [Event] = []
  /// Batches that must go next, unchanged or as parts.
  var prepared: [[Event]] = []
  /// What is out.
  var out: [Event] = []
  /// Whether consent was withdrawn since the request went out.
  var isDoomed = false
  var sent = 0
  var dropped = 0
  var recorded = 0
  var reader = 1
  var isAllowed = true

  var pending: Int { waiting.count + prepared.reduce(0) { $0 + $1.count } + out.count }
  var counts: AnalyticsCounts {
    AnalyticsCounts(recorded: recorded, sent: sent, dropped: dropped, pending: pending)
  }
  /// What the next request must hold.
  var next: [Event] {
    if let first = prepared.first { return first }
    return Array(waiting.prefix(50).prefix { $0.reader == waiting[0].reader })
  }

  mutating func record(_ number: Int) {
    guard isAllowed else { return }
    recorded += 1
    waiting.append(Event(number: number, reader: reader))
    while pending > 1_000 {
      waiting.removeFirst()
      dropped += 1
    }
  }

  mutating func takeNext() {
    out = next
    if prepared.isEmpty { waiting.removeFirst(out.count) } else { prepared.removeFirst() }
    isDoomed = false
  }

  mutating func withdraw() {
    isAllowed = false
    dropped += pending - out.count
    (waiting, prepared) = ([], [])
    isDoomed = !out.isEmpty
  }

  mutating func end(_ status: Int?) {
    defer { out = [] }
    let isFormer = out.first?.reader != reader
    switch status {
    case 202: sent += out.count
    case 401 where isFormer, 400: dropped += out.count
    case 413 where out.count > 1 && !isDoomed:
      let middle = (out.count + 1) / 2
      prepared.insert(contentsOf: [Array(out[..<middle]), Array(out[middle...])], at: 0)
    case 413: dropped += out.count
    default:
      if isDoomed { dropped += out.count } else { prepared.insert(out, at: 0) }
    }
  }
}

/// The service: it remembers which events it has and the bytes of each batch.
private struct CountingService {
  private var counted: Set<String> = []
  private var bytes: [String: [UInt8]] = [:]
  private var ids: [Int: String] = [:]

  /// How many events it has counted.
  var count: Int { counted.count }
  /// Whether no two events came under one id.
  var hasUniqueIDs: Bool { Set(ids.values).count == ids.count }

  /// Looks at a request that arrives.
  mutating func look(at batch: SentBatch, _ place: Comment) {
    #expect((1...50).contains(batch.events.count), place)
    #expect(bytes[batch.id] == nil || bytes[batch.id] == batch.bytes, place)
    bytes[batch.id] = batch.bytes
    for (number, id) in zip(batch.numbers, batch.ids) {
      #expect(ids[number] == nil || ids[number] == id, place)
      ids[number] = id
    }
  }

  mutating func count(_ batch: SentBatch) { counted.formUnion(batch.ids) }
}

/// One walk of a client and the model side by side.
private struct Walk {
  let stage: Stage
  var model = AnalyticsModel()
  var service = CountingService()
  private var captured = 0
  private var seen: SentBatch?
  /// The batch that was tried in vain and is to come again.
  private var failed: SentBatch?

  init(_ stage: Stage) { self.stage = stage }

  mutating func capture(_ count: Int) {
    stage.capture(captured..<captured + count)
    for number in captured..<captured + count { model.record(number) }
    captured += count
  }

  /// Brings everything to rest, and compares.
  ///
  /// - Returns: The batch that is out.
  mutating func observe(_ place: Comment) async throws -> SentBatch? {
    await stage.idle()
    let pending = stage.transport.pending
    #expect(pending.count <= 1, place)
    if let seen, pending.first?.id != seen.pending.id {
      // Its deadline has passed.
      end(seen, status: nil)
    }
    if let request = pending.first, seen == nil {
      let batch = SentBatch(request)
      model.takeNext()
      try #require(batch.numbers == model.out.map(\.number), place)
      if let failed, failed.numbers == batch.numbers { #expect(failed.bytes == batch.bytes, place) }
      failed = nil
      service.look(at: batch, place)
      seen = batch
    }
    try #require(stage.counts == model.counts, place)
    return seen
  }

  /// Answers the batch that is out; nil loses the answer.
  mutating func answer(_ batch: SentBatch, _ status: Int?, isCounted: Bool) {
    if isCounted { service.count(batch) }
    if let status {
      stage.transport.respond(to: batch.pending, with: TransportResponse(status: status))
    } else {
      stage.transport.fail(batch.pending)
    }
    end(batch, status: status)
  }

  private mutating func end(_ batch: SentBatch, status: Int?) {
    model.end(status)
    seen = nil
    failed = model.prepared.first?.count == batch.events.count ? batch : nil
  }
}

@Suite struct AnalyticsModelTests {
  @Test(arguments: 0..<25 as Range<UInt64>)
  func `whatever happens, every event has the fate that the model says, and the service counts it once`(
    seed: UInt64
  ) {
    play(seeds: seed..<seed + 1) { stage in
      let random = ControllableRandomSource(seed: seed &+ 1_000)
      func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
      var walk = Walk(stage)
      for step in 0..<200 {
        switch draw(14) {
        case 0, 1, 2, 3: walk.capture(draw(12) == 0 ? draw(1_200) : draw(30))
        case 4: stage.flush()
        case 5: stage.lifecycle.send(.background)
        case 6:
          stage.pb.signIn(draw(2) == 0 ? .anna : .bert)
          walk.model.reader += 1
        case 7 where draw(4) == 0:
          stage.pb.setConsent(.none)
          walk.model.withdraw()
        case 7, 8:
          stage.pb.setConsent(.all)
          walk.model.isAllowed = true
        case 9: try await stage.pass(.milliseconds(Int64(draw(5_000))))
        default: break
        }
        guard let batch = try await walk.observe("step \(step)"), draw(3) > 0 else { continue }
        switch draw(8) {
        case 0: walk.answer(batch, 500, isCounted: false)
        case 1: walk.answer(batch, 413, isCounted: false)
        case 2: walk.answer(batch, 400, isCounted: false)
        case 3: walk.answer(batch, 401, isCounted: false)
        case 4: walk.answer(batch, nil, isCounted: true)
        default: walk.answer(batch, 202, isCounted: true)
        }
        _ = try await walk.observe("after the answer of step \(step)")
      }
      // The service heals: everything that is left is sent, in order.
      while walk.model.pending > 0 {
        stage.flush()
        let batch = try #require(try await walk.observe("at the end"), "a flush sends what is left")
        walk.answer(batch, 202, isCounted: true)
        _ = try await walk.observe("at the end")
      }
      #expect(walk.service.count >= walk.model.sent, "what counts as sent the service has")
      #expect(walk.service.hasUniqueIDs)
      #expect(walk.model.recorded > 300 && walk.model.sent > 0, "the walk went somewhere")
    }
  }
}
