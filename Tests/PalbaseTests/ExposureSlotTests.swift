import ClientCore
import Palbase
import Stagecraft
import Synchronization
import Testing

/// Sessions without a lock, and exposures on their way (BEHAVIOUR §3, Exposure and Analytics).
@Suite struct ExposureSlotTests {
  private static func at(_ seconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
  }

  @Test func `before analytics are used nothing may be recorded`() {
    let slot = ExposureSlot()
    #expect(slot.session(at: Self.at(0)) == 0)
    slot.touch(at: Self.at(0))
    slot.newSession(at: Self.at(0))
    #expect(slot.session(at: Self.at(1)) == 0)
  }

  @Test func `a session ends after half an hour without activity`() {
    let slot = ExposureSlot()
    slot.open(at: Self.at(0))
    #expect(slot.session(at: Self.at(1799)) == 1)
    #expect(slot.session(at: MonotonicInstant(nanoseconds: 1800 * 1_000_000_000 - 1)) == 1)
    #expect(slot.session(at: Self.at(1800)) == 2, "at the half hour it is over")
    #expect(slot.session(at: Self.at(1801)) == 2)
    #expect(slot.session(at: Self.at(3599)) == 2)
    #expect(slot.session(at: Self.at(3600)) == 3)
  }

  @Test func `activity prolongs a session and a question does not`() {
    let slot = ExposureSlot()
    slot.open(at: Self.at(0))
    slot.touch(at: Self.at(1000))
    #expect(slot.session(at: Self.at(2799)) == 1)
    #expect(slot.session(at: Self.at(2800)) == 2)
    slot.touch(at: Self.at(10_000))
    #expect(slot.session(at: Self.at(10_000)) == 3, "activity after the end begins a session")
    #expect(slot.session(at: Self.at(11_799)) == 3)
  }

  @Test func `an activity that was held up moves no end back`() {
    let slot = ExposureSlot()
    slot.open(at: Self.at(0))
    slot.touch(at: Self.at(1000))
    slot.touch(at: Self.at(500))
    #expect(slot.session(at: Self.at(2799)) == 1)
  }

  @Test func `a number is never used again`() {
    let slot = ExposureSlot()
    slot.open(at: Self.at(0))
    slot.open(at: Self.at(1))
    #expect(slot.session(at: Self.at(1)) == 1, "it may be recorded already")
    slot.newSession(at: Self.at(2))
    #expect(slot.session(at: Self.at(2)) == 2)
    slot.close()
    slot.close()
    #expect(slot.session(at: Self.at(3)) == 0)
    slot.open(at: Self.at(4))
    #expect(slot.session(at: Self.at(4)) == 3)
    #expect(slot.session(at: Self.at(1804)) == 4)
  }

  private final class Sink: ExposureSink {
    let journal = Journal()

    func expose(flag: String, experiment: String, variant: String, session: UInt64, identity: PalbaseIdentity)
    {
      journal.add("\(flag) \(experiment) \(variant) \(session) \(identity.userID ?? "install")")
    }
  }

  @Test func `an exposure reaches the sink with the reader and session of its moment`() {
    play(Setup(user: .anna)) { stage in
      let sink = Sink()
      let core = try stage.core
      core.exposures.setSink(sink)
      core.exposures.record(
        flag: "f", experiment: "e", variant: "v", session: 7, identity: core.identity,
        spawner: stage.environment.spawner)
      #expect(sink.journal.all.isEmpty, "not on the path of the read")
      stage.client?.signIn(.ben)
      await stage.idle()
      #expect(sink.journal.all == ["f e v 7 anna"])
    }
  }

  @Test func `an exposure on its way is flushed by the close`() {
    play(Setup(user: .anna)) { stage in
      let sink = Sink()
      let core = try stage.core
      core.exposures.setSink(sink)
      _ = stage.client?.module(.analytics) { _, _ in
        ProbeModule("analytics", sink.journal, onFlush: { sink.journal.add("flushed") })
      }
      for flag in 1...3 {
        core.exposures.record(
          flag: "\(flag)", experiment: "e", variant: "v", session: 1, identity: core.identity,
          spawner: stage.environment.spawner)
      }
      await stage.client?.close()
      let notes = sink.journal.all
      #expect(notes.filter { $0.hasSuffix("anna") }.count == 3)
      #expect(notes.suffix(3) == ["analytics flushes", "flushed", "analytics closes"])
    }
  }

  @Test func `without a sink an exposure is dropped`() {
    play(Setup(user: .anna)) { stage in
      let core = try stage.core
      core.exposures.record(
        flag: "f", experiment: "e", variant: "v", session: 1, identity: core.identity,
        spawner: stage.environment.spawner)
      await core.exposures.settle()
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `threads that find a session over at once begin one, not several`() async {
    let slot = ExposureSlot()
    slot.open(at: Self.at(0))
    for round in 1...300 {
      let now = Self.at(Int64(round) * 1800)
      let numbers = await withTaskGroup(of: UInt64.self) { group in
        for _ in 0..<4 { group.addTask { slot.session(at: now) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(numbers == Array(repeating: UInt64(round + 1), count: 4))
    }
  }
}
