import ClientCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EnvironmentEffectsTests {
  // MARK: WallClock

  @Test func `a controllable wall clock stands still until it is moved`() {
    let clock = ControllableWallClock(now: WallTime(secondsSinceEpoch: 1_000))
    #expect(clock.now == WallTime(secondsSinceEpoch: 1_000))
    clock.jump(by: .seconds(-86_400))
    #expect(clock.now == WallTime(secondsSinceEpoch: -85_400))
    clock.set(to: WallTime(sinceEpoch: .milliseconds(1)))
    #expect(clock.now.sinceEpoch == .milliseconds(1))
  }

  @Test func `distances between wall times have a sign`() {
    let early = WallTime(secondsSinceEpoch: 10)
    let late = WallTime(secondsSinceEpoch: 15)
    #expect(early < late)
    #expect(early.duration(to: late) == .seconds(5))
    #expect(late.duration(to: early) == .seconds(-5))
    #expect(early.advanced(by: .seconds(5)) == late)
  }

  @Test func `the live wall clock is past the year in which it was written`() {
    #expect(LiveWallClock().now > WallTime(secondsSinceEpoch: 1_767_225_600))
  }

  // MARK: RandomSource

  @Test func `a controllable source gives the listed numbers and then the seeded ones`() {
    let source = ControllableRandomSource([7, 0, .max], seed: 1)
    let drawn = (0..<5).map { _ in source.next() }
    #expect(drawn[..<3] == [7, 0, .max])
    let seeded = ControllableRandomSource(seed: 1)
    #expect(Array(drawn[3...]) == [seeded.next(), seeded.next()])
    #expect(source.drawnCount == 5)
    #expect(ControllableRandomSource(seed: 2).next() != drawn[3])
  }

  @Test func `the seeded numbers are those of SplitMix64`() {
    let source = ControllableRandomSource(seed: 1_234_567)
    #expect(source.next() == 6_457_827_717_110_365_317)
    #expect(source.next() == 3_203_168_211_198_807_973)
  }

  @Test func `the live source does not repeat itself`() {
    let source = LiveRandomSource()
    #expect(Set((0..<100).map { _ in source.next() }).count == 100)
  }

  // MARK: MainActorHop

  @Test @MainActor func `a controllable hop runs its work in order when told`() {
    let hop = ControllableMainActorHop()
    let log = Log()
    for number in 1...3 { hop.hop { log.add(number) } }
    hop.hop { hop.hop { log.add(5) } }
    #expect(hop.waitingCount == 4)
    #expect(log.all == [])
    #expect(hop.runAll() == 4)
    #expect(log.all == [1, 2, 3])
    #expect(hop.runAll() == 1)
    #expect(log.all == [1, 2, 3, 5])
    #expect(hop.runAll() == 0)
  }

  @Test func `the live hop runs its work on the main actor in order`() async {
    let log = Log()
    await withCheckedContinuation { continuation in
      for number in 1...100 {
        LiveMainActorHop().hop {
          MainActor.assertIsolated()
          log.add(number)
        }
      }
      LiveMainActorHop().hop { continuation.resume() }
    }
    #expect(log.all == Array(1...100))
  }

  // MARK: Lifecycle

  @Test func `lifecycle events reach every subscriber in order`() async {
    let lifecycle = ControllableLifecycle()
    var first = lifecycle.events().makeAsyncIterator()
    lifecycle.send(.background)
    var second = lifecycle.events().makeAsyncIterator()
    lifecycle.send(.foreground)
    #expect(lifecycle.subscriberCount == 2)
    #expect(await first.next() == .background)
    #expect(await first.next() == .foreground)
    #expect(await second.next() == .foreground)
  }

  @Test func `a subscriber that falls behind finds the newest events`() async {
    let lifecycle = ControllableLifecycle()
    var events = lifecycle.events().makeAsyncIterator()
    for _ in 0..<LifecycleEvents.capacity { lifecycle.send(.background) }
    lifecycle.send(.foreground)
    var seen: [LifecycleEvent] = []
    while seen.count < LifecycleEvents.capacity, let event = await events.next() { seen.append(event) }
    #expect(seen == Array(repeating: .background, count: LifecycleEvents.capacity - 1) + [.foreground])
  }

  @Test func `a subscription ends with its task and leaves nothing`() async {
    let lifecycle = ControllableLifecycle()
    let subscriber = Task {
      for await _ in lifecycle.events() {}
    }
    while lifecycle.subscriberCount == 0 { await Task.yield() }
    subscriber.cancel()
    await subscriber.value
    #expect(lifecycle.subscriberCount == 0)
  }

  @Test func `letting go of a sequence ends its subscription`() {
    let lifecycle = ControllableLifecycle()
    do { _ = lifecycle.events() }
    #expect(lifecycle.subscriberCount == 0)
  }

  #if !canImport(UIKit)
    @Test func `without UIKit no lifecycle event comes and the wait ends with its task`() async {
      let subscriber = Task {
        var count = 0
        for await _ in LiveLifecycle().events() { count += 1 }
        return count
      }
      subscriber.cancel()
      #expect(await subscriber.value == 0)
    }
  #endif

  // MARK: Storage

  @Test(arguments: [
    "", ".", "..", ".hidden", "a/b", "a\\b", "a b", "ä", "a\0", String(repeating: "a", count: 101),
  ])
  func `a name that could leave its directory is none`(text: String) {
    #expect(RecordName(text) == nil)
  }

  @Test func `names may be as long as the rule says`() {
    #expect(RecordName(String(repeating: "a", count: 100)) != nil)
    #expect(("flags-v1.json" as RecordName).text == "flags-v1.json")
  }

  @Test func `a controllable storage keeps whole records`() async throws {
    let storage = ControllableStorage()
    #expect(try await storage.read("a") == nil)
    try await storage.replace("b", with: [1])
    try await storage.replace("a", with: [])
    #expect(try await storage.read("a") == [])
    #expect(storage.names == ["a", "b"])
    try await storage.remove("a")
    try await storage.remove("a")
    #expect(storage.names == ["b"])
    storage.put([9], for: "b")
    #expect(try await storage.read("b") == [9])
  }

  @Test func `a failing operation leaves the records as they were`() async throws {
    let storage = ControllableStorage()
    try await storage.replace("a", with: [1])
    storage.setIntercept { operation in
      if operation == .replace("a", byteCount: 2) { throw StorageError(.full, "no room") }
    }
    let error = await #expect(throws: StorageError.self) { try await storage.replace("a", with: [1, 2]) }
    #expect(error?.code == .full)
    #expect(try await storage.read("a") == [1])
  }

  @Test func `a slow operation takes effect when the intercept lets it`() async throws {
    let gate = AsyncStream.makeStream(of: Void.self)
    let begun = AsyncStream.makeStream(of: Void.self)
    let storage = ControllableStorage { _ in
      begun.continuation.finish()
      for await _ in gate.stream {}
    }
    let writing = Task { try await storage.replace("a", with: [1]) }
    for await _ in begun.stream {}
    #expect(storage.bytes(of: "a") == nil)
    gate.continuation.finish()
    try await writing.value
    #expect(storage.bytes(of: "a") == [1])
  }

  // MARK: Unimplemented

  @Test func `every unimplemented effect reports each use`() async {
    let uses = RecordedUses()
    _ = UnimplementedWallClock(onUse: uses.add).now
    _ = UnimplementedRandomSource(onUse: uses.add).next()
    UnimplementedMainActorHop(onUse: uses.add).hop {}
    for await _ in UnimplementedLifecycle(onUse: uses.add).events() {}
    let storage = UnimplementedStorage(onUse: uses.add)
    _ = await #expect(throws: StorageError.self) { try await storage.read("a") }
    await #expect(throws: StorageError.self) { try await storage.replace("a", with: []) }
    await #expect(throws: StorageError.self) { try await storage.remove("a") }
    #expect(
      uses.all.map { "\($0.effect).\($0.operation)" } == [
        "WallClock.now", "RandomSource.next()", "MainActorHop.hop(_:)", "Lifecycle.events()",
        "Storage.read(a)",
        "Storage.replace(a)", "Storage.remove(a)",
      ]
    )
  }
}

/// Numbers in the order in which they were added.
private final class Log: Sendable {
  private let numbers = Mutex<[Int]>([])

  var all: [Int] { numbers.withLock { $0 } }

  func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}
