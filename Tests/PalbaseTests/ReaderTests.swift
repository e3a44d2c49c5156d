import ClientCore
import Palbase
import Stagecraft
import Synchronization
import Testing

/// Who the reader is, and the step in which that changes (BEHAVIOUR §3, Reader; rule 1.4).
@Suite struct ReaderTests {
  /// What a thread sees while others change the reader.
  private final class Watch: Sendable {
    let isOver = Atomic<Bool>(false)
    let mixed = Atomic<Int>(0)
  }

  @Test func `every sign-in is a new epoch, also of the same user`() {
    let client = PalbaseClient()
    #expect(client.user == nil)
    let first = client.epoch
    client.signIn(.anna)
    #expect(client.user == .anna)
    client.signIn(.anna)
    #expect(client.epoch == first + 2)
    client.signOut()
    #expect(client.user == nil)
    #expect(client.epoch == first + 3)
    client.signOut()
    #expect(client.epoch == first + 3, "nobody was signed in")
  }

  @Test func `the modules hear of a change when it has happened, analytics first`() {
    let journal = Journal()
    play(seeds: 0..<1) { stage in
      let client = try #require(stage.client)
      for slot in [ModuleSlot.flags, .analytics] {
        _ = client.module(slot) { _, core in
          ProbeModule("\(slot)", journal) { identity in
            #expect(core.epoch == identity.epoch && core.identity.userID == identity.userID)
          }
        }
      }
      client.signIn(.anna)
      client.signOut()
      #expect(
        journal.all == [
          "flags starts", "analytics starts", "analytics: anna in 2", "flags: anna in 2",
          "analytics: install in 3", "flags: install in 3",
        ])
    }
  }

  @Test func `a user named before the configuration is the reader after it`() {
    play(seeds: 0..<1) { stage in
      let client = PalbaseClient()
      client.signIn(.anna)
      client.configure(
        PalbaseConfiguration(
          baseURL: "https://shop.example", apiKey: "key", platform: "ios", appVersion: "1", language: "de"),
        environment: stage.environment)
      #expect(client.user == .anna)
      await client.close()
    }
  }

  @Test func `a reader that changes while a module is made is told to it`() {
    let journal = Journal()
    play(seeds: 0..<1) { stage in
      let client = try #require(stage.client)
      _ = client.module(.flags) { client, _ in
        client.signIn(.anna)
        client.setConsent(.all)
        return ProbeModule("flags", journal)
      }
      #expect(journal.all == ["flags starts", "flags: anna in 2", "flags: analytics true"])
    }
  }

  @Test func `after the end the reader still changes`() {
    // Whoever still reads what was held must find that it is no longer theirs.
    play(Setup(user: .anna), seeds: 0..<1) { stage in
      let client = try #require(stage.client)
      await client.close()
      let epoch = client.epoch
      client.signIn(.ben)
      #expect(client.epoch == epoch + 1)
      #expect(client.user == .ben)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `sign-ins from several threads are as many epochs, and the last one stands`() async {
    let client = PalbaseClient()
    let first = client.epoch
    let watch = Watch()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          for turn in 0..<500 {
            let name = "\(number)-\(turn)"
            client.signIn(PalbaseUser(id: name, token: name))
            if turn.isMultiple(of: 7) { client.updateToken(client.user?.token ?? "") }
          }
        }
      }
      group.addTask {
        while !watch.isOver.load(ordering: .relaxed) {
          let before = client.epoch
          let identity = client.identity
          if identity.epoch < before { watch.mixed.add(1, ordering: .relaxed) }
          await Task.yield()
        }
      }
      for _ in 0..<4 { await group.next() }
      watch.isOver.store(true, ordering: .relaxed)
    }
    #expect(client.epoch == first + 2000)
    #expect(client.identity.epoch == client.epoch)
    #expect(watch.mixed.load(ordering: .relaxed) == 0, "an epoch was seen before its reader")
  }
}
