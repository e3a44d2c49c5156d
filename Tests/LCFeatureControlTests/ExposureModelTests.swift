import ClientCore
import LCFeatureControl
import Stagecraft
import Synchronization
import Testing

// Random walks over everything that can happen to exposures, against a model that is too simple to be wrong in the same
// way: lists of numbers, one list for each fate, and no counters.
//
// One step records, flushes, cancels a flush, answers the request under way in one of its ways, changes how tokens are
// given out, or lets a second pass. After each step everything comes to rest, and the requests that are out, the flushes
// that have returned and the public counts must be the model's. At the end every event must have exactly one fate.

/// What ought to become of exposures, in whole seconds.
private struct ExposureModel {
  /// How a batch gets its authorization.
  enum Token: CaseIterable { case atOnce, afterASecond, none }

  struct Batch {
    let events: [Int]
    let began: Int
    /// When it is sent, which it is not before its token has come.
    let leaves: Int
  }

  var now = 0
  var token = Token.atOnce
  var waiting: [Int] = []
  var sent: [Int] = []
  var failed: [Int] = []
  var dropped: [Int] = []
  var recorded: [Int] = []
  private(set) var batch: Batch?
  /// The flushes that have not returned, the one under way first.
  private(set) var flushes: [Int] = []
  /// The last event that the flush under way is to send.
  private var last = Int.min
  private var patience = 0
  private(set) var isClosed = false

  var requested: [[Int]] {
    if let batch, now >= batch.leaves { [batch.events] } else { [] }
  }
  var counts: FeatureControlExposureCounts {
    .account(
      sent: sent.count, failed: failed.count, dropped: dropped.count, pending: waiting.count,
      underWay: batch?.events.count ?? 0)
  }

  mutating func record(_ event: Int) {
    recorded.append(event)
    if isClosed { dropped.append(event) } else { waiting.append(event) }
    trim()
  }

  mutating func flush(_ id: Int) {
    if isClosed { return }
    flushes.append(id)
    if flushes.count == 1 { begin() }
  }

  mutating func cancel(_ id: Int) {
    guard let index = flushes.firstIndex(of: id) else { return }
    if index > 0 {
      flushes.remove(at: index)
    } else if let batch {
      self.batch = nil
      if now >= batch.leaves { failed += batch.events } else { waiting = batch.events + waiting }
      trim()
      finish()
    }
  }

  /// The request under way ends.
  mutating func answer(isGood: Bool, retryAfter: Int = 0) {
    guard let batch else { return }
    self.batch = nil
    if isGood { sent += batch.events } else { failed += batch.events }
    patience = max(patience, now + retryAfter)
    next()
  }

  mutating func passSecond() {
    now += 1
    if let batch, now == batch.began + 3 { answer(isGood: false) }
  }

  mutating func close() {
    isClosed = true
    if let batch { if now >= batch.leaves { failed += batch.events } else { dropped += batch.events } }
    dropped += waiting
    (batch, waiting, flushes) = (nil, [], [])
  }

  private mutating func trim() {
    let excess = max(0, waiting.count - 1_000)
    dropped += waiting.prefix(excess)
    waiting.removeFirst(excess)
  }

  private mutating func begin() {
    last = waiting.last ?? .min
    next()
  }

  private mutating func next() {
    while now >= patience {
      let events = Array(waiting.prefix(100).prefix { $0 <= last })
      if events.isEmpty { break }
      waiting.removeFirst(events.count)
      switch token {
      case .none: dropped += events
      case .atOnce, .afterASecond:
        batch = Batch(events: events, began: now, leaves: token == .atOnce ? now : now + 1)
        return
      }
    }
    finish()
  }

  private mutating func finish() {
    flushes.removeFirst()
    if !flushes.isEmpty { begin() }
  }
}

@Suite struct ExposureModelTests {
  /// Gives out tokens as the model says.
  private final class Tokens: Sendable {
    private let mode = Mutex(ExposureModel.Token.atOnce)

    func set(_ token: ExposureModel.Token) { mode.withLock { $0 = token } }

    func token(_ stage: Stage?) async throws -> String? {
      switch mode.withLock({ $0 }) {
      case .atOnce: return "jwt"
      case .none: return nil
      case .afterASecond:
        try await stage?.simulator.clock.sleep(for: .seconds(1))
        return "jwt"
      }
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `whatever happens, every event has the fate that the model says, and one only`(seed: UInt64) {
    let tokens = Tokens()
    let stages = Mutex<Stage?>(nil)
    let auth = FeatureControlBearerAuth { try await tokens.token(stages.withLock { $0 }) }
    play(Setup(auth: auth), seeds: seed..<seed + 1) { stage in
      stages.withLock { $0 = stage }
      defer { stages.withLock { $0 = nil } }
      tokens.set(.atOnce)
      let random = ControllableRandomSource(seed: seed)
      func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
      var model = ExposureModel()
      var flushes: [Asked<Void>] = []
      var inRequests: [Int] = []
      var seen = Set<UInt64>()
      for step in 0..<120 {
        switch draw(12) {
        case 0, 1, 2:
          let count = draw(5) == 0 ? draw(1_300) : draw(150)
          let numbers = model.recorded.count..<model.recorded.count + count
          await stage.record(numbers)
          for number in numbers { model.record(number) }
        case 3, 4:
          flushes.append(stage.flush())
          model.flush(flushes.count - 1)
        case 5 where !flushes.isEmpty:
          let chosen = draw(2) == 0 ? model.flushes.first ?? 0 : draw(flushes.count)
          flushes[chosen].cancel()
          model.cancel(chosen)
        case 6:
          model.token = ExposureModel.Token.allCases[draw(3)]
          tokens.set(model.token)
        case 7:
          try await stage.pass(.seconds(1))
          model.passSecond()
        case 8, 9, 10, 11:
          guard !model.requested.isEmpty else { continue }
          switch draw(5) {
          case 0:
            try await stage.answer("", status: 500)
            model.answer(isGood: false)
          case 1:
            let seconds = draw(4)
            try await stage.answer("", status: 429, headers: retryAfter("\(seconds)"))
            model.answer(isGood: false, retryAfter: seconds)
          default:
            try await stage.answer(.accepted, status: 202)
            model.answer(isGood: true)
          }
        default: break
        }
        let pending = await stage.pending()
        for request in pending where seen.insert(request.id).inserted { inRequests += request.exposures }
        try #require(pending.map(\.exposures) == model.requested, "step \(step)")
        try #require(stage.counts == model.counts, "step \(step)")
        let waiting = flushes.indices.filter { !flushes[$0].isAnswered }
        try #require(waiting == model.flushes.sorted(), "step \(step)")
      }
      stage.manager?.close()
      await stage.idle()
      model.close()
      #expect(stage.counts == model.counts)
      #expect(flushes.allSatisfy { $0.isAnswered })
      let fates = model.sent + model.failed + model.dropped
      #expect(fates.sorted() == model.recorded, "each event has one fate")
      #expect(inRequests == inRequests.sorted() && Set(inRequests).count == inRequests.count)
      #expect(inRequests == (model.sent + model.failed).sorted())
    }
  }
}
