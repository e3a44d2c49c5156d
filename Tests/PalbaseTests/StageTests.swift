import ClientCore
import Simulation
import Stagecraft
import Testing

/// The stage itself: what a story or a client leaves undone is told.
@Suite struct StageTests {
  private struct Slip: Error {}

  private final class Bare: VirtualStage {
    let simulator: Simulator
    let leftovers: [String]

    init(_ simulator: Simulator, _ leftovers: [String] = []) {
      self.simulator = simulator
      self.leftovers = leftovers
    }

    func close() async {}
  }

  @Test func `a story that goes well has no complaints`() {
    let complaints = plays(0..<3, on: { simulator, _ in Bare(simulator) }) { stage in
      try await stage.pass(.seconds(1))
    }
    #expect(complaints.isEmpty)
  }

  @Test func `what a story throws is a complaint of each play`() {
    let complaints = plays(0..<2, on: { simulator, _ in Bare(simulator) }) { _ in throw Slip() }
    #expect(complaints.map(\.seed) == [0, 1])
    #expect(complaints.allSatisfy { $0.thrown is Slip })
  }

  @Test func `tasks, timers and clients that are left are complaints`() {
    let complaints = plays(0..<1, on: { simulator, _ in Bare(simulator, ["requests"]) }) { stage in
      let simulator = stage.simulator
      stage.ask { try await simulator.clock.sleep(for: .seconds(100)) }
      await stage.idle()
    }
    let told = complaints.map(\.description)
    for expected in ["tasks are left", "timers are left", "left behind: requests"] {
      #expect(told.contains("seed 0: \(expected)"))
    }
  }

  @Test func `a story that never ends is a complaint`() {
    let complaints = plays(0..<1, on: { simulator, _ in Bare(simulator) }) { _ in
      let (silence, voice) = AsyncStream<Void>.makeStream()
      for await _ in silence {}
      voice.finish()
    }
    #expect(complaints.first?.words == "the story did not end")
  }
}
