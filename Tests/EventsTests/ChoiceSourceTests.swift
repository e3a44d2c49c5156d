import Events
import Testing

@Suite struct ChoiceSourceTests {
  private func draws(_ source: ChoiceSource, _ label: ChoiceLabel, _ count: Int) -> [UInt64] {
    var source = source
    return (0..<count).map { _ in source.choose(upTo: 1 << 32, label: label) }
  }

  @Test(arguments: ChoiceLabel.allCases)
  func `the same seed gives the same choices, another seed others`(label: ChoiceLabel) {
    let first = draws(ChoiceSource(seed: 7), label, 100)
    #expect(first == draws(ChoiceSource(seed: 7), label, 100))
    for other in [UInt64](0..<7) + [8, .max] {
      let equal = zip(first, draws(ChoiceSource(seed: other), label, 100)).count { $0 == $1 }
      #expect(equal == 0, "seed \(other)")
    }
  }

  @Test func `each label has a stream of its own`() {
    let streams = ChoiceLabel.allCases.map { draws(ChoiceSource(seed: 7), $0, 100) }
    #expect(Set(streams.flatMap { $0 }).count == streams.count * 100)
  }

  @Test(arguments: ChoiceLabel.allCases)
  func `draws of the other labels do not move a stream`(label: ChoiceLabel) {
    var disturbed = ChoiceSource(seed: 7)
    var values: [UInt64] = []
    for round in 0..<100 {
      for other in ChoiceLabel.allCases where other != label {
        for _ in 0...round % 3 { _ = disturbed.choose(upTo: 10, label: other) }
      }
      values.append(disturbed.choose(upTo: 1 << 32, label: label))
    }
    #expect(values == draws(ChoiceSource(seed: 7), label, 100))
  }

  @Test(arguments: [2, 3, 7, 128, 1_000_003, 1 << 63, (1 << 63) + 1, .max] as [UInt64])
  func `a choice is below its bound`(bound: UInt64) {
    var source = ChoiceSource(seed: bound)
    for _ in 0..<1000 {
      for label in ChoiceLabel.allCases { #expect(source.choose(upTo: bound, label: label) < bound) }
    }
  }

  @Test func `one possibility is no choice: nothing is drawn, nothing recorded`() {
    var source = ChoiceSource(seed: 7, recording: true)
    for bound in [0, 1] as [UInt64] { #expect(source.choose(upTo: bound, label: .schedule) == 0) }
    #expect(source.log == ChoiceLog())
    #expect(source.choose(upTo: 1 << 32, label: .schedule) == draws(ChoiceSource(seed: 7), .schedule, 1)[0])
  }

  /// The statistic is below the limit in 999 of 1,000 samples of a fair source; the seeds are fixed.
  @Test(arguments: [(bound: 2, limit: 10.83), (bound: 3, limit: 13.82), (bound: 10, limit: 27.88)])
  func `all possibilities are equally likely`(bound: UInt64, limit: Double) {
    let count = 60_000
    for label in ChoiceLabel.allCases {
      for seed in [0, 1, 2026] as [UInt64] {
        var source = ChoiceSource(seed: seed)
        var bins = [Int](repeating: 0, count: Int(bound))
        for _ in 0..<count { bins[Int(source.choose(upTo: bound, label: label))] += 1 }
        let expected = Double(count) / Double(bound)
        let statistic = bins.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        #expect(statistic < limit, "\(label), seed \(seed): \(bins)")
      }
    }
  }

  @Test func `the first choices of consecutive seeds are as good as random`() {
    let count = 20_000
    var bins = [Int](repeating: 0, count: 10)
    for seed in 0..<UInt64(count) {
      var source = ChoiceSource(seed: seed)
      bins[Int(source.choose(upTo: 10, label: .schedule))] += 1
    }
    let expected = Double(count) / 10
    let statistic = bins.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    #expect(statistic < 27.88, "\(bins)")
  }

  @Test func `nothing is recorded unless asked for`() {
    var source = ChoiceSource(seed: 7)
    _ = source.choose(upTo: 10, label: .fault)
    #expect(source.log == nil)
  }

  @Test func `a replay gives the recorded choices, and records the same`() throws {
    var source = ChoiceSource(seed: 7, recording: true)
    let bounds: [UInt64] = [2, 10, 1000, 3, 1 << 40]
    func choices(_ source: inout ChoiceSource) -> [UInt64] {
      bounds.flatMap { bound in ChoiceLabel.allCases.map { source.choose(upTo: bound, label: $0) } }
    }
    let first = choices(&source)
    let log = try #require(source.log)
    var replay = ChoiceSource(replaying: log, recording: true)
    #expect(choices(&replay) == first)
    #expect(replay.log == log)
    // Beyond the record every choice is the simplest one.
    #expect(choices(&replay).allSatisfy { $0 == 0 })
  }

  @Test func `a recorded choice that is too large becomes the largest allowed one`() {
    var log = ChoiceLog()
    log.append(9, label: .latency)
    log.append(2, label: .latency)
    var replay = ChoiceSource(replaying: log, recording: true)
    #expect(replay.choose(upTo: 4, label: .latency) == 3)
    #expect(replay.choose(upTo: 4, label: .latency) == 2)
    var given = ChoiceLog()
    given.append(3, label: .latency)
    given.append(2, label: .latency)
    #expect(replay.log == given, "the log tells what was given, not what was asked for")
  }

  @Test func `a record that is used up in one label goes on in the others`() {
    var log = ChoiceLog()
    log.append(5, label: .workload)
    var replay = ChoiceSource(replaying: log)
    #expect(replay.choose(upTo: 10, label: .schedule) == 0)
    #expect(replay.choose(upTo: 10, label: .workload) == 5)
    #expect(replay.choose(upTo: 10, label: .workload) == 0)
  }
}
