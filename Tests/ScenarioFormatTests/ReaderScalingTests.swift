import Foundation
import ScenarioFormat
import Testing

/// `--readers N`.
@Suite struct ReaderScalingTests {
  private func text(_ sizes: [Int], instances: Int = 1) -> String {
    let groups = sizes.enumerated().map { index, size in
      "\"g\(index)\": { \"executor\": \"per-reader-iterations\", \"readers\": \(size), \"do\": [\"evaluate\"] }"
    }
    return """
      { "name": "scaled", "description": "Scaled.",
        "client": { "kind": "feature-control", "instances": \(instances) },
        "readers": { \(groups.joined(separator: ",\n")) } }
      """
  }

  private func sizes(_ text: String, _ readers: Int) throws -> [Int] {
    let scenario = try #require(load(text, [.readers("\(readers)")]).scenario)
    #expect(scenario.readerCount == readers)
    return scenario.groups.map(\.executor.peakReaders)
  }

  @Test(arguments: [
    ([5000], 100_000, [100_000]), ([5000], 1, [1]), ([10, 20, 30], 60, [10, 20, 30]),
    ([10, 20, 30], 120, [20, 40, 60]), ([1, 1, 1], 100, [34, 33, 33]), ([3, 7], 5, [2, 3]),
    ([1, 1000], 100_000, [100, 99_900]), ([1, 1, 1000], 3, [1, 1, 1]), ([1, 1, 1000], 10, [1, 1, 8]),
    ([1000, 1, 1], 10, [8, 1, 1]), ([1, 1000], 1_000_000, [1_000, 999_000]),
  ])
  func `groups are scaled in proportion, none to nothing, the remainder to the first`(
    before: [Int],
    total: Int,
    after: [Int]
  ) throws {
    #expect(try sizes(text(before), total) == after)
  }

  @Test func `the parts always add up`() throws {
    for total in stride(from: 7, through: 700, by: 13) {
      let after = try sizes(text([1, 2, 500, 3, 1, 90, 4]), total)
      #expect(after.allSatisfy { $0 >= 1 })
    }
  }

  @Test func `a ramp is scaled with its start and its targets`() throws {
    let scenario = try #require(load(Sample.largest, [.readers("76")]).scenario)
    #expect(scenario.groups.map(\.executor.peakReaders) == [40, 20, 16])
    #expect(
      scenario.groups[2].executor
        == .rampingReaders(
          startReaders: 4,
          stages: [RampStage(duration: .seconds(30), target: 16), RampStage(duration: .zero, target: 2)],
          gracefulRampDown: .seconds(5)
        )
    )
    #expect(scenario.client.instances == 4)
  }

  @Test func `an open model is scaled with its rates, of which none becomes nothing`() throws {
    func executors(_ readers: Int) throws -> [ReaderExecutor] {
      let scenario = try #require(load(Sample.faulty, [.readers("\(readers)"), .set("faults=[]")]).scenario)
      #expect(scenario.readerCount == readers)
      return scenario.groups.map(\.executor)
    }
    func constant(_ rate: Int, _ atStart: Int, _ atMost: Int) -> ReaderExecutor {
      .constantArrivalRate(
        rate: rate,
        timeUnit: .seconds(60),
        duration: .seconds(120),
        preAllocatedReaders: atStart,
        maxReaders: atMost
      )
    }
    func ramping(_ start: Int, _ target: Int, _ readers: Int) -> ReaderExecutor {
      .rampingArrivalRate(
        startRate: start,
        timeUnit: .seconds(2),
        stages: [
          RampStage(duration: .seconds(30), target: target), RampStage(duration: .zero, target: 0),
        ],
        preAllocatedReaders: readers,
        maxReaders: readers
      )
    }
    #expect(try executors(26) == [constant(50, 4, 20), ramping(5, 80, 6)])
    #expect(try executors(52) == [constant(100, 8, 40), ramping(10, 160, 12)])
    #expect(try executors(4) == [constant(7, 1, 3), ramping(1, 13, 1)])
  }

  @Test func `faults of instances that scaling takes away are refused where they are named`() {
    let text = text([10], instances: 10).replacingOccurrences(
      of: "\"readers\": {",
      with:
        "\"faults\": [{ \"name\": \"x\", \"match\": { \"instances\": 7 }, \"hang\": true }], \"readers\": {"
    )
    #expect(load(text, [.readers("20")]).lines == [])
    #expect(
      load(text, [.readers("5")]).problems.map(\.message) == ["7 is out of range"]
    )
  }

  @Test func `a fleet stays a fleet`() throws {
    let fleet = try #require(load(text([10, 20], instances: 30), [.readers("3000")]).scenario)
    #expect(fleet.client.instances == 3_000)
    let shared = try #require(load(text([1]), [.readers("50")]).scenario)
    #expect(shared.client.instances == 1)
    let some = try #require(load(text([10, 20], instances: 7), [.readers("3000")]).scenario)
    #expect(some.client.instances == 7)
  }

  @Test func `overrides follow the order of the command line`() throws {
    let scenario = try #require(
      load(text([10, 10]), [.readers("40"), .set("readers.g1.readers=5")]).scenario
    )
    #expect(scenario.groups.map(\.executor.peakReaders) == [20, 5])
    let other = try #require(load(text([10, 10]), [.set("readers.g1.readers=30"), .readers("40")]).scenario)
    #expect(other.groups.map(\.executor.peakReaders) == [10, 30])
  }

  @Test(arguments: [
    ("0", "\"0\" is not a number of readers; write a whole number from 1 to 10000000"),
    ("many", "\"many\" is not a number of readers; write a whole number from 1 to 10000000"),
    ("-5", "\"-5\" is not a number of readers; write a whole number from 1 to 10000000"),
    (
      "99999999999999999999",
      "\"99999999999999999999\" is not a number of readers; write a whole number from 1 to 10000000"
    ),
    ("1", "fewer readers than the 2 groups; write at least 2"),
  ])
  func `a number that cannot be is refused`(number: String, message: String) {
    #expect(load(text([10, 10]), [.readers(number)]).lines == [" error: --readers \(number): \(message)"])
  }

  @Test func `groups that are wrong anyway are reported as such`() {
    let loaded = load(text([10, 0]), [.readers("100")])
    #expect(loaded.problems.map(\.path) == ["readers.g1.readers"])
    #expect(load("{}", [.readers("100")]).scenario == nil)
    #expect(load("[]", [.readers("100")]).problems.count == 1)
  }

  @Test func `there are never more instances than readers`() throws {
    let loaded = load(text([10, 20], instances: 7), [.readers("5")])
    #expect(try #require(loaded.scenario).client.instances == 5)
    #expect(load(text([10, 20], instances: 7), [.readers("8")]).scenario?.client.instances == 7)
  }
}
